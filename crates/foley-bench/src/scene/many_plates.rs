//! Any number of steel plates that share a few models, struck at random: a load test.

use anyhow::Result;
use foley_dsp::model::ModalModel;
use foley_modal::{Edge, Material, Shape};
use std::sync::Arc;

use super::picnic_objects::with_mode_count;
use super::poisson_hail::{Shower, strikes};
use super::{BenchScene, SceneObject};
use foley_geometry::rng::SplitMix64;

/// Number of different models.
const MODELS: usize = 8;
/// Approximate frequency of their last mode, Hz.
const TOP_HZ: f64 = 10e3;

/// Makes a scene of `objects` plates of `modes_each` modes, struck `impacts_per_s` times a second.
pub fn many_plates(
    objects: usize,
    modes_each: usize,
    impacts_per_s: f64,
    seconds: f64,
    seed: u64,
) -> Result<BenchScene> {
    let steel = Material::named("steel")?;
    let model = |i: usize| -> Result<Arc<ModalModel>> {
        // f = 2 n √(D/ρh) / A, with √(D/ρh) = 1520 h for steel; sizes differ by a third.
        let (h, aspect) = (1e-3, 1.3 + 0.1 * i as f64);
        let area = 2.0 * modes_each as f64 * 1520.0 * h / TOP_HZ * (1.0 + 0.05 * i as f64);
        let width = (area / aspect).sqrt();
        let plate = Shape::plate(aspect * width, width, h, Edge::Supported)?;
        Ok(Arc::new(with_mode_count(&plate, steel, modes_each)?))
    };
    let models = (0..MODELS.min(objects)).map(model).collect::<Result<Vec<_>>>()?;
    let mut rng = SplitMix64::new(seed);
    let object = |i: usize| {
        let (distance_m, azimuth_deg) = (rng.between([1.0, 30.0]), rng.between([-90.0, 90.0]));
        SceneObject::new("sheet", Arc::clone(&models[i % MODELS]), distance_m, azimuth_deg)
    };
    let objects: Vec<SceneObject> = (0..objects).map(object).collect();
    let shower = Shower { on: 0..objects.len(), per_second: impacts_per_s };
    let strikes = strikes(&objects, &shower, seconds, seed.wrapping_add(1))?;
    let (name, about) = ("crowd", "many steel sheets, struck at random");
    Ok(BenchScene { name, about, objects, strikes, seconds })
}
