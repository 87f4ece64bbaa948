//! A crowd: as many objects as one likes, for measuring what they cost.

use anyhow::Result;
use foley_dsp::model::ModalModel;
use foley_modal::{Edge, Material, Shape};
use std::sync::Arc;

use super::chance::Chance;
use super::hail::{Shower, shower};
use super::picnic::exactly;
use super::{Scene, Thing};

/// Different models in a crowd.
const MODELS: usize = 8;
/// Where their last mode lies, Hz, about.
const TOP_HZ: f64 = 10e3;

/// Many objects that share a few models, struck at random.
pub(crate) fn crowd(
    objects: usize,
    modes_each: usize,
    impacts_per_s: f64,
    seconds: f64,
    seed: u64,
) -> Result<Scene> {
    let steel = Material::named("steel")?;
    let model = |i: usize| -> Result<Arc<ModalModel>> {
        // f = 2 n √(D/ρh) / A, with √(D/ρh) = 1520 h for steel; sizes differ by a third.
        let (h, aspect) = (1e-3, 1.3 + 0.1 * i as f64);
        let area = 2.0 * modes_each as f64 * 1520.0 * h / TOP_HZ * (1.0 + 0.05 * i as f64);
        let width = (area / aspect).sqrt();
        let plate = Shape::plate(aspect * width, width, h, Edge::Supported)?;
        Ok(Arc::new(exactly(&plate, steel, modes_each)?))
    };
    let models = (0..MODELS.min(objects)).map(model).collect::<Result<Vec<_>>>()?;
    let mut chance = Chance::new(seed);
    let thing = |i: usize| {
        let (distance_m, azimuth_deg) =
            (chance.between([1.0, 30.0]), chance.between([-90.0, 90.0]));
        Thing::new("sheet", Arc::clone(&models[i % MODELS]), distance_m, azimuth_deg)
    };
    let objects: Vec<Thing> = (0..objects).map(thing).collect();
    let rain = Shower { on: 0..objects.len(), per_second: impacts_per_s };
    let blows = shower(&objects, &rain, seconds, seed.wrapping_add(1))?;
    let (name, about) = ("crowd", "many steel sheets, struck at random");
    Ok(Scene { name, about, objects, blows, seconds })
}
