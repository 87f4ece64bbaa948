//! Hail on the picnic as a Poisson process: times, places and impacts of the stones.
//!
//! A stone hits an object with a probability proportional to its exposed area, and every place on it
//! alike. Energies follow 1/E over two decades, which \[CS\] found to sound most
//! natural. Stones fall at their terminal speed, `v² = 8 r g ρ / 3 c ρ₀`, so `E ∝ r⁴` and a
//! stone's size follows from its energy.

use anyhow::{Context, Result};
use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair, Impact, Striker};
use foley_dsp::model::{Body, ModalModel};
use foley_engine::SurfacePoint;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::picnic_objects::{ON_THE_TABLE, PLATES, ROOF, picnic_objects};
use super::{BenchScene, SECONDS, SILENCE, SceneObject, Strike};
use crate::Progress;
use foley_geometry::constants::{
    AIR_DENSITY_KG_M3, GRAVITY_M_S2, ICE_POISSON, ICE_YOUNG_PA, ICE_DENSITY_KG_M3,
};
use foley_geometry::rng::{SplitMix64, cumulative};

/// Radius of the largest stones, m. The smallest have a hundredth of their energy.
const LARGEST_M: f64 = 5e-3;
/// Largest over smallest energy in a shower: two decades.
pub(crate) const ENERGY_RATIO: f64 = 100.0;
/// Drag coefficient of a sphere.
const DRAG: f64 = 0.6;

/// A hailstone at its terminal speed.
pub(crate) struct Hailstone {
    pub striker: Striker,
    pub speed: f64,
}

impl Hailstone {
    /// Makes the stone of an energy, given as a fraction of the largest.
    pub(crate) fn new(energy: f64) -> Self {
        let [density, young_pa, poisson] =
            [ICE_DENSITY_KG_M3, ICE_YOUNG_PA, ICE_POISSON];
        let radius_m = LARGEST_M * energy.powf(0.25);
        let speed =
            (8.0 * radius_m * GRAVITY_M_S2 * density / (3.0 * DRAG * AIR_DENSITY_KG_M3)).sqrt();
        Self { striker: Striker::sphere(radius_m, density, young_pa, poisson), speed }
    }

    fn impact(&self, body: &Body) -> Result<Impact> {
        let pair = HertzPair::new(&self.striker, body)?;
        pair.impact(self.speed, DEFAULT_RESTITUTION)?.context("a hailstone that does not fall")
    }
}

/// Returns the energy of the stone of an impact, as a fraction of the largest: `J = (1 + e) m* v`,
/// and m v ∝ r^3.5 ∝ E^⅞.
#[cfg(test)]
pub(crate) fn energy_of(impact: &Impact, body: &Body) -> f64 {
    let largest = Hailstone::new(1.0).impact(body).unwrap().impulse_ns();
    let start = (impact.impulse_ns() / largest).powf(8.0 / 7.0);
    // The reduced mass is not quite the stone's.
    (0..20).fold(start, |energy, _| {
        let found = Hailstone::new(energy).impact(body).unwrap().impulse_ns();
        energy * (impact.impulse_ns() / found).powf(8.0 / 7.0)
    })
}

/// Hail on a range of objects.
pub(crate) struct Shower {
    pub on: Range<usize>,
    pub per_second: f64,
}

/// Draws the strikes of a shower until `until_s`, in order of time.
pub(crate) fn strikes(
    objects: &[SceneObject],
    shower: &Shower,
    until_s: f64,
    seed: u64,
) -> Result<Vec<Strike>> {
    let mut rng = SplitMix64::new(seed);
    let struck =
        objects.get(shower.on.clone()).context("the shower covers objects that the scene lacks")?;
    let places = cumulative_exposures(struck);
    let areas = cumulative(places.iter().map(|sums| sums.last().copied().unwrap_or(0.0)));
    let mut strikes = Vec::new();
    if !areas.last().is_some_and(|area| *area > 0.0) {
        return Ok(strikes);
    }
    let mut at_s = rng.poisson_wait(shower.per_second);
    while at_s < until_s {
        let which = rng.weighted(&areas);
        let place = SurfacePoint::Point(rng.weighted(&places[which]));
        let impact =
            Hailstone::new(ENERGY_RATIO.powf(-rng.unit())).impact(&struck[which].model.body)?;
        strikes.push(Strike { object: shower.on.start + which, place, impact, at_s });
        at_s += rng.poisson_wait(shower.per_second);
    }
    Ok(strikes)
}

/// Returns the cumulative exposures of each object's points; objects of one model share them.
fn cumulative_exposures(objects: &[SceneObject]) -> Vec<Rc<[f64]>> {
    let mut known: Vec<(&Arc<ModalModel>, Rc<[f64]>)> = Vec::new();
    let place = |object: &'_ SceneObject| -> Rc<[f64]> { cumulative(object.exposure()).into() };
    let mut all = Vec::with_capacity(objects.len());
    for object in objects {
        let same = known.iter().find(|(model, _)| Arc::ptr_eq(model, &object.model));
        let own = same.map_or_else(|| place(object), |(_, own)| Rc::clone(own));
        if same.is_none() {
            known.push((&object.model, Rc::clone(&own)));
        }
        all.push(own);
    }
    all
}

/// Makes the picnic under several showers at once.
fn scene(
    name: &'static str,
    about: &'static str,
    showers: &[Shower],
    progress: &dyn Progress,
) -> Result<BenchScene> {
    let objects = picnic_objects(progress)?;
    let mut all = Vec::new();
    for (seed, shower) in showers.iter().enumerate() {
        all.extend(strikes(&objects, shower, SECONDS - SILENCE, 1 + seed as u64)?);
    }
    all.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    Ok(BenchScene { name, about, objects, strikes: all, seconds: SECONDS })
}

pub(crate) fn on_all(
    name: &'static str,
    about: &'static str,
    per_second: f64,
    progress: &dyn Progress,
) -> Result<BenchScene> {
    scene(name, about, &[Shower { on: 0..9, per_second }], progress)
}

/// Hail on the roof masks the plates (\[CS\], section 4).
pub(crate) fn on_roof(
    name: &'static str,
    about: &'static str,
    progress: &dyn Progress,
) -> Result<BenchScene> {
    let showers = [Shower { on: ROOF, per_second: 300.0 }, Shower { on: PLATES, per_second: 2.0 }];
    scene(name, about, &showers, progress)
}

pub(crate) fn on_table(
    name: &'static str,
    about: &'static str,
    progress: &dyn Progress,
) -> Result<BenchScene> {
    // By area, hardly a stone would hit a plate.
    let showers =
        [Shower { on: ON_THE_TABLE, per_second: 4.0 }, Shower { on: PLATES, per_second: 4.0 }];
    scene(name, about, &showers, progress)
}
