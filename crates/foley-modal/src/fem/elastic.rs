//! Elastic constants of a material.

use super::FemError;
use crate::Material;

/// An isotropic elastic material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elastic {
    /// E, Pa.
    pub young_pa: f64,
    /// ν.
    pub poisson: f64,
    /// ρ, kg/m³.
    pub density: f64,
}

impl From<&Material> for Elastic {
    fn from(material: &Material) -> Self {
        let Material { young_pa, poisson, density, .. } = *material;
        Self { young_pa, poisson, density }
    }
}

impl Elastic {
    /// Returns √(D/ρt) of a sheet, m²/s: its bending waves have ω = k² √(D/ρt).
    pub(crate) fn bending(&self, thickness_m: f64) -> f64 {
        let Self { young_pa, poisson, density } = *self;
        thickness_m * (young_pa / (12.0 * (1.0 - poisson * poisson) * density)).sqrt()
    }

    /// Returns Lamé's λ and μ, Pa.
    pub fn lame(&self) -> [f64; 2] {
        let (e, nu) = (self.young_pa, self.poisson);
        [e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu))]
    }

    pub(super) fn check(&self) -> Result<(), FemError> {
        let test = |ok: bool, what, value, must| match ok {
            true => Ok(()),
            false => Err(FemError::Value { what, value, must }),
        };
        let within = |v: f64, low: f64, high: f64| v >= low && v <= high;
        test(within(self.young_pa, 1.0, 1e15), "Young's modulus", self.young_pa, "1 to 1e15 Pa")?;
        test(within(self.density, 1e-3, 1e6), "density", self.density, "1e-3 to 1e6 kg/m3")?;
        let poisson = self.poisson > -1.0 && self.poisson < 0.5;
        test(poisson, "Poisson's ratio", self.poisson, "above -1 and below 0.5")
    }

    /// Returns the plane stress matrix C with E = 1: σ = C ε for (ε_xx, ε_yy, γ_xy).
    pub(super) fn plane_stress(&self) -> [[f64; 3]; 3] {
        let nu = self.poisson;
        let c = 1.0 / (1.0 - nu * nu);
        [[c, nu * c, 0.0], [nu * c, c, 0.0], [0.0, 0.0, 0.5 * (1.0 - nu) * c]]
    }
}
