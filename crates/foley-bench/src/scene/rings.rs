//! A hundred steel rings fall on a table (\[LS\], Figs. 7 and 8).

use anyhow::{Context, Result};
use foley_dsp::excitation::{HertzPair, Impact, Striker};
use foley_dsp::model::{Body, ModalModel};
use foley_engine::SurfacePoint;
use foley_geometry::mesh;
use foley_modal::provenance::{Change, rescale};
use foley_modal::{Material, bake};
use std::sync::Arc;

use super::picnic_objects::table;
use super::{BenchScene, SILENCE, SceneObject, Strike};
use crate::Progress;
use foley_geometry::constants::GRAVITY_M_S2;
use foley_geometry::rng::SplitMix64;

const RINGS: usize = 100;
/// Range of scales of the built-in ring, 80 mm wide.
const SIZES: [f64; 2] = [0.8, 1.2];
const HIGHEST_HZ: f64 = 20e3;
/// Radius of the wire at scale 1, m.
const WIRE_M: f64 = 4e-3;
/// Latest first contact of a ring, s.
const FALLING_S: f64 = 1.4;
/// Range of drop heights, m.
const HEIGHTS: [f64; 2] = [0.15, 0.5];
/// Range of the coefficient of restitution; much energy goes into rotation.
const RESTITUTION: [f64; 2] = [0.35, 0.6];
/// Speed below which a ring no longer bounces, m/s.
const SLOWEST: f64 = 0.4;
/// Time after which no ring bounces, s.
const BOUNCING_S: f64 = 2.0;

pub(crate) fn rings(
    name: &'static str,
    about: &'static str,
    progress: &dyn Progress,
) -> Result<BenchScene> {
    on(Arc::new(table(progress)?), name, about)
}

/// Makes the scene on a given table.
pub(crate) fn on(
    table: Arc<ModalModel>,
    name: &'static str,
    about: &'static str,
) -> Result<BenchScene> {
    let mut rng = SplitMix64::new(1);
    let steel = Material::named("steel")?;
    let mesh = mesh::builtin("ring", mesh::Density::Coarse)?;
    // Smaller rings need modes that lie above hearing at scale 1.
    let max_hz = HIGHEST_HZ * SIZES[1];
    let options = bake::Options { max_hz, compress: false, ..bake::Options::default() };
    let one = bake::bake(&mesh, "steel ring", steel, options)?;
    let top = points_on_top(&table);
    let (mut objects, mut strikes) = (Vec::new(), Vec::new());
    for object in 0..RINGS {
        let size = rng.between(SIZES);
        let change = Change { size, ..Change::default() };
        let (ring, _) = rescale(&one.model, &one.provenance, &change, HIGHEST_HZ)?;
        let azimuth_deg = rng.between([-30.0, 30.0]);
        let bounces = bounces(&mut rng);
        for (at_s, speed, kept) in bounces {
            let impact = on_table(&ring.body, WIRE_M * size, &table.body, speed, kept)?;
            let place = SurfacePoint::Point(rng.below(ring.point_count()));
            strikes.push(Strike { object, place, impact, at_s });
            let place = SurfacePoint::Point(top[rng.below(top.len())]);
            strikes.push(Strike { object: RINGS, place, impact, at_s });
        }
        objects.push(SceneObject::new(format!("ring {}", object + 1), ring, 1.0, azimuth_deg));
    }
    objects.push(SceneObject::new("table", table, 1.0, 0.0));
    strikes.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    Ok(BenchScene { name, about, objects, strikes, seconds: BOUNCING_S + SILENCE })
}

/// Returns time, speed and restitution of each contact of a ring with the table: the intervals of a
/// bouncing ball shrink geometrically.
fn bounces(rng: &mut SplitMix64) -> Vec<(f64, f64, f64)> {
    let mut at_s = rng.between([0.0, FALLING_S]);
    let mut speed = (2.0 * GRAVITY_M_S2 * rng.between(HEIGHTS)).sqrt();
    let mut all = Vec::new();
    while speed > SLOWEST && at_s < BOUNCING_S {
        let kept = rng.between(RESTITUTION);
        all.push((at_s, speed, kept));
        speed *= kept;
        at_s += 2.0 * speed / GRAVITY_M_S2;
    }
    all
}

/// Returns the impact between ring and table.
fn on_table(ring: &Body, wire_m: f64, table: &Body, speed: f64, kept: f64) -> Result<Impact> {
    let Body { mass_kg, young_pa, poisson, .. } = *ring;
    let ring = Striker { mass_kg, radius_m: wire_m, young_pa, poisson };
    HertzPair::new(&ring, table)?.impact(speed, kept)?.context("a ring at rest")
}

/// Returns the indices of the highest points of a model.
fn points_on_top(model: &ModalModel) -> Vec<usize> {
    let top = model.points.iter().map(|p| p[2]).fold(f64::NEG_INFINITY, f64::max);
    (0..model.point_count()).filter(|k| model.points[*k][2] > top - 1e-6).collect()
}
