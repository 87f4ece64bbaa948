//! Renders of the benchmark scenes with every mode, to listen to.

use anyhow::{Context, Result};
use foley_engine::Settings;
use foley_engine::audio_file::Format;
use foley_plot::AtomicFile;
use foley_scene::scene::Listener;
use foley_scene::sonify::{RenderSettings, render as render_scene};
use glam::DVec3;
use serde_json::{Value, json};
use std::path::Path;

use crate::Progress;
use crate::scene::BenchScene;

/// Renders a scene with all its modes into a folder, as SCENE-full.wav; returns its description, which is
/// also written, as SCENE.json.
pub fn render(bench: &BenchScene, folder: &Path, progress: &dyn Progress) -> Result<Value> {
    let BenchScene { name, about, scene, prepared } = bench;
    let task = progress.begin(name, 100);
    let settings = RenderSettings::default().with_engine(Settings::default());
    let rendered = render_scene(scene, prepared, &settings, &mut |done| {
        task.set_position((100.0 * done) as u64);
        true
    })?;
    let rendered = rendered.context("the render was cancelled")?;
    let objects = scene.objects.iter().zip(&prepared.objects).filter_map(|(object, prepared)| {
        let model = prepared.model.as_ref()?;
        let (distance_m, azimuth_deg) = polar(&scene.listener, object.pose.position_m);
        Some(json!({
            "name": object.name, "modes": model.mode_count(),
            "distance_m": distance_m, "azimuth_deg": azimuth_deg,
        }))
    });
    let sound = rendered.sound;
    let report = json!({
        "name": name, "about": about, "seconds": scene.seconds,
        "modes": bench.mode_count(), "excitations": rendered.stats.excitations,
        "full_scale_pa": rendered.full_scale_pa, "loudness_lufs": sound.loudness_lufs()?,
        "peak_dbfs": sound.peak_dbfs(), "objects": objects.collect::<Vec<_>>(),
    });
    let path = folder.join(format!("{name}-full.wav"));
    sound.write(&path, Format::from_path(&path)?)?.keep()?;
    let about = folder.join(format!("{name}.json"));
    AtomicFile::new(&about, report.to_string().as_bytes())?.keep()?;
    Ok(report)
}

/// Returns the distance of a place, m, and its azimuth to the right of straight ahead, degrees.
fn polar(listener: &Listener, place: [f64; 3]) -> (f64, f64) {
    let Listener { position_m, forward, up, .. } = listener;
    let [way, forward, up] =
        [DVec3::from(place) - DVec3::from(*position_m), (*forward).into(), (*up).into()];
    let right = forward.cross(up);
    (way.length(), way.dot(right).atan2(way.dot(up.cross(right))).to_degrees())
}
