//! Time the processor spent on this thread: what the rest of the machine does is left out.

use rustix::time::{ClockId, clock_gettime};

/// Seconds of processor time of this thread.
pub(crate) fn cpu_seconds() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// Seconds of processor time of all threads.
pub(crate) fn all_cpu_seconds() -> f64 {
    let t = clock_gettime(ClockId::ProcessCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// Processor seconds of one call of `job`, from as many calls as take `seconds`.
pub(crate) fn per_call(seconds: f64, mut job: impl FnMut()) -> f64 {
    let start = cpu_seconds();
    let mut calls = 0u32;
    loop {
        job();
        calls += 1;
        let spent = cpu_seconds() - start;
        if spent >= seconds {
            return spent / f64::from(calls);
        }
    }
}

/// The middle of some measurements.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
