//! Surface textures: parameters and validation.
//!
//! Three kinds, \[FA\] §4.2: fractal noise with an optional peak, a recorded track, and ribs. A
//! fractal surface has the power spectrum `S(k) ∝ k^β |H(k)|²` over the spatial frequency k (1/m),
//! with a reson
//!
//! ```text
//! H(k) = k_r² / (k_r² − k² + i b k_r k)
//! ```
//!
//! at k_r = 1/`reson_wavelength_m` with the relative bandwidth b = `reson_bandwidth`. The reson is
//! spatial: at speed v it is heard at v k_r. A self-affine profile has the fractal dimension
//! D = β/2 + 5/2 (β/2 + 2 in \[FA\] is an error).

use std::sync::Arc;

use super::super::{ForceError, within};

/// Most samples of a recorded profile.
const MAX_SAMPLES: usize = 1 << 18;

/// Cross-section of one rib over one period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RibShape {
    /// A raised cosine on flat ground, `duty` wide.
    #[default]
    Round,
    /// A triangular ridge on flat ground, `duty` wide.
    Triangle,
    /// A slope that rises over `duty` of the period and falls over the rest.
    Saw,
    /// A flat bar with vertical sides, `duty` wide.
    Square,
}

/// Parameters of a surface, not yet validated.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Texture {
    /// Noise of power spectrum `k^β`, with an optional reson.
    Fractal {
        /// β, the slope of the power spectrum: −3 (smooth) to −1 (rough) for fractals.
        beta: f64,
        /// RMS height of wavelengths below 0.8 mm, m.
        roughness_m: f64,
        /// Wavelength of the reson, m.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        reson_wavelength_m: Option<f64>,
        /// Bandwidth of the reson relative to its frequency (1/Q).
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        reson_bandwidth: Option<f64>,
    },
    /// Heights along a track, repeated periodically.
    Recorded {
        /// Heights, m.
        samples: Arc<[f32]>,
        /// Distance between samples, m.
        metres_per_sample: f64,
    },
    /// Periodic ribs.
    Ribbed {
        /// Distance from rib to rib, m.
        period_m: f64,
        /// Height of a rib, m.
        depth_m: f64,
        /// Cross-section of a rib.
        shape: RibShape,
        /// Fraction of the period that the rib (or its rising side) takes.
        duty: f64,
    },
}

/// Fine-ground metal, planed wood, m.
const DEFAULT_ROUGHNESS_M: f64 = 1e-6;

/// A validated surface. Cheap to clone.
///
/// ```
/// use foley_dsp::excitation::{RibShape, Surface};
/// let wood = Surface::fractal_dimension(1.3)?.with_reson(1e-3, 0.5)?;
/// let grater = Surface::ribbed(2e-3, 0.5e-3, RibShape::Round, 0.4)?;
/// assert!(Surface::ribbed(0.0, 0.0, RibShape::Round, 0.4).is_err());
/// # Ok::<(), foley_dsp::excitation::ForceError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Surface(Texture);

impl Surface {
    /// Validates a texture.
    pub fn new(texture: Texture) -> Result<Self, ForceError> {
        match &texture {
            Texture::Fractal { beta, roughness_m, reson_wavelength_m, reson_bandwidth } => {
                within("beta", *beta, -5.0..=1.0, "between -5 and 1")?;
                height("roughness_m", *roughness_m)?;
                if let Some(wavelength_m) = reson_wavelength_m {
                    let must = "between 2.5e-5 (25 µm) and 0.1 (0.1 m)";
                    within("reson_wavelength_m", *wavelength_m, 2.5e-5..=0.1, must)?;
                }
                if let Some(width) = reson_bandwidth {
                    within("reson_bandwidth", *width, 0.002..=2.0, "between 0.002 and 2")?;
                }
                if reson_bandwidth.is_some() != reson_wavelength_m.is_some() {
                    return Err(ForceError::HalfReson);
                }
            }
            Texture::Recorded { samples, metres_per_sample } => {
                recorded(samples)?;
                let must = "between 1e-8 and 0.1";
                within("metres_per_sample", *metres_per_sample, 1e-8..=0.1, must)?;
            }
            Texture::Ribbed { period_m, depth_m, duty, .. } => {
                within("period_m", *period_m, 1e-5..=10.0, "between 1e-5 and 10")?;
                height("depth_m", *depth_m)?;
                within("duty", *duty, 0.02..=0.98, "between 0.02 and 0.98")?;
            }
        }
        Ok(Self(texture))
    }

    /// Makes fractal noise of power spectrum `k^β` and one micrometre of roughness.
    pub fn fractal(beta: f64) -> Result<Self, ForceError> {
        Self::new(Texture::Fractal {
            beta,
            roughness_m: DEFAULT_ROUGHNESS_M,
            reson_wavelength_m: None,
            reson_bandwidth: None,
        })
    }

    /// Makes fractal noise of dimension D, 1 (smooth) to 2 (rough): β = 2 D − 5.
    pub fn fractal_dimension(d: f64) -> Result<Self, ForceError> {
        Self::fractal(2.0 * within("fractal dimension", d, 1.0..=2.0, "between 1 and 2")? - 5.0)
    }

    /// Sets the reson of a fractal surface; other kinds stay unchanged.
    pub fn with_reson(mut self, wavelength_m: f64, bandwidth: f64) -> Result<Self, ForceError> {
        if let Texture::Fractal { reson_wavelength_m, reson_bandwidth, .. } = &mut self.0 {
            (*reson_wavelength_m, *reson_bandwidth) = (Some(wavelength_m), Some(bandwidth));
        }
        Self::new(self.0)
    }

    /// Sets the roughness of a fractal surface; other kinds stay unchanged.
    pub fn with_roughness(mut self, rms_m: f64) -> Result<Self, ForceError> {
        if let Texture::Fractal { roughness_m, .. } = &mut self.0 {
            *roughness_m = rms_m;
        }
        Self::new(self.0)
    }

    /// Makes a surface from heights (m) along a track that repeats periodically.
    pub fn recorded(
        samples: impl Into<Arc<[f32]>>,
        metres_per_sample: f64,
    ) -> Result<Self, ForceError> {
        Self::new(Texture::Recorded { samples: samples.into(), metres_per_sample })
    }

    /// Makes periodic ribs.
    pub fn ribbed(
        period_m: f64,
        depth_m: f64,
        shape: RibShape,
        duty: f64,
    ) -> Result<Self, ForceError> {
        Self::new(Texture::Ribbed { period_m, depth_m, shape, duty })
    }

    /// Returns the parameters.
    pub fn texture(&self) -> &Texture {
        &self.0
    }

    /// Returns D = β/2 + 5/2 of a fractal surface; only 1 … 2 are dimensions of profiles.
    pub fn dimension(&self) -> Option<f64> {
        match self.0 {
            Texture::Fractal { beta, .. } => Some(beta / 2.0 + 2.5),
            _ => None,
        }
    }
}

fn height(what: &'static str, value: f64) -> Result<f64, ForceError> {
    within(what, value, 1e-12..=1.0, "between 1e-12 and 1")
}

fn recorded(samples: &[f32]) -> Result<(), ForceError> {
    let error = |what, remedy| Err(ForceError::Recorded { what, remedy });
    if samples.len() < 16 {
        return error("has fewer than 16 samples", "record a longer track");
    }
    if samples.len() > MAX_SAMPLES {
        return error("has more than 262144 samples", "cut it, or record it coarser");
    }
    if samples.iter().any(|h| !(h.abs() <= 1e6)) {
        return error("has a sample that is not a height within 1e6 m", "repair it");
    }
    if samples.iter().all(|h| *h == samples[0]) {
        return error("is flat", "is it the right one?");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimension_and_slope_are_equivalent() {
        let surface = Surface::fractal_dimension(1.25).unwrap();
        assert!(matches!(surface.texture(), Texture::Fractal { beta, .. } if *beta == -2.5));
        assert_eq!(surface.dimension(), Some(1.25));
    }

    #[test]
    fn errors_name_the_invalid_quantity() {
        let says = |surface: Result<Surface, ForceError>, text: &str| {
            let error = surface.unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        };
        says(Surface::fractal(f64::NAN), "beta is NaN");
        says(Surface::fractal(2.0), "between -5 and 1");
        says(Surface::fractal_dimension(0.9), "fractal dimension is 0.9");
        let direct = Surface::fractal(-2.0).unwrap();
        says(direct.clone().with_reson(0.0, 0.1), "reson_wavelength_m is 0");
        says(direct.clone().with_reson(1e-3, f64::INFINITY), "reson_bandwidth is inf");
        says(direct.with_roughness(-1.0), "roughness_m is -1");
        says(Surface::ribbed(1e-3, 1e-4, RibShape::Saw, 1.0), "duty is 1");
        says(Surface::ribbed(f64::NAN, 1e-4, RibShape::Saw, 0.5), "period_m is NaN");
        says(Surface::recorded(vec![0.0; 3], 1e-5), "fewer than 16");
        says(Surface::recorded(vec![1.0; 30], 1e-5), "is flat");
        says(Surface::recorded(vec![f32::NAN; 30], 1e-5), "not a height");
        says(Surface::recorded(vec![0.0; (1 << 18) + 1], 1e-5), "cut it");
        let halves = Texture::Fractal {
            beta: -2.0,
            roughness_m: 1e-6,
            reson_wavelength_m: Some(1e-3),
            reson_bandwidth: None,
        };
        says(Surface::new(halves), "give both");
    }
}
