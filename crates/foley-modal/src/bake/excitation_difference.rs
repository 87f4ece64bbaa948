//! Difference between the excitation patterns of two versions of an object, dB.
//!
//! Both are struck at the same points. Patterns are compared at every half Bark and in frames of
//! 10 ms, where either is within 50 dB of the loudest.
//!
//! A mode has the excitation a² e^{−2dt} at its own Bark, 25 dB less per Bark below and 10 dB less
//! per Bark above (Zwicker & Fastl, *Psychoacoustics*, §6; one fixed upper slope, unlike the
//! level-dependent one of `foley_dsp::perception`). Energies of modes add: the mean over the signs
//! of mode shapes, which are arbitrary. The measure covers changes of frequency, decay and level;
//! it does not cover beats that merged modes no longer have.

use super::gains::AudibleModes;
use foley_dsp::perception::{LOWER_SLOPE, bark_from_hz};
use foley_geometry::mesh::Mesh;
use foley_geometry::vector::{area_vector, unit_or_zero};
use glam::Vec3;

const FRAME_S: f64 = 0.01;
const FRAMES: usize = 50;
const HALF_BARKS: usize = 50;
/// Slope above the mode, dB per Bark: `foley_dsp::perception::upper_slope` at 60 dB.
const UPPER_SLOPE: f64 = 10.0;
const RANGE_DB: f64 = 50.0;
const STRIKE_POINTS: usize = 24;

/// Returns triangles spread over the surface; their first corners are struck.
pub(super) fn strike_points(surface: &Mesh) -> Vec<usize> {
    let n = surface.triangles.len();
    let count = STRIKE_POINTS.min(n);
    (0..count).map(|i| (2 * i + 1) * n / (2 * count)).collect()
}

/// Excitation in dB for each strike point, frame and half Bark.
pub(super) struct ExcitationPatterns(Vec<f64>);

impl ExcitationPatterns {
    /// Computes the patterns of strikes along the normals.
    pub(super) fn new(modes: &AudibleModes, surface: &Mesh, strike_points: &[usize]) -> Self {
        let mut levels = Vec::with_capacity(strike_points.len() * FRAMES * HALF_BARKS);
        for &t in strike_points {
            let normal = unit_or_zero(area_vector(surface.corners(t)));
            let point = surface.triangles[t][0] as usize;
            let mut powers = vec![[0.0_f64; HALF_BARKS]; FRAMES];
            for (n, gains) in modes.gains.iter().enumerate() {
                let a = Vec3::from(gains[point]).as_dvec3().dot(normal);
                let spread = spread(bark_from_hz(modes.frequencies_hz[n]));
                for (frame, power) in powers.iter_mut().enumerate() {
                    let t = FRAME_S * (frame as f64 + 0.5);
                    let now = a * a * (-2.0 * modes.decays[n] * t).exp();
                    power.iter_mut().zip(&spread).for_each(|(sum, part)| *sum += now * part);
                }
            }
            levels.extend(powers.iter().flatten().map(|power| 10.0 * power.log10()));
        }
        Self(levels)
    }

    /// Returns the mean and the 95th percentile of the absolute difference, dB.
    pub(super) fn difference_db(&self, other: &Self) -> [f64; 2] {
        let loudest = self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut differences: Vec<f64> = self
            .0
            .iter()
            .zip(&other.0)
            .filter(|(a, b)| a.max(**b) > loudest - RANGE_DB)
            .map(|(a, b)| (a - b).abs().min(RANGE_DB))
            .collect();
        differences.sort_by(f64::total_cmp);
        let count = differences.len().max(1);
        let mean = differences.iter().sum::<f64>() / count as f64;
        [mean, differences.get(count * 95 / 100).copied().unwrap_or(0.0)]
    }
}

/// Returns the excitation of a mode at z Bark in each half Bark, relative to its peak.
fn spread(z: f64) -> [f64; HALF_BARKS] {
    std::array::from_fn(|i| {
        let away = 0.5 * i as f64 - z;
        let slope = if away < 0.0 { LOWER_SLOPE } else { UPPER_SLOPE };
        10f64.powf(-0.1 * slope * away.abs())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audible(modes: &[(f64, f64, f32)]) -> AudibleModes {
        AudibleModes {
            frequencies_hz: modes.iter().map(|m| m.0).collect(),
            decays: modes.iter().map(|m| m.1).collect(),
            pressures_pa: vec![1.0; modes.len()],
            radiation_decays: vec![0.0; modes.len()],
            thermoelastic_shares: vec![0.0; modes.len()],
            gains: modes.iter().map(|m| vec![[0.0, 0.0, m.2]; 3]).collect(),
            directivity: None,
        }
    }

    #[test]
    fn differences_are_decibels() {
        let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let surface = Mesh::new(corners, vec![[0, 1, 2]]);
        let levels = |modes: &[(f64, f64, f32)]| {
            ExcitationPatterns::new(&audible(modes), &surface, &strike_points(&surface))
        };
        let one = levels(&[(440.0, 3.0, 1.0)]);
        let close = |other: &ExcitationPatterns, wanted: f64, within: f64| {
            let [mean, _] = one.difference_db(other);
            assert!((mean - wanted).abs() <= within, "{mean} dB, not {wanted} dB");
        };
        close(&levels(&[(440.0, 3.0, -1.0)]), 0.0, 1e-9);
        close(&levels(&[(440.0, 3.0, 2.0)]), 6.02, 0.2);
        // Two with half the energy each are as loud as one.
        let half = 0.5f32.sqrt();
        close(&levels(&[(440.0, 3.0, half), (440.1, 3.0, -half)]), 0.0, 0.02);
        // An octave away is another sound.
        assert!(one.difference_db(&levels(&[(880.0, 3.0, 1.0)]))[0] > 15.0);
        // Twice as damped: 26 dB less after a second, on average over half a second 6.5.
        close(&levels(&[(440.0, 6.0, 1.0)]), 6.5, 0.3);
    }
}
