//! The result: eigenvalues and eigenvectors.

use faer::{Mat, MatRef};

/// Modes in ascending order.
#[derive(Debug, Clone)]
pub struct Modes {
    /// λ = ω², (rad/s)²; zero modes are 0 within rounding.
    pub omega_squared: Vec<f64>,
    /// ‖Ku − λMu‖ / (‖Ku‖ + λ‖Mu‖) of each mode; 0 for zero modes.
    pub residuals: Vec<f64>,
    /// Number of zero modes (rigid motions of a free body), zero within rounding; they come
    /// first.
    pub zero_modes: usize,
    /// The vectors u, one column per mode, with uᵀ M u = 1 and fixed signs.
    pub(crate) vectors: Mat<f64>,
}

impl Modes {
    /// Returns the number of modes.
    pub fn len(&self) -> usize {
        self.omega_squared.len()
    }

    /// Returns whether there are no modes.
    pub fn is_empty(&self) -> bool {
        self.omega_squared.is_empty()
    }

    /// Creates an empty list with space for `count` modes.
    pub(crate) fn with_capacity(unknowns: usize, count: usize) -> Self {
        Self {
            omega_squared: Vec::with_capacity(count),
            residuals: Vec::with_capacity(count),
            zero_modes: 0,
            vectors: Mat::with_capacity(unknowns, count),
        }
    }

    /// Appends modes above these and restores the ascending order, which rounding may break
    /// among the copies of a multiple mode.
    pub(crate) fn append(&mut self, more: Modes) {
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

    /// Returns the vectors u, one column per mode, with uᵀ M u = 1.
    pub fn vectors(&self) -> MatRef<'_, f64> {
        self.vectors.as_ref()
    }

    /// Returns the vector of one mode.
    pub fn vector(&self, mode: usize) -> &[f64] {
        self.vectors.col_as_slice(mode)
    }
}
