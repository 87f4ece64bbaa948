//! Directivity: in which directions an object is louder than in the mean, for each third of an octave.
//!
//! A map over directions per band, `Σ c_lm √4π Y_lm(x̂)` with c_00 = 1, of the mean-square pressure far away, relative to
//! its mean over the sphere: gains of modes have the mean pressure, so energy is kept. Directions are in the object's own
//! coordinates.

use super::ModelError;
use foley_geometry::spherical_harmonics::real_spherical_harmonics;
use std::f64::consts::PI;

/// Bands per octave.
pub const BANDS_PER_OCTAVE: f64 = 3.0;
/// Most bands of a [`Directivity`].
const MAX_BANDS: usize = 64;
/// Largest degree of its spherical harmonics.
const MAX_DEGREE: usize = 32;
/// Largest coefficient: a single direction has √(2l + 1) in each degree.
const MAX_COEFFICIENT: f32 = 1e3;

/// The mean-square pressure of an object over directions, relative to its mean, in bands a third of an octave apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Directivity {
    first_hz: f64,
    degree: usize,
    /// The coefficients of each band, lowest first.
    coefficients: Vec<f32>,
}

impl Directivity {
    /// Takes (degree + 1)² coefficients for each band, in the order of
    /// [`real_spherical_harmonics`]; the first of each band is 1. The lowest band is centred on `first_hz`.
    pub fn new(first_hz: f64, degree: usize, coefficients: Vec<f32>) -> Result<Self, ModelError> {
        let value = |what, index, value, must| Err(ModelError::Value { what, index, value, must });
        if !(first_hz > 0.0 && first_hz <= 1e6) {
            return value("frequency of directivity", 0, first_hz, "positive and at most 1 MHz");
        }
        if degree > MAX_DEGREE {
            return value("degree of directivity", 0, degree as f64, "at most 32");
        }
        let each = (degree + 1) * (degree + 1);
        let bands = coefficients.len() / each;
        if bands > MAX_BANDS {
            let (what, limit) = ("bands of directivity", MAX_BANDS);
            return Err(ModelError::TooMany { what, found: bands, limit });
        }
        if coefficients.is_empty() || coefficients.len() != bands * each {
            let (what, found) = ("directivity", coefficients.len());
            return Err(ModelError::Length { what, found, expected: bands.max(1) * each });
        }
        let is_valid = |(i, c): (usize, &f32)| match i % each {
            0 => *c == 1.0,
            _ => c.abs() <= MAX_COEFFICIENT,
        };
        if let Some((i, c)) = coefficients.iter().enumerate().find(|entry| !is_valid(*entry)) {
            let must = "1 at the beginning of a band and at most 1000 after it";
            return value("coefficient of directivity", i, f64::from(*c), must);
        }
        Ok(Self { first_hz, degree, coefficients })
    }

    /// Returns the centre of the lowest band, Hz.
    pub fn first_hz(&self) -> f64 {
        self.first_hz
    }

    /// Returns the largest degree of the spherical harmonics.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Returns the number of bands.
    pub fn bands(&self) -> usize {
        self.coefficients.len() / self.len_of_band()
    }

    /// Returns the coefficients of all bands, one band after the other.
    pub fn coefficients(&self) -> &[f32] {
        &self.coefficients
    }

    /// Returns the centre of a band, Hz.
    pub fn hz_of_band(&self, band: usize) -> f64 {
        self.first_hz * (band as f64 / BANDS_PER_OCTAVE).exp2()
    }

    /// Returns the directivity of the same object with all frequencies multiplied by a factor.
    #[must_use]
    pub fn with_pitch(self, factor: f64) -> Self {
        let first_hz = (self.first_hz * factor).clamp(1e-6, 1e6);
        Self { first_hz, ..self }
    }

    /// Returns the mean-square pressure of each band in a direction, relative to the mean over all directions, and at least
    /// `least`: the sum over harmonics may fall below zero.
    pub fn toward(&self, direction: [f64; 3], least: f64) -> impl Iterator<Item = f64> + '_ {
        let harmonics = real_spherical_harmonics(self.degree, direction);
        self.coefficients.chunks_exact(self.len_of_band()).map(move |band| {
            let sum: f64 = band.iter().zip(&harmonics).map(|(c, y)| f64::from(*c) * y).sum();
            (sum * (4.0 * PI).sqrt()).max(least)
        })
    }

    fn len_of_band(&self) -> usize {
        (self.degree + 1) * (self.degree + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// cos²θ = 1/3 (1 + 2 P₂): relative to its mean, 3 cos²θ.
    #[test]
    fn a_dipole_is_three_times_as_strong_along_its_axis() {
        let mut band = vec![0.0; 9];
        (band[0], band[6]) = (1.0, 2.0 / 5f32.sqrt());
        let dipole = Directivity::new(100.0, 2, [band.clone(), band].concat()).unwrap();
        assert_eq!((dipole.bands(), dipole.hz_of_band(1).round()), (2, 126.0));
        for (z, want) in [(1.0, 3.0), (0.5, 0.75), (0.0, 0.01)] {
            let direction = [f64::sqrt(1.0 - z * z), 0.0, z];
            for found in dipole.toward(direction, 0.01) {
                assert!((found - want).abs() < 1e-6, "{z}: {found}");
            }
        }
        assert!((dipole.with_pitch(2.0).hz_of_band(0) - 200.0).abs() < 1e-9);
    }

    #[test]
    fn bad_coefficients_are_named() {
        let message = |hz, degree, list: &[f32]| {
            Directivity::new(hz, degree, list.to_vec()).unwrap_err().to_string()
        };
        assert!(message(0.0, 0, &[1.0]).contains("frequency of directivity"));
        assert!(message(1.0, 99, &[1.0]).contains("degree of directivity"));
        assert!(message(1.0, 1, &[1.0; 5]).contains("5 entries"));
        assert!(message(1.0, 1, &[]).contains("0 entries"));
        assert!(message(1.0, 0, &[1.0, 2.0]).contains("coefficient of directivity 1 is 2"));
        assert!(message(1.0, 1, &[1.0, f32::NAN, 0.0, 0.0]).contains("is NaN"));
        assert!(message(1.0, 0, &[1.0; 99]).contains("more than the limit of 64"));
    }
}
