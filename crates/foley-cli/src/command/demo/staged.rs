//! Built-in scenes: simulated and sounded as any scene file is.

use anyhow::{Context, Result};
use foley::backend::file::{Format, write};
use foley_scene::demos::Demo;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

use super::{LOUDNESS, MOST_LIMITING_DB};
use crate::command::render::{perform_timed, prepare, sound, still};
use crate::plot;
use crate::say::say;

/// Renders a scene, draws it, and writes it for people to change.
pub(super) fn run(demo: &Demo, folder: &Path, json: bool) -> Result<()> {
    let file = |end: &str| folder.join(format!("{}{end}", demo.name));
    let [sound_path, picture, spectrogram, text] =
        [".wav", ".png", "-spectrogram.png", ".toml"].map(file);
    let scene = Arc::new(demo.scene()?);
    let prepared = prepare(&scene)?;
    let (rendered, _) = perform_timed(&scene, &prepared, false)?;
    let mut sound = sound(&rendered);
    // Few blows and long pauses are softer than the scene's own level, whose limiter does less.
    sound.level(LOUDNESS, MOST_LIMITING_DB)?;
    let drawn =
        plot::draw_audio(&sound.planar(), sound.sample_rate_hz, &scene.title, &spectrogram)?;
    let seen = still(&scene, &prepared, &rendered, &picture)?;
    let (loudness, peak) = (sound.loudness_lufs()?, sound.peak_dbfs());
    let mut source = sound.into_source();
    let frames = source.frames();
    write(&sound_path, Format::from_path(&sound_path)?, &mut source, frames, |_| true)?;
    drawn.keep()?;
    seen.keep()?;
    std::fs::write(&text, scene.to_toml())
        .with_context(|| format!("cannot write {}", text.display()))?;
    let files = [sound_path, picture, spectrogram, text].map(|path| path.display().to_string());
    let total_s = (rendered.physics_s + rendered.sound_s).max(1e-9);
    let share = rendered.sound_s / total_s;
    if json {
        return say!(
            "{}",
            json!({
                "written": files, "loudness_lufs": loudness, "peak_dbfs": peak,
                "seconds": scene.seconds, "heard": rendered.heard,
                "physics_s": rendered.physics_s, "sound_s": rendered.sound_s,
                "sound_share": share, "lost": rendered.lost,
            })
        );
    }
    say!("{}: {loudness:.1} LUFS, peak {peak:.1} dBFS", scene.title)?;
    say!(
        "{:.1} × real time; sound took {:.0} % of it, physics {:.0} %",
        scene.seconds / total_s,
        100.0 * share,
        100.0 * (1.0 - share),
    )?;
    files.iter().try_for_each(|file| say!("written: {file}"))
}
