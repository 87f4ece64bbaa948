//! Limits and progress.

use super::EigenError;

/// Where a solve stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Choosing the order of elimination.
    Ordering,
    /// Factorising a shifted matrix.
    Factorising,
    /// Finding modes; the fraction counts those found.
    Iterating,
    /// Counting modes by Sturm's law.
    Counting,
}

/// Called with a stage and the part of it that is done, 0 … 1; false cancels.
///
/// Stages come again, once for each slice of the spectrum. While one lasts its part never
/// falls, and that of [`Stage::Iterating`] never falls at all: it stands for the whole.
pub type Progress<'a> = dyn FnMut(Stage, f64) -> bool + 'a;

/// How to solve.
pub struct Options<'a> {
    /// Most memory that the solver may use beyond the matrices given, bytes; 3 GiB unless
    /// told. It is estimated before the work begins, and too large problems are refused.
    pub memory_limit: u64,
    /// Relative residual ‖Ku − λMu‖ / (‖Ku‖ + λ‖Mu‖) at which a mode has converged.
    pub tolerance: f64,
    /// Told about progress; may cancel.
    pub progress: Option<&'a mut Progress<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { memory_limit: 3 << 30, tolerance: 1e-9, progress: None }
    }
}

impl Options<'_> {
    pub(super) fn report(&mut self, stage: Stage, done: f64) -> Result<(), EigenError> {
        let goes_on = match &mut self.progress {
            Some(progress) => progress(stage, done.clamp(0.0, 1.0)),
            None => true,
        };
        if goes_on { Ok(()) } else { Err(EigenError::Cancelled) }
    }

    pub(super) fn check_memory(&self, needed: u64) -> Result<(), EigenError> {
        if needed <= self.memory_limit {
            return Ok(());
        }
        Err(EigenError::OverMemory {
            needed_mib: needed.div_ceil(1 << 20),
            limit_mib: self.memory_limit >> 20,
        })
    }
}
