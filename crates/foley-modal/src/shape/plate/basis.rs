//! Basis of the Rayleigh–Ritz method: trial functions on −1 ≤ ξ ≤ 1 whose curvatures are the Legendre polynomials.
//!
//! `b_n″ = √(n + ½) P_n`. Since `∫ P_n = (P_{n+1} − P_{n−1})/(2n + 1)`, for n ≥ 2
//!
//! `b_n = √(n + ½)/(2n + 1) · [(P_{n+2} − P_n)/(2n + 3) − (P_n − P_{n−2})/(2n − 1)]`,
//!
//! which vanishes with its slope at both ends: these are the trial functions of a
//! clamped edge (the hierarchical functions of Bardell, *J. Sound Vib.* 151, 1991). A
//! free edge adds 1, ξ, ξ²/2 and ξ³/6. Unlike the shapes of a free beam, whose curvature
//! vanishes at the ends where that of a plate with ν ≠ 0 does not, they converge
//! exponentially. All are even or odd, so a plate splits into four smaller problems.

use super::Edge;
use crate::math::legendre::{gauss, polynomials};
use faer::Mat;

/// The functions of one parity up to some degree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Basis {
    pub(super) edge: Edge,
    pub(super) odd: bool,
    /// Number of functions.
    pub(super) count: usize,
}

/// ∫ of products of the functions and their derivatives.
#[derive(Debug)]
pub(super) struct Integrals {
    /// ∫ b b
    pub(super) mass: Mat<f64>,
    /// ∫ b′ b′
    pub(super) slope: Mat<f64>,
    /// ∫ b″ b″
    pub(super) bend: Mat<f64>,
    /// ∫ b″ b, not symmetric
    pub(super) cross: Mat<f64>,
}

impl Basis {
    /// Values, slopes and curvatures at ξ.
    fn jet(&self, xi: f64) -> Vec<[f64; 3]> {
        let first = usize::from(self.odd);
        let mut out = Vec::with_capacity(self.count);
        let mut n = first + 2;
        if self.edge == Edge::Free {
            let (x2, r) = (xi * xi, (first as f64 + 0.5).sqrt());
            out.push(if self.odd { [xi, 1.0, 0.0] } else { [1.0, 0.0, 0.0] });
            out.push(match self.odd {
                true => [xi * x2 / 6.0, 0.5 * x2, xi].map(|v| r * v),
                false => [0.5 * x2, xi, 1.0].map(|v| r * v),
            });
            out.truncate(self.count);
        }
        let p = polynomials(n + 2 * self.count + 2, xi);
        while out.len() < self.count {
            let n_ = n as f64;
            let r = (n_ + 0.5).sqrt();
            let value = (p[n + 2] - p[n]) / (2.0 * n_ + 3.0) - (p[n] - p[n - 2]) / (2.0 * n_ - 1.0);
            let slope = p[n + 1] - p[n - 1];
            out.push([r * value / (2.0 * n_ + 1.0), r * slope / (2.0 * n_ + 1.0), r * p[n]]);
            n += 2;
        }
        out
    }

    /// The functions at ξ.
    pub(super) fn at(&self, xi: f64) -> Vec<f64> {
        self.jet(xi).into_iter().map(|[value, _, _]| value).collect()
    }

    /// The integrals, exact but for rounding.
    pub(super) fn integrals(&self) -> Integrals {
        let zero = || Mat::<f64>::zeros(self.count, self.count);
        let (mut mass, mut slope, mut bend, mut cross) = (zero(), zero(), zero(), zero());
        // The highest degree is that of b_n with n = 2 count + 1, plus two, squared.
        for (xi, w) in gauss(2 * self.count + 6) {
            let jet = self.jet(xi);
            for (j, b) in jet.iter().enumerate() {
                for (i, a) in jet.iter().enumerate() {
                    mass[(i, j)] += w * a[0] * b[0];
                    slope[(i, j)] += w * a[1] * b[1];
                    bend[(i, j)] += w * a[2] * b[2];
                    cross[(i, j)] += w * a[2] * b[0];
                }
            }
        }
        Integrals { mass, slope, bend, cross }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clamped_functions_are_clamped_and_curvatures_orthonormal() {
        for odd in [false, true] {
            let clamped = Basis { edge: Edge::Clamped, odd, count: 30 };
            for xi in [-1.0, 1.0] {
                assert!(clamped.jet(xi).iter().all(|[v, s, _]| v.abs() < 1e-14 && s.abs() < 1e-14));
            }
            let bend = clamped.integrals().bend;
            for (i, j) in (0..30).flat_map(|i| (0..30).map(move |j| (i, j))) {
                assert!((bend[(i, j)] - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn jets_are_derivatives() {
        let h = 1e-5;
        for (edge, odd) in [(Edge::Free, false), (Edge::Free, true), (Edge::Clamped, false)] {
            let basis = Basis { edge, odd, count: 8 };
            for xi in [-0.9, 0.1, 0.77] {
                let (before, here, after) = (basis.jet(xi - h), basis.jet(xi), basis.jet(xi + h));
                for i in 0..8 {
                    for d in 0..2 {
                        let slope = (after[i][d] - before[i][d]) / (2.0 * h);
                        assert!((slope - here[i][d + 1]).abs() < 1e-6, "{edge:?} {odd} {i} {d}");
                    }
                }
            }
        }
    }
}
