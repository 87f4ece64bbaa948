//! Mass, size and terminal speed of a hailstone.

use foley_geometry::constants::{AIR_DENSITY_KG_M3, ICE_DENSITY_KG_M3};
use std::f64::consts::PI;

/// The density and drag of stones, and the air they fall through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ice {
    /// ρ of ice.
    pub density_kg_m3: f64,
    /// c, the drag coefficient of a stone.
    pub drag: f64,
    /// ρ₀ of air.
    pub air_kg_m3: f64,
}

impl Default for Ice {
    fn default() -> Self {
        Self { density_kg_m3: ICE_DENSITY_KG_M3, drag: 0.6, air_kg_m3: AIR_DENSITY_KG_M3 }
    }
}

impl Ice {
    /// Returns the mass of a sphere of ice.
    pub fn mass_kg(&self, radius_m: f64) -> f64 {
        self.density_kg_m3 * (4.0 / 3.0) * PI * radius_m * radius_m * radius_m
    }

    /// Returns the radius of a sphere of ice.
    pub fn radius_m(&self, mass_kg: f64) -> f64 {
        libm::cbrt(mass_kg / (self.density_kg_m3 * (4.0 / 3.0) * PI))
    }

    /// Returns the terminal speed, at which drag equals weight: `v² = 8 r g ρ / 3 c ρ₀`.
    pub fn terminal_m_s(&self, radius_m: f64, gravity_m_s2: f64) -> f64 {
        let numerator = 8.0 * radius_m * gravity_m_s2 * self.density_kg_m3;
        (numerator / (3.0 * self.drag * self.air_kg_m3)).sqrt()
    }

    /// Returns `E / r⁴` at terminal speed: `m v²/2 = (16/9) π ρ² g r⁴ / c ρ₀`.
    pub fn energy_per_r4(&self, gravity_m_s2: f64) -> f64 {
        let rho = self.density_kg_m3;
        (16.0 / 9.0) * PI * rho * rho * gravity_m_s2 / (self.drag * self.air_kg_m3)
    }
}
