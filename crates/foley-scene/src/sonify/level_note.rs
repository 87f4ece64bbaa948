//! Notes on the level of a rendered scene: silence, and a loudness that it does not reach.

use foley_dsp::output::LimiterSettings;
use foley_engine::AudioBuffer;

use super::{SonifyError, SonifyStats};
use crate::scene::{Level, Scene};

/// Largest deviation from the loudness of the scene without a note, LU.
const TOLERANCE_LU: f64 = 0.5;

/// Peaks that are less than this below the ceiling of the limiter have met it, dB.
const NEAR_CEILING_DB: f64 = 0.5;

/// Returns a note if the sound is silent, or has another loudness than the scene asks for.
pub(super) fn level_note(
    scene: &Scene,
    sound: &AudioBuffer,
    stats: &SonifyStats,
) -> Result<Option<String>, SonifyError> {
    if sound.peak() == 0.0 {
        return Ok(Some(match stats.excitations + stats.sustained {
            0 => "the sound is silent: nothing excites an object that makes a sound".into(),
            _ => format!(
                "the sound is silent: at the playback level of {} dB all of it is inaudible, or it begins after the \
                 end of the scene",
                scene.playback_db
            ),
        }));
    }
    let Level::Loudness(target_lufs) = scene.level else { return Ok(None) };
    let lufs = sound.loudness_lufs()?;
    if (lufs - target_lufs).abs() <= TOLERANCE_LU {
        return Ok(None);
    }
    if !lufs.is_finite() {
        return Ok(Some(
            "the loudness cannot be measured: all sound is in the last 0.1 s, after the last block of the meter; write \
             a larger `seconds`"
                .into(),
        ));
    }
    let ceiling_dbfs = LimiterSettings::default().ceiling_dbfs;
    let cause = match sound.peak_dbfs() > ceiling_dbfs - NEAR_CEILING_DB {
        true => "the limiter holds the peak; write a lower `loudness_lufs`",
        false => "the meter leaves out what is below -70 LUFS; write a higher `loudness_lufs`",
    };
    Ok(Some(format!("the loudness is {lufs:.1} LUFS instead of {target_lufs}: {cause}")))
}
