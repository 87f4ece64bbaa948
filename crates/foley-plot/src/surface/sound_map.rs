//! Sound map: brightness of the sound of a strike at each place (\[FA\], Fig. 7).

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;

use super::brightness::brightness;
use super::drawn_surface::DrawnSurface;
use super::page::{self, Captions, ColoredSurface};
use super::shading::Light;
use crate::layout::axis::{Scale, digits};
use crate::layout::mode_dots;
use crate::picture::Picture;

/// Draws the surface of a model, coloured by the brightness of a strike at each place.
pub fn sound_map_picture(model: &ModalModel) -> Result<Picture> {
    let surface = DrawnSurface::of(model)?;
    let Some((colored, scale)) = colored(model, &surface) else {
        bail!("{} is silent wherever it is struck; there is no brightness to draw", model.name);
    };
    let (low, high) = scale.ends();
    let (modes, plural) = (model.mode_count(), if model.mode_count() == 1 { "" } else { "s" });
    let facts = format!(
        "mean frequency of {modes} mode{plural}, weighted by their gains, for a strike along the \
         normal  ·  {} to {} Hz",
        digits(low, 3),
        digits(high, 3)
    );
    page::picture(
        &colored,
        &Captions {
            title: &format!("{}, sound map", model.name),
            facts: &facts,
            scale,
            quantity: "Brightness (Hz)",
            notes: &[],
        },
    )
}

/// Returns the coloured surface and its scale; `None` when the model is silent.
pub(crate) fn colored<'a>(
    model: &ModalModel,
    surface: &'a DrawnSurface,
) -> Option<(ColoredSurface<'a>, Scale)> {
    let brightness = brightness(model, surface);
    let mut heard: Vec<f64> = surface.corners().filter_map(|i| brightness[i]).collect();
    heard.sort_by(f64::total_cmp);
    let last = heard.len().checked_sub(1)?;
    // A few outliers must not stretch the scale.
    let (low, high) = (heard[last / 200], heard[last - last / 200]);
    let room = (0.02 * (low + high) - (high - low)).max(0.0) / 2.0;
    let scale = Scale::Linear(low - room, high + room);
    let value = |b: &Option<f64>| b.map_or(f32::NAN, |b| scale.position(b) as f32);
    let colored = ColoredSurface {
        surface,
        points: surface.points.clone(),
        values: brightness.iter().map(value).collect(),
        colors: mode_dots::color,
        nodes: Vec::new(),
        light: Light::COLOR,
        outlined: false,
    };
    Some((colored, scale))
}
