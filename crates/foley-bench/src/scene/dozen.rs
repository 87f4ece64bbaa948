//! Twelve shapes of different materials and sizes under one striker, all at once in a loose rhythm.

use anyhow::{Context, Result};
use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair, Impact, Striker};
use foley_dsp::model::ModalModel;
use foley_engine::Place;
use foley_modal::{Material, Shape, ShapeOptions};
use std::f64::consts::TAU;
use std::sync::Arc;

use super::{BenchScene, SECONDS, SceneObject, Strike};
use crate::Progress;
use foley_geometry::rng::SplitMix64;

/// Name of the striker.
pub const STRIKER: &str = "wooden mallet";
/// The three strikes on each object: seconds after the first, speed in m/s, and place from the
/// middle (0) to the edge (1).
pub const STRIKES: [(f64, f64, f64); 3] = [(0.0, 1.5, 0.12), (0.28, 1.2, 0.55), (0.56, 1.0, 0.93)];

/// Name, shape and material of each object, in the order they are struck.
const OBJECTS: [(&str, &str, &str); 12] = [
    ("steel bar", "bar:300x30x8mm", "steel"),
    ("hardwood bar", "bar:320x40x16mm", "hardwood"),
    ("glass plate", "plate:220x180x4mm", "glass"),
    ("brass disc", "disc:300x2.5mm", "brass"),
    ("stone slab", "bar:420x60x25mm", "stone"),
    ("aluminium rod", "rod:350x14mm", "aluminium"),
    ("china plate", "disc:240x5mm", "bone-china"),
    ("steel sheet", "plate:500x320x1.5mm", "steel"),
    ("bronze plate", "disc:160x4mm", "bronze"),
    ("plastic tray", "plate:280x200x3mm", "plastic"),
    ("copper bar", "bar:260x25x6mm", "copper"),
    ("drum skin", "membrane:360mm,tension=1800N/m,density=0.26kg/m2", "plastic"),
];

/// Time between objects and its random part, s.
const STEP: f64 = 0.28;
const LOOSE: f64 = 0.06;
/// Initial level of a strike at the listener, Pa.
const LEVEL_PA: f64 = 1.0;

/// Analyses the twelve objects; returns names and models.
pub fn models(progress: &dyn Progress) -> Result<Vec<(&'static str, Arc<ModalModel>)>> {
    let task = progress.begin("modal analysis", OBJECTS.len() as u64);
    let models = OBJECTS.iter().map(|(name, shape, material)| {
        let shape: Shape = shape.parse()?;
        let model = shape.model(Material::named(material)?, &ShapeOptions::default())?;
        task.advance();
        Ok((*name, Arc::new(model)))
    });
    models.collect()
}

/// Returns a point between the middle of an object (0) and its edge (1), off the axes.
pub fn point_towards_edge(model: &ModalModel, part: f64) -> [f64; 3] {
    let mut reach = [0.0f64; 3];
    for p in &model.points {
        for (r, x) in reach.iter_mut().zip(p) {
            *r = r.max(x.abs());
        }
    }
    [reach[0] * part, reach[1] * part * 0.37, 0.0]
}

pub(super) fn dozen(
    name: &'static str,
    about: &'static str,
    progress: &dyn Progress,
) -> Result<BenchScene> {
    let striker = Striker::named(STRIKER)?;
    let mut rng = SplitMix64::new(1);
    let (mut objects, mut strikes) = (Vec::new(), Vec::new());
    for (object, (name, model)) in models(progress)?.into_iter().enumerate() {
        let pair = HertzPair::new(&striker, &model.body)?;
        let start = STEP * object as f64;
        let mut level_pa = 0f64;
        for (after, speed, out) in STRIKES {
            let impact = pair.impact(speed, DEFAULT_RESTITUTION)?.context("a strike at rest")?;
            let at = point_towards_edge(&model, out);
            let at_s = start + after + LOOSE * rng.unit();
            level_pa = level_pa.max(level(&model, &model.gains_at(at), &impact));
            strikes.push(Strike { object, place: Place::At(at), impact, at_s });
        }
        // The distance makes all objects equally loud; a drum is far away.
        let azimuth_deg = 120.0 * (object as f64 / 11.0 - 0.5);
        objects.push(SceneObject::new(name, model, level_pa / LEVEL_PA, azimuth_deg));
    }
    strikes.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    Ok(BenchScene { name, about, objects, strikes, seconds: SECONDS })
}

/// Returns √Σa², the initial level of a strike at 1 m, Pa.
fn level(model: &ModalModel, gains: &[f32], impact: &Impact) -> f64 {
    let excited = |f: &f64| impact.impulse_ns() * impact.spectrum(TAU * f);
    let modes = model.frequencies_hz.iter().map(excited).zip(gains);
    modes.map(|(excited, gain)| (excited * f64::from(*gain)).powi(2)).sum::<f64>().sqrt()
}
