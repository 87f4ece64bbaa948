//! Fits modal models to recordings (experimental modal analysis).
//!
//! Recorded strikes of an object, each at its own place, give frequencies and decays that
//! all places share, and a gain for every mode and place:
//!
//! `y_k(t) = Σ_n a_nk e^{−d_n t} sin(2π f_n t + θ_nk)`, t from the onset of strike k.
//!
//! ```
//! use foley_modal::fit::{Options, Recording, fit};
//! use std::f64::consts::TAU;
//!
//! let strike = |m: i32| {
//!     let t = f64::from(m) / 44_100.0;
//!     (0.5 * (-6.0 * t).exp() * (TAU * 440.0 * t).sin()) as f32
//! };
//! let recording =
//!     Recording { samples: (0..44_100).map(strike).collect(), sample_rate_hz: 44_100.0 };
//! let fitted = fit(&[recording], &Options::default())?;
//! assert_eq!(fitted.model.frequencies_hz.len(), 1);
//! assert!((fitted.model.frequencies_hz[0] - 440.0).abs() < 0.01);
//! assert!((fitted.model.decays[0] - 6.0).abs() < 0.01);
//! # Ok::<(), foley_modal::fit::FitError>(())
//! ```
//!
//! Files stand in the order of the signal. `recording` finds the onset and the end of clipping,
//! `noise` the noise level, `spectrum` transforms. `search` splits the spectrum into bands
//! (`band`); `esprit` proposes poles for each, and `local_least_squares` fits amplitudes, refines
//! the poles and drops those that explain no more than chance. The residual above the noise is
//! searched again, in bands that suit its width. If the contact itself is left in the residual,
//! `onset_delay` starts the fit later. `fitted` is the result.
//!
//! [`fit_surface`] fits the roughness of a surface to a recording of scraping.

mod options;
mod recording;
mod noise;
mod spectrum;
mod strike;
mod band;
mod esprit;
mod local_least_squares;
mod search;
mod onset_delay;
mod fitted;
mod surface;
mod error;

pub use error::FitError;
pub use fitted::{Fitted, FittedMode, FittedStrike};
pub use options::Options;
pub use recording::{MOST_SAMPLES, Recording};
pub use surface::{FittedReson, FittedSurface, SurfaceOptions, fit_surface};

use strike::{Strike, Strikes};

/// The fit ends this long after the onset, s.
const LONGEST_S: f64 = 20.0;

/// Fits a modal model to recorded strikes, one for each place. They need not be
/// aligned or equally long; they must share one sample rate.
pub fn fit(recordings: &[Recording], options: &Options) -> Result<Fitted, FitError> {
    fit_with_progress(recordings, options, &mut |_| ())
}

/// As [`fit`], with a callback for the finished part of the work, from 0 to 1.
pub fn fit_with_progress(
    recordings: &[Recording],
    options: &Options,
    progress: &mut dyn FnMut(f64),
) -> Result<Fitted, FitError> {
    options.check()?;
    recording::check(recordings, options)?;
    let (strikes, modes) = onset_delay::fit(recordings, options, progress)?;
    if modes.is_empty() {
        return Err(FitError::NoModes);
    }
    progress(1.0);
    fitted::finish(options, &strikes, &modes)
}

/// Cuts the recordings where their fit begins: at the onset or `delay_s` later, but after
/// all clipping.
fn prepare(recordings: &[Recording], delay_s: f64) -> Result<Strikes, FitError> {
    let rate_hz = recordings[0].sample_rate_hz;
    // Longer recordings can be split into narrower bands.
    let shortest = recordings.iter().map(|r| r.samples.len()).min().unwrap_or(0);
    let granule_s = if shortest as f64 >= 2.0 * rate_hz { 0.05 } else { 0.02 };
    let granule = (granule_s * rate_hz).round() as usize;
    let mut strikes = Vec::new();
    for (recording, r) in recordings.iter().enumerate() {
        let y = recording::centred(&r.samples);
        let onset = recording::onset(&y, rate_hz);
        let clipped = recording::clipped(&r.samples);
        let ringing = (onset + (delay_s * rate_hz) as usize).min(y.len());
        let start = recording::start(ringing, clipped.end, y.len(), rate_hz);
        let residual = &y[start..];
        let needed = recording::SHORTEST_S;
        let seconds = residual.len() as f64 / rate_hz;
        if residual.len() < 2 * granule || seconds < needed {
            return Err(FitError::TooShort { recording, seconds, needed });
        }
        let end = y.len().min(start + (LONGEST_S * rate_hz) as usize);
        let levels = spectrum::pyramid(&y[start..end], granule);
        let peak = y.iter().fold(0.0f64, |p, v| p.max(v.abs()));
        let noise = noise::Noise::of(&y, rate_hz, peak);
        let clipped = clipped.samples;
        strikes.push(Strike { y, onset, start, end, clipped, levels, noise, peak });
    }
    Ok(Strikes { rate_hz, granule, strikes })
}
