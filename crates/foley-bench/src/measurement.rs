//! Processor time of a call, and the median of repeated measurements.

use foley_engine::cpu_time::thread_cpu_s;

/// Returns the processor seconds of one call of `job`, averaged over at least `seconds`.
pub(crate) fn per_call(seconds: f64, mut job: impl FnMut()) -> f64 {
    let start = thread_cpu_s();
    let mut calls = 0u32;
    loop {
        job();
        calls += 1;
        let spent = thread_cpu_s() - start;
        if spent >= seconds {
            return spent / f64::from(calls);
        }
    }
}

/// Returns the median; of an even number of values the upper one.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
