//! Where an object sounds bright (FoleyAutomatic 2001, Fig. 7): light is bright.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;

use super::body::Body;
use super::brightness::brightness;
use super::shade::Light;
use super::stage::{self, Painted, Words};
use crate::axis::{Scale, digits};
use crate::dots;
use crate::picture::Picture;

/// Draws the surface of a model, painted with the brightness of a blow at each place.
pub(crate) fn picture(model: &ModalModel) -> Result<Picture> {
    let body = Body::of(model)?;
    let Some((painted, scale)) = painted(model, &body) else {
        bail!("{} is silent wherever it is struck; there is no brightness to draw", model.name);
    };
    let (low, high) = scale.ends();
    let (modes, plural) = (model.mode_count(), if model.mode_count() == 1 { "" } else { "s" });
    let facts = format!(
        "mean frequency of {modes} mode{plural}, weighted by their gains, for a blow along the \
         normal  ·  {} to {} Hz",
        digits(low, 3),
        digits(high, 3)
    );
    stage::picture(
        &painted,
        &Words {
            title: &format!("{}, sound map", model.name),
            facts: &facts,
            scale,
            quantity: "Brightness (Hz)",
            notes: &[],
        },
    )
}

/// The painted surface and the brightness that its colours mean; none when nothing is heard.
pub(super) fn painted<'a>(model: &ModalModel, body: &'a Body) -> Option<(Painted<'a>, Scale)> {
    let brightness = brightness(model, body);
    let mut heard: Vec<f64> = body.corners().filter_map(|i| brightness[i]).collect();
    heard.sort_by(f64::total_cmp);
    let last = heard.len().checked_sub(1)?;
    // A few odd places must not take the colours from all the others.
    let (low, high) = (heard[last / 200], heard[last - last / 200]);
    let room = (0.02 * (low + high) - (high - low)).max(0.0) / 2.0;
    let scale = Scale::Linear(low - room, high + room);
    let value = |b: &Option<f64>| b.map_or(f32::NAN, |b| scale.position(b) as f32);
    let painted = Painted {
        body,
        points: body.points.clone(),
        values: brightness.iter().map(value).collect(),
        colors: dots::color,
        nodes: Vec::new(),
        light: Light::COLOR,
        at_rest: false,
    };
    Some((painted, scale))
}
