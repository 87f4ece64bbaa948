//! Sustained forces, computed sample by sample.

mod control;

pub use control::{ControlledForce, ForceControlError, ForceController, force_channel};

/// A force made sample by sample on the audio thread.
///
/// Real-time: an implementation never allocates, locks, waits or panics.
pub trait Force: Send {
    /// Adds the force from absolute sample `start` on, in N·s per sample. Returns false
    /// when it is over; it is then taken off the audio thread and dropped there.
    fn add(&mut self, start: u64, force: &mut [f32]) -> bool;
}

/// Prepared samples, played once from a given sample on.
#[derive(Debug, Clone)]
pub struct RecordedForce {
    /// The first sample's time, in samples.
    pub start: u64,
    /// N·s per sample.
    pub samples: Vec<f32>,
}

impl Force for RecordedForce {
    fn add(&mut self, start: u64, force: &mut [f32]) -> bool {
        for (n, f) in force.iter_mut().enumerate() {
            let at = start.saturating_add(n as u64).checked_sub(self.start);
            let x = at.and_then(|at| self.samples.get(usize::try_from(at).ok()?));
            *f += x.copied().unwrap_or(0.0);
        }
        let end = start.saturating_add(force.len() as u64);
        end < self.start.saturating_add(self.samples.len() as u64)
    }
}
