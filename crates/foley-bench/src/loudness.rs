//! Loudness of a benchmark scene: all scenes are measured at one level.

use anyhow::Result;
use foley_dsp::output::OutputSettings;
use foley_engine::{AudioBuffer, Settings};

use crate::Progress;
use crate::scene::BenchScene;

/// Loudness of a scene, LUFS, unless peaks would clip: nothing is limited.
const LOUDNESS: f64 = -16.0;
const HIGHEST_PEAK: f32 = 0.97;
/// Far from clipping even in the densest hail.
const FULL_SCALE_PA: f64 = 100.0;

/// Renders all modes without pruning or limiter; returns the sound and its full scale, Pa.
pub(crate) fn render_unpruned(
    scene: &BenchScene,
    progress: &dyn Progress,
) -> Result<(AudioBuffer, f64)> {
    let output = OutputSettings { limiter: None };
    let settings = Settings { output, full_scale_pa: FULL_SCALE_PA, ..Settings::default() };
    let task = progress.begin(scene.name, 100);
    let mut offline = scene.offline(settings)?;
    let sound = AudioBuffer::render(&mut offline, scene.seconds, |done| {
        task.set_position((100.0 * done) as u64);
    });
    Ok((sound, FULL_SCALE_PA))
}

/// Brings a sound to the loudness by a gain, which is returned.
pub(crate) fn normalise(sound: &mut AudioBuffer) -> Result<f64> {
    let peak = sound.peak();
    let wanted = 10f64.powf((LOUDNESS - sound.loudness_lufs()?) / 20.0);
    if !(peak > 0.0 && wanted.is_finite()) {
        return Ok(1.0);
    }
    let gain = wanted.min(f64::from(HIGHEST_PEAK / peak));
    sound.samples.iter_mut().for_each(|s| *s *= gain as f32);
    Ok(gain)
}

/// Returns the full scale, Pa, at which a scene has the loudness.
pub(crate) fn full_scale_pa(scene: &BenchScene, progress: &dyn Progress) -> Result<f64> {
    let (mut sound, full_scale_pa) = render_unpruned(scene, progress)?;
    Ok(full_scale_pa / normalise(&mut sound)?)
}
