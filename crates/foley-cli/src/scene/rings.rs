//! A hundred rings on a table ([LS], Figs. 7 and 8).

use anyhow::{Context, Result};
use foley_dsp::contact::{HertzPair, Impact, Striker};
use foley_dsp::model::{Body, ModalModel};
use foley_engine::Place;
use foley_geometry::mesh;
use foley_modal::provenance::{Change, rescale};
use foley_modal::{Material, bake};
use std::sync::Arc;

use super::chance::Chance;
use super::picnic::table;
use super::{Blow, SILENCE, Scene, Thing};

const RINGS: usize = 100;
/// Their sizes: the built-in ring of 80 mm times this.
const SIZES: [f64; 2] = [0.8, 1.2];
const HIGHEST_HZ: f64 = 20e3;
/// Radius of their wire at size 1, m.
const WIRE_M: f64 = 4e-3;
/// The first ring touches the table at 0 s, the last at this time.
const FALLING_S: f64 = 1.4;
/// They fall from these heights, m.
const HEIGHTS: [f64; 2] = [0.15, 0.5];
/// How much of its speed a ring keeps when it bounces: it loses much to turning.
const RESTITUTION: [f64; 2] = [0.35, 0.6];
/// A ring this slow lies, m/s.
const SLOWEST: f64 = 0.4;
const GRAVITY: f64 = 9.81;
/// How long the rings bounce, s.
const BOUNCING_S: f64 = 2.0;

pub(super) fn rings(name: &'static str, about: &'static str) -> Result<Scene> {
    on(Arc::new(table()?), name, about)
}

/// On this table.
pub(super) fn on(table: Arc<ModalModel>, name: &'static str, about: &'static str) -> Result<Scene> {
    let mut chance = Chance::new(1);
    let steel = Material::named("steel")?;
    let mesh = mesh::builtin("ring", mesh::Density::Coarse)?;
    // The smaller rings need modes that the first one has above hearing.
    let max_hz = HIGHEST_HZ * SIZES[1];
    let options = bake::Options { max_hz, compress: false, ..bake::Options::default() };
    let one = bake::bake(&mesh, "steel ring", steel, options)?;
    let top = points_on_top(&table);
    let (mut objects, mut blows) = (Vec::new(), Vec::new());
    for object in 0..RINGS {
        let size = chance.between(SIZES);
        let change = Change { size, ..Change::default() };
        let (ring, _) = rescale(&one.model, &one.provenance, &change, HIGHEST_HZ)?;
        let azimuth_deg = chance.between([-30.0, 30.0]);
        let bounces = bounces(&mut chance);
        for (at_s, speed, kept) in bounces {
            let impact = on_table(&ring.body, WIRE_M * size, &table.body, speed, kept)?;
            let place = Place::Point(chance.below(ring.point_count()));
            blows.push(Blow { object, place, impact, at_s });
            let place = Place::Point(top[chance.below(top.len())]);
            blows.push(Blow { object: RINGS, place, impact, at_s });
        }
        objects.push(Thing::new(format!("ring {}", object + 1), ring, 1.0, azimuth_deg));
    }
    objects.push(Thing::new("table", table, 1.0, 0.0));
    blows.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    Ok(Scene { name, about, objects, blows, seconds: BOUNCING_S + SILENCE })
}

/// When a ring touches the table, how fast, and how much of that it keeps: a ball's bounces,
/// whose times shrink geometrically.
fn bounces(chance: &mut Chance) -> Vec<(f64, f64, f64)> {
    let mut at_s = chance.between([0.0, FALLING_S]);
    let mut speed = (2.0 * GRAVITY * chance.between(HEIGHTS)).sqrt();
    let mut all = Vec::new();
    while speed > SLOWEST && at_s < BOUNCING_S {
        let kept = chance.between(RESTITUTION);
        all.push((at_s, speed, kept));
        speed *= kept;
        at_s += 2.0 * speed / GRAVITY;
    }
    all
}

/// What ring and table feel of each other.
fn on_table(ring: &Body, wire_m: f64, table: &Body, speed: f64, kept: f64) -> Result<Impact> {
    let Body { mass_kg, young_pa, poisson, .. } = *ring;
    let ring = Striker { mass_kg, radius_m: wire_m, young_pa, poisson };
    HertzPair::new(&ring, table)?.impact(speed, kept)?.context("a ring at rest")
}

/// The highest points of a model.
fn points_on_top(model: &ModalModel) -> Vec<usize> {
    let top = model.points.iter().map(|p| p[2]).fold(f64::NEG_INFINITY, f64::max);
    (0..model.point_count()).filter(|k| model.points[*k][2] > top - 1e-6).collect()
}
