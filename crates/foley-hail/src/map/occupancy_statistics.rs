//! How likely each texel of a patch is struck, and how many impacts meet there.

use super::Patch;
use crate::Shape;

/// How places on a surface are spread over its patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Filling {
    /// Evenly.
    Even,
    /// An ellipse in its rectangle.
    Disc,
    /// Rows of the circumference at their height.
    Cone {
        /// The radii of base and top.
        radii_m: [f64; 2],
    },
}

impl Filling {
    pub(super) fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Disc { .. } => Self::Disc,
            Shape::Cone { base_radius_m, top_radius_m, .. } => {
                Self::Cone { radii_m: [*base_radius_m, *top_radius_m] }
            }
            _ => Self::Even,
        }
    }

    /// Kinds of texels: how many there are, and how likely an impact falls on one.
    pub(super) fn chances(&self, patch: &Patch) -> Vec<(f64, f64)> {
        let [columns, rows] = patch.size.map(f64::from);
        match self {
            Self::Even => vec![(columns * rows, 1.0 / (columns * rows))],
            Self::Disc => disc(patch),
            Self::Cone { radii_m: [base, top] } => {
                let radius = |row: u32| base + (top - base) * (f64::from(row) + 0.5) / rows;
                let all = 0.5 * (base + top) * rows * columns;
                (0..patch.size[1]).map(|row| (columns, radius(row) / all)).collect()
            }
        }
    }
}

/// Of 16 × 16 points in each texel, those inside the ellipse.
fn disc(patch: &Patch) -> Vec<(f64, f64)> {
    const FINE: u32 = 16;
    let mut kinds = vec![0_u64; (FINE * FINE + 1) as usize];
    let squared = |i: u32, cells: u32| {
        let x = (f64::from(i) + 0.5) / f64::from(cells * FINE) * 2.0 - 1.0;
        x * x
    };
    for row in 0..patch.size[1] {
        for column in 0..patch.size[0] {
            let inside = |k: &u32| {
                let x2 = squared(column * FINE + k % FINE, patch.size[0]);
                x2 + squared(row * FINE + k / FINE, patch.size[1]) < 1.0
            };
            kinds[(0..FINE * FINE).filter(inside).count()] += 1;
        }
    }
    let all: f64 = kinds.iter().enumerate().map(|(part, n)| part as f64 * *n as f64).sum();
    kinds.iter().enumerate().map(|(part, n)| (*n as f64, part as f64 / all)).collect()
}

/// Of n impacts, how many are expected not to be the first in their texel.
pub(super) fn lost(chances: &[(f64, f64)], n: f64) -> f64 {
    // 1 − (1 − p)ⁿ without cancellation.
    let struck = |p: f64| -libm::expm1(n * libm::log1p(-p));
    n - chances.iter().map(|(count, p)| if n > 0.0 { count * struck(*p) } else { 0.0 }).sum::<f64>()
}
