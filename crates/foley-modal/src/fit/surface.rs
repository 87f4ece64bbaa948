//! Fits the roughness of a surface to a recording of scraping.
//!
//! A needle on a fractal surface with a peak makes noise of the power spectrum
//!
//! ```text
//! S(f) = c f^β / ((1 − x²)² + (b x)²),  x = f/f_r
//! ```
//!
//! (\[FA\] §4.2). β comes first from a straight line through the logarithms;
//! the whitened spectrum is fitted with autoregressive models, whose poles propose the peak;
//! the maximum of Whittle's likelihood decides among them, and whether there is a peak. At a known speed v the peak's wavelength is v/f_r.
//!
//! In the order of the signal: `power_spectrum` averages the loud windows, `poles` proposes
//! peaks, `whittle` refines and decides.

mod power_spectrum;
mod poles;
mod whittle;

use derive_setters::Setters;
use foley_dsp::excitation::{ForceError, Surface};

use super::{FitError, MOST_SAMPLES, Recording};
use power_spectrum::PowerSpectrum;
use whittle::Curve;

/// Band of the fit.
#[derive(Debug, Clone, Copy, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct SurfaceOptions {
    /// Lowest frequency, Hz.
    pub min_hz: f64,
    /// Highest frequency, Hz.
    pub max_hz: f64,
}

impl Default for SurfaceOptions {
    fn default() -> Self {
        Self { min_hz: 40.0, max_hz: 8000.0 }
    }
}

/// A peak in the spectrum of scraping.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct FittedReson {
    /// f_r, Hz.
    pub frequency_hz: f64,
    /// b f_r, Hz.
    pub bandwidth_hz: f64,
}

/// Roughness of a surface, fitted to scraping.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct FittedSurface {
    /// β, the slope of the power spectrum.
    pub beta: f64,
    /// The peak, when there is one.
    pub reson: Option<FittedReson>,
    /// RMS difference between the spectrum, smoothed over sixths of an octave, and the
    /// fit, dB.
    pub misfit_db: f64,
    /// Band that was fitted, Hz.
    pub band_hz: [f64; 2],
    /// Duration of the windows that were used, s.
    pub seconds: f64,
}

impl FittedSurface {
    /// D = β/2 + 5/2.
    pub fn dimension(&self) -> f64 {
        self.beta / 2.0 + 2.5
    }

    /// Returns the surface for a recording made at this speed, m/s.
    pub fn surface(&self, speed_m_s: f64) -> Result<Surface, ForceError> {
        let surface = Surface::fractal(self.beta)?;
        match self.reson {
            Some(FittedReson { frequency_hz, bandwidth_hz }) => {
                surface.with_reson(speed_m_s / frequency_hz, bandwidth_hz / frequency_hz)
            }
            None => Ok(surface),
        }
    }
}

/// Shortest recording, s.
const SHORTEST_S: f64 = 0.5;

/// Fits a surface to a recording of steady scraping.
pub fn fit_surface(
    recording: &Recording,
    options: &SurfaceOptions,
) -> Result<FittedSurface, FitError> {
    check(recording, options)?;
    let spectrum = PowerSpectrum::of(recording, options)?;
    let plain = whittle::refine(&spectrum, Curve::line(&spectrum));
    let best = poles::propose(&spectrum, plain.beta)
        .into_iter()
        .map(|peak| whittle::refine(&spectrum, Curve { peak: Some(peak), ..plain }))
        .min_by(|a, b| whittle::cost(&spectrum, a).total_cmp(&whittle::cost(&spectrum, b)))
        .filter(|peaked| whittle::is_worth_a_peak(&spectrum, &plain, peaked))
        .unwrap_or(plain);
    Ok(FittedSurface {
        beta: best.beta,
        reson: best.peak.map(|[frequency_hz, width]| FittedReson {
            frequency_hz,
            bandwidth_hz: width * frequency_hz,
        }),
        misfit_db: whittle::misfit_db(&spectrum, &best),
        band_hz: spectrum.band_hz(),
        seconds: spectrum.seconds,
    })
}

fn check(recording: &Recording, options: &SurfaceOptions) -> Result<(), FitError> {
    let (y, rate_hz) = (&recording.samples, recording.sample_rate_hz);
    if y.len() > MOST_SAMPLES {
        let limit = MOST_SAMPLES;
        return Err(FitError::TooMuch { what: "samples", found: y.len(), limit });
    }
    if !(2000.0..=2e6).contains(&rate_hz) {
        let must = "it must be between 2 kHz and 2 MHz".into();
        return Err(FitError::SampleRate { recording: 0, rate_hz, must });
    }
    if let Some(sample) = y.iter().position(|y| !(y.abs() <= 1e9)) {
        return Err(FitError::Sample { recording: 0, sample, value: y[sample] });
    }
    if y.iter().all(|v| *v == y[0]) {
        return Err(FitError::Silent { recording: 0 });
    }
    let seconds = y.len() as f64 / rate_hz;
    if seconds < SHORTEST_S {
        return Err(FitError::ShortScrape { seconds, needed: SHORTEST_S });
    }
    let SurfaceOptions { min_hz, max_hz } = *options;
    if !(min_hz >= 10.0 && max_hz >= 4.0 * min_hz && max_hz <= 1e6) {
        let must = "at least four times the lowest frequency, which is at least 10";
        return Err(FitError::Option { what: "the highest frequency (Hz)", value: max_hz, must });
    }
    Ok(())
}
