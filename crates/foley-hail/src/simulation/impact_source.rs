//! Who finds impacts.

use super::Stream;
use crate::Impact;
use std::error::Error;

/// Finds the impacts of consecutive frames: [`Stream`] does on the CPU. All must find the same.
pub trait Finder: Send {
    /// Appends all impacts from now until a time, in order; that time is now, then.
    fn advance(
        &mut self,
        until_s: f64,
        due: &mut Vec<Impact>,
    ) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// The time up to which impacts have been given.
    fn now_s(&self) -> f64;

    /// What finds them now, in words.
    fn name(&self) -> String;
}

impl Finder for Stream {
    fn advance(
        &mut self,
        until_s: f64,
        due: &mut Vec<Impact>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(Stream::advance(self, until_s, due)?)
    }

    fn now_s(&self) -> f64 {
        Stream::now_s(self)
    }

    fn name(&self) -> String {
        "CPU".into()
    }
}
