#![doc = include_str!("../README.md")]
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

use anyhow::Result;
use foley_engine::AudioBuffer;

pub use chart::computed_modes::computed_modes;
pub use chart::contact_forces::contact_forces;
pub use chart::contact_sheet::contact_sheet_picture;
pub use chart::impact_map::{TexelCollisions, draw_impact_map};
pub use chart::line_chart::{Axis, LineChart, Series};
pub use chart::masking::{masking_curves, masking_picture};
pub use chart::modes::modes_picture;
pub use chart::spectrogram::{
    file_spectrogram_picture, spectrogram_pair_picture, spectrogram_picture,
};
pub use chart::time_chart::{TimeChart, Track, TrackStyle, time_chart_picture};
pub use data::masking_data::{AudibilityCounts, MaskingOptions};
pub use film::{draw_still, film, find_ffmpeg};
pub use foley_geometry::atomic_file::AtomicFile;
pub use picture::color::{Color, SERIES};
pub use picture::{Picture, check_extension};
pub use scene_view::SceneView;
pub use surface::{mode_shape_picture, sound_map_picture};

/// Draws the spectrogram of a sound.
pub fn draw_spectrogram(sound: &AudioBuffer, title: &str, path: &Path) -> Result<AtomicFile> {
    spectrogram_picture(&sound.planar(), sound.sample_rate_hz, title)?.draw(path)
}

/// Draws several series between two axes.
pub fn draw_line_chart(chart: &LineChart, path: &Path) -> Result<AtomicFile> {
    chart::line_chart::picture(chart)?.draw(path)
}
