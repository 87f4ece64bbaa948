//! Pictures of what happened and how it sounds.

use anyhow::Result;
use std::path::{Path, PathBuf};

use super::Made;
use crate::output::counted;
use foley::AudioBuffer;
use foley::plot::AtomicFile;
use foley::plot::{self as plot, Series, TimeChart, Track, TrackStyle};

/// Names of the pictures.
pub(super) const NAMES: [&str; 4] = ["forces.png", "impulses.png", "modes.png", "spectrogram.png"];

/// Draws all of them into an existing folder; returns their names.
pub(super) fn draw(made: &Made<'_>, sound: &AudioBuffer, folder: &Path) -> Result<Vec<PathBuf>> {
    let title = &made.scene.title;
    let [forces_path, impulses_path, modes_path, spectrogram] = NAMES.map(|name| folder.join(name));
    let drawn = [
        forces(made, forces_path)?,
        impulses(made, sound, impulses_path)?,
        modes(made, modes_path)?,
        (plot::draw_spectrogram(sound, title, &spectrogram)?, spectrogram),
    ];
    let keep = |(file, path): Picture| Ok(file.keep().map(|()| path)?);
    drawn.into_iter().map(keep).collect()
}

type Picture = (AtomicFile, PathBuf);

/// Forces and speeds of contacts, as \[FA\] Fig. 8.
fn forces(made: &Made<'_>, path: PathBuf) -> Result<Picture> {
    let (scene, events) = (made.scene, &made.rendered.events);
    let chart = plot::contact_forces(&scene.title, events, scene.seconds);
    Ok((plot::time_chart_picture(&chart)?.draw(&path)?, path))
}

/// Impulses over the waveform, as \[LS\] Fig. 6.
fn impulses(made: &Made<'_>, sound: &AudioBuffer, path: PathBuf) -> Result<Picture> {
    let impacts = &made.stats.impulses;
    let of = |is_scripted: bool, name: &str| {
        let own = impacts.iter().filter(|impact| impact.is_scripted == is_scripted);
        let points: Vec<(f64, f64)> = own.map(|impact| (impact.at_s, impact.impulse_ns)).collect();
        let name = if points.is_empty() { String::new() } else { name.to_owned() };
        Series { name, points, ..Series::default() }
    };
    let stems = vec![of(false, "impacts"), of(true, "strikes")];
    let mean = |frame: &[f32]| frame.iter().sum::<f32>() / frame.len() as f32;
    let wave = sound.samples.chunks_exact(sound.channels).map(mean).collect();
    let track = |name: &str, style| Track { name: name.into(), height: 330.0, style };
    let chart = TimeChart {
        title: format!("{}: impulses and sound", made.scene.title),
        facts: counted(impacts.len(), "impact"),
        seconds: made.scene.seconds,
        tracks: vec![
            track("Impulse (N s)", TrackStyle::Stems(stems)),
            track("Sound", TrackStyle::Wave(wave)),
        ],
    };
    Ok((plot::time_chart_picture(&chart)?.draw(&path)?, path))
}

/// Oscillators computed, and modes that there are.
pub(crate) fn modes(made: &Made<'_>, path: PathBuf) -> Result<Picture> {
    let chart = plot::computed_modes(made.scene, made.rendered);
    Ok((plot::draw_line_chart(&chart, &path)?, path))
}
