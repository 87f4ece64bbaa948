//! Monotonic clock: the one place where the libraries read the time.
//!
//! `std::time::Instant::now` panics on `wasm32-unknown-unknown`, which has no clock. There [`now`]
//! returns `None`, measured times are zero and time budgets follow the cost model, until the program
//! sets a clock of its host:
//!
//! ```
//! fn performance_now_s() -> f64 {
//!     // In a browser: performance.now() / 1000.
//! #   0.0
//! }
//! foley_geometry::clock::set_host_clock(performance_now_s);
//! ```
//!
//! A function of the program, and not the crate `web-time`: that imports `performance.now` through
//! `wasm-bindgen`, so that modules would load only with the JavaScript that `wasm-bindgen` generates,
//! and not in hosts without JavaScript.

use std::sync::OnceLock;
use std::time::Duration;

/// The target has no clock of its own.
const CLOCKLESS: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

static HOST_CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

/// A reading of the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instant(Reading);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Reading {
    System(std::time::Instant),
    /// Seconds since any origin.
    Host(f64),
}

/// Uses `now_s`, the seconds since any fixed moment, as the clock of the process, instead of the
/// system's. It may be called on any thread, the audio thread included. The first call counts: later
/// ones return false and change nothing.
pub fn set_host_clock(now_s: fn() -> f64) -> bool {
    HOST_CLOCK.set(now_s).is_ok()
}

/// Reads the clock; `None` where the target has none and no host clock was set. Neither locks nor
/// allocates.
pub fn now() -> Option<Instant> {
    match HOST_CLOCK.get() {
        Some(now_s) => Some(Instant(Reading::Host(now_s()))),
        None if CLOCKLESS => None,
        None => Some(Instant(Reading::System(std::time::Instant::now()))),
    }
}

/// Returns the time since an earlier reading; zero without a clock.
pub fn elapsed(since: Option<Instant>) -> Duration {
    since.map_or(Duration::ZERO, |since| since.elapsed())
}

/// Blocks the thread for a time; returns at once on targets that cannot.
pub fn sleep(time: Duration) {
    if !CLOCKLESS {
        std::thread::sleep(time);
    }
}

impl Instant {
    /// Returns the time since this reading, by the same clock; zero if that ran backwards.
    pub fn elapsed(self) -> Duration {
        match self.0 {
            Reading::System(then) => then.elapsed(),
            Reading::Host(then_s) => {
                let elapsed_s = HOST_CLOCK.get().map_or(0.0, |now_s| now_s() - then_s);
                Duration::try_from_secs_f64(elapsed_s).unwrap_or_default()
            }
        }
    }
}
