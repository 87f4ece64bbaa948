//! What elasticity asks of a material.

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
    /// Plane stress with E = 1: σ = C ε for (ε_xx, ε_yy, γ_xy).
    pub(super) fn plane_stress(&self) -> [[f64; 3]; 3] {
        let nu = self.poisson;
        let c = 1.0 / (1.0 - nu * nu);
        [[c, nu * c, 0.0], [nu * c, c, 0.0], [0.0, 0.0, 0.5 * (1.0 - nu) * c]]
    }
}
