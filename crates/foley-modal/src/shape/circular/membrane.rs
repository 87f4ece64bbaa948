//! Circular membranes: `ω = (λ/a) √(T/σ)`, λ the zeros of J_n, T the tension and σ the
//! mass by area (Fletcher & Rossing, *The Physics of Musical Instruments*, §3.3). The
//! load of the air lowers them when radiation is solved (`air_load.rs`).

use super::{Rim, modes};
use crate::material::Material;
use crate::shape::air_load::AirLoad;
use crate::shape::modes::Modes;
use crate::shape::options::{Band, Extent};
use crate::shape::{ShapeError, dimension};
use std::f64::consts::{PI, TAU};

/// A circular membrane; made by [`Shape::membrane`](crate::Shape::membrane).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Membrane {
    diameter: f64,
    pub(in crate::shape) tension: f64,
    pub(in crate::shape) density: f64,
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
        let omega = |lambda: f64| lambda / a * c;
        let mass = self.density * PI * a * a;
        let load = AirLoad { speed_m_s: c, density_kg_m2: self.density, band: *band };
        modes(Rim::Membrane, a, [k_band[0], k_top], omega, (mass, None), material, band)
            .map(|modes| modes.with_air_load(load))
            .ok_or(ShapeError::TooLarge { what: "membrane", up_to_hz: k_top * c / TAU })
    }
}
