//! Bakes a mesh of a material into a modal model.
//!
//! ```
//! use foley_geometry::mesh;
//! use foley_modal::{Material, bake};
//! let glass = Material::named("glass")?;
//! let mesh = mesh::builtin("wine glass", mesh::Density::Coarse)?;
//! let options = bake::Options::default().with_thickness_m(1.2e-3).with_max_hz(2e3);
//! let glass = bake::bake(&mesh, "wine glass", glass, options)?;
//! println!("{}: {}", glass.provenance.method, glass.provenance.reason);
//! // Gains at the rim, for strikes from the side and from above.
//! let rim = [0.034, 0.0, 0.19];
//! let side = glass.model.gains_along(rim, [1.0, 0.0, 0.0]);
//! let above = glass.model.gains_along(rim, [0.0, 0.0, 1.0]);
//! assert!(side.iter().any(|a| a.abs() > 0.0) && side != above);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Files stand in the order of the data: `method` chooses a [`Method`]; `midsurface` extracts the
//! midsurface of a wall with two sides; `solve` refines the mesh for the highest frequency and
//! finds the modes by finite elements and the eigensolver; `decay` damps them; `gains` solves their radiation and turns
//! their motion on the surface into gains; `compress` merges modes that cannot be distinguished, and
//! `excitation_difference` measures the effect.

mod options;
mod method;
mod midsurface;
mod solve;
mod decay;
mod gains;
mod excitation_difference;
mod compress;
mod error;
pub mod garbage_can;

pub use error::BakeError;
pub use options::{Method, Options, Progress, Stage};

pub(crate) use decay::DecayLaw;

use crate::material::Material;
use crate::provenance::Provenance;
use crate::radiation::rigid;
use crate::remarks::limit_remark;
use foley_dsp::model::{Gains, ModalModel, ModalParts, Vibration};
use foley_geometry::mesh::{Measures, Mesh};

/// A model and its provenance.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Baked {
    /// The modal model.
    pub model: ModalModel,
    /// How it was made.
    pub provenance: Provenance,
}

/// Sizes of meshes, m. Far outside nothing is audible, and it takes long to find that out.
const SIZES_M: std::ops::RangeInclusive<f64> = 1e-5..=1e4;

/// Checks what [`bake`] checks before it solves: material, options, measures, walls, memory.
pub fn check(mesh: &Mesh, material: &Material, options: Options<'_>) -> Result<(), BakeError> {
    // Elements are made after the first tenth of this stage.
    let mut goes_on = |stage: Stage, part: f64| match stage {
        Stage::Measuring => true,
        stage => stage == Stage::Elements && part < 0.1,
    };
    let Options { method, thickness_m, min_hz, max_hz, max_modes, .. } = options;
    let Options { radiation_budget_s, compress, memory_limit, .. } = options;
    let progress: Option<&mut Progress<'_>> = Some(&mut goes_on);
    let options = Options {
        method,
        thickness_m,
        min_hz,
        max_hz,
        max_modes,
        radiation_budget_s,
        compress,
        memory_limit,
        progress,
    };
    match bake(mesh, "", material, options) {
        Ok(_) | Err(BakeError::Cancelled) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Computes the modal model of a mesh, which should be [repaired](foley_geometry::mesh::repair()).
pub fn bake(
    mesh: &Mesh,
    name: &str,
    material: &Material,
    mut options: Options<'_>,
) -> Result<Baked, BakeError> {
    material.check()?;
    options.check()?;
    options.report(Stage::Measuring, 0.0)?;
    let facts = Measures::of(mesh)?;
    if !SIZES_M.contains(&facts.size_m) {
        return Err(BakeError::Size { size_m: facts.size_m });
    }
    options.report(Stage::Measuring, 0.5)?;
    let mut plan = method::plan(mesh, &facts, &options)?;
    let solved = solve::solve(mesh, &facts, &mut plan, material, &mut options)?;

    let law = DecayLaw::new(material, plan.thickness_m);
    let (mut modes, approximated) = gains::audible_modes(&solved, law, &mut options)?;
    let limited = limit_remark(&modes.frequencies_hz, options.max_modes);
    let mut compression = None;
    if options.compress {
        options.report(Stage::Compressing, 0.0)?;
        compression = compress::compress(&mut modes, &solved.surface);
        options.report(Stage::Compressing, 1.0)?;
    }

    let model = ModalModel::new(ModalParts {
        name: name.to_owned(),
        frequencies_hz: modes.frequencies_hz,
        decays: modes.decays,
        points: solved.surface.vertices,
        triangles: solved.surface.triangles,
        gains: Gains::vectors(&modes.gains),
        body: material.body(solved.mass_kg, f64::INFINITY),
        vibration: Some(Vibration { pressures_pa: modes.pressures_pa, free: true }),
        rigid: Some(rigid::of_mesh(mesh, facts.volume_m3)),
        directivity: modes.directivity,
    })?;
    let provenance = Provenance {
        method: plan.method.to_string(),
        reason: plan.reason,
        material: material.name.to_string(),
        density: material.density,
        damping: material.damping,
        thermal: material.thermal,
        radiation_decays: modes.radiation_decays,
        thermoelastic_shares: modes.thermoelastic_shares,
        thickness_m: plan.thickness_m,
        unknowns: solved.unknowns,
        compression,
        notes: plan
            .notes
            .into_iter()
            .chain(solved.notes)
            .chain(approximated)
            .chain(limited)
            .collect(),
    };
    Ok(Baked { model, provenance })
}
