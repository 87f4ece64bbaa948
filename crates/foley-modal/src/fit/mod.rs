//! Recordings in, modal models out.
//!
//! One or more recorded strikes of an object, each at its own place, give frequencies
//! and decays that all places share and a gain for every mode and place:
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
//! In the order of the signal: `recording` finds the onset, `noise` the noise,
//! `spectrum` transforms; `search` splits into bands (`band`), has `esprit` propose
//! poles for each, and `local` fits amplitudes, moves the poles to the least squares and
//! drops those that explain no more than chance. What is then left over above the noise
//! is searched again, in bands that suit its width.

mod band;
mod error;
mod esprit;
mod local;
mod noise;
mod recording;
mod search;
mod spectrum;
mod strike;

pub use error::FitError;
pub use recording::Recording;

use foley_dsp::model::{Body, ModalModel, ModalParts};
use realfft::num_complex::Complex64;
use search::Search;
use std::f64::consts::PI;
use strike::{Mode, Strike, Strikes};

/// Later than this after the onset nothing new is learnt, s.
const LONGEST_S: f64 = 20.0;

/// What to look for, and what the recordings cannot tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The name of the model.
    pub name: String,
    /// Where each recording was struck, m; empty: all at the origin.
    pub places: Vec<[f64; 3]>,
    /// Modes below this are not looked for, Hz.
    pub min_hz: f64,
    /// Modes above this are not looked for, Hz.
    pub max_hz: f64,
    /// At most this many modes, the most certain.
    pub max_modes: usize,
    /// The body behind the surface, for strikers to bounce off: a sound does not tell.
    pub body: Body,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: "recorded".into(),
            places: Vec::new(),
            min_hz: 20.0,
            max_hz: 20_000.0,
            max_modes: 512,
            body: Body { mass_kg: 1.0, young_pa: 7e10, poisson: 0.3, radius_m: f64::INFINITY },
        }
    }
}

/// How well a mode is known.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedMode {
    /// How far the mode stands above the noise, dB, in the recording where it is
    /// clearest. In its own band, over its own duration: the mode's energy
    /// `a²/4d` (less what the end of the recording cuts off) against the noise energy in
    /// the band B = 10 d Hz, where its resonance is within 30 dB of its peak, over
    /// `T60 = 3 ln 10 / d`, in which it falls by 60 dB. Modes below 0 dB are not
    /// reported. The best that any method can do (the Cramér–Rao bound, for a mode alone
    /// that rings out in white noise) is at 20 dB a standard deviation of 1.7 % in decay
    /// and 0.1 dB in gain; it shrinks tenfold with every 20 dB.
    pub level_db: f64,
    /// θ_nk of each recording, radians.
    pub phases: Vec<f64>,
}

/// What became of one recording.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedStrike {
    /// When the strike begins, s.
    pub onset_s: f64,
    /// Samples that look cut off at full scale; modes are doubtful when there are any.
    pub clipped_samples: usize,
    /// The modes with their phases, as long as the recording and in step with it.
    pub resynthesis: Vec<f32>,
    /// Recording less resynthesis (and less its mean).
    pub residual: Vec<f32>,
    /// Energy of the residual from the onset on, dB re that of the recording.
    pub residual_db: f64,
    /// Energy of the noise alone, dB re that of the recording: the residual's ideal.
    pub noise_db: f64,
}

/// A model and how far it can be trusted.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// Gains are amplitudes at the onset: a unit impulse sounds as loud as the recording.
    pub model: ModalModel,
    /// One for each mode of the model.
    pub modes: Vec<FittedMode>,
    /// One for each recording.
    pub strikes: Vec<FittedStrike>,
}

/// Fits a modal model to recorded strikes, one for each place. They need not be
/// aligned; they must share one sample rate.
pub fn fit(recordings: &[Recording], options: &Options) -> Result<Fitted, FitError> {
    check_options(options)?;
    recording::check(recordings, options)?;
    let mut strikes = prepare(recordings)?;
    let mut search = Search { strikes: &mut strikes, options, modes: Vec::new(), work: 0.0 };
    search.run();
    let mut modes = search.modes;
    modes.sort_by(|a, b| strikes.level_db(b).total_cmp(&strikes.level_db(a)));
    modes.truncate(options.max_modes);
    modes.sort_by(|a, b| a.s.im.total_cmp(&b.s.im));
    if modes.is_empty() {
        return Err(FitError::NoModes);
    }
    finish(recordings, options, &strikes, &modes)
}

fn check_options(options: &Options) -> Result<(), FitError> {
    let (low, high) = (options.min_hz, options.max_hz);
    if !(low >= 1.0 && low.is_finite()) {
        return Err(FitError::Option { what: "min_hz", value: low, must: "at least 1 Hz" });
    }
    if !(high > low) {
        return Err(FitError::Option { what: "max_hz", value: high, must: "above min_hz" });
    }
    if options.max_modes == 0 {
        return Err(FitError::Option { what: "max_modes", value: 0.0, must: "at least 1" });
    }
    Ok(())
}

fn prepare(recordings: &[Recording]) -> Result<Strikes, FitError> {
    let rate_hz = recordings[0].sample_rate_hz;
    // Longer recordings can be split into narrower bands.
    let shortest = recordings.iter().map(|r| r.samples.len()).min().unwrap_or(0);
    let granule_s = if shortest as f64 >= 2.0 * rate_hz { 0.05 } else { 0.02 };
    let granule = (granule_s * rate_hz).round() as usize;
    let mut strikes = Vec::new();
    for (recording, r) in recordings.iter().enumerate() {
        let y = recording::centred(&r.samples);
        let onset = recording::onset(&y, rate_hz);
        let rest = &y[onset..];
        let needed = recording::SHORTEST_S;
        let seconds = rest.len() as f64 / rate_hz;
        if rest.len() < 2 * granule || seconds < needed {
            return Err(FitError::TooShort { recording, seconds, needed });
        }
        let used = &rest[..rest.len().min((LONGEST_S * rate_hz) as usize)];
        let levels = spectrum::pyramid(used, granule);
        let noise = noise::Noise::of(&y, rate_hz);
        strikes.push(Strike { y, onset, levels, noise });
    }
    Ok(Strikes { rate_hz, granule, strikes })
}

fn finish(
    recordings: &[Recording],
    options: &Options,
    strikes: &Strikes,
    modes: &[Mode],
) -> Result<Fitted, FitError> {
    let points = match options.places.is_empty() {
        true => vec![[0.0; 3]; recordings.len()],
        false => options.places.clone(),
    };
    let model = ModalModel::new(ModalParts {
        name: options.name.clone(),
        frequencies_hz: modes.iter().map(|m| strikes.hz(m.s)).collect(),
        decays: modes.iter().map(|m| -m.s.re * strikes.rate_hz).collect(),
        gains: (0..points.len())
            .flat_map(|k| modes.iter().map(move |m| (2.0 * m.a[k].norm()) as f32))
            .collect(),
        points,
        triangles: Vec::new(),
        body: options.body,
    })?;
    // 2 Re(A e^{jωt}) = 2|A| sin(ωt + arg A + π/2).
    let phase = |a: &Complex64| (a.arg() + 1.5 * PI).rem_euclid(2.0 * PI) - PI;
    let trust = |m: &Mode| FittedMode {
        level_db: strikes.level_db(m),
        phases: m.a.iter().map(phase).collect(),
    };
    let done = recordings.iter().zip(&strikes.strikes).enumerate();
    Ok(Fitted {
        model,
        modes: modes.iter().map(trust).collect(),
        strikes: done.map(|(k, (r, s))| finish_strike(r, s, strikes.rate_hz, modes, k)).collect(),
    })
}

fn finish_strike(
    recording: &Recording,
    strike: &Strike,
    rate_hz: f64,
    modes: &[Mode],
    k: usize,
) -> FittedStrike {
    let (y, onset) = (&strike.y, strike.onset);
    let mut sound = vec![0.0; onset];
    sound.extend(strike::sum(modes, k, y.len() - onset));
    let residual: Vec<f64> = y.iter().zip(&sound).map(|(y, v)| y - v).collect();
    let energy = |part: &[f64]| part.iter().map(|v| v * v).sum::<f64>();
    let whole = energy(&y[onset..]).max(1e-300);
    let db = |part: f64| 10.0 * (part.max(1e-300) / whole).log10();
    FittedStrike {
        onset_s: onset as f64 / rate_hz,
        clipped_samples: recording::clipped(&recording.samples),
        residual_db: db(energy(&residual[onset..])),
        noise_db: db(strike.noise.total(rate_hz) * (y.len() - onset) as f64),
        resynthesis: sound.iter().map(|v| *v as f32).collect(),
        residual: residual.iter().map(|v| *v as f32).collect(),
    }
}
