//! The interface of everything that computes impacts frame by frame.

use super::ImpactStream;
use crate::Impact;
use std::error::Error;

/// Computes the impacts of consecutive frames. All implementations give the same impacts;
/// [`ImpactStream`] is the one on the CPU.
pub trait ImpactSource: Send {
    /// Appends the impacts from the current time until `until_s`, in order, and makes that the current time.
    fn advance(
        &mut self,
        until_s: f64,
        due: &mut Vec<Impact>,
    ) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// Returns the current time: impacts before it were returned.
    fn now_s(&self) -> f64;

    /// Returns the name of the processor that computes the impacts.
    fn name(&self) -> String;
}

impl ImpactSource for ImpactStream {
    fn advance(
        &mut self,
        until_s: f64,
        due: &mut Vec<Impact>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(ImpactStream::advance(self, until_s, due)?)
    }

    fn now_s(&self) -> f64 {
        ImpactStream::now_s(self)
    }

    fn name(&self) -> String {
        "CPU".into()
    }
}
