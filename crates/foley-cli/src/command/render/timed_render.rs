//! Preparation and rendering of a scene in memory, with processor times.

use anyhow::{Context, Result};
use foley::modal::source::is_mesh_file;
use foley::scene::Scene;
use foley::scene::prepare::{ModelCache, Prepared};
use foley::scene::sonify::{RenderSettings, Rendered, render};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::output::misuse;
use crate::progress;
use crate::values::has_ending;
use foley::cpu_time::process_cpu_s;

/// Processor time of a render, s, of all threads: several compute dense hail.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CpuTimes {
    /// Simulation, or reading a trace.
    pub(crate) physics_s: f64,
    /// First pass, which measures the loudness; 0 with a given full scale.
    pub(crate) level_s: f64,
    /// Synthesis.
    pub(crate) sound_s: f64,
}

impl CpuTimes {
    pub(crate) fn total_s(&self) -> f64 {
        self.physics_s + self.level_s + self.sound_s
    }

    /// Share of synthesis in physics + synthesis, as in live playing.
    pub(crate) fn sound_share(&self) -> f64 {
        self.sound_s / (self.physics_s + self.sound_s).max(1e-9)
    }
}

/// Loads a scene, and returns with it the files it is made of; of a mesh it says which command takes it.
pub(crate) fn load(path: &Path) -> Result<(Arc<Scene>, Vec<PathBuf>)> {
    if is_mesh_file(path) && !["gltf", "glb"].iter().any(|ending| has_ending(path, ending)) {
        let path = path.display();
        misuse!(
            "{path} is a mesh, not a scene: `foley modes` or an [[object]] of a scene takes it"
        );
    }
    let (scene, files) = Scene::load_with_files(path)?;
    Ok((Arc::new(scene), files))
}

/// Finds the modes of all objects.
pub(crate) fn prepare(scene: &Scene) -> Result<Prepared> {
    let bar = progress::bar("modes", 100);
    let prepared = scene.prepare(&ModelCache::user(), &mut |step| {
        progress::name(&bar, step.object);
        bar.set_position((100.0 * (step.done as f64 + step.part) / step.of.max(1) as f64) as u64);
        true
    });
    bar.finish_and_clear();
    Ok(prepared?)
}

/// Renders a scene and measures the processor time.
pub(crate) fn render_timed(
    scene: &Arc<Scene>,
    prepared: &Prepared,
    settings: &RenderSettings,
) -> Result<(Rendered, CpuTimes)> {
    let bar = progress::bar("scene", 100);
    let began_s = process_cpu_s();
    // Progress: simulation to 50 %, level known at 75 %.
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
    let took = CpuTimes {
        physics_s: simulated_s - began_s,
        level_s: levelled_s - simulated_s,
        sound_s: process_cpu_s() - levelled_s,
    };
    Ok((rendered?.context("the render was cancelled")?, took))
}
