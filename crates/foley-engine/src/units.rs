//! Times, speeds and impulses of calls, with their units in their names.

use crate::EngineError;
use crate::engine::check_time;

/// When something happens. A number is seconds from the beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Time {
    /// As soon as possible: with the next block.
    Now,
    /// Seconds from the beginning; as soon as possible when that time has passed.
    Seconds(f64),
}

impl Time {
    /// Returns the seconds from the beginning, where `now_s` have been computed.
    pub(crate) fn seconds(self, now_s: f64) -> Result<f64, EngineError> {
        match self {
            Time::Now => Ok(now_s),
            Time::Seconds(at_s) => check_time(at_s).map(|()| at_s),
        }
    }
}

impl From<f64> for Time {
    fn from(at_s: f64) -> Self {
        Time::Seconds(at_s)
    }
}

/// A speed, m/s.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct MetresPerSecond(pub f64);

/// An impulse, N·s.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct NewtonSeconds(pub f64);
