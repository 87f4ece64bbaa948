//! Pictures as PNG and SVG: modes, masking, spectrograms, mode shapes, line charts, views of scenes.
//!
//! Folders in the order of the data: `data` (what is shown), `layout` (axes and panels), `chart` (complete
//! pages), `picture` (shapes to PNG or SVG). `surface` renders the surfaces of objects, `scene_view`
//! scenes in motion.

mod data;
mod layout;
mod chart;
mod surface;
mod scene_view;
mod film;
mod picture;
#[cfg(test)]
mod example;
#[cfg(test)]
mod tests;

use std::path::Path;

use anyhow::{Context, Result};
use foley_dsp::model::ModalModel;
use foley_engine::audio_file;
use foley_scene::sonify::SceneEvent;

pub use chart::impact_map::{TexelCollisions, draw_impact_map};
pub use chart::line_chart::{Axis, LineChart, Series};
pub use chart::time_chart::{TimeChart, Track, TrackStyle};
pub use data::masking_data::{AudibilityCounts, MaskingOptions};
pub use film::{draw_still, film};
pub use foley_geometry::atomic_file::AtomicFile;
pub use picture::check_extension;
pub use picture::color::{Color, SERIES};
pub use scene_view::SceneView;

use chart::{contact_forces, contact_sheet, line_chart, masking, modes, spectrogram, time_chart};
use data::masking_data::AudibleModes;
use data::mode_data::Strike;
use picture::{Picture, Shape};

/// Draws the modes of a model, their gains as rms over all surface points.
pub fn draw_modes(model: &ModalModel, path: &Path) -> Result<AtomicFile> {
    modes::picture(model, Strike::Everywhere)?.draw(path)
}

/// Draws the modes of a model as a strike at surface point `k` excites them.
pub fn draw_modes_at_point(model: &ModalModel, k: usize, path: &Path) -> Result<AtomicFile> {
    modes::picture(model, Strike::Point(k))?.draw(path)
}

/// Draws the shape of mode `number`, counted from 1 in order of frequency; `merged` are the indices of
/// modes that stand for several.
pub fn draw_mode_shape(
    model: &ModalModel,
    number: usize,
    merged: &[usize],
    path: &Path,
) -> Result<AtomicFile> {
    surface::mode_shape(model, number, merged)?.draw(path)
}

/// Draws a model's surface, coloured by the brightness of its sound.
pub fn draw_sound_map(model: &ModalModel, path: &Path) -> Result<AtomicFile> {
    surface::sound_map(model)?.draw(path)
}

/// Draws many models on one sheet, each under its name, all on the same axes.
pub fn draw_contact_sheet(models: &[(String, &ModalModel)], path: &Path) -> Result<AtomicFile> {
    contact_sheet::picture(models)?.draw(path)
}

/// Draws which modes of a model are audible when all are struck at once, at surface point `k` or on
/// average over all points; also returns their counts.
pub fn draw_masking(
    model: &ModalModel,
    point: Option<usize>,
    options: MaskingOptions,
    path: &Path,
) -> Result<(AtomicFile, AudibilityCounts)> {
    let strike = point.map_or(Strike::Everywhere, Strike::Point);
    let audible = AudibleModes::new(model, strike, options)?;
    Ok((masking::picture(model, strike, &audible)?.draw(path)?, audible.counts()))
}

/// Draws the masking curves of a tone at several levels.
pub fn draw_masking_curves(frequency_hz: f64, a_v_db: f64, path: &Path) -> Result<AtomicFile> {
    draw_line_chart(&masking::curves(frequency_hz, a_v_db), path)
}

/// Draws several series between two axes.
pub fn draw_line_chart(chart: &LineChart, path: &Path) -> Result<AtomicFile> {
    line_chart::picture(chart)?.draw(path)
}

/// Draws several quantities over the same time.
pub fn draw_time_chart(chart: &TimeChart, path: &Path) -> Result<AtomicFile> {
    time_chart::picture(chart)?.draw(path)
}

/// Draws forces and speeds of the sustained contacts of a scene.
pub fn draw_contact_forces(
    title: &str,
    events: &[SceneEvent],
    seconds: f64,
    path: &Path,
) -> Result<AtomicFile> {
    contact_forces::picture(title, events, seconds)?.draw(path)
}

/// Draws pixels, `size` wide and high.
pub fn draw_pixels(size: (usize, usize), pixels: Vec<[u8; 3]>, path: &Path) -> Result<AtomicFile> {
    let mut picture = Picture::new(size.0 as u32, size.1 as u32);
    picture.add(Shape::Image((0.0, 0.0), size.0, pixels));
    picture.draw(path)
}

/// Draws the spectrogram of samples given channel by channel (full scale ±1).
pub fn draw_spectrogram(
    channels: &[Vec<f32>],
    sample_rate: u32,
    title: &str,
    path: &Path,
) -> Result<AtomicFile> {
    spectrogram::picture(channels, sample_rate, title)?.draw(path)
}

/// Draws the spectrograms of two sounds of equal length, each with its name, one above the
/// other on the same scales.
pub fn draw_spectrogram_pair(
    sounds: [(&str, &[f32]); 2],
    sample_rate: u32,
    title: &str,
    path: &Path,
) -> Result<AtomicFile> {
    spectrogram::comparison(sounds, sample_rate, title)?.draw(path)
}

/// Draws the spectrogram of a sound file; of one longer than an hour (or 2²⁸ samples) only the
/// beginning, which the title states.
pub fn draw_file_spectrogram(file: &Path, path: &Path) -> Result<AtomicFile> {
    let sound = audio_file::read(file)?;
    let mut title = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(full_s) = sound.cut_from_s {
        let read_s = sound.channels[0].len() as f64 / f64::from(sound.sample_rate);
        title += &format!(" (the first {:.0} of {:.0} min)", read_s / 60.0, full_s / 60.0);
    }
    draw_spectrogram(&sound.channels, sound.sample_rate, &title, path)
        .with_context(|| format!("cannot draw {}", file.display()))
}
