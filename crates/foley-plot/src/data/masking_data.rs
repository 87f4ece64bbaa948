//! Audible and masked modes of a struck object, \[CS\] section 4.
//!
//! A strike with a flat spectrum gives each mode the energy of its gain squared; all of them
//! together make the playback level.

use anyhow::Result;
use derive_setters::Setters;
use foley_dsp::model::ModalModel;
use foley_dsp::perception::{
    Audibility, Calibration, Curve, EnvelopePruner, Masking, Tone, bark_from_hz,
};

use crate::data::mode_data::gains;

/// Playback level and masking threshold.
#[derive(Debug, Clone, Copy, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct MaskingOptions {
    /// The level of all modes together, dB SPL.
    pub playback_db: f64,
    /// Distance of a masker's curve below it at its frequency, a_v in \[CS\], dB.
    pub a_v_db: f64,
}

impl Default for MaskingOptions {
    /// The values of figure 4 of \[CS\].
    fn default() -> Self {
        Self { playback_db: 70.0, a_v_db: Masking::default().a_v_db() }
    }
}

/// Number of modes of each audibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AudibilityCounts {
    /// Audible.
    pub audible: usize,
    /// Masked by louder modes.
    pub masked: usize,
    /// Below the hearing threshold, also those that are not excited at all.
    pub unheard: usize,
}

/// The modes of a struck model with their audibility.
#[derive(Debug)]
pub(crate) struct AudibleModes {
    /// Frequency in Hz, level in dB SPL (−∞ for silence) and audibility of each mode.
    pub modes: Vec<(f64, f64, Audibility)>,
    /// The masking curves of audible modes.
    pub curves: Vec<Curve>,
    /// The options.
    pub options: MaskingOptions,
}

impl AudibleModes {
    /// Computes the audibility of the modes after one strike.
    pub(crate) fn new(
        model: &ModalModel,
        point: Option<usize>,
        options: MaskingOptions,
    ) -> Result<Self> {
        let energies: Vec<f64> = gains(model, point)?.iter().map(|a| a * a).collect();
        let calibration =
            Calibration::to_playback_level(energies.iter().copied(), options.playback_db);
        let tones: Vec<Tone> = model
            .frequencies_hz
            .iter()
            .zip(&energies)
            .map(|(f, e)| Tone::new(*f, calibration.level_db(*e)))
            .collect();
        let masking = Masking::new(options.a_v_db);
        let mut pruner = EnvelopePruner::with_capacity(tones.len());
        let audibilities = pruner.prune(masking, &tones)?;
        let modes = (0..tones.len())
            .map(|n| (model.frequencies_hz[n], tones[n].level_db(), audibilities[n]))
            .collect();

        // Curves of masked modes lie below those that mask them. A mode near the hearing
        // threshold masks nothing, unless it is the loudest of all.
        let audible = || {
            (0..tones.len()).filter(|n| audibilities[*n] == Audibility::Audible).map(|n| &tones[n])
        };
        let loudest = audible().map(Tone::level_db).fold(f64::NEG_INFINITY, f64::max);
        let masks =
            |tone: &&Tone| tone.level_db() >= (tone.threshold_db() + masking.a_v_db()).min(loudest);
        let curves = audible().filter(masks).map(|tone| masking.curve(tone)).collect();
        Ok(Self { modes, curves, options })
    }

    /// Returns the number of modes of each audibility.
    pub(crate) fn counts(&self) -> AudibilityCounts {
        let count = |audibility| self.modes.iter().filter(|mode| mode.2 == audibility).count();
        AudibilityCounts {
            audible: count(Audibility::Audible),
            masked: count(Audibility::Masked),
            unheard: count(Audibility::BelowThreshold),
        }
    }

    /// Returns the upper envelope of all masking curves, without the hearing threshold: what is below
    /// it is masked. −∞ when nothing masks.
    pub(crate) fn masked_below_db(&self, frequency_hz: f64) -> f64 {
        let bark = bark_from_hz(frequency_hz);
        self.curves.iter().map(|curve| curve.spread_db(bark)).fold(f64::NEG_INFINITY, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use foley_dsp::perception::hearing_threshold_db;

    const LISTENING: MaskingOptions = MaskingOptions { playback_db: 70.0, a_v_db: 5.0 };

    /// The drawn line separates the modes as the pruner does, except for equality and rounding to the
    /// grid of tones.
    #[test]
    fn the_curve_parts_the_masked_from_the_heard() {
        let size: Vec<(f64, f64, f32)> = (0..3000u32)
            .map(|i| (22.0 + 5.3 * f64::from(i), 1.0, (i * 7919 % 1000) as f32 * 1e-3))
            .collect();
        for (playback_db, a_v_db) in [(70.0, 5.0), (40.0, 2.0), (60.0, 0.0), (90.0, 20.0)] {
            let model = example::model("dense", &size);
            let options = MaskingOptions { playback_db, a_v_db };
            let audible = AudibleModes::new(&model, None, options).unwrap();
            for (f, level, audibility) in &audible.modes {
                let (line, threshold) = (audible.masked_below_db(*f), hearing_threshold_db(*f));
                match audibility {
                    Audibility::Audible => {
                        assert!(*level > line - 1e-3 && *level > threshold - 1e-3)
                    }
                    Audibility::Masked => {
                        assert!(*level < line + 1e-3 && *level > threshold - 1e-3)
                    }
                    Audibility::BelowThreshold => assert!(*level <= threshold + 1e-3),
                }
            }
            let counts = audible.counts();
            assert!(counts.audible > 0 && counts.masked > 0 && counts.unheard > 0, "{counts:?}");
            assert_eq!(counts.audible + counts.masked + counts.unheard, 3000);
        }
    }

    /// Two modes of equal gain share 70 dB: 67 dB each, wherever they are.
    #[test]
    fn all_modes_together_make_the_playback_level() {
        let model = example::model("two", &[(500.0, 1.0, 2.0), (4000.0, 9.0, -2.0)]);
        let audible = AudibleModes::new(&model, Some(0), LISTENING).unwrap();
        for (_, level, audibility) in &audible.modes {
            assert!((level - 66.99).abs() < 0.01 && *audibility == Audibility::Audible);
        }
        assert_eq!(
            audible.counts(),
            AudibilityCounts { audible: 2, ..AudibilityCounts::default() }
        );
        assert!((audible.masked_below_db(500.0) - 61.99).abs() < 0.01);
    }

    #[test]
    fn silence_masks_nothing() {
        let model = example::model("mute", &[(500.0, 1.0, 0.0)]);
        let audible = AudibleModes::new(&model, None, LISTENING).unwrap();
        assert_eq!(
            audible.counts(),
            AudibilityCounts { unheard: 1, ..AudibilityCounts::default() }
        );
        assert_eq!(audible.masked_below_db(500.0), f64::NEG_INFINITY);
    }
}
