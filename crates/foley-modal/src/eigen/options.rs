//! Limits and progress.

use super::EigenError;

/// Where a solve stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Choosing the order of elimination.
    Ordering,
    /// Factorising a shifted matrix.
    Factorising,
    /// Growing the Krylov space; the fraction counts converged modes.
    Iterating,
    /// Counting modes by Sturm's law.
    Counting,
}

/// Called with a stage and the part of it that is done, 0 … 1; false cancels.
pub type Progress<'a> = dyn FnMut(Stage, f64) -> bool + 'a;

/// How to solve.
pub struct Options<'a> {
    /// Most memory that the solver may use beyond the matrices given, bytes.
    pub memory_limit: u64,
    /// Relative residual ‖Ku − λMu‖ / (‖Ku‖ + λ‖Mu‖) at which a mode has converged.
    pub tolerance: f64,
    /// Told about progress; may cancel.
    pub progress: Option<&'a mut Progress<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { memory_limit: 4 << 30, tolerance: 1e-9, progress: None }
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
