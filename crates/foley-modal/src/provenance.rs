//! Provenance of a model: how its modes were made. With it, size and material can be changed
//! without a new solution.
//!
//! With the shape and Poisson's ratio kept, `ω ∝ √(E/ρ) / size`, mass-normalised mode shapes
//! go as `1/√(ρ size³)`, decays follow from the damping law and the thermoelastic loss at the new ω
//! and thickness, and the radiation weight from the new frequency, area and radius.

use crate::bake::DecayLaw;
use crate::material::{Damping, Material, Thermal};
use crate::radiation;
use foley_dsp::model::{Gains, ModalModel, ModelError};
use serde::{Deserialize, Serialize};

/// How a model was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// `spring-mass`, `shell` or `solid`.
    pub method: String,
    /// Reason for this method.
    pub reason: String,
    /// Name of the material.
    pub material: String,
    /// ρ, kg/m³.
    pub density: f64,
    /// Damping law.
    pub damping: Damping,
    /// Thermal constants.
    #[serde(default)]
    pub thermal: Option<Thermal>,
    /// p_n of each mode without the limit of its losses, Pa at 1 m for unit modal velocity.
    #[serde(default)]
    pub free_pressures_pa: Vec<f64>,
    /// Share of each mode's energy that heat flow across the wall damps; empty where there is none.
    #[serde(default)]
    pub thermoelastic_shares: Vec<f64>,
    /// Wall thickness, m; `None` for solid bodies.
    pub thickness_m: Option<f64>,
    /// Radius of the equivalent radiating source, m.
    pub radiator_m: f64,
    /// Number of unknowns of the eigenproblem.
    pub unknowns: usize,
    /// Result of mode compression, if any modes were merged.
    pub compression: Option<Compression>,
    /// Remarks for the user, as sentences.
    pub notes: Vec<String>,
}

/// Result of mode compression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compression {
    /// Modes before.
    pub modes_before: usize,
    /// Modes after.
    pub modes_after: usize,
    /// Modes that stand for several: their gains have no sign.
    pub merged: Vec<usize>,
    /// Mean difference of the excitation patterns over all Barks and frames of 10 ms, dB.
    pub mean_db: f64,
    /// 95th percentile of these differences, dB.
    pub p95_db: f64,
}

/// A change of size and material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Factor of every length.
    pub size: f64,
    /// A new E, Pa.
    pub young_pa: Option<f64>,
    /// A new ρ, kg/m³.
    pub density: Option<f64>,
    /// A new damping law.
    pub damping: Option<Damping>,
    /// New thermal constants; `Some(None)` for a material without.
    pub thermal: Option<Option<Thermal>>,
}

impl Default for Change {
    fn default() -> Self {
        Self { size: 1.0, young_pa: None, density: None, damping: None, thermal: None }
    }
}

/// Range of accepted factors of size.
const SIZES: [f64; 2] = [1e-6, 1e6];

impl Provenance {
    /// Returns whether the numbers are positive and finite.
    pub(crate) fn is_sound(&self) -> bool {
        let sizes = [self.density, self.radiator_m];
        sizes.iter().all(|x| *x > 0.0 && x.is_finite())
            && self.free_pressures_pa.iter().all(|p| (0.0..=1e20).contains(p))
            && self.thermoelastic_shares.iter().all(|share| (0.0..=1e3).contains(share))
    }
}

/// Changes size and material of a model without a new solution. Modes that become overdamped
/// and modes above `max_hz` are dropped.
///
/// ```
/// use foley_modal::provenance::{Change, rescale};
/// use foley_geometry::mesh;
/// use foley_modal::{Material, bake};
/// let bowl = mesh::builtin("bowl", mesh::Density::Coarse)?;
/// let options = bake::Options::default().with_max_modes(10).with_thickness_m(3e-3);
/// let bowl = bake::bake(&bowl, "bowl", Material::named("glass")?, options)?;
/// // Twice as large, it sounds an octave lower.
/// let change = Change { size: 2.0, ..Change::default() };
/// let (large, _) = rescale(&bowl.model, &bowl.provenance, &change, 20e3)?;
/// let ratio = bowl.model.frequencies_hz[0] / large.frequencies_hz[0];
/// assert!((ratio - 2.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rescale(
    model: &ModalModel,
    provenance: &Provenance,
    change: &Change,
    max_hz: f64,
) -> Result<(ModalModel, Provenance), ModelError> {
    let size = change.size;
    if !(SIZES[0]..=SIZES[1]).contains(&size) {
        let (what, must) = ("size", "between a millionth and a million");
        return Err(ModelError::Value { what, index: 0, value: size, must });
    }
    let young = change.young_pa.unwrap_or(model.body.young_pa);
    let density = change.density.unwrap_or(provenance.density);
    let damping = change.damping.unwrap_or(provenance.damping);
    let thermal = change.thermal.unwrap_or(provenance.thermal);
    let thickness_m = provenance.thickness_m.map(|t| t * size);
    let law = DecayLaw::of([density, young, model.body.poisson], damping, thermal, thickness_m);
    let pitch = ((young / model.body.young_pa) / (density / provenance.density)).sqrt() / size;
    let mass = density / provenance.density * size.powi(3);
    let radiator_m = provenance.radiator_m * size;

    let mut parts = model.clone().into_parts();
    let (mut kept, mut factors, mut free_pressures_pa) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..model.mode_count() {
        let (f, d) = (model.frequencies_hz[n], model.decays[n]);
        let omega = (std::f64::consts::TAU * f).hypot(d) * pitch;
        let share = provenance.thermoelastic_shares.get(n).copied().unwrap_or(0.0);
        let damped_hz = law.damped_hz(omega, share).filter(|f| *f <= max_hz);
        let Some(damped_hz) = damped_hz else { continue };
        let k = kept.len();
        parts.frequencies_hz[k] = damped_hz;
        parts.decays[k] = law.decay(omega, share);
        // The gain is u_n p_n, and p_n ∝ √(σ ∫u² dA).
        let sigma = radiation::efficiency(damped_hz, radiator_m)
            / radiation::efficiency(f, provenance.radiator_m);
        // u_n ∝ 1/√mass.
        let mut louder = sigma.sqrt() * size / mass.sqrt();
        if let Some(vibration) = &mut parts.vibration {
            let before = f64::from(vibration.pressures_pa[n]);
            let free = provenance.free_pressures_pa.get(n).copied().unwrap_or(before) * louder;
            free_pressures_pa.push(free);
            let after = free.min(radiation::most_pressure(parts.decays[k]));
            louder = if before > 0.0 { after / before } else { 0.0 };
            vibration.pressures_pa[k] = after as f32;
        }
        factors.push((louder / mass.sqrt()) as f32);
        kept.push(n);
    }
    parts.frequencies_hz.truncate(kept.len());
    parts.decays.truncate(kept.len());
    if let Some(vibration) = &mut parts.vibration {
        vibration.pressures_pa.truncate(kept.len());
    }
    parts.points.iter_mut().flatten().for_each(|x| *x *= size);
    parts.gains = scaled(&model.gains, model.mode_count(), &kept, &factors);
    parts.body.mass_kg *= mass;
    parts.body.young_pa = young;
    parts.body.radius_m *= size;
    let compression = provenance.compression.clone().map(|mut compression| {
        let still = |n: &usize| kept.iter().position(|k| k == n);
        compression.merged = compression.merged.iter().filter_map(still).collect();
        compression
    });
    let shares = &provenance.thermoelastic_shares;
    let provenance = Provenance {
        compression,
        density,
        damping,
        thermal,
        free_pressures_pa,
        thermoelastic_shares: kept.iter().filter_map(|n| shares.get(*n).copied()).collect(),
        radiator_m,
        thickness_m,
        ..provenance.clone()
    };
    Ok((ModalModel::new(parts)?, provenance))
}

/// Changes the size of a model and, where given, its material with its name, by [`rescale`].
/// Poisson's ratio stays as solved; a note says so where the materials differ.
pub fn rescale_as(
    model: &ModalModel,
    provenance: &Provenance,
    size: f64,
    material: Option<&Material>,
    max_hz: f64,
) -> Result<(ModalModel, Provenance), ModelError> {
    let change = Change {
        size,
        young_pa: material.map(|m| m.young_pa),
        density: material.map(|m| m.density),
        damping: material.map(|m| m.damping),
        thermal: material.map(|m| m.thermal),
    };
    let (model, mut provenance) = rescale(model, provenance, &change, max_hz)?;
    let Some(material) = material else { return Ok((model, provenance)) };
    let mut parts = model.into_parts();
    if (material.poisson - parts.body.poisson).abs() > 0.02 {
        provenance.notes.push(format!(
            "Poisson's ratio stayed {:.2} as solved; {} has {:.2}: solve the mesh again for it",
            parts.body.poisson, material.name, material.poisson
        ));
    }
    let bare = parts.name.strip_prefix(&format!("{} ", provenance.material));
    parts.name = format!("{} {}", material.name, bare.unwrap_or(&parts.name));
    provenance.material = material.name.to_string();
    Ok((ModalModel::new(parts)?, provenance))
}

/// Returns the gains of the kept modes, each times its factor.
fn scaled(gains: &Gains, modes: usize, kept: &[usize], factors: &[f32]) -> Gains {
    match gains {
        Gains::Normal(gains) => Gains::Normal(
            gains
                .chunks(modes)
                .flat_map(|row| kept.iter().zip(factors).map(|(n, factor)| row[*n] * factor))
                .collect(),
        ),
        Gains::Vector { levels, shapes } => Gains::Vector {
            levels: kept.iter().zip(factors).map(|(n, factor)| levels[*n] * factor).collect(),
            shapes: shapes
                .chunks(3 * modes)
                .flat_map(|row| kept.iter().flat_map(|n| &row[3 * n..3 * n + 3]).copied())
                .collect(),
        },
    }
}
