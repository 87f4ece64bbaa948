//! Mass of the air that moves with the modes of a sheet.
//!
//! The pressure at the surface does work on a mode by the impedance Z of [`Exterior::radiation_impedance`]. Its real part is
//! radiated, its imaginary part moves the air near the surface to and fro like a mass, `m = −Im Z / ω` (e^{−iωt}). The mass
//! changes slowly with frequency: it is interpolated over log f.

use crate::exterior::{Densities, Exterior};
use faer::Mat;
use foley_geometry::constants::SOUND_SPEED_M_S;
use num_complex::Complex64;

/// Frequencies closer than this ratio need no interpolation.
const SAME: f64 = 1.005;

/// Returns the mass of each field, kg at unit velocity, from its ∫ v φ and its density; none for closed bodies, where the
/// pressure needs a second matrix.
pub(super) fn of_fields(
    exterior: &Exterior,
    loads: &Mat<Complex64>,
    densities: &Densities,
) -> Vec<f64> {
    if exterior.elements.any_closed {
        return Vec::new();
    }
    let omega = exterior.k * SOUND_SPEED_M_S;
    let impedance = |j: usize| -> Complex64 {
        (0..loads.nrows()).map(|i| loads[(i, j)] * densities.0[(i, j)]).sum()
    };
    (0..densities.len()).map(|j| -impedance(j).im / omega).collect()
}

/// The masses of all modes at the solved frequencies around their own.
#[derive(Debug, Default, Clone)]
pub(super) struct AirMass {
    /// Hz and kg.
    solved: Vec<(f64, f64)>,
}

impl AirMass {
    pub(super) fn add(&mut self, hz: f64, kg: f64) {
        self.solved.push((hz, kg));
    }

    /// Returns the mass at a frequency; `None` outside the solved ones.
    pub(super) fn at(&self, hz: f64) -> Option<f64> {
        let near = |(solved, _): &&(f64, f64)| solved.max(hz) / solved.min(hz) <= SAME;
        if let Some((_, kg)) = self.solved.iter().find(near) {
            return Some(*kg);
        }
        let below = self.solved.iter().filter(|s| s.0 <= hz).max_by(|a, b| a.0.total_cmp(&b.0))?;
        let above = self.solved.iter().filter(|s| s.0 >= hz).min_by(|a, b| a.0.total_cmp(&b.0))?;
        let t = (hz / below.0).ln() / (above.0 / below.0).ln();
        Some(below.1 + t * (above.1 - below.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_are_interpolated_and_not_extrapolated() {
        let mut mass = AirMass::default();
        mass.add(400.0, 3.0);
        mass.add(100.0, 1.0);
        assert!((mass.at(200.0).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!([mass.at(99.9), mass.at(401.0)], [Some(1.0), Some(3.0)]);
        assert_eq!([mass.at(90.0), mass.at(500.0)], [None; 2]);
    }
}
