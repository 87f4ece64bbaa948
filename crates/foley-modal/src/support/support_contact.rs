//! A point where a body touches something, and what it meets there.

use crate::material::Material;
use foley_dsp::excitation::{ContactError, HertzPair, PointMobility};
use foley_dsp::model::ContactBody;
use num_complex::Complex64;
use std::f64::consts::TAU;

/// Frequency at which the loss factors of contacts are taken, Hz.
const LOSS_HZ: f64 = 1e3;

/// A point where a body touches something.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportContact {
    /// Place in the body's coordinates, m.
    pub at_m: [f64; 3],
    /// Direction of the force, of any length.
    pub direction: [f64; 3],
    /// The spring of the contact; `None` where both are glued.
    pub spring: Option<ContactSpring>,
    /// What is behind it.
    pub support: Support,
}

/// The contact of two bodies that are pressed together, as a spring for small vibrations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSpring {
    /// Stiffness dF/dx under the static load, N/m.
    pub stiffness_n_m: f64,
    /// Loss factor of the deformed material.
    pub loss_factor: f64,
}

impl ContactSpring {
    /// Returns the spring of a body of this elasticity on a foundation, under a load. Both deform: each adds its loss
    /// factor by its share of the compliance, which for flat or round bodies is that of `(1 − ν²)/E`.
    pub fn new(
        body: &ContactBody,
        loss_factor: f64,
        on: &Foundation,
        load_n: f64,
    ) -> Result<Self, ContactError> {
        let pair = HertzPair::of_bodies(body, &on.body)?;
        let compliance = |body: &ContactBody| (1.0 - body.poisson * body.poisson) / body.young_pa;
        let [own, other] = [compliance(body), compliance(&on.body)];
        let loss_factor = (own * loss_factor + other * on.loss_factor) / (own + other);
        Ok(Self { stiffness_n_m: pair.stiffness_n_m(load_n), loss_factor })
    }
}

/// What a contact presses against.
#[derive(Debug, Clone, PartialEq)]
pub enum Support {
    /// It does not move: all that is lost is lost in the contact.
    Immovable,
    /// A body with this mobility.
    Body(PointMobility),
    /// Mass, damper and spring side by side.
    Lumped {
        /// kg.
        mass_kg: f64,
        /// N s/m.
        damping_kg_s: f64,
        /// N/m.
        stiffness_n_m: f64,
    },
}

impl Support {
    /// Returns its mobility at ω, m/(N s).
    pub fn mobility(&self, omega: f64) -> Complex64 {
        match self {
            Self::Immovable => Complex64::ZERO,
            Self::Body(body) => body.at(omega),
            Self::Lumped { mass_kg, damping_kg_s, stiffness_n_m } => {
                1.0 / Complex64::new(*damping_kg_s, omega * mass_kg - stiffness_n_m / omega)
            }
        }
    }
}

impl SupportContact {
    /// Returns the mobility of the contact spring at ω: `iω / k (1 + iη)`.
    pub(super) fn spring_mobility(&self, omega: f64) -> Complex64 {
        self.spring.map_or(Complex64::ZERO, |spring| {
            let stiffness = Complex64::new(1.0, spring.loss_factor) * spring.stiffness_n_m;
            Complex64::new(0.0, omega) / stiffness
        })
    }
}

/// Something to lie on: the elasticity of its surface and how it gives way.
#[derive(Debug, Clone, PartialEq)]
pub struct Foundation {
    /// Elasticity of its surface.
    pub body: ContactBody,
    /// Loss factor of its surface.
    pub loss_factor: f64,
    /// How it gives way.
    pub support: Support,
}

/// Thickness of the board of a table, m: common table tops have 18 to 30 mm.
const TABLE_M: f64 = 0.025;
/// Modulus of wood across the grain over that along it: E_R/E_L of hardwoods is about 0.13 (USDA *Wood Handbook*,
/// chapter on mechanical properties). The face of a board is pressed across the grain.
const ACROSS_GRAIN: f64 = 0.13;

impl Foundation {
    /// Returns a wooden table: a board so wide that no wave returns from its edges, with the mobility 1/(8 √(D ρh)) of a
    /// thin plate (Cremer, Heckl & Petersson, *Structure-Borne Sound*, §5.2).
    pub fn table() -> Self {
        let wood = match Material::named("wood") {
            Ok(wood) => wood,
            Err(_) => return Self::immovable(&ContactBody::default(), 0.0),
        };
        let bending =
            wood.young_pa * TABLE_M.powi(3) / (12.0 * (1.0 - wood.poisson * wood.poisson));
        let mobility = 1.0 / (8.0 * (bending * wood.density * TABLE_M).sqrt());
        let body =
            ContactBody { young_pa: ACROSS_GRAIN * wood.young_pa, ..wood.body(1e3, f64::INFINITY) };
        let support = Support::Body(PointMobility::infinite_plate(mobility));
        Self { body, loss_factor: loss_factor(wood), support }
    }

    /// Returns a body that does not move: a floor, a wall.
    pub fn immovable(body: &ContactBody, loss_factor: f64) -> Self {
        Self { body: *body, loss_factor, support: Support::Immovable }
    }
}

/// Returns the loss factor of a material at 1 kHz.
pub fn loss_factor(material: &Material) -> f64 {
    let omega = TAU * LOSS_HZ;
    2.0 * material.damping.decay(omega) / omega
}
