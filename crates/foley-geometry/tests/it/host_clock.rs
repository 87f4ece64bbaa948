//! A clock of the host replaces the system's. One test: the clock belongs to the process.

use foley_geometry::clock::{elapsed, now, set_host_clock, sleep};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::Duration;

static MILLISECONDS: AtomicI64 = AtomicI64::new(0);

fn host_s() -> f64 {
    MILLISECONDS.load(Relaxed) as f64 * 1e-3
}

#[test]
fn readings_follow_the_clock_they_were_taken_from() {
    let system = now();
    sleep(Duration::from_millis(2));
    assert!(elapsed(system) >= Duration::from_millis(2), "the system's clock runs");

    assert!(set_host_clock(host_s));
    assert!(!set_host_clock(|| 1e9), "the first clock stays");
    MILLISECONDS.store(2000, Relaxed);
    let host = now();
    assert_eq!(elapsed(host), Duration::ZERO);
    MILLISECONDS.store(3500, Relaxed);
    assert_eq!(elapsed(host), Duration::from_millis(1500));
    MILLISECONDS.store(1000, Relaxed);
    assert_eq!(elapsed(host), Duration::ZERO, "a clock that runs backwards shows no time");
    assert!(elapsed(system) >= Duration::from_millis(2), "old readings keep their clock");
    assert_eq!(elapsed(None), Duration::ZERO);
}
