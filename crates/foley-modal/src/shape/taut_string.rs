//! Strings between two fixed points.
//!
//! `f_n = n f_1 √(1 + B n²)`, `f_1 = √(T/μ) / 2L`, `μ = ρ π d²/4`. An ideal string has
//! B = 0; a stiff one, pinned, `B = π³ E d⁴ / (64 T L²)` (Fletcher & Rossing, *The
//! Physics of Musical Instruments*, §2.18). Mode shapes are sines in both cases.
//!
//! Losses add up as in §2.12 there: the viscosity of the air (`air_viscosity.rs`) and the loss factor of
//! the material for every partial. The latter is an upper bound: what tension stores is not lost.

use super::air_viscosity::AirViscosity;
use super::bar::{End, Line};
use super::beam::Beam;
use super::modes::Modes;
use super::options::Band;
use super::radiator::Radiator;
use super::surface::Surface;
use super::{ShapeError, dimension};
use crate::material::Material;
use crate::radiation::SlenderBody;
use std::f64::consts::PI;

/// A stretched string; made by [`Shape::string`](super::Shape::string).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TautString {
    length: f64,
    diameter: f64,
    pub(super) tension: f64,
    pub(super) stiff: bool,
}

impl TautString {
    /// A string without stiffness: metres and newtons.
    pub fn new(length: f64, diameter: f64, tension: f64) -> Result<Self, ShapeError> {
        dimension::length("length of the string", length)?;
        dimension::length("diameter of the string", diameter)?;
        dimension::thin("diameter of the string", diameter, "its length", length)?;
        dimension::force("tension of the string", tension)?;
        Ok(Self { length, diameter, tension, stiff: false })
    }

    /// The same string, stiff as its material makes it: its partials are stretched.
    ///
    /// ```
    /// use foley_modal::shape::{Shape, TautString};
    /// let piano = Shape::String(TautString::new(0.6, 0.001, 700.0)?.stiff());
    /// assert_eq!(piano, "string:600x1mm,tension=700N,stiff=yes".parse()?);
    /// # Ok::<(), foley_modal::ShapeError>(())
    /// ```
    pub fn stiff(self) -> Self {
        Self { stiff: true, ..self }
    }

    /// Length, m.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Diameter, m.
    pub fn diameter(&self) -> f64 {
        self.diameter
    }

    pub(super) fn modes(&self, material: &Material, band: &Band) -> Modes {
        let Self { length, diameter: d, tension, stiff } = *self;
        let mu = material.density * PI / 4.0 * d * d;
        let omega_1 = PI / length * (tension / mu).sqrt();
        let b = match stiff {
            true => PI.powi(3) * material.young_pa * d.powi(4) / (64.0 * tension * length * length),
            false => 0.0,
        };
        // ω² = ω_1² n² (1 + B n²), solved for the n that enters the band.
        let ratio = (band.omega[0] / omega_1).powi(2);
        let n2 = 2.0 * ratio / (1.0 + (1.0 + 4.0 * b * ratio).sqrt());
        let first = (n2.sqrt() - 1.0).floor().max(1.0);
        let partials = (first as usize..)
            .map(|n| {
                let n_ = n as f64;
                (n_ * omega_1 * (1.0 + b * n_ * n_).sqrt(), Beam::new(End::Supported, n))
            })
            .skip_while(|(omega, _)| *omega < band.omega[0])
            .take_while(|(omega, _)| *omega <= band.omega[1])
            .take(band.max_modes);
        let air = AirViscosity::new(d, material.density);
        let (damped, beams) = band.select(partials, |omega, _| air.loss_factor(omega));
        let k = beams.last().map_or(0.0, |beam| beam.beta / length);
        let mass = mu * length;
        let body = material.body(mass, 0.5 * d);
        let radiator = Radiator::Slender { body: SlenderBody::round(length, d), length, k };
        let field = Line { beams, length, mass };
        Modes::new(damped, field, radiator, Surface::line(length, k), (body, false))
            .with_viscosity(Some(air))
    }
}
