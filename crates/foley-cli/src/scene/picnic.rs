//! The picnic of [CS], Table 1: four roof panes, three plates, a table and a garbage can,
//! 2,904 modes. (The paper's own sum, 2,873, is not that of its rows.)
//!
//! The paper rendered at 22,050 Hz, so its modes reach 11 kHz at most. Here too: by Weyl's law
//! a sheet has its n-th mode near `f = 2 n √(D/ρh) / A`, and thickness over area is chosen so
//! that the last mode of panes, plates and can lies between 6 and 10 kHz. The hundredth mode
//! of a wooden table lies near 4.5 kHz: above it the wood is too damped to tell modes apart.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;
use foley_geometry::mesh::{self, Density};
use foley_modal::bake::{self, Method};
use foley_modal::{Damping, Edge, Material, Shape, ShapeOptions};

use super::{Thing, cache, can};

/// Panes are laid on rafters over the listener's head: length, width, thickness in m, modes,
/// distance, azimuth. Small and heavy, so that a hundred modes go up to several kHz.
const PANES: [([f64; 3], usize, f64, f64); 4] = [
    ([0.37, 0.27, 2e-3], 108, 1.6, -40.0),
    ([0.45, 0.33, 2e-3], 165, 1.5, -15.0),
    ([0.52, 0.38, 2e-3], 216, 1.5, 15.0),
    ([0.545, 0.40, 2e-3], 237, 1.6, 40.0),
];

/// Plates of pewter: diameter and thickness in m, distance, azimuth.
const PLATES: [([f64; 2], f64, f64); 3] =
    [([0.22, 0.9e-3], 2.6, -20.0), ([0.26, 1.25e-3], 2.5, 0.0), ([0.30, 1.7e-3], 2.6, 20.0)];
const PLATE_MODES: usize = 239;

/// What is screwed down or lies on a table rings for a second where steel hung on a thread
/// would ring for three.
const ROOF_DAMPING: Damping = Damping::Rayleigh { alpha: 10.0, beta: 3e-8 };
const PLATE_DAMPING: Damping = Damping::Rayleigh { alpha: 12.0, beta: 4e-8 };

const TABLE_MODES: usize = 100;
/// Coarse cells are fine enough up to here, Hz.
const TABLE_MAX_HZ: f64 = 5500.0;
/// The built-in table times this: 78 by 45 cm, a top of 20 mm, 7 kg.
const TABLE_SIZE: f64 = 0.65;

/// Which objects are which.
pub(super) const ROOF: std::ops::Range<usize> = 0..4;
pub(super) const ON_THE_TABLE: std::ops::Range<usize> = 4..8;
pub(super) const PLATES_AT: std::ops::Range<usize> = 4..7;

/// All nine, in the order of the paper's table.
pub(super) fn picnic() -> Result<Vec<Thing>> {
    let mut things = of_sheet()?;
    things.push(Thing::new("table", table()?, 2.5, 0.0));
    things.push(Thing::new("garbage can", can::can()?, 3.5, 70.0));
    Ok(things)
}

/// The panes and the plates, which need no baking.
pub(super) fn of_sheet() -> Result<Vec<Thing>> {
    let mut things = Vec::new();
    let roof = with_damping("steel", ROOF_DAMPING)?;
    for (i, ([a, b, h], modes, distance_m, azimuth_deg)) in PANES.into_iter().enumerate() {
        let model = exactly(&Shape::plate(a, b, h, Edge::Supported)?, &roof, modes)?;
        things.push(Thing::new(format!("roof pane {}", i + 1), model, distance_m, azimuth_deg));
    }
    let pewter = with_damping("pewter", PLATE_DAMPING)?;
    for (i, ([d, h], distance_m, azimuth_deg)) in PLATES.into_iter().enumerate() {
        let model = exactly(&Shape::disc(d, h, Edge::Free)?, &pewter, PLATE_MODES)?;
        things.push(Thing::new(format!("plate {}", i + 1), model, distance_m, azimuth_deg));
    }
    Ok(things)
}

fn with_damping(name: &str, damping: Damping) -> Result<Material> {
    Ok(Material { damping, ..Material::named(name)?.clone() })
}

/// The lowest `modes` modes of a shape.
pub(super) fn exactly(shape: &Shape, material: &Material, modes: usize) -> Result<ModalModel> {
    let options = ShapeOptions { max_modes: modes, ..ShapeOptions::default() };
    let model = shape.model(material, &options)?;
    if model.mode_count() != modes {
        bail!("{shape} has {} modes in the band, not {modes}", model.mode_count());
    }
    Ok(model)
}

/// A wooden table; also what the rings fall on.
pub(super) fn table() -> Result<ModalModel> {
    let wood = Material::named("wood")?;
    let mut mesh = mesh::builtin("table", Density::Coarse)?;
    mesh.vertices.iter_mut().flatten().for_each(|x| *x *= TABLE_SIZE);
    let key = format!("{wood:?} {TABLE_MODES} {TABLE_MAX_HZ}");
    cache::kept("table", &mesh, &key, TABLE_MODES, |progress| {
        let options = bake::Options {
            method: Method::Solid,
            max_modes: TABLE_MODES,
            max_hz: TABLE_MAX_HZ,
            compress: false,
            progress: Some(progress),
            ..bake::Options::default()
        };
        Ok(bake::bake(&mesh, "wooden table", wood, options)?.model)
    })
}
