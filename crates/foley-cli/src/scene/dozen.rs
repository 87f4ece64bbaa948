//! The objects of `foley demo`, all at once in a loose rhythm.

use anyhow::{Context, Result};
use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair, Impact, Striker};
use foley_dsp::model::ModalModel;
use std::f64::consts::TAU;

use super::chance::Chance;
use super::{Blow, SECONDS, Scene, Thing};
use crate::command::demo;
use crate::place;

/// Seconds from object to object, and how loosely.
const STEP: f64 = 0.28;
const LOOSE: f64 = 0.06;
/// What a blow begins with at the listener, Pa.
const LEVEL_PA: f64 = 1.0;

pub(super) fn dozen(name: &'static str, about: &'static str) -> Result<Scene> {
    let striker = Striker::named(demo::STRIKER)?;
    let mut chance = Chance::new(1);
    let (mut objects, mut blows) = (Vec::new(), Vec::new());
    for (object, (name, model)) in demo::analyse()?.into_iter().enumerate() {
        let pair = HertzPair::new(&striker, &model.body)?;
        let start = STEP * object as f64;
        let mut level_pa = 0f64;
        for (after, speed, out) in demo::BLOWS {
            let impact = pair.impact(speed, DEFAULT_RESTITUTION)?.context("a blow at rest")?;
            let place = demo::along(&model, out);
            let at_s = start + after + LOOSE * chance.unit();
            level_pa = level_pa.max(level(&model, &place::gains(&model, place), &impact));
            blows.push(Blow { object, place, impact, at_s });
        }
        // As in the demo, each is heard from where it is as loud as the others, a drum from
        // far away.
        let azimuth_deg = 120.0 * (object as f64 / 11.0 - 0.5);
        objects.push(Thing::new(name, model, level_pa / LEVEL_PA, azimuth_deg));
    }
    blows.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    Ok(Scene { name, about, objects, blows, seconds: SECONDS })
}

/// √Σa²: what a blow begins with at 1 m, Pa.
fn level(model: &ModalModel, gains: &[f32], impact: &Impact) -> f64 {
    let heard = |f: &f64| impact.impulse_ns() * impact.spectrum(TAU * f);
    let modes = model.frequencies_hz.iter().map(heard).zip(gains);
    modes.map(|(heard, gain)| (heard * f64::from(*gain)).powi(2)).sum::<f64>().sqrt()
}
