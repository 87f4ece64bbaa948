//! Twelve shapes of different materials and sizes under one striker, all at once in a loose rhythm.

use anyhow::{Context, Result};
use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair, Impact, Striker};
use foley_dsp::model::ModalModel;
use foley_engine::SurfacePoint;
use foley_scene::demos::dozen::{self as demo, OBJECTS, STRIKER, STRIKES, point_towards_edge};
use std::f64::consts::TAU;
use std::sync::Arc;

use super::{BenchScene, SECONDS, SceneObject, Strike};
use crate::Progress;
use foley_geometry::rng::SplitMix64;

/// Time between objects and its random part, s.
const STEP: f64 = 0.28;
const LOOSE: f64 = 0.06;
/// Initial level of a strike at the listener, Pa.
const LEVEL_PA: f64 = 1.0;

fn models(progress: &dyn Progress) -> Result<Vec<(&'static str, Arc<ModalModel>)>> {
    let task = progress.begin("modal analysis", OBJECTS.len() as u64);
    demo::models(|| task.advance()).map_err(anyhow::Error::from_boxed)
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
            strikes.push(Strike { object, place: SurfacePoint::At(at), impact, at_s });
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
