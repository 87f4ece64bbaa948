//! Frequency, reverberation time (T60) and level of a model's modes.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;

use crate::layout::axis::Scale;

/// Range of hearing, Hz.
pub(crate) const HEARING_HZ: (f64, f64) = (20.0, 20_000.0);
/// Range of reverberation times of an axis, s; values outside are drawn at its edge.
pub(crate) const T60_S: (f64, f64) = (1e-3, 100.0);
/// Range of levels below the loudest mode, dB.
pub(crate) const RANGE_DB: f64 = 60.0;
/// Most modes in a picture, loudest first.
pub(crate) const MAX_DRAWN: usize = 5000;

/// A mode as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mode {
    /// f, Hz.
    pub frequency_hz: f64,
    /// d, 1/s.
    pub decay: f64,
    /// Level below the loudest mode, dB: at most 0, −∞ for a mode that is not excited.
    pub level_db: f64,
}

impl Mode {
    /// Returns the time in which it falls by 60 dB: `e^{−d T60} = 10^{−3}`, so `T60 = 3 ln 10 / d`.
    pub(crate) fn t60_s(&self) -> f64 {
        t60_s(self.decay)
    }

    /// Returns the level as a number from 0 (quietest shown) to 1 (loudest).
    pub(crate) fn loudness(&self) -> f64 {
        (1.0 + self.level_db / RANGE_DB).clamp(0.0, 1.0)
    }
}

/// Returns T60 of a decay rate, s; infinite when undamped.
pub(crate) fn t60_s(decay: f64) -> f64 {
    3.0 * std::f64::consts::LN_10 / decay
}

/// The modes of a model, quietest first, so that the loud are drawn over the quiet.
#[derive(Debug, Clone)]
pub(crate) struct ModeData {
    /// The modes.
    pub modes: Vec<Mode>,
    /// The gain at 0 dB, Pa at 1 m per N·s; zero when nothing is excited.
    pub loudest: f64,
    /// Modes left out because there are too many.
    pub left_out: usize,
}

impl ModeData {
    /// Extracts the data of one surface point, or of all, from a model.
    pub(crate) fn new(model: &ModalModel, point: Option<usize>) -> Result<Self> {
        let gains = gains(model, point)?;
        let loudest = gains.iter().copied().fold(0.0, f64::max);
        let mut modes: Vec<Mode> = (0..model.mode_count())
            .map(|n| Mode {
                frequency_hz: model.frequencies_hz[n],
                decay: model.decays[n],
                level_db: if gains[n] > 0.0 {
                    20.0 * (gains[n] / loudest).log10()
                } else {
                    f64::NEG_INFINITY
                },
            })
            .collect();
        modes.sort_by(|a, b| a.level_db.total_cmp(&b.level_db));
        let left_out = modes.len().saturating_sub(MAX_DRAWN);
        modes.drain(..left_out);
        Ok(Self { modes, loudest, left_out })
    }

    /// Returns the frequency axis: the audible range of the data, or all of it when nothing is audible.
    pub(crate) fn frequency_axis(modes: &[&Self]) -> Scale {
        let all = || modes.iter().flat_map(|m| &m.modes).map(|m| m.frequency_hz);
        if all().any(|f| (HEARING_HZ.0..=HEARING_HZ.1).contains(&f)) {
            Scale::log_around(all(), HEARING_HZ, 10.0)
        } else {
            Scale::log_around(all(), (1e-3, 1e7), 10.0)
        }
    }

    /// Returns the axis of reverberation times.
    pub(crate) fn t60_axis(modes: &[&Self]) -> Scale {
        let all = modes.iter().flat_map(|m| &m.modes).map(Mode::t60_s);
        Scale::log_around(all, T60_S, 10.0)
    }
}

/// Returns the gain of each mode at one surface point, or its rms over all, Pa at 1 m per N·s.
pub(crate) fn gains(model: &ModalModel, point: Option<usize>) -> Result<Vec<f64>> {
    let points = match point {
        None => 0..model.point_count(),
        Some(k) if k < model.point_count() => k..k + 1,
        Some(k) => {
            bail!(
                "{} has {} surface points; there is no point {k}",
                model.name,
                model.point_count()
            )
        }
    };
    let count = points.len() as f64;
    let mut power = vec![0.0; model.mode_count()];
    for k in points {
        for (sum, gain) in power.iter_mut().zip(model.gains_of_point(k)) {
            *sum += f64::from(gain).powi(2);
        }
    }
    Ok(power.into_iter().map(|sum| (sum / count).sqrt()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::model;

    #[test]
    fn t60_is_where_the_amplitude_has_fallen_by_sixty_decibels() {
        for decay in [0.5, 6.9, 300.0] {
            let fallen_db = 20.0 * (-decay * t60_s(decay)).exp().log10();
            assert!((fallen_db + 60.0).abs() < 1e-9);
        }
        assert_eq!(t60_s(0.0), f64::INFINITY);
    }

    #[test]
    fn levels_are_relative_to_the_loudest() {
        let model = model("two", &[(100.0, 1.0, 2.0), (200.0, 1.0, -0.2), (300.0, 1.0, 0.0)]);
        let data = ModeData::new(&model, None).unwrap();
        let levels: Vec<f64> = data.modes.iter().map(|m| m.level_db).collect();
        assert_eq!(levels[0], f64::NEG_INFINITY);
        assert!((levels[1] + 20.0).abs() < 1e-6 && levels[2] == 0.0);
        assert!((data.loudest - 2.0).abs() < 1e-6);
        let error = ModeData::new(&model, Some(7)).unwrap_err().to_string();
        assert!(error.contains("no point 7"), "{error}");
    }

    #[test]
    fn rms_over_points() {
        let mut parts = model("one", &[(100.0, 1.0, 3.0)]).into_parts();
        parts.points.push([1.0; 3]);
        parts.gains = vec![3.0, -4.0].into();
        let model = foley_dsp::model::ModalModel::new(parts).unwrap();
        let data = ModeData::new(&model, None).unwrap();
        assert!((data.loudest - 12.5f64.sqrt()).abs() < 1e-6);
        assert_eq!(ModeData::new(&model, Some(1)).unwrap().loudest, 4.0);
    }

    #[test]
    fn axes_keep_to_hearing_unless_nothing_is_heard() {
        let heard = ModeData::new(
            &model("a", &[(1.0, 1.0, 1.0), (440.0, 1.0, 1.0), (90e3, 1.0, 1.0)]),
            None,
        );
        let (low, high) = ModeData::frequency_axis(&[&heard.unwrap()]).ends();
        assert!(low >= 20.0 && high <= 20e3 && low < 440.0 && high > 440.0);
        let bat = ModeData::new(&model("b", &[(90e3, 0.0, 1.0)]), None).unwrap();
        let (low, high) = ModeData::frequency_axis(&[&bat]).ends();
        assert!(low < 90e3 && high > 90e3);
        assert_eq!(ModeData::t60_axis(&[&bat]).ends(), T60_S);
    }
}
