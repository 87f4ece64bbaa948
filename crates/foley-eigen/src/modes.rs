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

    /// No mode yet, but room for them.
    pub(super) fn with_room(unknowns: usize, count: usize) -> Self {
        Self {
            omega_squared: Vec::with_capacity(count),
            residuals: Vec::with_capacity(count),
            zero_modes: 0,
            vectors: Mat::with_capacity(unknowns, count),
        }
    }

    /// Adds modes above these. Copies of a mode may come out of order by rounding: they
    /// are put into their places.
    pub(super) fn append(&mut self, more: Modes) {
        let old = self.len();
        if self.zero_modes == old {
            self.zero_modes += more.zero_modes;
        }
        self.omega_squared.extend(&more.omega_squared);
        self.residuals.extend(&more.residuals);
        let unknowns = more.vectors.nrows();
        self.vectors.resize_with(unknowns, old + more.len(), |i, j| more.vectors[(i, j - old)]);
        for from in old..self.len() {
            let mut at = from;
            while at > 0 && self.omega_squared[at] < self.omega_squared[at - 1] {
                self.omega_squared.swap(at, at - 1);
                self.residuals.swap(at, at - 1);
                let (left, right) = self.vectors.as_mut().split_at_col_mut(at);
                right
                    .col_mut(0)
                    .iter_mut()
                    .zip(left.col_mut(at - 1).iter_mut())
                    .for_each(|(a, b)| std::mem::swap(a, b));
                at -= 1;
            }
        }
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
