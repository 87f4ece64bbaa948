//! Directions on the sphere, and the projection of functions on them to spherical harmonics.
//!
//! Gauss–Legendre nodes in cos θ and even steps in φ: functions up to degree L are projected
//! exactly. Directions come in opposite pairs.

use crate::quadrature::gauss_legendre;
use foley_geometry::spherical_harmonics::{index, legendre};
use glam::DVec3;
use num_complex::Complex64;
use std::f64::consts::{SQRT_2, TAU};

/// A grid of rings.
#[derive(Debug, Clone)]
pub(crate) struct SphereGrid {
    /// Highest degree; odd, so that no ring is its own opposite.
    pub(crate) degree: usize,
    /// cos θ and weight of each ring.
    rings: Vec<(f64, f64)>,
    /// Directions of a ring.
    around: usize,
    /// cos mφ_j and sin mφ_j by m j mod `around`.
    turns: Vec<(f64, f64)>,
    /// Legendre functions of each ring.
    legendre: Vec<Vec<f64>>,
}

impl SphereGrid {
    /// Makes the grid for sources within a sphere of `ka` = k a: coefficients fall off
    /// exponentially from degree ka on, over a width that grows as its cube root (the excess
    /// bandwidth formula, e.g. W. Chew et al., *Fast and Efficient Algorithms* (2001), §3.4).
    pub(crate) fn for_source(ka: f64) -> Self {
        Self::new(degree(ka).clamp(7, MAX_DEGREE))
    }

    /// Returns the number of directions of such a grid; `None` if the source is too large for one.
    pub(crate) fn directions(ka: f64) -> Option<usize> {
        let degree = degree(ka).max(7) | 1;
        (degree <= MAX_DEGREE).then_some(2 * (degree + 1) * (degree + 1))
    }

    pub(crate) fn new(degree: usize) -> Self {
        let degree = degree | 1;
        let around = 2 * degree + 2;
        let rings = gauss_legendre(degree + 1);
        let turn = |j: usize| {
            let (sin, cos) = (TAU * j as f64 / around as f64).sin_cos();
            (cos, sin)
        };
        let legendre = rings.iter().map(|(x, _)| legendre(degree, *x)).collect();
        Self { degree, rings, around, turns: (0..around).map(turn).collect(), legendre }
    }

    /// Returns the number of directions.
    pub(crate) fn len(&self) -> usize {
        self.rings.len() * self.around
    }

    /// Returns a direction of the lower half, cos θ < 0, for `i` below half of [`len`](Self::len).
    pub(crate) fn direction(&self, i: usize) -> DVec3 {
        let (z, _) = self.rings[i / self.around];
        let (cos, sin) = self.turns[i % self.around];
        let s = (1.0 - z * z).sqrt();
        DVec3::new(s * cos, s * sin, z)
    }

    /// Returns the number of the opposite direction.
    pub(crate) fn opposite(&self, i: usize) -> usize {
        let (ring, step) = (i / self.around, i % self.around);
        let across = (step + self.around / 2) % self.around;
        (self.rings.len() - 1 - ring) * self.around + across
    }

    /// Returns the coefficients of the real spherical harmonics of a function on the grid, up to a degree, at most that of
    /// the grid.
    pub(crate) fn project(&self, values: &[Complex64], degree: usize) -> Vec<Complex64> {
        let degree = degree.min(self.degree);
        let mut coefficients = vec![Complex64::ZERO; (degree + 1) * (degree + 1)];
        let step = TAU / self.around as f64;
        for ((ring, legendre), (_, weight)) in
            values.chunks(self.around).zip(&self.legendre).zip(&self.rings)
        {
            for m in 0..=degree {
                let (mut cos, mut sin) = (Complex64::ZERO, Complex64::ZERO);
                for (j, value) in ring.iter().enumerate() {
                    let (c, s) = self.turns[m * j % self.around];
                    cos += value * c;
                    sin += value * s;
                }
                let scale = step * weight * if m == 0 { 1.0 } else { SQRT_2 };
                for l in m..=degree {
                    let p = scale * legendre[index(l, m)];
                    coefficients[l * l + l + m] += cos * p;
                    if m > 0 {
                        coefficients[l * l + l - m] += sin * p;
                    }
                }
            }
        }
        coefficients
    }
}

/// The highest degree of a grid: sources up to a radius of thirty-five wavelengths.
const MAX_DEGREE: usize = 249;

fn degree(ka: f64) -> usize {
    (ka + 3.5 * ka.cbrt() + 4.0).ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real_spherical_harmonics;

    #[test]
    fn harmonics_are_projected_to_themselves() {
        let grid = SphereGrid::new(9);
        let half = grid.len() / 2;
        let mut directions = vec![DVec3::ZERO; grid.len()];
        for i in 0..half {
            directions[i] = grid.direction(i);
            directions[grid.opposite(i)] = -grid.direction(i);
        }
        for lm in [0, 3, 17, 80, 99] {
            let values: Vec<Complex64> = directions
                .iter()
                .map(|d| Complex64::from(real_spherical_harmonics(9, d.to_array())[lm]))
                .collect();
            for (i, c) in grid.project(&values, 9).iter().enumerate() {
                let exact = if i == lm { 1.0 } else { 0.0 };
                assert!((c - exact).norm() < 1e-12, "{lm} {i} {c}");
            }
        }
    }
}
