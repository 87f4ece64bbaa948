//! Provenance of a model: how its modes were made. With it, size and material can be changed
//! without a new solution.
//!
//! With the shape and Poisson's ratio kept, `ω ∝ √(E/ρ) / size`, mass-normalised mode shapes
//! go as `1/√(ρ size³)`, and decays by material and heat flow follow from their laws at the new ω and thickness.
//!
//! Radiation: σ of a mode depends on its shape and on ka alone. As long as √(E/ρ) stays, ka does too, and
//! `W = ½ρ₀c₀ σ ∫(u·n)² dA ∝ size² / mass`. With another speed of sound the radiation is solved again, from the mode shapes of the
//! model; modes that were merged have no sign and follow their neighbours. Directivity depends on ka, too: its bands shift with the
//! frequencies, or it is solved again with the power.

use crate::bake::DecayLaw;
use crate::material::{Damping, Material, Thermal};
use crate::radiation::directivity::{in_bands, radiated_energies};
use crate::radiation::{self, RadiatingSurface};
use foley_dsp::model::{Gains, ModalModel, ModalParts, ModelError};
use foley_waves::Directivity;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

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
    /// Decay rate of each mode by radiation, 1/s, a part of its decay.
    #[serde(default)]
    pub radiation_decays: Vec<f64>,
    /// Share of each mode's energy that heat flow across the wall damps; empty where there is none.
    #[serde(default)]
    pub thermoelastic_shares: Vec<f64>,
    /// Wall thickness, m; `None` for solid bodies.
    pub thickness_m: Option<f64>,
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

/// Time for each solution of the radiation, s; see [`RadiatingSurface::budget_s`].
const RESCALE_BUDGET_S: f64 = 2.0;
/// Note on models of versions that solved no radiation.
const UNSOLVED: &str = "the model was made before radiation was solved, so its decays have none: make it again from its mesh";
/// Range of accepted factors of size.
const SIZES: [f64; 2] = [1e-6, 1e6];

impl Provenance {
    fn radiation_decay(&self, mode: usize) -> f64 {
        self.radiation_decays.get(mode).copied().unwrap_or(0.0)
    }

    /// Returns whether the numbers are positive and finite.
    pub(crate) fn is_sound(&self) -> bool {
        self.density > 0.0
            && self.density.is_finite()
            && self.radiation_decays.iter().all(|d| (0.0..=1e9).contains(d))
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

    let kept: Vec<KeptMode> = (0..model.mode_count())
        .filter_map(|index| {
            // The damped frequency knows nothing of radiation.
            let material = model.decays[index] - provenance.radiation_decay(index);
            let omega = (TAU * model.frequencies_hz[index]).hypot(material) * pitch;
            let share = provenance.thermoelastic_shares.get(index).copied().unwrap_or(0.0);
            let frequency_hz = law.damped_hz(omega, share).filter(|f| *f <= max_hz)?;
            Some(KeptMode { index, frequency_hz, decay: law.decay(omega, share) })
        })
        .collect();
    let same_waves = (pitch * size - 1.0).abs() < 1e-6;
    let again = if same_waves { None } else { radiate(model, provenance, &kept, pitch * size) };
    let mut parts = model.clone().into_parts();
    let (mut factors, mut radiation_decays) = (Vec::new(), Vec::new());
    for (k, mode) in kept.iter().enumerate() {
        let ratio = again.as_ref().map_or(1.0, |again| again.ratios[k]) * size * size / mass;
        let before = provenance.radiation_decay(mode.index);
        let (radiation, _) = radiation::damping_and_pressure(mode.frequency_hz, before * ratio);
        // Radiation has limits.
        let ratio = if before > 0.0 { radiation / before } else { ratio };
        parts.frequencies_hz[k] = mode.frequency_hz;
        parts.decays[k] = mode.decay + radiation;
        radiation_decays.push(radiation);
        // The gain is u_n p_n, with u_n ∝ 1/√mass and p_n ∝ √W_n.
        factors.push((ratio / mass).sqrt() as f32);
        if let Some(vibration) = &mut parts.vibration {
            vibration.pressures_pa[k] = vibration.pressures_pa[mode.index] * ratio.sqrt() as f32;
        }
    }
    parts.frequencies_hz.truncate(kept.len());
    parts.decays.truncate(kept.len());
    if let Some(vibration) = &mut parts.vibration {
        vibration.pressures_pa.truncate(kept.len());
    }
    let kept: Vec<usize> = kept.iter().map(|mode| mode.index).collect();
    parts.points.iter_mut().flatten().for_each(|x| *x *= size);
    parts.gains = scaled(&model.gains, model.mode_count(), &kept, &factors);
    parts.body.mass_kg *= mass;
    parts.body.young_pa = young;
    parts.body.radius_m *= size;
    parts.rigid = parts.rigid.map(|axes| axes.map(|axis| axis.scaled(size)));
    parts.directivity = parts.directivity.map(|directivity| directivity.with_pitch(pitch));
    let compression = provenance.compression.clone().map(|mut compression| {
        let still = |n: &usize| kept.iter().position(|k| k == n);
        compression.merged = compression.merged.iter().filter_map(still).collect();
        compression
    });
    let shares = &provenance.thermoelastic_shares;
    let mut notes = provenance.notes.clone();
    if provenance.radiation_decays.is_empty() {
        notes.push(UNSOLVED.into());
    }
    let provenance = Provenance {
        notes,
        compression,
        density,
        damping,
        thermal,
        radiation_decays,
        thermoelastic_shares: kept.iter().filter_map(|n| shares.get(*n).copied()).collect(),
        thickness_m,
        ..provenance.clone()
    };
    let model = ModalModel::new(parts)?;
    match again.filter(|again| !again.directivities.is_empty()) {
        Some(again) => Ok((with_directivity(model, &again)?, provenance)),
        None => Ok((model, provenance)),
    }
}

/// Returns the model with the directivity of its modes.
fn with_directivity(model: ModalModel, again: &Radiation) -> Result<ModalModel, ModelError> {
    let energies = radiated_energies(&model);
    let frequencies: Vec<f64> = again.signed.iter().map(|k| model.frequencies_hz[*k]).collect();
    let energies: Vec<f64> = again.signed.iter().map(|k| energies[*k]).collect();
    let directivity = in_bands(&frequencies, &again.directivities, &energies);
    ModalModel::new(ModalParts { directivity, ..model.into_parts() })
}

/// A mode that stays audible, without radiation.
struct KeptMode {
    index: usize,
    frequency_hz: f64,
    decay: f64,
}

/// How the modes radiate at other frequencies.
struct Radiation {
    /// By how much each kept mode radiates more.
    ratios: Vec<f64>,
    /// The kept modes with a sign, which were solved, and their directivities.
    signed: Vec<usize>,
    directivities: Vec<Directivity>,
}

/// Solves how the kept modes radiate when all frequencies are `higher` times as high on the same surface, from two
/// solutions: before and after. `None` where the mode shapes are not known.
fn radiate(
    model: &ModalModel,
    provenance: &Provenance,
    kept: &[KeptMode],
    higher: f64,
) -> Option<Radiation> {
    let (vibration, Gains::Vector { levels, shapes }) = (model.vibration.as_ref()?, &model.gains)
    else {
        return None;
    };
    let is_merged = |n: usize| provenance.compression.iter().any(|c| c.merged.contains(&n));
    let signed: Vec<usize> = (0..kept.len()).filter(|k| !is_merged(kept[*k].index)).collect();
    let index = |k: usize| kept[signed[k]].index;
    // `None`: only a callback could cancel.
    let powers = |factor: f64| {
        let frequencies_hz: Vec<f64> =
            (0..signed.len()).map(|k| factor * model.frequencies_hz[index(k)]).collect();
        let surface = RadiatingSurface {
            points: &model.points,
            triangles: &model.triangles,
            frequencies_hz: &frequencies_hz,
            budget_s: RESCALE_BUDGET_S,
        };
        let shape = |k: usize| {
            let n = index(k);
            let scale = f64::from(levels[n]) / f64::from(vibration.pressures_pa[n]).max(1e-30);
            let at = |row: &[half::f16]| [0, 1, 2].map(|a| scale * row[3 * n + a].to_f64());
            shapes.chunks(3 * model.mode_count()).map(at).collect()
        };
        surface.powers(&shape, &mut |_| true)
    };
    let ratio = |(after, before): (f64, f64)| if before > 0.0 { after / before } else { 1.0 };
    let (before, after) = (powers(1.0)?, powers(higher)?);
    let ratios: Vec<f64> = after.watts.into_iter().zip(before.watts).map(ratio).collect();
    let nearest = |k: usize| {
        let next = signed.partition_point(|s| *s < k).min(signed.len().saturating_sub(1));
        ratios.get(next).copied().unwrap_or(1.0)
    };
    let ratios = (0..kept.len()).map(nearest).collect();
    Some(Radiation { ratios, signed, directivities: after.directivities })
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
