//! Pictures: a model's modes, its surface, a sheet of models, a sound's spectrogram, what is
//! masked, lines.
//!
//! Data flows from `mode_data`, `masking_data`, `ring` and `stft` (what is shown) through `axis` and
//! `panel` (where it stands) into a `Picture`, a list of shapes that `raster` and
//! `svg` write to files.

mod axis;
mod bands;
mod color;
mod contact_sheet;
mod curve;
mod dots;
#[cfg(test)]
mod example;
mod font;
mod legend;
mod lines;
mod masking;
mod masking_data;
mod mode_data;
mod modes;
mod panel;
mod picture;
mod raster;
mod ring;
mod spectrogram;
mod stft;
pub mod surface;
mod svg;
#[cfg(test)]
mod tests;
pub mod wav;
mod waveform;

use std::path::Path;

use anyhow::{Context, Result};
use foley_dsp::model::ModalModel;

pub use bands::{Band, Bands, Drawn};
pub use color::{Color, SERIES};
pub use lines::{Axis, Lines, Series};
pub use masking_data::{Counts, Listening};
pub use picture::check_ending;

pub use foley_geometry::atomic_file::AtomicFile;
use mode_data::Strike;

/// Draws the modes of a model, their gains as rms over all surface points.
pub fn draw_model(model: &ModalModel, path: &Path) -> Result<AtomicFile> {
    modes::picture(model, Strike::Everywhere)?.draw(path)
}

/// Draws the modes of a model as a strike at surface point `k` excites them.
pub fn draw_model_at_point(model: &ModalModel, k: usize, path: &Path) -> Result<AtomicFile> {
    modes::picture(model, Strike::Point(k))?.draw(path)
}

/// Draws a model's surface in mode `number`, counted from 1 in order of frequency; `merged`
/// are those of its modes that stand for several.
pub fn draw_mode_shape(
    model: &ModalModel,
    number: usize,
    merged: &[usize],
    path: &Path,
) -> Result<AtomicFile> {
    surface::mode_shape(model, number, merged)?.draw(path)
}

/// Draws a model's surface, painted with the brightness of its sound.
pub fn draw_sound_map(model: &ModalModel, path: &Path) -> Result<AtomicFile> {
    surface::sound_map(model)?.draw(path)
}

/// Draws many models on one sheet, each under its name, all on the same axes.
pub fn draw_sheet(models: &[(String, &ModalModel)], path: &Path) -> Result<AtomicFile> {
    contact_sheet::picture(models)?.draw(path)
}

/// Draws which modes of a model are heard when all are struck at once, at surface point `k` or
/// on average over all points; also tells how many.
pub fn draw_masking(
    model: &ModalModel,
    point: Option<usize>,
    listening: Listening,
    path: &Path,
) -> Result<(AtomicFile, Counts)> {
    let strike = point.map_or(Strike::Everywhere, Strike::Point);
    let heard = masking_data::Heard::new(model, strike, listening)?;
    Ok((masking::picture(model, strike, &heard)?.draw(path)?, heard.counts()))
}

/// Draws what a tone of this frequency masks, at several levels.
pub fn draw_masking_curves(frequency_hz: f64, a_v_db: f64, path: &Path) -> Result<AtomicFile> {
    draw_lines(&masking::curves(frequency_hz, a_v_db), path)
}

/// Draws one quantity over another: several series between two axes.
pub fn draw_lines(lines: &Lines, path: &Path) -> Result<AtomicFile> {
    lines::picture(lines)?.draw(path)
}

/// Draws several quantities over the same time.
pub fn draw_bands(bands: &Bands, path: &Path) -> Result<AtomicFile> {
    bands::picture(bands)?.draw(path)
}

/// Draws pixels, `size` wide and high.
pub fn draw_pixels(size: (usize, usize), pixels: Vec<[u8; 3]>, path: &Path) -> Result<AtomicFile> {
    let mut picture = picture::Picture::new(size.0 as u32, size.1 as u32);
    picture.add(picture::Shape::Image((0.0, 0.0), size.0, pixels));
    picture.draw(path)
}

/// Draws the spectrogram of samples given channel by channel (full scale ±1).
pub fn draw_audio(
    channels: &[Vec<f32>],
    sample_rate: u32,
    title: &str,
    path: &Path,
) -> Result<AtomicFile> {
    spectrogram::picture(channels, sample_rate, title)?.draw(path)
}

/// Draws the spectrograms of two sounds of equal length, each with its name, one above the
/// other on the same scales.
pub fn draw_comparison(
    sounds: [(&str, &[f32]); 2],
    sample_rate: u32,
    title: &str,
    path: &Path,
) -> Result<AtomicFile> {
    spectrogram::comparison(sounds, sample_rate, title)?.draw(path)
}

/// Draws the spectrogram of a WAV file; of one longer than an hour (or 2²⁸ samples), its
/// beginning, and says so in the title.
pub fn draw_spectrogram_of_wav(wav: &Path, path: &Path) -> Result<AtomicFile> {
    let sound = wav::read(wav)?;
    let mut title = wav.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(whole_s) = sound.cut_from_s {
        let read_s = sound.channels[0].len() as f64 / f64::from(sound.sample_rate);
        title += &format!(" (the first {:.0} of {:.0} min)", read_s / 60.0, whole_s / 60.0);
    }
    draw_audio(&sound.channels, sound.sample_rate, &title, path)
        .with_context(|| format!("cannot draw {}", wav.display()))
}
