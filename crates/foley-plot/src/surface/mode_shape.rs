//! One mode of a model: its surface bent as it swings, coloured by the displacement along
//! the outward normal, dark where it stays at rest.
//!
//! A mode without a sign to show is painted at rest, by how much each place moves.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;

use super::body::Body;
use super::motion::{Motion, motion, nodes};
use super::shade::Light;
use super::stage::{self, Painted, Words};
use super::vector::{Vector, add, length, scaled};
use crate::axis::{Scale, digits};
use crate::color::diverging;
use crate::dots;
use crate::mode_data::t60_s;
use crate::picture::Picture;

/// Draws mode `number`, counted from 1 in order of frequency. `merged` are the modes that
/// stand for several.
pub(crate) fn picture(model: &ModalModel, number: usize, merged: &[usize]) -> Result<Picture> {
    let Some(n) = by_frequency(model, number) else {
        bail!("{} has modes 1 to {}; there is no mode {number}", model.name, model.mode_count());
    };
    let body = Body::of(model)?;
    let motion = motion(model, &body, n);
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
        let words = Words {
            title: &title,
            facts: &format!("{facts}  ·  {what}"),
            scale: Scale::Linear(0.0, 1.0),
            quantity: "Displacement",
            notes: &[along, "1: the largest"],
        };
        return stage::picture(&sizes(&body, &motion), &words);
    }
    let (painted, share) = painted(&body, &motion);
    let drawn = match share > 0.0 {
        true => format!(
            "dark lines: at rest  ·  largest displacement drawn as {} % of the size",
            digits(100.0 * share, 2)
        ),
        false => "the surface does not move".to_owned(),
    };
    let words = Words {
        title: &title,
        facts: &format!("{facts}  ·  {drawn}"),
        scale: Scale::Linear(-1.0, 1.0),
        quantity: "Displacement",
        notes: &["along the normal,", "1: the largest"],
    };
    stage::picture(&painted, &words)
}

/// The place in the model of its mode `number`, counted from 1 in order of frequency.
pub(super) fn by_frequency(model: &ModalModel, number: usize) -> Option<usize> {
    let mut order: Vec<usize> = (0..model.mode_count()).collect();
    order.sort_by(|a, b| model.frequencies_hz[*a].total_cmp(&model.frequencies_hz[*b]));
    order.get(number.checked_sub(1)?).copied()
}

/// The bent surface, and its largest displacement as a part of the object's size.
pub(super) fn painted<'a>(body: &'a Body, motion: &Motion) -> (Painted<'a>, f64) {
    let factor = motion.exaggeration(body);
    let moved = body.points.iter().zip(&motion.vectors).map(|(p, u)| add(*p, scaled(*u, factor)));
    let painted = Painted {
        body,
        points: moved.collect(),
        values: motion.outward.iter().map(|a| (0.5 + 0.5 * a) as f32).collect(),
        colors: diverging,
        nodes: nodes(body, motion),
        light: Light::FORM,
        at_rest: true,
    };
    (painted, factor * motion.largest)
}

/// How much each place moves, where there is no sign to show: modes merged by their energies
/// have none in common, and what moves within the surface goes neither in nor out.
pub(super) fn sizes<'a>(body: &'a Body, motion: &Motion) -> Painted<'a> {
    let size = |(u, a): (&Vector, &f64)| if motion.within { length(*u) } else { a.abs() };
    Painted {
        body,
        points: body.points.clone(),
        values: motion.vectors.iter().zip(&motion.outward).map(|m| size(m) as f32).collect(),
        colors: dots::color,
        nodes: Vec::new(),
        light: Light::COLOR,
        at_rest: false,
    }
}
