//! `foley render`: a scene in motion, to a sound file.

use anyhow::{Context, Result};
use foley::Settings;
use foley::backend::file::{Format, write};
use foley_scene::Scene;
use foley_scene::prepare::{Cache, Prepared};
use foley_scene::stage::{Rendered, Rendering, render, write_trace};
use serde_json::json;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::listen::Sound;
use crate::progress;
use crate::say::say;

/// A scene in motion, to a sound file.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A scene: .toml, .gltf or .glb
    scene: PathBuf,
    /// The sound file, .wav or .flac [default: the scene's name with .wav]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write everything that happens as a contact trace, which sounds the same
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Compute every mode, heard or not
    #[arg(long)]
    all_modes: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let scene = Arc::new(Scene::load(&args.scene)?);
    let output = args.output.clone().unwrap_or_else(|| stem(&args.scene).with_extension("wav"));
    let format = Format::from_path(&output)?;
    let prepared = prepare(&scene)?;
    let rendered = perform(&scene, &prepared, args.all_modes)?;
    if let Some(path) = &args.trace {
        save_trace(&scene, &rendered, path)?;
    }
    let sound = sound(&rendered);
    let (loudness, peak) = (sound.loudness_lufs()?, sound.peak_dbfs());
    let mut source = sound.into_source();
    let frames = source.frames();
    write(&output, format, &mut source, frames, |_| true)?;
    tell(&scene, &prepared, &rendered, &output, (loudness, peak), json)
}

fn tell(
    scene: &Scene,
    prepared: &Prepared,
    rendered: &Rendered,
    output: &Path,
    (loudness, peak): (f64, f64),
    json: bool,
) -> Result<()> {
    let total_s = rendered.physics_s + rendered.sound_s;
    let share = rendered.sound_s / total_s.max(1e-9);
    if json {
        return say!(
            "{}",
            json!({
                "written": output.display().to_string(), "title": scene.title,
                "seconds": scene.seconds, "loudness_lufs": loudness, "peak_dbfs": peak,
                "full_scale_pa": rendered.full_scale_pa, "heard": rendered.heard,
                "physics_s": rendered.physics_s, "sound_s": rendered.sound_s,
                "sound_share": share, "lost": rendered.lost, "notes": prepared.notes,
            })
        );
    }
    say!(
        "{}: {:.1} s, {} impacts, {} touches heard; {loudness:.1} LUFS, peak {peak:.1} dBFS",
        scene.title,
        scene.seconds,
        rendered.heard.impacts,
        rendered.heard.rubs,
    )?;
    say!(
        "{:.1} × real time; sound took {:.0} % of it, physics {:.0} %",
        scene.seconds / total_s.max(1e-9),
        100.0 * share,
        100.0 * (1.0 - share),
    )?;
    for note in &prepared.notes {
        say!("note: {note}")?;
    }
    for name in &rendered.lost {
        say!("lost: \"{name}\" flew away")?;
    }
    say!("written: {}", output.display())
}

fn stem(scene: &Path) -> PathBuf {
    PathBuf::from(scene.file_stem().unwrap_or_default())
}

/// Finds the modes of all objects.
pub(crate) fn prepare(scene: &Scene) -> Result<Prepared> {
    let bar = progress::bar("modes", 100);
    let prepared = scene.prepare(&Cache::user(), &mut |step| {
        bar.set_message(step.object.to_owned());
        bar.set_position((100.0 * (step.done as f64 + step.part) / step.of.max(1) as f64) as u64);
        true
    });
    bar.finish_and_clear();
    Ok(prepared?)
}

/// Simulates and sounds a scene.
pub(crate) fn perform(
    scene: &Arc<Scene>,
    prepared: &Prepared,
    all_modes: bool,
) -> Result<Rendered> {
    let bar = progress::bar("scene", 100);
    let mut rendering = Rendering::default();
    if all_modes {
        rendering.settings = Settings::default();
    }
    let rendered = render(scene, prepared, &rendering, &mut |done| {
        bar.set_position((100.0 * done) as u64);
        true
    });
    bar.finish_and_clear();
    rendered?.context("nobody stopped it")
}

/// The sound of a scene.
pub(crate) fn sound(rendered: &Rendered) -> Sound {
    let (samples, sample_rate_hz) = (rendered.samples.clone(), rendered.sample_rate_hz);
    Sound { samples, channels: 2, sample_rate_hz }
}

fn save_trace(scene: &Scene, rendered: &Rendered, path: &Path) -> Result<()> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    write_trace(scene, &rendered.told, BufWriter::new(file))?;
    Ok(())
}
