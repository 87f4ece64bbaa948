//! Thin circular plates; the theory is in `circular.rs`, `ω = (λ/a)² √(D/ρh)`.

use super::{Radial, Rim};
use crate::material::Material;
use crate::shape::modes::Modes;
use crate::shape::options::{Band, Extent};
use crate::shape::plate::{Edge, Sheet};
use crate::shape::radiator::Radiator;
use crate::shape::surface::Surface;
use crate::shape::{ShapeError, dimension};
use foley_dsp::model::Body;
use std::f64::consts::{PI, TAU};

/// A thin circular plate; made by [`Shape::disc`](crate::Shape::disc).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    diameter: f64,
    thickness: f64,
    edge: Edge,
}

impl Disc {
    /// Diameter and thickness in metres.
    pub fn new(diameter: f64, thickness: f64, edge: Edge) -> Result<Self, ShapeError> {
        dimension::length("diameter of the disc", diameter)?;
        dimension::length("thickness of the disc", thickness)?;
        dimension::thin("thickness of the disc", thickness, "its diameter", diameter)?;
        Ok(Self { diameter, thickness, edge })
    }

    /// Diameter, m.
    pub fn diameter(&self) -> f64 {
        self.diameter
    }

    /// Thickness, m.
    pub fn thickness(&self) -> f64 {
        self.thickness
    }

    /// Boundary condition of its edge.
    pub fn edge(&self) -> Edge {
        self.edge
    }

    pub(in crate::shape) fn modes(
        &self,
        material: &Material,
        band: &Band,
    ) -> Result<Modes, ShapeError> {
        let (a, nu) = (0.5 * self.diameter, material.poisson);
        let sheet = Sheet::new(material, self.thickness);
        let rim = match self.edge {
            Edge::Free => Rim::Free { nu },
            Edge::Supported => Rim::Supported { nu },
            Edge::Clamped => Rim::Clamped,
        };
        let k_band = sheet.wavenumbers(band);
        let extent = Extent { area: PI * a * a, perimeter: TAU * a };
        let k_top = band.wavenumber(k_band, extent, self.edge.weyl());
        let roots = rim.roots([k_band[0] * a * 0.999, k_top * a]).ok_or_else(|| {
            let up_to_hz = k_top * k_top * sheet.stiffness / TAU;
            ShapeError::TooLarge { what: "disc", up_to_hz }
        })?;
        let omega = |lambda: f64| (lambda / a).powi(2) * sheet.stiffness;
        let (damped, modes) =
            band.select(super::candidates(roots).map(|(l, (n, sine))| (omega(l), (l, n, sine))));
        let k = modes.last().map_or(0.0, |m| m.0 / a);
        let mass = sheet.rho_h * PI * a * a;
        let body = Body {
            mass_kg: mass,
            young_pa: material.young_pa,
            poisson: nu,
            radius_m: f64::INFINITY,
        };
        let modes = modes.iter().map(|(l, n, sine)| (Radial::new(rim, *n, *l), *sine)).collect();
        let field = super::DiscField { modes, radius: a, mass };
        let radiator = Radiator::sheet(PI * a * a, mass);
        Ok(Modes::new(damped, field, radiator, Surface::disc(a, k), body))
    }
}
