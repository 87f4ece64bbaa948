//! Which modes of a struck object are heard, and what hides the others [CS 4].
//!
//! A strike with a flat spectrum gives each mode the energy of its gain squared; all of them
//! together make the playback level.

use anyhow::Result;
use foley_dsp::model::ModalModel;
use foley_dsp::perception::{
    Audibility, Calibration, Curve, EnvelopePruner, Masking, Tone, bark_from_hz,
};

use super::mode_data::{Strike, gains};

/// How loud the sound is, and how readily its modes mask each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Listening {
    /// The level of all modes together, dB SPL.
    pub playback_db: f64,
    /// How far below a masker its curve begins, dB.
    pub a_v_db: f64,
}

/// How many modes there are of each fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Heard.
    pub audible: usize,
    /// Covered by louder modes.
    pub masked: usize,
    /// Below the hearing threshold, also those that are not excited at all.
    pub unheard: usize,
}

/// The modes of a struck model, as they are heard.
#[derive(Debug)]
pub(crate) struct Heard {
    /// Frequency in Hz, level in dB SPL (−∞ for silence) and fate of each mode.
    pub modes: Vec<(f64, f64, Audibility)>,
    /// The masking curves of those that mask.
    pub curves: Vec<Curve>,
    /// What was asked for.
    pub listening: Listening,
}

impl Heard {
    /// Strikes a model once and listens.
    pub(crate) fn new(model: &ModalModel, strike: Strike, listening: Listening) -> Result<Self> {
        let energies: Vec<f64> = gains(model, strike)?.iter().map(|a| a * a).collect();
        let calibration =
            Calibration::to_playback_level(energies.iter().copied(), listening.playback_db);
        let tones: Vec<Tone> = model
            .frequencies_hz
            .iter()
            .zip(&energies)
            .map(|(f, e)| Tone::new(*f, calibration.level_db(*e)))
            .collect();
        let masking = Masking::new(listening.a_v_db);
        let mut pruner = EnvelopePruner::with_capacity(tones.len());
        let fates = pruner.prune(masking, &tones)?;
        let modes = (0..tones.len())
            .map(|n| (model.frequencies_hz[n], tones[n].level_db(), fates[n]))
            .collect();

        // Curves of masked modes lie below those that mask them. A mode near the hearing
        // threshold masks nothing, unless it is the loudest of all.
        let audible =
            || (0..tones.len()).filter(|n| fates[*n] == Audibility::Audible).map(|n| &tones[n]);
        let loudest = audible().map(Tone::level_db).fold(f64::NEG_INFINITY, f64::max);
        let masks =
            |tone: &&Tone| tone.level_db() >= (tone.threshold_db() + masking.a_v_db()).min(loudest);
        let curves = audible().filter(masks).map(|tone| masking.curve(tone)).collect();
        Ok(Self { modes, curves, listening })
    }

    /// How many modes there are of each fate.
    pub(crate) fn counts(&self) -> Counts {
        let count = |fate| self.modes.iter().filter(|mode| mode.2 == fate).count();
        Counts {
            audible: count(Audibility::Audible),
            masked: count(Audibility::Masked),
            unheard: count(Audibility::BelowThreshold),
        }
    }

    /// The upper envelope of all masking curves, without the hearing threshold: what is below
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

    const LISTENING: Listening = Listening { playback_db: 70.0, a_v_db: 5.0 };

    /// The line in the picture parts the modes as the pruner does; equality and rounding to the
    /// grid of tones aside.
    #[test]
    fn the_curve_parts_the_masked_from_the_heard() {
        let crowd: Vec<(f64, f64, f32)> = (0..3000u32)
            .map(|i| (22.0 + 5.3 * f64::from(i), 1.0, (i * 7919 % 1000) as f32 * 1e-3))
            .collect();
        for (playback_db, a_v_db) in [(70.0, 5.0), (40.0, 2.0), (60.0, 0.0), (90.0, 20.0)] {
            let model = example::model("crowd", &crowd);
            let listening = Listening { playback_db, a_v_db };
            let heard = Heard::new(&model, Strike::Everywhere, listening).unwrap();
            for (f, level, fate) in &heard.modes {
                let (line, threshold) = (heard.masked_below_db(*f), hearing_threshold_db(*f));
                match fate {
                    Audibility::Audible => {
                        assert!(*level > line - 1e-3 && *level > threshold - 1e-3)
                    }
                    Audibility::Masked => {
                        assert!(*level < line + 1e-3 && *level > threshold - 1e-3)
                    }
                    Audibility::BelowThreshold => assert!(*level <= threshold + 1e-3),
                }
            }
            let counts = heard.counts();
            assert!(counts.audible > 0 && counts.masked > 0 && counts.unheard > 0, "{counts:?}");
            assert_eq!(counts.audible + counts.masked + counts.unheard, 3000);
        }
    }

    /// Two modes of equal gain share 70 dB: 67 dB each, wherever they are.
    #[test]
    fn all_modes_together_make_the_playback_level() {
        let model = example::model("two", &[(500.0, 1.0, 2.0), (4000.0, 9.0, -2.0)]);
        let heard = Heard::new(&model, Strike::Point(0), LISTENING).unwrap();
        for (_, level, fate) in &heard.modes {
            assert!((level - 66.99).abs() < 0.01 && *fate == Audibility::Audible);
        }
        assert_eq!(heard.counts(), Counts { audible: 2, ..Counts::default() });
        assert!((heard.masked_below_db(500.0) - 61.99).abs() < 0.01);
    }

    #[test]
    fn silence_masks_nothing() {
        let model = example::model("mute", &[(500.0, 1.0, 0.0)]);
        let heard = Heard::new(&model, Strike::Everywhere, LISTENING).unwrap();
        assert_eq!(heard.counts(), Counts { unheard: 1, ..Counts::default() });
        assert_eq!(heard.masked_below_db(500.0), f64::NEG_INFINITY);
    }
}
