//! Thin rectangular plates (Kirchhoff), −a/2 ≤ x ≤ a/2, −b/2 ≤ y ≤ b/2.
//!
//! `D ∇⁴w = ρ h ω² w`, `D = E h³ / 12(1 − ν²)`. With all edges simply supported
//! `ω = π² (m²/a² + n²/b²) √(D/ρh)` exactly (Leissa, *Vibration of Plates*, eq. 4.20);
//! clamped and free edges are solved in `ritz.rs`.
//!
//! Heat that flows across the plate adds to the loss factor of the material
//! (`material/thermoelastic.rs`) in the share `∫(∇²w)² dA / k⁴ ∫w² dA` of each mode: 1 along straight
//! edges that are held, less for free ones, near 0 for twisting.

mod basis;
mod ritz;

use super::bar::End;
use super::beam::Beam;
use super::modes::{Field, Modes};
use super::options::{Band, Extent};
use super::radiator::Radiator;
use super::surface::Surface;
use super::{ShapeError, dimension};
use crate::material::{Bending, Material, ThermoelasticLoss};
use std::f64::consts::PI;

/// Boundary condition of the whole edge of a plate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edge {
    /// It is free.
    #[default]
    Free,
    /// It can turn but not move.
    Supported,
    /// It can neither move nor turn.
    Clamped,
}

impl Edge {
    /// c of Weyl's law, see [`Band::wavenumber`].
    pub(super) fn weyl(self) -> f64 {
        match self {
            Self::Free => 0.0,
            Self::Supported => 1.0,
            Self::Clamped => 2.0,
        }
    }
}

/// Constants of thin-plate theory for a material and a thickness h.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sheet {
    /// ρh, kg/m².
    pub(super) rho_h: f64,
    /// √(D/ρh): ω = k² times this.
    pub(super) stiffness: f64,
    heat: Option<ThermoelasticLoss>,
}

impl Sheet {
    pub(super) fn new(material: &Material, h: f64) -> Self {
        let nu2 = material.poisson * material.poisson;
        let rho_h = material.density * h;
        let d = material.young_pa * h.powi(3) / (12.0 * (1.0 - nu2));
        let heat = ThermoelasticLoss::new(material, Bending::Plate { thickness_m: h });
        Self { rho_h, stiffness: (d / rho_h).sqrt(), heat }
    }

    /// Returns the thermoelastic loss factor at ω of a mode with this share.
    pub(super) fn thermoelastic(&self, omega: f64, share: impl FnOnce() -> f64) -> f64 {
        self.heat.map_or(0.0, |heat| heat.loss_factor(omega) * share())
    }

    /// Converts a band to wavenumbers.
    pub(super) fn wavenumbers(&self, band: &Band) -> [f64; 2] {
        band.omega.map(|omega| (omega / self.stiffness).sqrt())
    }
}

/// A thin rectangular plate; made by [`Shape::plate`](super::Shape::plate).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plate {
    length: f64,
    width: f64,
    thickness: f64,
    pub(crate) edge: Edge,
}

impl Plate {
    /// Length along x, width along y, thickness; metres.
    pub fn new(length: f64, width: f64, thickness: f64, edge: Edge) -> Result<Self, ShapeError> {
        dimension::length("length of the plate", length)?;
        dimension::length("width of the plate", width)?;
        dimension::length("thickness of the plate", thickness)?;
        dimension::thin("thickness of the plate", thickness, "its length", length)?;
        dimension::thin("thickness of the plate", thickness, "its width", width)?;
        Ok(Self { length, width, thickness, edge })
    }

    /// Length along x, m.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Width along y, m.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Thickness, m.
    pub fn thickness(&self) -> f64 {
        self.thickness
    }

    pub(super) fn modes(&self, material: &Material, band: &Band) -> Result<Modes, ShapeError> {
        let Self { length: a, width: b, thickness, edge } = *self;
        let sheet = Sheet::new(material, thickness);
        let k_band = sheet.wavenumbers(band);
        let extent = Extent { area: a * b, perimeter: 2.0 * (a + b) };
        let k_top = band.wavenumber(k_band, extent, edge.weyl());
        let mass = sheet.rho_h * a * b;
        let body = material.body(mass, f64::INFINITY);
        let radiator = |k| Radiator::Sheet(Surface::radiating_rectangle(a, b, k));
        let too_large = || ShapeError::TooLarge {
            what: "plate",
            up_to_hz: k_top * k_top * sheet.stiffness / (2.0 * PI),
        };
        if edge == Edge::Supported {
            let pairs = supported(a, b, [k_band[0], k_top]).ok_or_else(too_large)?;
            let omega = |p| wavenumber_squared(a, b, p) * sheet.stiffness;
            let (damped, pairs) = band
                .select(pairs.into_iter().map(|p| (omega(p), p)), |omega, _| {
                    sheet.thermoelastic(omega, || 1.0)
                });
            let k = pairs.last().map_or(0.0, |p| wavenumber_squared(a, b, *p).sqrt());
            let products = pairs
                .iter()
                .map(|(m, n)| [Beam::new(End::Supported, *m), Beam::new(End::Supported, *n)])
                .collect();
            let field = Products { products, sides: [a, b], mass };
            let surface = Surface::rectangle(a, b, k);
            return Ok(Modes::new(damped, field, radiator(k), surface, (body, false)));
        }
        let ritz = ritz::Problem { sides: [a, b], poisson: material.poisson, edge, mass };
        let solved = ritz.solve(k_top).ok_or_else(too_large)?;
        let candidates = solved.vectors.into_iter().map(|v| (v.k2 * sheet.stiffness, v));
        let (damped, vectors) = band.select(candidates, |omega, v| {
            sheet.thermoelastic(omega, || ritz.laplacian_share(&solved.blocks, v))
        });
        let k = vectors.last().map_or(0.0, |v| v.k2.sqrt());
        let field = ritz::Combination { vectors, blocks: solved.blocks, problem: ritz };
        let body = (body, edge == Edge::Free);
        Ok(Modes::new(damped, field, radiator(k), Surface::rectangle(a, b, k), body))
    }
}

/// k² of the supported mode (m, n).
fn wavenumber_squared(a: f64, b: f64, (m, n): (usize, usize)) -> f64 {
    (m as f64 * PI / a).powi(2) + (n as f64 * PI / b).powi(2)
}

/// Returns all (m, n) with wavenumbers in a range; `None` when there are too many.
fn supported(a: f64, b: f64, [k_min, k_max]: [f64; 2]) -> Option<Vec<(usize, usize)>> {
    let rows = k_max * a / PI;
    let count = a * b * (k_max * k_max - k_min * k_min) / (4.0 * PI);
    if rows > 1e7 || k_max * b / PI > 1e9 || count > 1e8 {
        return None;
    }
    let mut pairs = Vec::new();
    for m in 1..=rows as usize {
        let kx2 = (m as f64 * PI / a).powi(2);
        let n = |k: f64| (k * k - kx2).max(0.0).sqrt() * b / PI;
        let (from, to) = (n(k_min).floor().max(1.0) as usize, n(k_max) as usize);
        pairs.extend((from..=to).map(|n| (m, n)));
    }
    Some(pairs)
}

/// Products of beam shapes.
#[derive(Debug)]
struct Products {
    products: Vec<[Beam; 2]>,
    sides: [f64; 2],
    mass: f64,
}

impl Field for Products {
    fn at(&self, [x, y, _]: [f64; 3]) -> Vec<f64> {
        let [a, b] = self.sides;
        let (xi, eta) = ((x / a).clamp(-0.5, 0.5), (y / b).clamp(-0.5, 0.5));
        let scale = self.mass.sqrt().recip();
        self.products.iter().map(|[p, q]| scale * p.at(xi) * q.at(eta)).collect()
    }
}
