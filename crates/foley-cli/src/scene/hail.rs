//! Hail on the picnic: when, where and how hard the stones fall.
//!
//! Impacts are a Poisson process; a stone hits an object as likely as the object is large, and
//! any place on it alike. Energies follow 1/E over two decades, which [CS] found to sound most
//! natural. Stones fall at their terminal speed, `v² = 8 r g ρ / 3 c ρ₀`, so `E ∝ r⁴` and a
//! stone's size follows from its energy.

use anyhow::{Context, Result};
use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair, Impact, Striker};
use foley_dsp::model::{Body, ModalModel};
use foley_engine::Place;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::chance::{Chance, sums};
use super::picnic::{ON_THE_TABLE, PLATES_AT, ROOF, picnic};
use super::{Blow, SECONDS, SILENCE, Scene, Thing};

/// The largest stones, m: peas of 1 cm. The smallest have a hundredth of their energy.
const LARGEST_M: f64 = 5e-3;
/// Energies in a shower: the largest over the smallest.
pub(super) const DECADES: f64 = 100.0;
/// ρ, E and ν of ice, as the striker `hailstone` has them.
const ICE: [f64; 3] = [917.0, 9.3e9, 0.33];
/// Drag coefficient of a sphere, density of air and gravity.
const DRAG: f64 = 0.6;
const AIR: f64 = 1.204;
const GRAVITY: f64 = 9.81;

/// A hailstone of an energy, given as a part of the largest.
pub(super) struct Stone {
    pub(super) striker: Striker,
    pub(super) speed: f64,
}

impl Stone {
    pub(super) fn new(energy: f64) -> Self {
        let [density, young_pa, poisson] = ICE;
        let radius_m = LARGEST_M * energy.powf(0.25);
        let speed = (8.0 * radius_m * GRAVITY * density / (3.0 * DRAG * AIR)).sqrt();
        Self { striker: Striker::sphere(radius_m, density, young_pa, poisson), speed }
    }

    fn impact(&self, body: &Body) -> Result<Impact> {
        let pair = HertzPair::new(&self.striker, body)?;
        pair.impact(self.speed, DEFAULT_RESTITUTION)?.context("a hailstone that does not fall")
    }
}

/// The energy of the stone behind an impact, as a part of the largest: `J = (1 + e) m* v`,
/// and m v ∝ r^3.5 ∝ E^⅞.
#[cfg(test)]
pub(super) fn energy_of(impact: &Impact, body: &Body) -> f64 {
    let largest = Stone::new(1.0).impact(body).unwrap().impulse_ns();
    let start = (impact.impulse_ns() / largest).powf(8.0 / 7.0);
    // The reduced mass is not quite the stone's.
    (0..20).fold(start, |energy, _| {
        let found = Stone::new(energy).impact(body).unwrap().impulse_ns();
        energy * (impact.impulse_ns() / found).powf(8.0 / 7.0)
    })
}

/// A shower on some of the objects.
pub(super) struct Shower {
    pub(super) on: Range<usize>,
    pub(super) per_second: f64,
}

/// The blows of a shower until `until_s`, in the order of time.
pub(super) fn shower(
    objects: &[Thing],
    shower: &Shower,
    until_s: f64,
    seed: u64,
) -> Result<Vec<Blow>> {
    let mut chance = Chance::new(seed);
    let struck = objects.get(shower.on.clone()).context("hail on objects that are not there")?;
    let places = places(struck);
    let areas = sums(places.iter().map(|sums| sums.last().copied().unwrap_or(0.0)));
    let mut blows = Vec::new();
    if !areas.last().is_some_and(|area| *area > 0.0) {
        return Ok(blows);
    }
    let mut at_s = chance.wait(shower.per_second);
    while at_s < until_s {
        let which = chance.weighted(&areas);
        let place = Place::Point(chance.weighted(&places[which]));
        let impact = Stone::new(DECADES.powf(-chance.unit())).impact(&struck[which].model.body)?;
        blows.push(Blow { object: shower.on.start + which, place, impact, at_s });
        at_s += chance.wait(shower.per_second);
    }
    Ok(blows)
}

/// Of each object the exposures of its points, added up; those of one model are shared.
fn places(things: &[Thing]) -> Vec<Rc<[f64]>> {
    let mut known: Vec<(&Arc<ModalModel>, Rc<[f64]>)> = Vec::new();
    let place = |thing: &'_ Thing| -> Rc<[f64]> { sums(thing.exposure()).into() };
    let mut all = Vec::with_capacity(things.len());
    for thing in things {
        let same = known.iter().find(|(model, _)| Arc::ptr_eq(model, &thing.model));
        let own = same.map_or_else(|| place(thing), |(_, own)| Rc::clone(own));
        if same.is_none() {
            known.push((&thing.model, Rc::clone(&own)));
        }
        all.push(own);
    }
    all
}

/// Several showers at once.
fn scene(name: &'static str, about: &'static str, showers: &[Shower]) -> Result<Scene> {
    let objects = picnic()?;
    let mut blows = Vec::new();
    for (seed, each) in showers.iter().enumerate() {
        blows.extend(shower(&objects, each, SECONDS - SILENCE, 1 + seed as u64)?);
    }
    blows.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    Ok(Scene { name, about, objects, blows, seconds: SECONDS })
}

pub(super) fn on_all(name: &'static str, about: &'static str, per_second: f64) -> Result<Scene> {
    scene(name, about, &[Shower { on: 0..9, per_second }])
}

/// The listener no longer hears the plates when it hails on the roof ([CS], section 4).
pub(super) fn on_roof(name: &'static str, about: &'static str) -> Result<Scene> {
    let showers =
        [Shower { on: ROOF, per_second: 300.0 }, Shower { on: PLATES_AT, per_second: 2.0 }];
    scene(name, about, &showers)
}

pub(super) fn on_table(name: &'static str, about: &'static str) -> Result<Scene> {
    // By area, hardly a stone would hit a plate.
    let showers =
        [Shower { on: ON_THE_TABLE, per_second: 4.0 }, Shower { on: PLATES_AT, per_second: 4.0 }];
    scene(name, about, &showers)
}
