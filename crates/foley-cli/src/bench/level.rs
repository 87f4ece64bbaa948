//! How loud a scene is, so that all are measured at one level.

use anyhow::Result;
use foley_dsp::output::OutputSettings;
use foley_engine::Settings;

use crate::progress;
use crate::scene::Scene;
use foley_engine::AudioBuffer;

/// Loudness of a scene, LUFS, as far as peaks allow: nothing is limited.
const LOUDNESS: f64 = -16.0;
const HIGHEST_PEAK: f32 = 0.97;
/// Far from clipping even in a downpour.
const FULL_SCALE_PA: f64 = 100.0;

/// All modes, all the time, without a limiter, and which pressure fills the scale, Pa.
pub(crate) fn full(scene: &Scene) -> Result<(AudioBuffer, f64)> {
    let output = OutputSettings { limiter: None };
    let settings = Settings { output, full_scale_pa: FULL_SCALE_PA, ..Settings::default() };
    let bar = progress::bar(scene.name, 100);
    let mut offline = scene.offline(settings)?;
    let sound = AudioBuffer::render(&mut offline, scene.seconds, |done| {
        bar.set_position((100.0 * done) as u64)
    });
    bar.finish_and_clear();
    Ok((sound, FULL_SCALE_PA))
}

/// Brings a sound to the loudness by a gain alone, and says which.
pub(crate) fn even(sound: &mut AudioBuffer) -> Result<f64> {
    let peak = sound.peak();
    let wanted = 10f64.powf((LOUDNESS - sound.loudness_lufs()?) / 20.0);
    if !(peak > 0.0 && wanted.is_finite()) {
        return Ok(1.0);
    }
    let gain = wanted.min(f64::from(HIGHEST_PEAK / peak));
    sound.samples.iter_mut().for_each(|s| *s *= gain as f32);
    Ok(gain)
}

/// The full scale, Pa, at which a scene has the loudness.
pub(crate) fn full_scale_pa(scene: &Scene) -> Result<f64> {
    let (mut sound, full_scale_pa) = full(scene)?;
    Ok(full_scale_pa / even(&mut sound)?)
}
