//! Mode shape: the displaced surface, coloured by the displacement along
//! the outward normal, with dark nodal lines.
//!
//! A mode without a sign is drawn undeformed, coloured by the magnitude of motion.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;
use glam::DVec3;

use super::drawn_surface::DrawnSurface;
use super::modal_motion::{ModalMotion, motion, nodes};
use super::page::{self, Captions, ColoredSurface};
use super::shading::Light;
use crate::data::mode_data::t60_s;
use crate::layout::axis::{Scale, digits};
use crate::layout::mode_dots;
use crate::picture::Picture;
use crate::picture::color::diverging;

/// Draws the shape of mode `number`, counted from 1 in order of frequency. `merged` are the modes that
/// stand for several.
pub fn mode_shape_picture(model: &ModalModel, number: usize, merged: &[usize]) -> Result<Picture> {
    let Some(n) = by_frequency(model, number) else {
        bail!("{} has modes 1 to {}; there is no mode {number}", model.name, model.mode_count());
    };
    let surface = DrawnSurface::of(model)?;
    let motion = motion(model, &surface, n);
    let (hz, t60) = (digits(model.frequencies_hz[n], 5), digits(t60_s(model.decays[n]), 3));
    let title = format!("{}, {hz} Hz", model.name);
    let facts = format!("mode {number} of {}  ·  T60 {t60} s", model.mode_count());
    let by_size = if merged.contains(&n) {
        Some(("several modes of nearly one frequency, merged: how much each place moves", false))
    } else if motion.within {
        Some(("moves within its surface: how much each place moves", true))
    } else {
        None
    };
    if let Some((what, within)) = by_size {
        let along = if within { "in any direction," } else { "along the normal," };
        let captions = Captions {
            title: &title,
            facts: &format!("{facts}  ·  {what}"),
            scale: Scale::Linear(0.0, 1.0),
            quantity: "Displacement",
            notes: &[along, "1: the largest"],
        };
        return page::picture(&sizes(&surface, &motion), &captions);
    }
    let (colored, share) = colored(&surface, &motion);
    let drawn = match share > 0.0 {
        true => format!(
            "dark lines: at rest  ·  largest displacement drawn as {} % of the size",
            digits(100.0 * share, 2)
        ),
        false => "the surface does not move".to_owned(),
    };
    let captions = Captions {
        title: &title,
        facts: &format!("{facts}  ·  {drawn}"),
        scale: Scale::Linear(-1.0, 1.0),
        quantity: "Displacement",
        notes: &["along the normal,", "1: the largest"],
    };
    page::picture(&colored, &captions)
}

/// Returns the index of mode `number`, counted from 1 in order of frequency.
pub(crate) fn by_frequency(model: &ModalModel, number: usize) -> Option<usize> {
    let mut order: Vec<usize> = (0..model.mode_count()).collect();
    order.sort_by(|a, b| model.frequencies_hz[*a].total_cmp(&model.frequencies_hz[*b]));
    order.get(number.checked_sub(1)?).copied()
}

/// Returns the displaced surface, and its largest displacement as a fraction of the object's size.
pub(crate) fn colored<'a>(
    surface: &'a DrawnSurface,
    motion: &ModalMotion,
) -> (ColoredSurface<'a>, f64) {
    let factor = motion.exaggeration(surface);
    let moved = surface.points.iter().zip(&motion.vectors).map(|(p, u)| p + u * factor);
    let colored = ColoredSurface {
        surface,
        points: moved.collect(),
        values: motion.outward.iter().map(|a| (0.5 + 0.5 * a) as f32).collect(),
        colors: diverging,
        nodes: nodes(surface, motion),
        light: Light::FORM,
        outlined: true,
    };
    (colored, factor * motion.largest)
}

/// Returns the magnitude of motion, for modes without a sign: modes merged by their energies
/// have no common sign, and tangential motion goes neither in nor out.
pub(crate) fn sizes<'a>(surface: &'a DrawnSurface, motion: &ModalMotion) -> ColoredSurface<'a> {
    let size = |(u, a): (&DVec3, &f64)| if motion.within { u.length() } else { a.abs() };
    ColoredSurface {
        surface,
        points: surface.points.clone(),
        values: motion.vectors.iter().zip(&motion.outward).map(|m| size(m) as f32).collect(),
        colors: mode_dots::color,
        nodes: Vec::new(),
        light: Light::COLOR,
        outlined: false,
    }
}
