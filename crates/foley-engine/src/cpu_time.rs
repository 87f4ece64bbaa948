//! Processor time of this thread and of this process; other programs do not count.
//!
//! Where the system has no such clocks, the wall clock stands in.

/// Returns the processor time of this thread, s.
#[cfg(unix)]
pub fn thread_cpu_s() -> f64 {
    read(rustix::time::ClockId::ThreadCPUTime)
}

/// Returns the processor time of all threads of this process, s.
#[cfg(unix)]
pub fn process_cpu_s() -> f64 {
    read(rustix::time::ClockId::ProcessCPUTime)
}

#[cfg(unix)]
fn read(clock: rustix::time::ClockId) -> f64 {
    let t = rustix::time::clock_gettime(clock);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// Returns the time since the first call, s.
#[cfg(not(unix))]
pub fn process_cpu_s() -> f64 {
    use foley_geometry::clock::{self, Instant};
    static START: std::sync::LazyLock<Option<Instant>> = std::sync::LazyLock::new(clock::now);
    clock::elapsed(*START).as_secs_f64()
}

#[cfg(not(unix))]
pub use process_cpu_s as thread_cpu_s;
