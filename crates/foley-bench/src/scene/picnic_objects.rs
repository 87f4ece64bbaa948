//! The picnic of \[CS\], Table 1: four roof panes, three plates, a table and a garbage can,
//! 2,904 modes. (The paper's own sum, 2,873, is not that of its rows.)
//!
//! The paper rendered at 22,050 Hz, so its modes reach 11 kHz at most. Here too: by Weyl's law
//! a sheet has its n-th mode near `f = 2 n √(D/ρh) / A`, and thickness over area is chosen so
//! that the last mode of panes, plates and can lies between 6 and 10 kHz. The hundredth mode
//! of a wooden table lies near 4.5 kHz: above it the wood is too damped to tell modes apart.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;
use foley_geometry::mesh::{self, Density};
use foley_modal::bake::{self, Method, Stage};
use foley_modal::cache::{CacheKey, ModelCache};
use foley_modal::{Damping, Edge, Material, Shape, ShapeOptions};

use super::SceneObject;
use crate::Progress;

/// Steel panes on rafters above the listener: length, width, thickness in m, modes, distance in m,
/// azimuth in degrees. Small and heavy, so that a hundred modes reach several kHz.
const PANES: [([f64; 3], usize, f64, f64); 4] = [
    ([0.37, 0.27, 2e-3], 108, 1.6, -40.0),
    ([0.45, 0.33, 2e-3], 165, 1.5, -15.0),
    ([0.52, 0.38, 2e-3], 216, 1.5, 15.0),
    ([0.545, 0.40, 2e-3], 237, 1.6, 40.0),
];

/// Pewter plates: diameter and thickness in m, distance in m, azimuth in degrees.
const PLATE_SIZES: [([f64; 2], f64, f64); 3] =
    [([0.22, 0.9e-3], 2.6, -20.0), ([0.26, 1.25e-3], 2.5, 0.0), ([0.30, 1.7e-3], 2.6, 20.0)];
const PLATE_MODES: usize = 239;

/// Damping of sheets that are screwed down or lie on a table: they ring for a second where a freely hung
/// sheet would ring for three.
const ROOF_DAMPING: Damping = Damping::Rayleigh { alpha: 10.0, beta: 3e-8 };
const PLATE_DAMPING: Damping = Damping::Rayleigh { alpha: 12.0, beta: 4e-8 };

const TABLE_MODES: usize = 100;
/// Highest frequency that coarse cells resolve, Hz.
const TABLE_MAX_HZ: f64 = 5500.0;
/// Scale of the built-in table: 78 by 45 cm, a top of 20 mm, 7 kg.
const TABLE_SIZE: f64 = 0.65;

/// Indices of the objects.
pub(crate) const ROOF: std::ops::Range<usize> = 0..4;
pub(crate) const ON_THE_TABLE: std::ops::Range<usize> = 4..8;
pub(crate) const PLATES: std::ops::Range<usize> = 4..7;

/// Returns all nine objects, in the order of the paper's table.
pub(crate) fn picnic_objects(progress: &dyn Progress) -> Result<Vec<SceneObject>> {
    let mut objects = panes_and_plates()?;
    objects.push(SceneObject::new("table", table(progress)?, 2.5, 0.0));
    objects.push(SceneObject::new("garbage can", garbage_can(progress)?, 3.5, 70.0));
    Ok(objects)
}

/// Returns the garbage can, baked or from the cache.
fn garbage_can(progress: &dyn Progress) -> Result<ModalModel> {
    let task = progress.begin("garbage can", 100);
    let mut report = |stage: Stage, done: f64| {
        task.set_name(&format!("garbage can: {stage}"));
        task.set_position((100.0 * done) as u64);
        true
    };
    Ok(bake::garbage_can::load_or_bake(&ModelCache::user(), &mut report)?)
}

/// Returns the panes and the plates, which need no baking.
pub(crate) fn panes_and_plates() -> Result<Vec<SceneObject>> {
    let mut objects = Vec::new();
    let roof = with_damping("steel", ROOF_DAMPING)?;
    for (i, ([a, b, h], modes, distance_m, azimuth_deg)) in PANES.into_iter().enumerate() {
        let model = with_mode_count(&Shape::plate(a, b, h, Edge::Supported)?, &roof, modes)?;
        objects.push(SceneObject::new(
            format!("roof pane {}", i + 1),
            model,
            distance_m,
            azimuth_deg,
        ));
    }
    let pewter = with_damping("pewter", PLATE_DAMPING)?;
    for (i, ([d, h], distance_m, azimuth_deg)) in PLATE_SIZES.into_iter().enumerate() {
        let model = with_mode_count(&Shape::disc(d, h, Edge::Free)?, &pewter, PLATE_MODES)?;
        objects.push(SceneObject::new(format!("plate {}", i + 1), model, distance_m, azimuth_deg));
    }
    Ok(objects)
}

fn with_damping(name: &str, damping: Damping) -> Result<Material> {
    Ok(Material { damping, ..Material::named(name)?.clone() })
}

/// Returns the lowest `modes` modes of a shape.
pub(crate) fn with_mode_count(
    shape: &Shape,
    material: &Material,
    modes: usize,
) -> Result<ModalModel> {
    let options = ShapeOptions { max_modes: modes, ..ShapeOptions::default() };
    let model = shape.model(material, &options)?;
    if model.mode_count() != modes {
        bail!("{shape} has {} modes in the band, not {modes}", model.mode_count());
    }
    Ok(model)
}

/// Bakes the wooden table.
pub(crate) fn table(progress: &dyn Progress) -> Result<ModalModel> {
    let wood = Material::named("wood")?;
    let mut mesh = mesh::builtin("table", Density::Coarse)?;
    mesh.vertices.iter_mut().flatten().for_each(|x| *x *= TABLE_SIZE);
    let key = CacheKey::new(&mesh, &format!("{wood:?} {TABLE_MODES} {TABLE_MAX_HZ}"));
    let task = progress.begin("table", 100);
    let mut report = |stage: Stage, done: f64| {
        task.set_name(&format!("table: {stage}"));
        task.set_position((100.0 * done) as u64);
        true
    };
    let bake = || {
        let options = bake::Options {
            method: Method::Solid,
            max_modes: TABLE_MODES,
            max_hz: TABLE_MAX_HZ,
            compress: false,
            progress: Some(&mut report),
            ..bake::Options::default()
        };
        bake::bake(&mesh, "wooden table", wood, options).map(|baked| baked.model)
    };
    let model =
        ModelCache::user().model_or_bake(&key, |model| model.mode_count() == TABLE_MODES, bake)?;
    if model.mode_count() != TABLE_MODES {
        bail!("the table has {} modes, not {TABLE_MODES}", model.mode_count());
    }
    Ok(model)
}
