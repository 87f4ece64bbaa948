//! Energy balance of a strike: where the kinetic energy of a striker goes.
//!
//! The striker leaves with ½ m (v − J/m)² after the impulse J, a free body moves as a whole with J²/2M, the contact loses what its
//! loss takes, and modes above the last of the model take their part. What the force does on mode n is the work
//! `A_n = ∫ F u_n q̇_n dt` ([`Impact::work_j`](foley_dsp::excitation::Impact::work_j)), which the mode loses to all that damps it, in
//! the proportion of the decay rates:
//!
//! ```text
//! d_n = d_material + d_viscosity + d_support + d_radiation,    d_radiation = W_n = 2π p_n² / ρ₀c₀
//! ```
//!
//! with the same p_n that makes the gains ([`radiation`](crate::radiation)). A slow force bends a mode far below its resonance, where
//! it hardly radiates: there its resistance falls as ω² at least, so that of the spectrum of the work,
//! `A_n = 1/π ∫ |F̂|² Re Y_n dω`, what lies below ω_n radiates by (ω/ω_n)² less. Each part is computed from the solved force by itself,
//! and none as what the others leave: [`EnergyBalance::error`] is what the solution of the contact, the sum of the modes and the
//! neglected reaction of the air to rigid motion leave open.

use foley_dsp::excitation::{ContactError, Impact, MobilityMode, PATIENCE_S, Striker};
use foley_dsp::model::ModalModel;
use foley_geometry::constants::AIR_IMPEDANCE_PA_S_M;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};
use std::iter::successors;
use std::ops::{Add, Mul};
use thiserror::Error;

/// Decay rates, 1/s, or energies, J, of a mode by what takes them.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Losses {
    /// Inner losses of the material: loss factor and heat flow. Negative only where a model states more radiation than decay.
    pub material: f64,
    /// Viscosity of the air around thin bodies.
    pub viscosity: f64,
    /// What the body lies on or is held by.
    pub support: f64,
    /// Sound.
    pub radiation: f64,
}

impl Losses {
    /// Returns the sum.
    pub fn total(&self) -> f64 {
        self.material + self.viscosity + self.support + self.radiation
    }

    /// Returns the same sum with this part of the radiation among the others, in their proportion.
    fn without_radiation(self, part: f64) -> Self {
        let others = self.total() - self.radiation;
        if !(others > 0.0) {
            return self;
        }
        let radiation = (1.0 - part) * self.radiation;
        Self { radiation, ..self * (1.0 + part * self.radiation / others) }
    }
}

impl Mul<f64> for Losses {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self {
            material: self.material * factor,
            viscosity: self.viscosity * factor,
            support: self.support * factor,
            radiation: self.radiation * factor,
        }
    }
}

impl Add for Losses {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            material: self.material + other.material,
            viscosity: self.viscosity + other.viscosity,
            support: self.support + other.support,
            radiation: self.radiation + other.radiation,
        }
    }
}

/// Parts of the decay rates of a model that it does not tell apart, 1/s, one per mode; none where empty.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct KnownDecays<'a> {
    /// By the viscosity of the air ([`Loaded::viscosity_decays`](crate::source::Loaded::viscosity_decays)).
    pub viscosity: &'a [f64],
    /// By supports ([`support_decays`](crate::support::support_decays)).
    pub support: &'a [f64],
}

/// Where and how fast a striker meets a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint<'a> {
    /// Gains of the body there, one per mode.
    pub gains: &'a [f32],
    /// Direction of the force.
    pub direction: [f64; 3],
    /// Speed of the striker, m/s.
    pub speed_m_s: f64,
}

/// What a mode took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ModeEnergy {
    /// Its frequency, Hz.
    pub frequency_hz: f64,
    /// Where the work of the force on it went, J.
    pub losses_j: Losses,
}

/// Where the energy of a striker went, J.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EnergyBalance {
    /// Kinetic energy of the striker before.
    pub striker_before_j: f64,
    /// Kinetic energy of the striker after.
    pub striker_after_j: f64,
    /// Kinetic energy of the body as a rigid one.
    pub rigid_j: f64,
    /// Lost in the contact itself.
    pub contact_j: f64,
    /// What all modes took.
    pub losses_j: Losses,
    /// Radiated by striker and body that the force accelerates as a whole.
    pub clicks_j: f64,
    /// Taken by the modes above those of the model.
    pub above_j: f64,
    /// What each mode took.
    pub modes: Vec<ModeEnergy>,
}

/// Why a strike has no energy balance.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum EnergyError {
    /// A model from recordings.
    #[error(
        "it is not known how the body moves, as its modes are from recordings: the energy of a strike needs a shape or a mesh"
    )]
    NoMotion,
    /// Arrays of inconsistent length.
    #[error("{what} has {found} entries where {expected} are needed")]
    Length { what: &'static str, found: usize, expected: usize },
    /// Invalid contact.
    #[error(transparent)]
    Contact(#[from] ContactError),
}

/// Returns what damps each mode, 1/s; the sum is its decay rate.
pub fn losses(model: &ModalModel, known: KnownDecays<'_>) -> Result<Vec<Losses>, EnergyError> {
    let vibration = model.vibration.as_ref().ok_or(EnergyError::NoMotion)?;
    let expected = model.mode_count();
    for (what, decays) in
        [("decays by viscosity", known.viscosity), ("decays by supports", known.support)]
    {
        if !(decays.is_empty() || decays.len() == expected) {
            return Err(EnergyError::Length { what, found: decays.len(), expected });
        }
    }
    let part = |decays: &[f64], n: usize| decays.get(n).copied().unwrap_or(0.0);
    let of_mode = |(n, (decay, p)): (usize, (&f64, &f32))| {
        let (viscosity, support) = (part(known.viscosity, n), part(known.support, n));
        let radiation = TAU * f64::from(*p).powi(2) / AIR_IMPEDANCE_PA_S_M;
        Losses { material: decay - viscosity - support - radiation, viscosity, support, radiation }
    };
    Ok(model.decays.iter().zip(&vibration.pressures_pa).enumerate().map(of_mode).collect())
}

impl EnergyBalance {
    /// Follows the energy of a striker that hits a body, as [`ModalModel::strike`] solves it; `None` at speed 0. The decays of the
    /// model include all that damps it.
    ///
    /// ```
    /// use foley_dsp::excitation::Striker;
    /// use foley_modal::energy::{ContactPoint, EnergyBalance, KnownDecays};
    /// use foley_modal::source::{ModelOptions, ModelSource};
    /// let glass = ModelOptions::default().with_material("glass").with_max_hz(4e3);
    /// let plate = ModelSource::parse("plate:300x200x4mm")?.load(&glass, None)?.model;
    /// let gains = plate.gains_at([0.11, 0.05, 0.0]);
    /// let place = ContactPoint { gains: &gains, direction: [0.0, 0.0, 1.0], speed_m_s: 1.0 };
    /// let ball = Striker::named("steel ball")?;
    /// let balance = EnergyBalance::of_strike(&plate, KnownDecays::default(), &ball, place)?;
    /// let balance = balance.ok_or("nothing moves")?;
    /// assert!(balance.error().abs() < 0.02 && balance.radiated_share() < 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_strike(
        model: &ModalModel,
        known: KnownDecays<'_>,
        striker: &Striker,
        place: ContactPoint<'_>,
    ) -> Result<Option<Self>, EnergyError> {
        let rates = losses(model, known)?;
        let vibration = model.vibration.as_ref().ok_or(EnergyError::NoMotion)?;
        let ContactPoint { gains, direction, speed_m_s } = place;
        if gains.len() != rates.len() {
            let (what, found, expected) = ("gains", gains.len(), rates.len());
            return Err(EnergyError::Length { what, found, expected });
        }
        let restitution = striker.contact_restitution();
        let solution = model.strike(striker, gains, speed_m_s, restitution, PATIENCE_S)?;
        let Some(solution) = solution else { return Ok(None) };
        let impact = &solution.impact;
        let shapes = vibration.mode_shapes(gains);
        let spectrum = ForceSpectrum::new(impact, model.frequencies_hz.last().copied());
        let modes = model.frequencies_hz.iter().zip(&rates).zip(shapes);
        let modes = modes.map(|((frequency_hz, rates), shape)| {
            let decay = rates.total();
            let omega = TAU * frequency_hz;
            let mode = MobilityMode { omega, decay, weight: shape * shape };
            let work_j = impact.work_j(&mode);
            let bent = if work_j > 0.0 { spectrum.bending_j(&mode) / work_j } else { 0.0 };
            let rates = rates.without_radiation(bent.clamp(0.0, 1.0));
            let losses_j = rates * if decay > 0.0 { work_j / decay } else { 0.0 };
            ModeEnergy { frequency_hz: *frequency_hz, losses_j }
        });
        let modes: Vec<ModeEnergy> = modes.collect();
        let kinetic_j = |impulse: f64, mass_kg: f64| 0.5 * impulse * impulse / mass_kg;
        let (mass_kg, impulse) = (striker.mass_kg, impact.impulse_ns());
        let struck = model.accelerated_body(direction);
        let bodies = [struck, striker.accelerated_body()];
        let clicks = bodies.iter().flatten();
        Ok(Some(Self {
            striker_before_j: kinetic_j(mass_kg * speed_m_s, mass_kg),
            striker_after_j: kinetic_j(mass_kg * speed_m_s - impulse, mass_kg),
            rigid_j: if vibration.free { kinetic_j(impulse, model.body.mass_kg) } else { 0.0 },
            contact_j: solution.energy.contact_j,
            losses_j: modes.iter().fold(Losses::default(), |sum, mode| sum + mode.losses_j),
            clicks_j: clicks.map(|body| body.radiation.energy_j(body.mass_kg, impact)).sum(),
            above_j: solution.energy.above_j,
            modes,
        }))
    }

    /// Returns the sum of all parts after, J.
    pub fn accounted_j(&self) -> f64 {
        let modes_j = self.losses_j.total() + self.above_j;
        self.striker_after_j + self.rigid_j + self.contact_j + modes_j + self.clicks_j
    }

    /// Returns what the sum exceeds the energy before by, relative to it.
    pub fn error(&self) -> f64 {
        self.accounted_j() / self.striker_before_j - 1.0
    }

    /// Returns the energy radiated as sound, by the modes and by what is accelerated as a whole, J.
    pub fn radiated_j(&self) -> f64 {
        self.losses_j.radiation + self.clicks_j
    }

    /// Returns the energy radiated over that of the striker.
    pub fn radiated_share(&self) -> f64 {
        self.radiated_j() / self.striker_before_j
    }

    /// Returns all parts after with their names.
    pub fn parts_j(&self) -> [(&'static str, f64); 9] {
        [
            ("striker after", self.striker_after_j),
            ("rigid motion", self.rigid_j),
            ("contact", self.contact_j),
            ("material", self.losses_j.material),
            ("viscosity of air", self.losses_j.viscosity),
            ("support", self.losses_j.support),
            ("radiated by modes", self.losses_j.radiation),
            ("radiated by clicks", self.clicks_j),
            ("modes above the band", self.above_j),
        ]
    }
}

/// Lowest frequency of a [`ForceSpectrum`], rad/s, and the ratio of its frequencies.
const LOWEST: f64 = 10.0;
const RATIO: f64 = 1.01;

/// The spectrum of a force: frequencies in rad/s with |F̂|² there.
struct ForceSpectrum(Vec<(f64, f64)>);

impl ForceSpectrum {
    fn new(impact: &Impact, highest_hz: Option<f64>) -> Self {
        let highest = TAU * highest_hz.unwrap_or_default();
        let omegas = successors(Some(LOWEST), |omega| Some(omega * RATIO));
        let square = |omega| impact.impulse_ns().powi(2) * impact.response(omega).norm_sqr();
        Self(omegas.take_while(|omega| *omega < highest).map(|w| (w, square(w))).collect())
    }

    /// Returns what a mode of the work below its resonance does not radiate, J, if all its decay were radiation:
    /// `1/π ∫ |F̂|² Re Y (1 − ω²/ω_n²) dω`, `Re Y = 2 d w ω² / ((ω_n² − ω²)² + (2ωd)²)`.
    fn bending_j(&self, mode: &MobilityMode) -> f64 {
        let MobilityMode { omega, decay, weight } = *mode;
        let square = omega * omega + decay * decay;
        let below = self.0.iter().take_while(|(x, _)| *x < omega);
        let part = |(x, force2): &(f64, f64)| {
            let (reactive, resistive) = (square - x * x, 2.0 * x * decay);
            let mobility = weight * x * resistive / (reactive * reactive + resistive * resistive);
            force2 * mobility * (1.0 - (x / omega).powi(2)) * x
        };
        below.map(part).sum::<f64>() * RATIO.ln() / PI
    }
}
