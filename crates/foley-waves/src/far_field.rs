//! The far field: p → p∞(x̂) e^{ikr}/r, as coefficients of spherical harmonics.

mod sphere_grid;
mod spherical_harmonics;
mod transform;

pub(crate) use sphere_grid::SphereGrid;
pub use spherical_harmonics::real_spherical_harmonics;
pub(crate) use transform::{Layers, Source, Waves, far_fields};

use foley_geometry::constants::AIR_IMPEDANCE_PA_S_M;
use num_complex::Complex64;

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
        Self { k: 0.0, center: [0.0; 3], coefficients, half_space: false }
    }

    /// Returns the field with degrees above `degree` dropped.
    #[must_use]
    pub fn truncated(mut self, degree: usize) -> Self {
        self.coefficients.truncate((degree + 1) * (degree + 1));
        self
    }
}
