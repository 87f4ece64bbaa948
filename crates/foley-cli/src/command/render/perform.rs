//! From a scene to its sound in memory, and the processor time it takes.

use anyhow::{Context, Result};
use foley_scene::Scene;
use foley_scene::prepare::{ModelCache, Prepared};
use foley_scene::sonify::{RenderSettings, Rendered, render};
use std::sync::Arc;

use crate::progress;
use foley_bench::cpu_time::process_cpu_s;

/// Processor time of a render, s, of all threads: dense hail is found by several.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Took {
    /// Simulating, or reading a trace.
    pub(crate) physics_s: f64,
    /// Sounding it once to know how loud it is; nothing when the scene says what full scale is.
    pub(crate) level_s: f64,
    /// Sounding it.
    pub(crate) sound_s: f64,
}

impl Took {
    pub(crate) fn total_s(&self) -> f64 {
        self.physics_s + self.level_s + self.sound_s
    }

    /// The part of the sound when a scene is simulated and sounded once, as it is live.
    pub(crate) fn sound_share(&self) -> f64 {
        self.sound_s / (self.physics_s + self.sound_s).max(1e-9)
    }
}

/// Finds the modes of all objects.
pub(crate) fn prepare(scene: &Scene) -> Result<Prepared> {
    let bar = progress::bar("modes", 100);
    let prepared = scene.prepare(&ModelCache::user(), &mut |step| {
        bar.set_message(step.object.to_owned());
        bar.set_position((100.0 * (step.done as f64 + step.part) / step.of.max(1) as f64) as u64);
        true
    });
    bar.finish_and_clear();
    Ok(prepared?)
}

/// Simulates and sounds a scene, and says what it took.
pub(crate) fn perform_timed(
    scene: &Arc<Scene>,
    prepared: &Prepared,
    settings: &RenderSettings,
) -> Result<(Rendered, Took)> {
    let bar = progress::bar("scene", 100);
    let began_s = process_cpu_s();
    // The simulation is the first half of the way, and the level is known at three quarters.
    let (mut simulated_s, mut levelled_s) = (began_s, None);
    let rendered = render(scene, prepared, settings, &mut |done| {
        bar.set_position((100.0 * done) as u64);
        match levelled_s {
            None if done >= 0.75 => levelled_s = Some(process_cpu_s()),
            None => simulated_s = process_cpu_s(),
            Some(_) => (),
        }
        true
    });
    bar.finish_and_clear();
    let levelled_s = levelled_s.unwrap_or(simulated_s);
    let took = Took {
        physics_s: simulated_s - began_s,
        level_s: levelled_s - simulated_s,
        sound_s: process_cpu_s() - levelled_s,
    };
    Ok((rendered?.context("nobody stopped it")?, took))
}
