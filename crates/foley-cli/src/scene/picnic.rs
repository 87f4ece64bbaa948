//! The picnic of [CS], Table 1: four roof panes, three plates, a table and a garbage can,
//! 2,904 modes. (The paper's own sum, 2,873, is not that of its rows.)
//!
//! The paper rendered at 22,050 Hz, so its modes reach 11 kHz at most. Here too: by Weyl's law
//! a sheet has its n-th mode near `f = 2 n √(D/ρh) / A`, and thickness over area is chosen so
//! that the last mode of panes, plates and can lies between 6 and 10 kHz. The hundredth mode
//! of a wooden table lies near 3 kHz: above it the wood is too damped to tell modes apart.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;
use foley_modal::bake::{self, Method};
use foley_modal::mesh::{self, Density};
use foley_modal::{Damping, Edge, Material, Options, Shape};

use super::{Thing, cache, can};

/// Panes are laid on rafters: length, width, thickness in m, modes, distance, azimuth. The
/// sheet is heavy, 3 mm, so that a hundred modes go up to several kHz.
const PANES: [([f64; 3], usize, f64, f64); 4] = [
    ([0.44, 0.32, 3e-3], 108, 3.0, -40.0),
    ([0.54, 0.40, 3e-3], 165, 2.8, -15.0),
    ([0.62, 0.455, 3e-3], 216, 2.8, 15.0),
    ([0.65, 0.475, 3e-3], 237, 3.0, 40.0),
];

/// Camping plates, which lie loosely: diameter and thickness in m, distance, azimuth.
const PLATES: [([f64; 2], f64, f64); 3] =
    [([0.22, 0.5e-3], 1.2, -20.0), ([0.26, 0.7e-3], 1.0, 0.0), ([0.30, 0.9e-3], 1.2, 20.0)];
const PLATE_MODES: usize = 239;

const TABLE_MODES: usize = 100;
/// Coarse cells are fine enough up to here, Hz.
const TABLE_MAX_HZ: f64 = 3500.0;

/// Which objects are which.
pub(super) const ROOF: std::ops::Range<usize> = 0..4;
pub(super) const ON_THE_TABLE: std::ops::Range<usize> = 4..8;
pub(super) const PLATES_AT: std::ops::Range<usize> = 4..7;

/// All nine, in the order of the paper's table.
pub(super) fn picnic() -> Result<Vec<Thing>> {
    let mut things = of_sheet()?;
    things.push(Thing::new("table", table()?, 1.3, 0.0));
    things.push(Thing::new("garbage can", can::can()?, 2.5, 70.0));
    Ok(things)
}

/// The panes and the plates, which need no baking.
pub(super) fn of_sheet() -> Result<Vec<Thing>> {
    let mut things = Vec::new();
    let roof = roof_steel()?;
    for (i, ([a, b, h], modes, distance_m, azimuth_deg)) in PANES.into_iter().enumerate() {
        let model = exactly(&Shape::plate(a, b, h, Edge::Supported)?, &roof, modes)?;
        things.push(Thing::new(format!("roof pane {}", i + 1), model, distance_m, azimuth_deg));
    }
    let steel = Material::named("steel")?;
    for (i, ([d, h], distance_m, azimuth_deg)) in PLATES.into_iter().enumerate() {
        let model = exactly(&Shape::disc(d, h, Edge::Free)?, steel, PLATE_MODES)?;
        things.push(Thing::new(format!("plate {}", i + 1), model, distance_m, azimuth_deg));
    }
    Ok(things)
}

/// Steel that is screwed down loses more: low modes ring for 0.7 s instead of 2.8 s.
fn roof_steel() -> Result<Material> {
    let mut steel = Material::named("steel")?.clone();
    if let Damping::Rayleigh { alpha, .. } = &mut steel.damping {
        *alpha = 20.0;
    }
    Ok(steel)
}

/// The lowest `modes` modes of a shape.
pub(super) fn exactly(shape: &Shape, material: &Material, modes: usize) -> Result<ModalModel> {
    let options = Options { max_modes: modes, ..Options::default() };
    let model = shape.model(material, &options)?;
    if model.mode_count() != modes {
        bail!("{shape} has {} modes in the band, not {modes}", model.mode_count());
    }
    Ok(model)
}

/// A wooden table; also what the rings fall on.
pub(super) fn table() -> Result<ModalModel> {
    let wood = Material::named("wood")?;
    let mesh = mesh::builtin("table", Density::Coarse)?;
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
