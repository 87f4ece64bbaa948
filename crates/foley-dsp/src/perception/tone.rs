//! Tones: position, threshold and level of a mode for masking, and level calibration.

use super::{bark_from_hz, fixed_point::to_fixed_point, hearing_threshold_db};

/// Levels are clamped to this, dB SPL.
pub const MAX_LEVEL_DB: f64 = 1000.0;

/// Larger energies come from unstable modes and do not count.
const MAX_ENERGY: f64 = 1e280;

/// A pure tone: position on the Bark scale, hearing threshold there, and level in dB SPL.
///
/// All three are rounded to multiples of 2⁻¹⁶, which makes masking arithmetic exact and is
/// inaudible. Levels are set for each block; position and threshold are constant.
///
/// ```
/// use foley_dsp::perception::Tone;
/// assert!(Tone::new(1000.0, 20.0).is_above_threshold() && !Tone::new(50.0, 20.0).is_above_threshold());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tone {
    bark: f64,
    threshold_db: f64,
    level_db: f64,
}

impl Tone {
    /// Makes a tone of this frequency and level; see [`set_level_db`](Self::set_level_db). A
    /// frequency that is zero, negative or not finite is never audible.
    pub fn new(frequency_hz: f64, level_db: f64) -> Self {
        let threshold_db = hearing_threshold_db(frequency_hz);
        let bark = if threshold_db < f64::INFINITY { bark_from_hz(frequency_hz) } else { 0.0 };
        let mut tone = Self {
            bark: to_fixed_point(bark),
            threshold_db: to_fixed_point(threshold_db),
            level_db: f64::NEG_INFINITY,
        };
        tone.set_level_db(level_db);
        tone
    }

    /// Sets the level, dB SPL, clamped to [`MAX_LEVEL_DB`]; −∞ and NaN are silence. Real-time.
    pub fn set_level_db(&mut self, level_db: f64) {
        self.level_db = if level_db.is_nan() {
            f64::NEG_INFINITY
        } else {
            to_fixed_point(level_db.min(MAX_LEVEL_DB))
        };
    }

    /// Returns the position, Bark.
    pub fn bark(&self) -> f64 {
        self.bark
    }

    /// Returns the hearing threshold at its frequency, dB SPL.
    pub fn threshold_db(&self) -> f64 {
        self.threshold_db
    }

    /// Returns the level, dB SPL.
    pub fn level_db(&self) -> f64 {
        self.level_db
    }

    /// Returns whether the level exceeds the hearing threshold.
    pub fn is_above_threshold(&self) -> bool {
        self.level_db > self.threshold_db
    }
}

/// Conversion of energies to dB SPL. Real-time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    offset_db: f64,
}

impl Calibration {
    /// Calibrates the total of all modes to the playback level, \[CS\] §4 step 4. The unit of energy
    /// does not matter. Energies that are negative, NaN or infinite do not count.
    pub fn to_playback_level(
        energies: impl IntoIterator<Item = f64>,
        playback_level_db: f64,
    ) -> Self {
        let total: f64 = energies.into_iter().filter(|&e| is_sound(e)).sum();
        let offset_db =
            if total > 0.0 { playback_level_db - decibels(total) } else { f64::NEG_INFINITY };
        Self { offset_db }
    }

    /// Returns the level of an energy, dB SPL: −∞ for silence and invalid energies.
    pub fn level_db(&self, energy: f64) -> f64 {
        if is_sound(energy) { decibels(energy) + self.offset_db } else { f64::NEG_INFINITY }
    }
}

fn decibels(energy: f64) -> f64 {
    10.0 * energy.log10()
}

fn is_sound(energy: f64) -> bool {
    energy > 0.0 && energy <= MAX_ENERGY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_together_make_the_playback_level() {
        for scale in [1e-300, 1e-9, 1.0, 1e12, 1e260] {
            let energies: Vec<f64> = (1..500).map(|i| scale * f64::from(i * i)).collect();
            for playback in [60.0, 0.0, 94.0] {
                let calibration =
                    Calibration::to_playback_level(energies.iter().copied(), playback);
                let level = |e: &f64| Tone::new(1000.0, calibration.level_db(*e)).level_db();
                let total: f64 = energies.iter().map(|e| 10f64.powf(level(e) / 10.0)).sum();
                assert!((10.0 * total.log10() - playback).abs() < 2e-5, "{scale} {playback}");
            }
        }
    }

    #[test]
    fn silence_and_invalid_energies_are_inaudible_and_do_not_count() {
        let energies = [0.0, 2.0, f64::NAN, 2.0, f64::INFINITY, -1.0, f64::MAX];
        let calibration = Calibration::to_playback_level(energies, 60.0);
        let heard =
            energies.map(|e| Tone::new(1000.0, calibration.level_db(e)).is_above_threshold());
        assert_eq!(heard, [false, true, false, true, false, false, false]);
        assert!((calibration.level_db(2.0) - 56.99).abs() < 0.01);
    }

    #[test]
    fn without_any_sound_nothing_is_heard() {
        for calibration in [
            Calibration::to_playback_level([], 60.0),
            Calibration::to_playback_level([0.0, -0.0], 60.0),
            Calibration::to_playback_level([1.0], f64::NAN),
        ] {
            for energy in [0.0, 1.0, f64::NAN] {
                assert!(!Tone::new(1000.0, calibration.level_db(energy)).is_above_threshold());
            }
        }
    }

    #[test]
    fn no_frequency_no_sound() {
        for f in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-300, 1e300] {
            let tone = Tone::new(f, f64::INFINITY);
            assert!(!tone.is_above_threshold(), "{f}");
            assert!(tone.bark().is_finite() && tone.level_db() == MAX_LEVEL_DB);
        }
    }
}
