//! Built-in scenes: simulated and sounded as any scene file is.

use anyhow::{Context, Result};
use foley::audio_file::Format;
use foley::scene::demos::{self, Demo};
use foley::scene::prepare::ModelCache;
use foley::scene::sonify::RenderSettings;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

use crate::command::render::{
    Made, NO_FFMPEG, Stats, film, in_words, modes, prepare, render_timed,
};
use crate::output::print_line;
use crate::progress;
use foley::plot;

/// Endings of the names of what is written.
const ENDINGS: [&str; 7] =
    [".wav", ".png", "-spectrogram.png", "-modes.png", "-impact-map.png", ".mp4", ".toml"];

/// Returns the names of what is written.
pub(super) fn names(demo: &Demo) -> Vec<String> {
    ENDINGS.iter().map(|ending| format!("{}{ending}", demo.name)).collect()
}

/// Renders a scene, draws it, and writes it and its scene file for people to change.
pub(super) fn run(demo: &Demo, folder: &Path, json: bool) -> Result<()> {
    let bar = progress::bar("models of the scene", 100);
    let (scene, text) = demo.save(folder, &ModelCache::user(), &mut |stage, done| {
        progress::name(&bar, stage);
        bar.set_position((100.0 * done) as u64);
        true
    })?;
    bar.finish_and_clear();
    let file = |end: &str| folder.join(format!("{}{end}", demo.name));
    let [sound_path, picture, spectrogram] = [".wav", ".png", "-spectrogram.png"].map(file);
    let scene = Arc::new(scene);
    let prepared = prepare(&scene)?;
    let (rendered, took) = render_timed(&scene, &prepared, &RenderSettings::default())?;
    let mut sound = rendered.sound.clone();
    demos::level(&mut sound)?;
    let stats = Stats::new(&scene, &prepared, &rendered, &took, &sound)?;
    let made = Made { scene: &scene, prepared: &prepared, rendered: &rendered, stats };
    let mut drawn = vec![
        (plot::draw_still(&made.view(), &picture)?, picture),
        (plot::draw_spectrogram(&sound, &scene.title, &spectrogram)?, spectrogram),
    ];
    let mut collisions = None;
    if scene.hail.is_some() {
        drawn.push(modes(&made, file("-modes.png"))?);
        let path = file("-impact-map.png");
        let (map, counts) = plot::draw_impact_map(&scene, &prepared, &path)?;
        drawn.push((map, path));
        collisions = Some(counts);
    }
    let (loudness, peak) = (sound.loudness_lufs()?, sound.peak_dbfs());
    sound.write(&sound_path, Format::from_path(&sound_path)?)?.keep()?;
    let mut written = vec![sound_path];
    for (picture, path) in drawn {
        picture.keep()?;
        written.push(path);
    }
    let video = file(".mp4");
    // Without that on the level, which is another by now.
    let mut notes = [&prepared.notes[..], &rendered.notes].concat();
    if scene.hail.is_some() {
        match film(&made, &written[0], &video).context("no film was made")? {
            true => written.push(video),
            false => notes.push(format!("left out: the film {}; {NO_FFMPEG}", video.display())),
        }
    }
    written.push(text);
    let files: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    let total_s = (rendered.physics_s + rendered.sound_s).max(1e-9);
    let share = rendered.sound_s / total_s;
    if json {
        let map = collisions.map(|counts| {
            let (met, predicted) = (counts.collisions, counts.expected);
            json!({ "impacts": counts.impacts, "met": met, "predicted": predicted })
        });
        let facts = json!({
            "written": files, "loudness_lufs": loudness, "peak_dbfs": peak,
            "seconds": scene.seconds, "heard": rendered.stats,
            "physics_s": rendered.physics_s, "sound_s": rendered.sound_s,
            "sound_share": share, "lost": rendered.lost, "impact_map": map,
            "notes": notes,
        });
        return print_line!("{facts}");
    }
    print_line!("{}: {loudness:.1} LUFS, peak {peak:.1} dBFS", scene.title)?;
    print_line!(
        "{:.1} × real time; sound took {:.0} % of it, physics {:.0} %",
        scene.seconds / total_s,
        100.0 * share,
        100.0 * (1.0 - share),
    )?;
    made.stats.details().iter().try_for_each(|line| print_line!("{line}"))?;
    collisions.iter().try_for_each(|counts| print_line!("{}", in_words(counts)))?;
    notes.iter().try_for_each(|note| print_line!("note: {note}"))?;
    files.iter().try_for_each(|file| print_line!("written: {file}"))
}
