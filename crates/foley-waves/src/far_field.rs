//! The far field: p → p∞(x̂) e^{ikr}/r, as coefficients of spherical harmonics.

mod sphere_grid;
mod transform;

pub(crate) use sphere_grid::SphereGrid;
pub(crate) use transform::{Layers, Source, Waves, far_fields};

use foley_geometry::constants::AIR_IMPEDANCE_PA_S_M;
use foley_geometry::spherical_harmonics::real_spherical_harmonics;
use num_complex::Complex64;

/// Largest degree of a [`Directivity`]: lobes down to 15°.
pub const DIRECTIVITY_DEGREE: usize = 12;

/// Mean-square pressure over directions, relative to its mean over the sphere: Σ c_lm √4π Y_lm, with c_00 = 1. It has all
/// degrees up to [`DIRECTIVITY_DEGREE`], or only the first entry where sound goes alike in all directions.
#[derive(Debug, Clone, PartialEq)]
pub struct Directivity(pub Vec<f64>);

impl Directivity {
    /// The same in all directions.
    pub fn omnidirectional() -> Self {
        Self(vec![1.0])
    }

    /// Projects a function of the direction, at least 0, whose degrees above `resolution` are small. It is relative to its mean.
    pub fn of(resolution: usize, square: impl Fn([f64; 3]) -> f64) -> Self {
        let grid = SphereGrid::new(resolution.max(DIRECTIVITY_DEGREE));
        let half = grid.len() / 2;
        let mut values = vec![0.0; grid.len()];
        for i in 0..half {
            values[i] = square(grid.direction(i).to_array());
            values[grid.opposite(i)] = square((-grid.direction(i)).to_array());
        }
        Self::of_grid(&grid, &values)
    }

    /// Projects values on a grid.
    fn of_grid(grid: &SphereGrid, squares: &[f64]) -> Self {
        let squares: Vec<Complex64> = squares.iter().map(|s| Complex64::from(*s)).collect();
        let mut relative: Vec<f64> =
            grid.project(&squares, DIRECTIVITY_DEGREE).iter().map(|c| c.re).collect();
        let mean = relative.first().copied().unwrap_or(0.0);
        if !(mean > 0.0) {
            return Self::omnidirectional();
        }
        relative.iter_mut().for_each(|c| *c /= mean);
        relative.resize((DIRECTIVITY_DEGREE + 1).pow(2), 0.0);
        Self(relative)
    }

    /// Returns the mean-square pressure in a direction, relative to its mean over all directions.
    pub fn at(&self, direction: [f64; 3]) -> f64 {
        let degree =
            (self.0.len() as f64).sqrt().round() as usize - usize::from(!self.0.is_empty());
        let values = real_spherical_harmonics(degree, direction);
        let sum: f64 = self.0.iter().zip(values).map(|(c, y)| c * y).sum();
        sum * (4.0 * std::f64::consts::PI).sqrt()
    }

    /// Returns the mean of two, with the weights 1 − t and t.
    pub(crate) fn mixed(&self, other: &Self, t: f64) -> Self {
        let at = |of: &Self, i: usize| of.0.get(i).copied().unwrap_or(0.0);
        let mix = |i| (1.0 - t) * at(self, i) + t * at(other, i);
        Self((0..self.0.len().max(other.0.len())).map(mix).collect())
    }
}

/// Sound far away from a source: the pressure at distance r in the direction x̂ is
/// `p∞(x̂) e^{ikr}/r`, with r from [`center`](Self::center).
#[derive(Debug, Clone, PartialEq)]
pub struct FarField {
    /// Wave number, 1/m.
    pub k: f64,
    /// Origin of distances and directions, m.
    pub center: [f64; 3],
    /// Coefficients c_lm of p∞ = Σ c_lm Y_lm, Pa·m, Y_lm as in [`real_spherical_harmonics`].
    pub coefficients: Vec<Complex64>,
    /// Whether the sound goes to one side of a baffle only. The coefficients then describe that
    /// side and its mirror image.
    pub half_space: bool,
    /// |p∞|² over directions, of all degrees of p∞.
    pub directivity: Directivity,
}

impl FarField {
    /// Returns the largest degree l.
    pub fn degree(&self) -> usize {
        ((self.coefficients.len() as f64).sqrt().round() as usize).saturating_sub(1)
    }

    /// Returns p∞ in a direction, Pa·m: the pressure at 1 m if the field were far there.
    pub fn pressure_at(&self, direction: [f64; 3]) -> Complex64 {
        let values = real_spherical_harmonics(self.degree(), direction);
        self.coefficients.iter().zip(values).map(|(c, y)| c * y).sum()
    }

    /// Returns the time-averaged radiated power, W: `1/2ρ₀c₀ ∫ |p∞|² dΩ`.
    pub fn power_w(&self) -> f64 {
        self.mutual_power_w(self)
    }

    /// Returns the power W_ij = `1/2ρ₀c₀ Re ∫ p∞_i* p∞_j dΩ` that two fields of one frequency share:
    /// with amplitudes q, the power is Σ_ij Re(q_i* q_j) W_ij plus the imaginary part's. The
    /// resistance matrix is R_ij = 2 W_ij.
    pub fn mutual_power_w(&self, other: &Self) -> f64 {
        let pairs = self.coefficients.iter().zip(&other.coefficients);
        let sum: f64 = pairs.map(|(a, b)| (a.conj() * b).re).sum();
        let share = if self.half_space { 0.5 } else { 1.0 };
        share * sum / (2.0 * AIR_IMPEDANCE_PA_S_M)
    }

    /// Returns a field without sound.
    pub(crate) fn silent() -> Self {
        let coefficients = vec![Complex64::ZERO];
        let directivity = Directivity::omnidirectional();
        Self { k: 0.0, center: [0.0; 3], coefficients, half_space: false, directivity }
    }

    /// Returns the field with degrees above `degree` dropped.
    #[must_use]
    pub fn truncated(mut self, degree: usize) -> Self {
        self.coefficients.truncate((degree + 1) * (degree + 1));
        self
    }
}
