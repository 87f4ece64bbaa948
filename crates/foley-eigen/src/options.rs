//! Options of a solve: memory limit, tolerance, progress.

use crate::EigenError;
use derive_setters::Setters;

/// Stage of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Fill-reducing ordering.
    Ordering,
    /// Numeric factorisation of a shifted matrix.
    Factorising,
    /// Lanczos iteration; the fraction counts the modes found.
    Iterating,
    /// Sturm count of the modes below a shift.
    Counting,
}

/// Called with a stage and its completed fraction, 0 … 1; returning false cancels.
///
/// Stages repeat once per slice of the spectrum. The fraction never falls within a stage, and
/// that of [`Stage::Iterating`] never falls at all: it measures the complete solve.
pub type Progress<'a> = dyn FnMut(Stage, f64) -> bool + 'a;

/// Options of a solve.
#[derive(Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Options<'a> {
    /// Memory that the solver may use beyond the input matrices, bytes; default 3 GiB. The
    /// need is estimated before the work begins, and larger problems are refused.
    pub memory_limit: u64,
    /// Every mode returned has ‖Ku − λMu‖ ≤ tolerance · (‖Ku‖ + (λ + |σ|) ‖Mu‖) + 100 ε ‖|K||u|‖,
    /// with σ the shift of its slice of the spectrum and ε the rounding of a double; otherwise the
    /// solve fails. Default 1e-9.
    pub tolerance: f64,
    /// Progress callback; may cancel.
    #[setters(strip_option)]
    pub progress: Option<&'a mut Progress<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { memory_limit: 3 << 30, tolerance: 1e-9, progress: None }
    }
}

impl Options<'_> {
    pub(crate) fn report(&mut self, stage: Stage, done: f64) -> Result<(), EigenError> {
        let proceed = match &mut self.progress {
            Some(progress) => progress(stage, done.clamp(0.0, 1.0)),
            None => true,
        };
        if proceed { Ok(()) } else { Err(EigenError::Cancelled) }
    }

    pub(crate) fn check_memory(&self, needed: u64) -> Result<(), EigenError> {
        if needed <= self.memory_limit {
            return Ok(());
        }
        Err(EigenError::OverMemory {
            needed_mib: needed.div_ceil(1 << 20),
            limit_mib: self.memory_limit >> 20,
        })
    }
}
