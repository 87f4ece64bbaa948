//! Straight bars and rods in flexure (Euler–Bernoulli).
//!
//! `ω_n = (β_n/L)² √(E I / ρ A)`, with `I/A = h²/12` for a rectangle of thickness h and
//! `d²/16` for a round rod; `u_n = φ_n(x/L) / √M`. Shear and rotary inertia are left
//! out: frequencies are too high once the half-wave nears the thickness. A round rod
//! has each mode twice, in two directions; a strike along z excites one of them.
//!
//! To the loss factor of the material, heat that flows across a bent section adds its own
//! (`material/thermoelastic.rs`), and the viscosity of the air that of a round rod
//! (`air_viscosity.rs`).

use super::air_viscosity::AirViscosity;
use super::beam::Beam;
use super::modes::{Field, Modes};
use super::options::Band;
use super::radiator::Radiator;
use super::surface::Surface;
use super::{ShapeError, dimension};
use crate::material::{Bending, Material, ThermoelasticLoss};
use crate::radiation::SlenderBody;
use std::f64::consts::PI;

/// Boundary condition of the two ends of a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    /// Both are free, as on a glockenspiel.
    #[default]
    Free,
    /// Both can neither move nor turn.
    Clamped,
    /// Both can turn but not move.
    Supported,
    /// The end at −x is clamped, the other is free.
    Cantilever,
}

/// The cross-section of a bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Section {
    /// A rectangle that bends in its thickness; m.
    Rectangle {
        /// Along y.
        width: f64,
        /// Along z.
        thickness: f64,
    },
    /// A full circle; m.
    Round {
        /// Its diameter.
        diameter: f64,
    },
}

impl Section {
    pub(super) fn area(&self) -> f64 {
        match *self {
            Self::Rectangle { width, thickness } => width * thickness,
            Self::Round { diameter } => PI / 4.0 * diameter * diameter,
        }
    }

    /// √(I/A), the radius of gyration.
    fn gyration(&self) -> f64 {
        match *self {
            Self::Rectangle { thickness, .. } => thickness / 12f64.sqrt(),
            Self::Round { diameter } => diameter / 4.0,
        }
    }
}

/// A straight bar or rod; made by [`Shape::bar`](super::Shape::bar) and
/// [`Shape::rod`](super::Shape::rod).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    length: f64,
    section: Section,
    pub(super) end: End,
}

impl Bar {
    /// A bar of rectangular section; metres.
    pub fn rectangular(
        length: f64,
        width: f64,
        thickness: f64,
        end: End,
    ) -> Result<Self, ShapeError> {
        dimension::length("length of the bar", length)?;
        dimension::length("width of the bar", width)?;
        dimension::length("thickness of the bar", thickness)?;
        dimension::thin("thickness of the bar", thickness, "its length", length)?;
        Ok(Self { length, section: Section::Rectangle { width, thickness }, end })
    }

    /// A round, solid rod; metres.
    pub fn round(length: f64, diameter: f64, end: End) -> Result<Self, ShapeError> {
        dimension::length("length of the rod", length)?;
        dimension::length("diameter of the rod", diameter)?;
        dimension::thin("diameter of the rod", diameter, "its length", length)?;
        Ok(Self { length, section: Section::Round { diameter }, end })
    }

    /// Length, m.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Cross-section.
    pub fn section(&self) -> Section {
        self.section
    }

    pub(super) fn modes(&self, material: &Material, band: &Band) -> Modes {
        let mass = material.density * self.section.area() * self.length;
        let c = (material.young_pa / material.density).sqrt();
        let omega_1 = c * self.section.gyration() / (self.length * self.length);
        // β_n ≤ (n + ½)π: earlier modes lie below the band.
        let first = ((band.omega[0] / omega_1).sqrt() / PI - 0.5).floor().max(1.0);
        let beams = (first as usize..)
            .map(|n| Beam::new(self.end, n))
            .map(|beam| (beam.beta * beam.beta * omega_1, beam))
            .skip_while(|(omega, _)| *omega < band.omega[0])
            .take_while(|(omega, _)| *omega <= band.omega[1])
            .take(band.max_modes);
        let (bending, air) = match self.section {
            Section::Rectangle { thickness, .. } => (Bending::Bar { thickness_m: thickness }, None),
            Section::Round { diameter } => (
                Bending::Rod { diameter_m: diameter },
                Some(AirViscosity::new(diameter, material.density)),
            ),
        };
        let heat = ThermoelasticLoss::new(material, bending);
        let (damped, beams) = band.select(beams, |omega, _| {
            heat.map_or(0.0, |heat| heat.loss_factor(omega))
                + air.map_or(0.0, |air| air.loss_factor(omega))
        });
        let k = beams.last().map_or(0.0, |b| b.beta / self.length);
        let length = self.length;
        let (slender, radius_m) = match self.section {
            Section::Rectangle { width, thickness } => {
                (SlenderBody::bar(length, width, thickness), f64::INFINITY)
            }
            Section::Round { diameter } => (SlenderBody::round(length, diameter), 0.5 * diameter),
        };
        let radiator = Radiator::Slender { body: slender, length, k };
        let body = material.body(mass, radius_m);
        let field = Line { beams, length, mass };
        let free = self.end == End::Free;
        Modes::new(damped, field, radiator, Surface::line(length, k), (body, free))
            .with_viscosity(air)
    }
}

/// Beam shapes along x.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) beams: Vec<Beam>,
    pub(super) length: f64,
    pub(super) mass: f64,
}

impl Field for Line {
    fn at(&self, [x, _, _]: [f64; 3]) -> Vec<f64> {
        let xi = (x / self.length).clamp(-0.5, 0.5);
        let scale = self.mass.sqrt().recip();
        self.beams.iter().map(|beam| scale * beam.at(xi)).collect()
    }
}
