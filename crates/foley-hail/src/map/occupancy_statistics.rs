//! Occupancy statistics: texel probabilities, and the expected number of impacts that share a texel.

use super::Patch;
use crate::Surface;

/// How a uniform distribution on a surface maps to the texels of its patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TexelDistribution {
    /// Uniformly.
    Uniform,
    /// On the ellipse inscribed in the rectangle.
    Disc,
    /// Proportionally to the circumference at each row.
    Cone {
        /// The radii of base and top.
        radii_m: [f64; 2],
    },
}

impl TexelDistribution {
    pub(super) fn of(surface: &Surface) -> Self {
        match surface {
            Surface::Disc { .. } => Self::Disc,
            Surface::Cone { base_radius_m, top_radius_m, .. } => {
                Self::Cone { radii_m: [*base_radius_m, *top_radius_m] }
            }
            _ => Self::Uniform,
        }
    }

    /// Returns classes of texels: the count, and the probability of one texel per impact.
    pub(super) fn texels(&self, patch: &Patch) -> Vec<(f64, f64)> {
        let [columns, rows] = patch.size.map(f64::from);
        match self {
            Self::Uniform => vec![(columns * rows, 1.0 / (columns * rows))],
            Self::Disc => disc_texels(patch),
            Self::Cone { radii_m: [base, top] } => {
                let radius = |row: u32| base + (top - base) * (f64::from(row) + 0.5) / rows;
                let all = 0.5 * (base + top) * rows * columns;
                (0..patch.size[1]).map(|row| (columns, radius(row) / all)).collect()
            }
        }
    }
}

/// Classifies texels by how many of 16 × 16 sample points are inside the ellipse.
fn disc_texels(patch: &Patch) -> Vec<(f64, f64)> {
    const SAMPLES: u32 = 16;
    let mut classes = vec![0_u64; (SAMPLES * SAMPLES + 1) as usize];
    let squared = |i: u32, cells: u32| {
        let x = (f64::from(i) + 0.5) / f64::from(cells * SAMPLES) * 2.0 - 1.0;
        x * x
    };
    for row in 0..patch.size[1] {
        for column in 0..patch.size[0] {
            let inside = |k: &u32| {
                let x2 = squared(column * SAMPLES + k % SAMPLES, patch.size[0]);
                x2 + squared(row * SAMPLES + k / SAMPLES, patch.size[1]) < 1.0
            };
            classes[(0..SAMPLES * SAMPLES).filter(inside).count()] += 1;
        }
    }
    let all: f64 = classes.iter().enumerate().map(|(part, n)| part as f64 * *n as f64).sum();
    classes.iter().enumerate().map(|(part, n)| (*n as f64, part as f64 / all)).collect()
}

/// Returns how many of n impacts are expected not to be the first in their texel.
pub(super) fn expected_losses(texels: &[(f64, f64)], n: f64) -> f64 {
    // 1 − (1 − p)ⁿ without cancellation.
    let occupied = |p: f64| -libm::expm1(n * libm::log1p(-p));
    n - texels
        .iter()
        .map(|(count, p)| if n > 0.0 { count * occupied(*p) } else { 0.0 })
        .sum::<f64>()
}
