//! The objects of `foley demo`, all at once in a loose rhythm.

use anyhow::{Context, Result};
use foley_dsp::contact::{DEFAULT_RESTITUTION, HertzPair, Impact, Striker};
use foley_dsp::model::ModalModel;
use std::f64::consts::TAU;

use super::chance::Chance;
use super::{Blow, SECONDS, Scene, Thing};
use crate::command::demo;
use crate::place;

/// Seconds from object to object, and how loosely.
const STEP: f64 = 0.28;
const LOOSE: f64 = 0.06;
/// m/Pa√s: the quietest is heard from a metre away.
const LEVEL: f64 = 6.6;

pub(super) fn dozen(name: &'static str, about: &'static str) -> Result<Scene> {
    let striker = Striker::named(demo::STRIKER)?;
    let mut chance = Chance::new(1);
    let (mut objects, mut blows) = (Vec::new(), Vec::new());
    for (object, (name, model)) in demo::analyse()?.into_iter().enumerate() {
        let pair = HertzPair::new(&striker, &model.body)?;
        let start = STEP * object as f64;
        let mut level = 0.0;
        for (after, speed, out) in demo::BLOWS {
            let impact = pair.impact(speed, DEFAULT_RESTITUTION)?.context("a blow at rest")?;
            let place = demo::along(&model, out);
            let at_s = start + after + LOOSE * chance.unit();
            level += energy(&model, &place::gains(&model, place), &impact);
            blows.push(Blow { object, place, impact, at_s });
        }
        // As in the demo, each is heard from where it is as loud as the others.
        let azimuth_deg = 120.0 * (object as f64 / 11.0 - 0.5);
        objects.push(Thing::new(name, model, LEVEL * level.sqrt(), azimuth_deg));
    }
    blows.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    Ok(Scene { name, about, objects, blows, seconds: SECONDS })
}

/// ∫p² dt at 1 m of a blow: Σ a²/4d.
fn energy(model: &ModalModel, gains: &[f32], impact: &Impact) -> f64 {
    let mode = |n: usize| {
        let heard = impact.impulse_ns() * impact.spectrum(TAU * model.frequencies_hz[n]);
        (f64::from(gains[n]) * heard).powi(2) / (4.0 * model.decays[n])
    };
    (0..model.mode_count()).map(mode).sum()
}
