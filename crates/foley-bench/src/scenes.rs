//! Unpruned renders of the benchmark scenes, to listen to.

use anyhow::Result;
use foley_engine::audio_file::{Format, write};
use foley_plot::AtomicFile;
use serde_json::{Value, json};
use std::path::Path;

use crate::Progress;
use crate::loudness::{normalise, render_unpruned};
use crate::scene::BenchScene;

/// Renders a scene with all its modes into a folder, as SCENE-full.wav; returns its description, which is
/// also written, as SCENE.json.
pub fn render(scene: &BenchScene, folder: &Path, progress: &dyn Progress) -> Result<Value> {
    let (mut sound, full_scale_pa) = render_unpruned(scene, progress)?;
    let full_scale_pa = full_scale_pa / normalise(&mut sound)?;
    let objects = scene.objects.iter().map(|object| {
        json!({
            "name": object.name, "modes": object.model.mode_count(),
            "distance_m": object.distance_m, "azimuth_deg": object.azimuth_deg,
        })
    });
    let report = json!({
        "name": scene.name, "about": scene.about, "seconds": scene.seconds,
        "modes": scene.mode_count(), "blows": scene.strikes.len(),
        "full_scale_pa": full_scale_pa, "loudness_lufs": sound.loudness_lufs()?,
        "peak_dbfs": sound.peak_dbfs(), "objects": objects.collect::<Vec<_>>(),
    });
    let path = folder.join(format!("{}-full.wav", scene.name));
    let mut source = sound.into_source();
    let frames = source.frames();
    write(&path, Format::from_path(&path)?, &mut source, frames, |_| true)?;
    let about = folder.join(format!("{}.json", scene.name));
    AtomicFile::new(&about, report.to_string().as_bytes())?.keep()?;
    Ok(report)
}
