//! Circular membranes: `ω = (λ/a) √(T/σ)`, λ the zeros of J_n, T the tension and σ the
//! mass by area (Fletcher & Rossing, *The Physics of Musical Instruments*, §3.3). The
//! load of the air, which lowers the first modes of a real drum, is left out.

use super::{Radial, Rim};
use crate::material::Material;
use crate::shape::modes::Modes;
use crate::shape::options::{Band, Extent};
use crate::shape::radiator::Radiator;
use crate::shape::surface::Surface;
use crate::shape::{ShapeError, dimension};
use foley_dsp::model::Body;
use std::f64::consts::{PI, TAU};

/// A circular membrane; made by [`Shape::membrane`](crate::Shape::membrane).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Membrane {
    diameter: f64,
    tension: f64,
    density: f64,
}

impl Membrane {
    /// Diameter in m, tension in N/m, density in kg/m².
    pub fn new(diameter: f64, tension: f64, density: f64) -> Result<Self, ShapeError> {
        dimension::length("diameter of the membrane", diameter)?;
        dimension::tension("tension of the membrane", tension)?;
        dimension::area_density("density of the membrane", density)?;
        Ok(Self { diameter, tension, density })
    }

    /// Diameter, m.
    pub fn diameter(&self) -> f64 {
        self.diameter
    }

    /// Tension, N/m.
    pub fn tension(&self) -> f64 {
        self.tension
    }

    /// Mass by area, kg/m².
    pub fn density(&self) -> f64 {
        self.density
    }

    pub(in crate::shape) fn modes(
        &self,
        material: &Material,
        band: &Band,
    ) -> Result<Modes, ShapeError> {
        let a = 0.5 * self.diameter;
        let c = (self.tension / self.density).sqrt();
        let k_band = band.omega.map(|omega| omega / c);
        let extent = Extent { area: PI * a * a, perimeter: TAU * a };
        let k_top = band.wavenumber(k_band, extent, 1.0);
        let roots = Rim::Membrane
            .roots([k_band[0] * a * 0.999, k_top * a])
            .ok_or(ShapeError::TooLarge { what: "membrane", up_to_hz: k_top * c / TAU })?;
        let (damped, modes) =
            band.select(super::candidates(roots).map(|(l, (n, sine))| (l / a * c, (l, n, sine))));
        let k = modes.last().map_or(0.0, |m| m.0 / a);
        let mass = self.density * PI * a * a;
        let body = Body {
            mass_kg: mass,
            young_pa: material.young_pa,
            poisson: material.poisson,
            radius_m: f64::INFINITY,
        };
        let modes =
            modes.iter().map(|(l, n, sine)| (Radial::new(Rim::Membrane, *n, *l), *sine)).collect();
        let field = super::DiscField { modes, radius: a, mass };
        let radiator = Radiator::sheet(PI * a * a, mass);
        Ok(Modes::new(damped, field, radiator, Surface::disc(a, k), body))
    }
}
