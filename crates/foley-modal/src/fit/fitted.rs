//! Result of a fit: the model and its accuracy.

use super::strike::{self, Mode, Strike, Strikes};
use super::{FitError, Options};
use foley_dsp::model::{ModalModel, ModalParts};
use realfft::num_complex::Complex64;
use std::f64::consts::PI;

/// Accuracy of one mode.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedMode {
    /// Level of the mode above the noise, dB, in the recording where it is
    /// highest. In its own band, over its own duration: the mode's energy
    /// `a²/4d` (less what the end of the recording cuts off) against the noise energy in
    /// the band B = 10 d Hz, where its resonance is within 30 dB of its peak, over
    /// `T60 = 3 ln 10 / d`, in which it falls by 60 dB. Modes below 0 dB are not
    /// reported. The Cramér–Rao bound for a single mode that rings out in white noise is at
    /// 20 dB a standard deviation of 1.7 % in decay
    /// and 0.1 dB in gain; it shrinks tenfold with every 20 dB.
    pub level_db: f64,
    /// θ_nk of each recording, radians, for the positive amplitude |a_nk|.
    pub phases: Vec<f64>,
}

/// Fit of one recording.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedStrike {
    /// Onset of the strike, s.
    pub onset_s: f64,
    /// Start of the fit, s: the onset, or the end of a soft contact or of clipping. Modes are
    /// extrapolated back from there.
    pub fitted_from_s: f64,
    /// Number of clipped samples. The fit starts after them and is extrapolated back to the
    /// onset; modes that decay sooner are missed.
    pub clipped_samples: usize,
    /// The sum of the modes, aligned with the recording and as long.
    pub resynthesis: Vec<f32>,
    /// Recording less resynthesis (and less its mean).
    pub residual: Vec<f32>,
    /// Energy of the residual from the onset on, dB re that of the recording.
    pub residual_db: f64,
    /// Energy of the noise alone, dB re that of the recording: the least possible residual,
    /// never more than the actual one.
    pub noise_db: f64,
}

/// A model and its accuracy.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Fitted {
    /// Gains are amplitudes at the onset, scaled by [`Options::full_scale_pa`] and
    /// [`Options::impulse_ns`]: that impulse sounds as loud as the recording. Their signs
    /// are those of cos θ where a mode is loudest; elsewhere they say whether the mode is in
    /// phase with it.
    pub model: ModalModel,
    /// One for each mode of the model.
    pub modes: Vec<FittedMode>,
    /// One for each recording.
    pub strikes: Vec<FittedStrike>,
}

/// Builds the model, and the resynthesis and residual of each recording.
pub(super) fn finish(
    options: &Options,
    strikes: &Strikes,
    modes: &[Mode],
) -> Result<Fitted, FitError> {
    let struck: Vec<Mode> = modes.iter().map(|m| at_onset(strikes, m)).collect();
    let points = match options.places.is_empty() {
        true => vec![[0.0; 3]; strikes.strikes.len()],
        false => options.places.clone(),
    };
    let scale = options.full_scale_pa / options.impulse_ns;
    let gains: Vec<Vec<f64>> = struck.iter().map(|m| gains(&m.a)).collect();
    let model = ModalModel::new(ModalParts {
        name: options.name.clone(),
        frequencies_hz: modes.iter().map(|m| strikes.hz(m.s)).collect(),
        decays: modes.iter().map(|m| -m.s.re * strikes.rate_hz).collect(),
        gains: (0..points.len())
            .flat_map(|k| gains.iter().map(move |g| (scale * g[k]) as f32))
            .collect::<Vec<f32>>()
            .into(),
        points,
        triangles: Vec::new(),
        body: options.body,
        ..ModalParts::default()
    })?;
    let trust = |(fitted, struck): (&Mode, &Mode)| FittedMode {
        level_db: strikes.level_db(fitted),
        phases: struck.a.iter().map(|a| phase(*a)).collect(),
    };
    let done = strikes.strikes.iter().enumerate();
    Ok(Fitted {
        model,
        modes: modes.iter().zip(&struck).map(trust).collect(),
        strikes: done.map(|(k, s)| finish_strike(s, strikes.rate_hz, &struck, k)).collect(),
    })
}

/// Returns a mode with its amplitudes at the onsets.
fn at_onset(strikes: &Strikes, mode: &Mode) -> Mode {
    let back = |(strike, a): (&Strike, &Complex64)| strike.at_onset(mode.s, *a);
    Mode { s: mode.s, a: strikes.strikes.iter().zip(&mode.a).map(back).collect() }
}

/// 2 Re(A e^{jωt}) = 2|A| sin(ωt + arg A + π/2), between −π and π.
fn phase(a: Complex64) -> f64 {
    (a.arg() + 1.5 * PI).rem_euclid(2.0 * PI) - PI
}

/// Signed amplitudes; see [`Fitted::model`].
fn gains(a: &[Complex64]) -> Vec<f64> {
    let loudest =
        a.iter().copied().fold(Complex64::ZERO, |m, a| if a.norm() > m.norm() { a } else { m });
    let sign = if phase(loudest).cos() < 0.0 { -1.0 } else { 1.0 };
    let gain = |a: &Complex64| match (a * loudest.conj()).re < 0.0 {
        true => -sign * 2.0 * a.norm(),
        false => sign * 2.0 * a.norm(),
    };
    a.iter().map(gain).collect()
}

fn finish_strike(strike: &Strike, rate_hz: f64, modes: &[Mode], k: usize) -> FittedStrike {
    let (y, onset) = (&strike.y, strike.onset);
    let mut sound = vec![0.0; onset];
    sound.extend(strike::sum(modes, k, y.len() - onset));
    let residual: Vec<f64> = y.iter().zip(&sound).map(|(y, v)| y - v).collect();
    let energy = |part: &[f64]| part.iter().map(|v| v * v).sum::<f64>();
    let total = energy(&y[onset..]).max(1e-300);
    let db = |part: f64| 10.0 * (part.max(1e-300) / total).log10();
    let left = energy(&residual[onset..]);
    let noise = strike.noise.total(rate_hz) * (y.len() - onset) as f64;
    FittedStrike {
        onset_s: onset as f64 / rate_hz,
        fitted_from_s: strike.start as f64 / rate_hz,
        clipped_samples: strike.clipped,
        residual_db: db(left),
        noise_db: db(noise.min(left)),
        resynthesis: sound.iter().map(|v| *v as f32).collect(),
        residual: residual.iter().map(|v| *v as f32).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_signed_as_sines_are() {
        // sin(ωt) is A = −j/2; −sin(ωt) the opposite.
        let sine = Complex64::new(0.0, -0.5);
        assert!(phase(sine).abs() < 1e-12);
        let found = gains(&[sine, -0.2 * sine, 0.5 * sine]);
        for (g, expected) in found.iter().zip([1.0, -0.2, 0.5]) {
            assert!((g - expected).abs() < 1e-12, "{found:?}");
        }
        assert!(gains(&[-sine])[0] < 0.0);
    }
}
