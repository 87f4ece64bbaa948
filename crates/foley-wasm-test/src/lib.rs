#![doc = include_str!("../README.md")]
//!
//! `tests/same_as_native.rs` runs the module under Node (`tests/render.mjs`) and compares the sounds. The
//! module needs no generated JavaScript: it exports [`exports`] and imports the clock of its host.

#[allow(unsafe_code, reason = "exported symbols are a border to another language")]
pub mod exports;

use foley_scene::demos;
use foley_scene::prepare::ModelCache;
use foley_scene::sonify::{RenderSettings, Rendered, render};
use std::error::Error;
use std::sync::Arc;

/// Length of the sound, s: the rings begin to fall at 0 s, and the lowest strike the table after 0.2 s.
const SECONDS: f64 = 1.0;

/// Renders the first second of the demo `rings`: a hundred metal rings fall on a table. Reads no file
/// and needs no thread.
pub fn render_rings() -> Result<Rendered, Box<dyn Error>> {
    let mut scene = demos::named("rings").ok_or("there is no demo of rings")?.scene()?;
    scene.seconds = SECONDS;
    let prepared = scene.prepare(&ModelCache::none(), &mut |_| true)?;
    let rendered = render(&Arc::new(scene), &prepared, &RenderSettings::default(), &mut |_| true)?;
    rendered.ok_or_else(|| "the render was cancelled".into())
}
