//! The answer.

use faer::{Mat, MatRef};

/// Modes in ascending order.
#[derive(Debug, Clone)]
pub struct Modes {
    /// λ = ω², (rad/s)²; zero modes come as exactly 0 or as rounding leaves them.
    pub omega_squared: Vec<f64>,
    /// ‖Ku − λMu‖ / (‖Ku‖ + λ‖Mu‖) of each mode; 0 for zero modes.
    pub residuals: Vec<f64>,
    /// How many of the first modes are zero within rounding: motions of a free body.
    pub zero_modes: usize,
    /// The vectors u, one column a mode, with uᵀ M u = 1.
    pub(super) vectors: Mat<f64>,
}

impl Modes {
    /// Number of modes.
    pub fn len(&self) -> usize {
        self.omega_squared.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.omega_squared.is_empty()
    }

    pub(super) fn truncate(&mut self, count: usize) {
        let count = count.min(self.len());
        self.omega_squared.truncate(count);
        self.residuals.truncate(count);
        self.zero_modes = self.zero_modes.min(count);
        self.vectors = self.vectors.subcols(0, count).to_owned();
    }

    /// The vectors u, one column a mode, with uᵀ M u = 1.
    pub fn vectors(&self) -> MatRef<'_, f64> {
        self.vectors.as_ref()
    }

    /// The vector of one mode.
    pub fn vector(&self, mode: usize) -> &[f64] {
        self.vectors.col_as_slice(mode)
    }
}
