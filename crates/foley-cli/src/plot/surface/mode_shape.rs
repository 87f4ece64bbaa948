//! One mode of a model: its surface bent as it swings, coloured by the displacement along
//! the outward normal, dark where it stays at rest.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;

use super::body::Body;
use super::motion::motion;
use super::stage::{self, Painted, Words};
use super::vector::{add, scaled};
use crate::plot::axis::{Scale, digits};
use crate::plot::color::diverging;
use crate::plot::mode_data::t60_s;
use crate::plot::picture::Picture;

/// Draws mode `number`, counted from 1 in order of frequency.
pub(crate) fn picture(model: &ModalModel, number: usize) -> Result<Picture> {
    let mut order: Vec<usize> = (0..model.mode_count()).collect();
    order.sort_by(|a, b| model.frequencies_hz[*a].total_cmp(&model.frequencies_hz[*b]));
    let Some(&n) = number.checked_sub(1).and_then(|i| order.get(i)) else {
        bail!("{} has modes 1 to {}; there is no mode {number}", model.name, order.len());
    };
    let body = Body::of(model)?;
    let (painted, share) = painted(model, &body, n);
    let (hz, t60) = (digits(model.frequencies_hz[n], 5), digits(t60_s(model.decays[n]), 3));
    let drawn = match share > 0.0 {
        true => format!("largest displacement drawn as {} % of the size", digits(100.0 * share, 2)),
        false => "the surface does not move".to_owned(),
    };
    let count = order.len();
    let facts =
        format!("mode {number} of {count}  ·  T60 {t60} s  ·  dark lines: at rest  ·  {drawn}");
    stage::picture(
        &painted,
        &Words {
            title: &format!("{}, {hz} Hz", model.name),
            facts: &facts,
            scale: Scale::Linear(-1.0, 1.0),
            quantity: "Displacement",
            notes: &["along the normal,", "1: the largest"],
        },
    )
}

/// The surface in mode n (as the model counts), and the largest displacement as a part of
/// the object's size.
pub(super) fn painted<'a>(model: &ModalModel, body: &'a Body, n: usize) -> (Painted<'a>, f64) {
    let motion = motion(model, body, n);
    let factor = motion.exaggeration(body);
    let moved = body.points.iter().zip(&motion.vectors).map(|(p, u)| add(*p, scaled(*u, factor)));
    // Where nearly nothing moves, the sign is chance, and its changes are no nodes: lines are
    // drawn only where the displacement rises over a fair part of the object.
    let strength = |t| {
        let s = ((body.slope(t, &motion.outward) - 0.3) / 0.7).clamp(0.0, 1.0);
        0.85 * (s * s * (3.0 - 2.0 * s)) as f32
    };
    let painted = Painted {
        body,
        points: moved.collect(),
        values: motion.outward.iter().map(|a| (0.5 + 0.5 * a) as f32).collect(),
        colors: diverging,
        nodes: (0..body.triangles.len()).map(strength).collect(),
        ambient: 0.42,
        at_rest: true,
    };
    (painted, factor * motion.largest)
}
