//! Far fields of layers on a surface.
//!
//! `p∞(x̂) = 1/4π ∫ (μ ∂/∂n + iημ) e^{−ik x̂·y} dA(y)`, with `∂/∂n e^{−ik x̂·y} = −ik (x̂·n) e^{−ik x̂·y}`.
//! Directions are taken in blocks of fixed size, each with its opposite, whose exponentials are
//! the conjugates.

use super::{Directivity, FarField, SphereGrid};
use crate::green::sin_cos_all;
use crate::operator::Elements;
use crate::quadrature::THREE_POINTS;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use foley_parallel::prelude::*;
use glam::DVec3;
use num_complex::Complex64;
use std::f64::consts::PI;

/// Directions of a block, each with its opposite.
const BLOCK: usize = 32;

/// What radiates: a row of weights per direction, one for each row of the densities.
pub(crate) trait Source: Sync {
    /// Wave number.
    fn k(&self) -> f64;
    /// Points that radiate: the three quadrature points of each element.
    fn elements(&self) -> &Elements;
    /// Number of rows of the densities.
    fn rows(&self) -> usize;
    /// Whether there is sound in one half of space only.
    fn half_space(&self) -> bool {
        false
    }
    /// Adds the weights of a direction, given the waves e^{−ik x̂·y} at all points.
    fn weigh(&self, direction: DVec3, waves: Waves<'_>, row: &mut [Complex64]);
}

/// Plane waves at the points of a source.
#[derive(Clone, Copy)]
pub(crate) struct Waves<'a> {
    cos: &'a [f64],
    sin: &'a [f64],
    /// −1 for the conjugates.
    sign: f64,
}

impl Waves<'_> {
    /// Returns the three waves of an element.
    #[inline(always)]
    pub(crate) fn at(self, element: usize) -> [Complex64; 3] {
        let (cos, sin) = (&self.cos[3 * element..][..3], &self.sin[3 * element..][..3]);
        let wave = |q: usize| Complex64::new(cos[q], self.sign * sin[q]);
        [wave(0), wave(1), wave(2)]
    }
}

/// The combined double and single layer of an exterior problem; the densities are those of the
/// unknowns.
pub(crate) struct Layers<'a> {
    pub(crate) elements: &'a Elements,
    pub(crate) k: f64,
    pub(crate) eta: f64,
}

impl Source for Layers<'_> {
    fn k(&self) -> f64 {
        self.k
    }

    fn elements(&self) -> &Elements {
        self.elements
    }

    fn rows(&self) -> usize {
        self.elements.unknowns
    }

    fn weigh(&self, direction: DVec3, waves: Waves<'_>, row: &mut [Complex64]) {
        for (e, element) in self.elements.list.iter().enumerate() {
            let eta = if element.closed { self.eta } else { 0.0 };
            let factor = eta - self.k * direction.dot(element.normal);
            let scale = Complex64::new(0.0, factor * element.area / (4.0 * PI));
            // The rule of three points: each shape function is 1/6 everywhere and 1/2 more at its
            // own point; each point has a third of the area.
            let [a, b, c] = waves.at(e);
            let at = [a * scale, b * scale, c * scale];
            let all = (at[0] + at[1] + at[2]) * (THREE_POINTS[0].0[1] / 3.0);
            for (corner, value) in element.unknowns.iter().zip(at) {
                let value = all + value * (0.5 / 3.0);
                for &(unknown, sign) in corner.entries() {
                    row[unknown as usize] += value * sign;
                }
            }
        }
    }
}

/// Returns the far field of every column of densities.
pub(crate) fn far_fields(
    source: &impl Source,
    densities: &Mat<Complex64>,
    center: DVec3,
    grid: &SphereGrid,
) -> Vec<FarField> {
    let half = grid.len() / 2;
    let starts: Vec<usize> = (0..half).step_by(BLOCK).collect();
    let parts: Vec<Mat<Complex64>> = starts
        .par_iter()
        .with_min_len(1)
        .map(|&start| block(source, densities, center, grid, start..half.min(start + BLOCK)))
        .collect();
    let columns: Vec<usize> = (0..densities.ncols()).collect();
    let field = |j: &usize| {
        let mut values = vec![Complex64::ZERO; grid.len()];
        for (start, part) in starts.iter().zip(&parts) {
            for i in 0..part.nrows() / 2 {
                values[start + i] = part[(2 * i, *j)];
                values[grid.opposite(start + i)] = part[(2 * i + 1, *j)];
            }
        }
        FarField {
            k: source.k(),
            center: center.to_array(),
            coefficients: grid.project(&values, grid.degree),
            half_space: source.half_space(),
            directivity: Directivity::of_grid(
                grid,
                &values.iter().map(Complex64::norm_sqr).collect::<Vec<_>>(),
            ),
        }
    };
    columns.par_iter().with_min_len(1).map(field).collect()
}

/// Returns p∞ in a range of directions and, in between, in the opposite ones.
fn block(
    source: &impl Source,
    densities: &Mat<Complex64>,
    center: DVec3,
    grid: &SphereGrid,
    range: std::ops::Range<usize>,
) -> Mat<Complex64> {
    let points = &source.elements().points;
    let n = points[0].len();
    let (mut phases, mut sin, mut cos) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    // Rows are columns here, so that they are contiguous.
    let mut weights = Mat::<Complex64>::zeros(source.rows(), 2 * range.len());
    for (i, number) in range.enumerate() {
        let direction = grid.direction(number);
        let offset = source.k() * direction.dot(center);
        let d = direction * -source.k();
        let places = points[0].iter().zip(&points[1]).zip(&points[2]);
        for (phase, ((x, y), z)) in phases.iter_mut().zip(places) {
            *phase = d.x * x + d.y * y + d.z * z + offset;
        }
        sin_cos_all(&phases, &mut sin, &mut cos);
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let waves = Waves { cos: &cos, sin: &sin, sign };
            if let Some(row) = weights.col_mut(2 * i + side).try_as_col_major_mut() {
                source.weigh(direction * sign, waves, row.as_slice_mut());
            }
        }
    }
    let mut values = Mat::<Complex64>::zeros(weights.ncols(), densities.ncols());
    let one = Complex64::ONE;
    matmul(values.as_mut(), Accum::Replace, weights.transpose(), densities, one, Par::Seq);
    values
}
