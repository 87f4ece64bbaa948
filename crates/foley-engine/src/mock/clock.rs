//! Clocks of the mock device: wall clock or virtual.

use foley_geometry::clock::{self, Instant};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A clock that advances only by [`advance`](Self::advance): with it, the time of a source does not
/// depend on the machine. Clones show the same time.
///
/// ```
/// use foley_engine::mock::VirtualClock;
/// use std::time::Duration;
/// let clock = VirtualClock::default();
/// clock.clone().advance(Duration::from_millis(3));
/// assert_eq!(clock.now(), Duration::from_millis(3));
/// ```
#[derive(Debug, Clone, Default)]
pub struct VirtualClock {
    nanoseconds: Arc<AtomicU64>,
}

impl VirtualClock {
    /// Time since it was made.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Relaxed))
    }

    /// Lets time pass.
    pub fn advance(&self, by: Duration) {
        let nanoseconds = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Relaxed);
    }
}

/// The clock of a device.
#[derive(Debug, Clone)]
pub(super) enum Clock {
    Wall(Option<Instant>),
    Virtual(VirtualClock),
}

impl Clock {
    pub(super) fn now(&self) -> Duration {
        match self {
            Self::Wall(start) => clock::elapsed(*start),
            Self::Virtual(clock) => clock.now(),
        }
    }

    /// Waits, or lets the time pass.
    pub(super) fn wait(&self, time: Duration) {
        match self {
            Self::Wall(_) => clock::sleep(time),
            Self::Virtual(clock) => clock.advance(time),
        }
    }
}
