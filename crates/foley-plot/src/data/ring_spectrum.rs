//! Spectrum of the free decay after a strike, from beginning to silence.
//!
//! A mode `a e^{−d t} sin(ω t)` has the spectrum `a ω / ((d + i 2πf)² + ω²)`; modes
//! add by energy, as their phases differ from point to point.

use std::f64::consts::TAU;

use crate::data::mode_data::Mode;
use crate::layout::axis::Scale;

/// Longest decay that is drawn, s: it limits the sharpness of a mode.
const LONGEST_T60_S: f64 = 60.0;

/// Returns the level over `columns` equal steps of a frequency axis, dB below its maximum: in
/// each step each mode counts where it is strongest, so no narrow peak is missed.
pub(crate) fn spectrum_db(modes: &[Mode], axis: Scale, columns: usize) -> Vec<f64> {
    let slowest = super::mode_data::t60_s(1.0) / LONGEST_T60_S;
    let power: Vec<f64> = (0..columns)
        .map(|column| {
            let edge = |c: usize| axis.value(c as f64 / columns as f64);
            let (low, high) = (edge(column), edge(column + 1));
            modes
                .iter()
                .map(|mode| {
                    let f = mode.frequency_hz.clamp(low, high);
                    let (w, w0, d) = (TAU * f, TAU * mode.frequency_hz, mode.decay.max(slowest));
                    let (re, im) = (w0 * w0 - w * w + d * d, 2.0 * d * w);
                    10f64.powf(mode.level_db / 10.0) * w0 * w0 / (re * re + im * im)
                })
                .sum()
        })
        .collect();
    let loudest = power.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    power.into_iter().map(|p| 10.0 * (p / loudest).log10()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At resonance |Y| = a/(2d), and 3 dB less at d/2π beside it.
    #[test]
    fn peaks_are_as_high_and_wide_as_damping_makes_them() {
        let axis = Scale::Linear(990.0, 1010.0);
        let mode = |decay, level_db| Mode { frequency_hz: 1000.0, decay, level_db };
        let db = spectrum_db(&[mode(TAU, 0.0)], axis, 2000);
        let at = |f: f64| db[(axis.position(f) * 2000.0) as usize];
        assert!(at(1000.0).abs() < 1e-9);
        assert!((at(1001.0) + 3.01).abs() < 0.05, "{}", at(1001.0));
    }

    #[test]
    fn undamped_and_silent_modes_stay_finite() {
        let modes = [
            Mode { frequency_hz: 100.0, decay: 0.0, level_db: 0.0 },
            Mode { frequency_hz: 200.0, decay: 1.0, level_db: f64::NEG_INFINITY },
        ];
        let db = spectrum_db(&modes, Scale::Log(20.0, 2000.0), 50);
        assert!(db.iter().all(|v| v.is_finite() && *v <= 0.0));
    }
}
