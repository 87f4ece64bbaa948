//! Modes of a shape, exact at every place.
//!
//! An impulse J at x changes the modal velocity by `u_n(x) J`, with u_n normalised so
//! that `∫ ρ u_n² dV = 1`. Each modal velocity radiates `p_n` (see `radiation.rs`), so
//! the gain is `a_n(x) = u_n(x) p_n`, in Pa at 1 m per N·s.

use super::ShapeError;
use super::options::DampedMode;
use super::radiator::Radiator;
use super::surface::Surface;
use crate::bake::Baked;
use crate::material::Material;
use crate::provenance::Provenance;
use crate::radiation::directivity::{in_bands, radiated_energies};
use crate::radiation::{self, Powers};
use crate::remarks::limit_remark;
use foley_dsp::excitation::RigidRadiation;
use foley_dsp::model::{ContactBody, MAX_GAINS, ModalModel, ModalParts, ModelError, Vibration};
use foley_waves::Directivity;
use std::fmt::Debug;

/// Relative difference of the wavenumbers of one mode at two sizes, by rounding at most.
const SAME_WAVE: f64 = 1e-7;

/// Mode shapes as functions of place.
pub(super) trait Field: Debug + Send + Sync {
    /// Returns u_n at a place, 1/√kg, one for each mode; places off the body are projected
    /// onto it.
    fn at(&self, place: [f64; 3]) -> Vec<f64>;

    /// Calls `take` with the u_n of each place in turn.
    fn sample(&self, places: &[[f64; 3]], take: &mut dyn FnMut(&[f64])) {
        places.iter().for_each(|place| take(&self.at(*place)));
    }
}

/// The modes of a shape in a material: frequencies, decays, and gains anywhere.
#[derive(Debug)]
pub struct Modes {
    damped: Vec<DampedMode>,
    radiation_decays: Vec<f64>,
    /// p_n, Pa at 1 m for unit modal velocity.
    pressures: Vec<f64>,
    /// Mean-square pressure of each mode over directions.
    directivities: Vec<Directivity>,
    radiator: Radiator,
    field: Box<dyn Field>,
    surface: Surface,
    body: ContactBody,
    /// Whether the body is free to move as a whole.
    free: bool,
    /// How loud it is when it is accelerated as a whole along x, y and z.
    rigid: Option<[RigidRadiation; 3]>,
    note: Option<String>,
}

impl Modes {
    /// Takes modes that are damped by all but radiation; they are silent until that is solved.
    pub(super) fn new(
        damped: Vec<DampedMode>,
        field: impl Field + 'static,
        radiator: Radiator,
        surface: Surface,
        (body, free): (ContactBody, bool),
    ) -> Self {
        let none = vec![0.0; damped.len()];
        Self {
            damped,
            radiation_decays: none.clone(),
            pressures: none,
            directivities: Vec::new(),
            radiator,
            field: Box::new(field),
            surface,
            body,
            free,
            rigid: None,
            note: None,
        }
    }

    /// Takes the radiation of the whole body.
    pub(super) fn with_rigid(self, rigid: [RigidRadiation; 3]) -> Self {
        Self { rigid: Some(rigid), ..self }
    }

    /// Solves what the modes radiate, within a time on two processor cores of 2022.
    pub(super) fn radiate(&mut self, budget_s: f64) {
        let frequencies_hz: Vec<f64> = self.frequencies_hz().collect();
        let Powers { watts, directivities, note } =
            self.radiator.powers(&frequencies_hz, &*self.field, budget_s);
        (self.note, self.directivities) = (note, directivities);
        self.radiate_powers(watts);
    }

    /// Takes the radiation of the same shape in another size, `size` times as large as that. σ depends on ka, and k goes as
    /// 1/a: W = ½ρ₀c₀ σ ∫u² dA ∝ size²/mass. Returns whether all modes are among the other's.
    pub(super) fn radiate_like(&mut self, other: &Self, size: f64) -> bool {
        if !self.radiator.is_sheet() {
            return false;
        }
        let scaled = |mode: &DampedMode| mode.omega * size;
        let Some(first) = self.damped.first().map(scaled) else { return true };
        let skipped = other.damped.partition_point(|mode| mode.omega < first * (1.0 - SAME_WAVE));
        let theirs = &other.damped[skipped..];
        let is_same = |(own, their): (&DampedMode, &DampedMode)| {
            (scaled(own) / their.omega - 1.0).abs() < SAME_WAVE
        };
        if theirs.len() < self.len() || !self.damped.iter().zip(theirs).all(is_same) {
            return false;
        }
        let factor = size * size * other.body.mass_kg / self.body.mass_kg;
        let watts = &other.radiation_decays[skipped..];
        self.note.clone_from(&other.note);
        let same = other.directivities.iter().skip(skipped).take(self.len());
        self.directivities = same.cloned().collect();
        self.radiate_powers(watts.iter().take(self.len()).map(|watts| watts * factor).collect());
        true
    }

    fn radiate_powers(&mut self, watts: Vec<f64>) {
        for (n, watts) in watts.into_iter().enumerate() {
            let mode = &mut self.damped[n];
            let (decay, p) = radiation::damping_and_pressure(mode.frequency_hz, watts);
            mode.decay += decay;
            self.radiation_decays[n] = decay;
            self.pressures[n] = p;
        }
    }

    /// Returns the number of modes.
    pub fn len(&self) -> usize {
        self.damped.len()
    }

    /// Returns whether there are none, which never holds for modes of a [`Shape`](super::Shape).
    pub fn is_empty(&self) -> bool {
        self.damped.is_empty()
    }

    /// f_n, Hz, damped, ascending.
    pub fn frequencies_hz(&self) -> impl Iterator<Item = f64> + '_ {
        self.damped.iter().map(|h| h.frequency_hz)
    }

    /// d_n, 1/s.
    pub fn decays(&self) -> impl Iterator<Item = f64> + '_ {
        self.damped.iter().map(|h| h.decay)
    }

    /// The part of d_n by radiation, 1/s.
    pub fn radiation_decays(&self) -> &[f64] {
        &self.radiation_decays
    }

    /// Returns what was left out or approximated, in sentences; `max_modes` is the limit that was given.
    pub fn notes(&self, max_modes: usize) -> Vec<String> {
        let frequencies_hz: Vec<f64> = self.frequencies_hz().collect();
        limit_remark(&frequencies_hz, max_modes).into_iter().chain(self.note.clone()).collect()
    }

    /// The body that vibrates.
    pub fn body(&self) -> ContactBody {
        self.body
    }

    /// Returns u_n, mass-normalised, 1/√kg, at a place in m. Places off the body are projected
    /// onto it.
    pub fn shapes_at(&self, place: [f64; 3]) -> Vec<f64> {
        self.field.at(place.map(|x| if x.is_finite() { x } else { 0.0 }))
    }

    /// Returns a_n, Pa at 1 m per N·s, at a place in m: exact, where [`ModalModel::gains_at`]
    /// interpolates.
    pub fn gains_at(&self, place: [f64; 3]) -> Vec<f64> {
        self.shapes_at(place).iter().zip(&self.pressures).map(|(u, p)| u * p).collect()
    }

    /// Builds the modal model with its provenance; `max_modes` is the limit that was given.
    pub fn baked(
        &self,
        name: impl Into<String>,
        material: &Material,
        max_modes: usize,
    ) -> Result<Baked, ShapeError> {
        let provenance = Provenance {
            method: "analytic".into(),
            reason: "the modes of the shape are known".into(),
            material: material.name.to_string(),
            density: material.density,
            damping: material.damping,
            thermal: material.thermal,
            radiation_decays: self.radiation_decays.clone(),
            thermoelastic_shares: Vec::new(),
            thickness_m: None,
            unknowns: 0,
            compression: None,
            notes: self.notes(max_modes),
        };
        Ok(Baked { model: self.model(name)?, provenance })
    }

    /// Builds the modal model: samples the gains on the surface.
    pub fn model(&self, name: impl Into<String>) -> Result<ModalModel, ShapeError> {
        let Surface { points, triangles } = self.surface.clone();
        let found = self.len().saturating_mul(points.len());
        if found > MAX_GAINS {
            let (what, limit) = ("gains", MAX_GAINS);
            return Err(ModelError::TooMany { what, found, limit }.into());
        }
        let mut gains = Vec::with_capacity(found);
        self.field.sample(&points, &mut |u| {
            gains.extend(u.iter().zip(&self.pressures).map(|(u, p)| (u * p) as f32));
        });
        let model = ModalModel::new(ModalParts {
            name: name.into(),
            frequencies_hz: self.frequencies_hz().collect(),
            decays: self.decays().collect(),
            points,
            triangles,
            gains: gains.into(),
            body: self.body,
            vibration: Some(Vibration {
                pressures_pa: self.pressures.iter().map(|p| *p as f32).collect(),
                free: self.free,
            }),
            rigid: self.rigid,
            directivity: None,
        })?;
        let energies = radiated_energies(&model);
        let directivity = in_bands(&model.frequencies_hz, &self.directivities, &energies);
        Ok(ModalModel::new(ModalParts { directivity, ..model.into_parts() })?)
    }
}
