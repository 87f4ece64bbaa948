//! Notes on the level of a rendered scene: silence, and a loudness that it does not reach.

use foley_engine::AudioBuffer;

use super::{SonifyError, SonifyStats};
use crate::scene::{Level, Scene};

/// Largest deviation from the loudness of the scene without a note, LU.
const TOLERANCE_LU: f64 = 0.5;

/// Peaks above this have met the limiter, whose ceiling is 1 dB below full scale, dBFS.
const CEILING_DBFS: f64 = -1.5;

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
    let reason = match sound.peak_dbfs() > CEILING_DBFS {
        true => "the peak is at the ceiling",
        false => "its loudness cannot be measured well",
    };
    Ok(Some(format!("{lufs:.1} LUFS instead of {target_lufs}: {reason}")))
}
