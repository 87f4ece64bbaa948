//! Thin circular plates; the theory is in `circular.rs`, `ω = (λ/a)² √(D/ρh)`.

use super::{Rim, modes};
use crate::material::Material;
use crate::shape::modes::Modes;
use crate::shape::options::{Band, Extent};
use crate::shape::plate::{Edge, Sheet};
use crate::shape::{ShapeError, dimension};
use std::f64::consts::{PI, TAU};

/// A thin circular plate; made by [`Shape::disc`](crate::Shape::disc).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    diameter: f64,
    thickness: f64,
    pub(crate) edge: Edge,
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
        let omega = |lambda: f64| (lambda / a).powi(2) * sheet.stiffness;
        let mass = sheet.rho_h * PI * a * a;
        modes(rim, a, [k_band[0], k_top], omega, (mass, Some(sheet)), material, band).ok_or_else(
            || {
                let up_to_hz = k_top * k_top * sheet.stiffness / TAU;
                ShapeError::TooLarge { what: "disc", up_to_hz }
            },
        )
    }
}
