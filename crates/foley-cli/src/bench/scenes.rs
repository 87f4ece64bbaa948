//! `foley bench scenes`: the scenes for measuring, with full synthesis, to listen to.

use anyhow::{Context, Result};
use foley_engine::audio_file::{Format, write};
use serde_json::json;
use std::path::PathBuf;

use super::level::{even, full};
use crate::say::say;
use crate::scene::{Scene, crowd};
use foley_plot::AtomicFile;

/// Render the scenes.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// The folder for the sounds; it is made when it is not there
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// This scene alone
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Instead of them a crowd of so many objects of 100 modes
    #[arg(long, value_name = "OBJECTS", conflicts_with = "only", value_parser = objects)]
    crowd: Option<usize>,
}

pub(super) fn objects(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (1..=100_000).contains(n));
    number.ok_or_else(|| "choose between 1 and 100000".into())
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let scenes = match (&args.only, args.crowd) {
        (Some(name), _) => vec![Scene::named(name)?],
        (None, Some(objects)) => vec![crowd(objects, 100, 1000.0, 2.0, 1)?],
        (None, None) => Scene::all()?,
    };
    let folder = &args.output;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for scene in &scenes {
        let (mut sound, full_scale_pa) = full(scene)?;
        let full_scale_pa = full_scale_pa / even(&mut sound)?;
        let objects = scene.objects.iter().map(|thing| {
            json!({
                "name": thing.name, "modes": thing.model.mode_count(),
                "distance_m": thing.distance_m, "azimuth_deg": thing.azimuth_deg,
            })
        });
        let report = json!({
            "name": scene.name, "about": scene.about, "seconds": scene.seconds,
            "modes": scene.mode_count(), "blows": scene.blows.len(),
            "full_scale_pa": full_scale_pa, "loudness_lufs": sound.loudness_lufs()?,
            "peak_dbfs": sound.peak_dbfs(), "objects": objects.collect::<Vec<_>>(),
        });
        let path = folder.join(format!("{}-full.wav", scene.name));
        let mut source = sound.into_source();
        let frames = source.frames();
        write(&path, Format::from_path(&path)?, &mut source, frames, |_| true)?;
        let about = folder.join(format!("{}.json", scene.name));
        AtomicFile::new(&about, report.to_string().as_bytes())?.keep()?;
        if json {
            say!("{report}")?;
        } else {
            let (modes, blows) = (scene.mode_count(), scene.blows.len());
            let loudness = report["loudness_lufs"].as_f64().unwrap_or_default();
            say!("{:<9} {modes:>6} modes, {blows:>6} blows, {loudness:.1} LUFS", scene.name)?;
        }
    }
    Ok(())
}
