//! The exterior Neumann problem of the Helmholtz equation: sound around a vibrating surface.
//!
//! Outside, Δp + k²p = 0; on the surface ∂p/∂n = iωρ₀ v (time dependence e^{−iωt}); far away p is
//! an outgoing wave. The pressure is sought as the potential of a density μ on the surface,
//!
//! `p = D μ + iη S μ`, `(D μ)(x) = ∫ μ ∂G/∂n dA`, `(S μ)(x) = ∫ μ G dA`,
//!
//! so that `N μ + iη (D′ − ½) μ = iωρ₀ v`. On open sheets η = 0 and μ is the pressure jump, front
//! minus back. On closed bodies η > 0 makes the equation solvable at every frequency, also at the
//! resonances of the enclosed volume (A. J. Burton, G. F. Miller, Proc. R. Soc. A 323 (1971), in
//! the indirect form of H. Brakhage, P. Werner, Arch. Math. 16 (1965)). The indirect form needs no
//! second matrix at the right-hand side, and is the same for sheets and bodies. Galerkin's method
//! with continuous linear densities: see [`Operator`](crate::operator::Operator).

use crate::baffle;
use crate::far_field::{self, FarField, SphereGrid};
use crate::operator::{Elements, Lu, Operator, assemble};
use crate::quadrature::SIX_POINTS;
use crate::surface::Kind;
use crate::velocity::{NormalVelocity, check_size};
use crate::{Surface, WavesError};
use faer::Mat;
use foley_geometry::constants::{AIR_DENSITY_KG_M3, SOUND_SPEED_M_S};
use glam::DVec3;
use num_complex::Complex64;

/// Default of the largest number of unknowns: a matrix of 0.6 GB.
pub const MAX_UNKNOWNS: usize = 6000;

/// A surface at one wave number, ready to be solved for any velocities.
pub struct Exterior {
    pub(crate) elements: Elements,
    pub(crate) k: f64,
    eta: f64,
    kind: Kind,
    center: DVec3,
    radius: f64,
    lu: Option<Lu>,
}

/// Densities μ on the surface, one column per velocity field: the solution of [`Exterior::solve`].
pub struct Densities(pub(crate) Mat<Complex64>);

impl Densities {
    /// Returns the number of fields.
    pub fn len(&self) -> usize {
        self.0.ncols()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Exterior {
    /// Assembles and factorises at wave number `k` = ω/c₀, 1/m.
    pub fn new(surface: &Surface, k: f64) -> Result<Self, WavesError> {
        Self::with_progress(surface, k, MAX_UNKNOWNS, &mut |_| true)
    }

    /// Does the same with a limit of the unknowns and a callback that receives the fraction done,
    /// 0 … 1, and cancels by returning false.
    pub fn with_progress(
        surface: &Surface,
        k: f64,
        max_unknowns: usize,
        progress: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Self, WavesError> {
        if !(k > 0.0 && k.is_finite()) {
            return Err(WavesError::NotPositive { what: "wave number", value: k });
        }
        let mut exterior = Self {
            elements: Elements::new(surface),
            k,
            // Best conditioned for spheres: R. Kress, Q. J. Mech. Appl. Math. 38 (1985).
            eta: k.max(0.5 / surface.radius),
            kind: surface.kind,
            center: surface.center,
            radius: surface.radius,
            lu: None,
        };
        if surface.kind != Kind::Baffled {
            let unknowns = exterior.elements.unknowns;
            if unknowns > max_unknowns {
                return Err(WavesError::TooManyUnknowns { unknowns, limit: max_unknowns });
            }
            let operator = Operator::NormalDerivative { eta: exterior.eta };
            let elements = &exterior.elements;
            let matrix = assemble(elements, k, operator, &mut |done| progress(0.5 * done))?;
            exterior.lu = Some(Lu::new(matrix, &mut |done| progress(0.5 + 0.5 * done))?);
        }
        Ok(exterior)
    }

    /// Returns the number of unknowns; zero for baffled surfaces, which need no solve.
    pub fn unknowns(&self) -> usize {
        if self.lu.is_some() { self.elements.unknowns } else { 0 }
    }

    /// Returns the far field of each velocity field.
    pub fn radiate(&self, velocities: &[NormalVelocity]) -> Result<Vec<FarField>, WavesError> {
        let grid = SphereGrid::for_source(self.k * self.radius);
        self.check(velocities)?;
        if self.kind == Kind::Baffled {
            return Ok(baffle::far_fields(&self.elements, self.k, self.center, &grid, velocities));
        }
        Ok(self.far_fields_about(self.center, &self.solve(velocities)?, &grid))
    }

    /// Solves for the densities of velocity fields.
    pub fn solve(&self, velocities: &[NormalVelocity]) -> Result<Densities, WavesError> {
        self.check(velocities)?;
        self.solve_loads(&self.loads(velocities))
    }

    /// Solves with ∫ v φ as given.
    pub(crate) fn solve_loads(&self, loads: &Mat<Complex64>) -> Result<Densities, WavesError> {
        let Some(lu) = &self.lu else {
            return Ok(Densities(Mat::zeros(0, loads.ncols())));
        };
        let factor = self.inertia();
        let sides = Mat::from_fn(loads.nrows(), loads.ncols(), |i, j| factor * loads[(i, j)]);
        lu.solve(&sides).map(Densities)
    }

    /// Returns the far fields of densities about a given origin.
    pub(crate) fn far_fields_about(
        &self,
        center: DVec3,
        densities: &Densities,
        grid: &SphereGrid,
    ) -> Vec<FarField> {
        let source = far_field::Layers { elements: &self.elements, k: self.k, eta: self.eta };
        far_field::far_fields(&source, &densities.0, center, grid)
    }

    /// Returns the pressure at points off the surface, Pa: one list per density.
    ///
    /// Exact to the quadrature for points at least an edge away from the surface.
    pub fn pressure_at(&self, densities: &Densities, points: &[[f64; 3]]) -> Vec<Vec<Complex64>> {
        let row = |point: &[f64; 3]| self.potential(DVec3::from(*point));
        let rows: Vec<Vec<Complex64>> = points.iter().map(row).collect();
        let of = |j: usize| {
            let sum = |row: &Vec<Complex64>| {
                row.iter().enumerate().map(|(i, w)| w * densities.0[(i, j)]).sum()
            };
            rows.iter().map(sum).collect()
        };
        (0..densities.len()).map(of).collect()
    }

    /// Returns the weight of each unknown in the potential at a point.
    fn potential(&self, x: DVec3) -> Vec<Complex64> {
        let mut row = vec![Complex64::ZERO; self.elements.unknowns];
        for element in &self.elements.list {
            let eta = if element.closed { self.eta } else { 0.0 };
            for (weights, w) in &SIX_POINTS {
                let apart = element.place(weights) - x;
                let r = apart.length();
                let g = Complex64::cis(self.k * r)
                    * (w * element.area / (4.0 * std::f64::consts::PI * r));
                let slope = Complex64::new(-1.0 / r, self.k) * (element.normal.dot(apart) / r);
                let value = g * (slope + Complex64::new(0.0, eta));
                for (corner, weight) in element.unknowns.iter().zip(weights) {
                    for &(unknown, sign) in corner.entries() {
                        row[unknown as usize] += value * (weight * sign);
                    }
                }
            }
        }
        row
    }

    /// Returns the radiation impedance Z_ij = ∫ v_i p_j dA, N·s/m × (m/s)², from the pressure at the
    /// surface, front minus back on sheets. The power of field i is ½ Re Z_ii: an independent check
    /// of [`FarField::power_w`]; −Im Z_ii/ω is the mass of air that moves with it. Assembles a
    /// second matrix on closed bodies.
    pub fn radiation_impedance(
        &self,
        densities: &Densities,
        velocities: &[NormalVelocity],
    ) -> Result<Vec<Vec<Complex64>>, WavesError> {
        self.check(velocities)?;
        let (loads, pressure) = match self.elements.any_closed {
            // On sheets the density is front minus back itself.
            false => (self.loads(velocities), densities.0.clone()),
            true => {
                let trace = Operator::Trace { eta: self.eta };
                let matrix = assemble(&self.elements, self.k, trace, &mut |_| true)?;
                (self.speeds(velocities), &matrix * &densities.0)
            }
        };
        let impedance = loads.transpose() * &pressure;
        let entry = |i: usize| (0..densities.len()).map(|j| impedance[(i, j)]).collect();
        Ok((0..velocities.len()).map(entry).collect())
    }

    /// Returns ∫ v φ of every unknown.
    pub(crate) fn loads(&self, velocities: &[NormalVelocity]) -> Mat<Complex64> {
        let mut loads = Mat::<Complex64>::zeros(self.elements.unknowns, velocities.len());
        for (j, velocity) in velocities.iter().enumerate() {
            for element in &self.elements.list {
                let v = velocity.corners[element.triangle].map(f64::from);
                for (i, corner) in element.unknowns.iter().enumerate() {
                    let load: f64 = (0..3).map(|c| element.mass(i, c) * v[c]).sum();
                    for &(unknown, sign) in corner.entries() {
                        loads[(unknown as usize, j)] += sign * load;
                    }
                }
            }
        }
        loads
    }

    /// Returns velocities as a combination of shape functions, the mean over the triangles at
    /// each unknown: exact where the normal velocity is continuous.
    fn speeds(&self, velocities: &[NormalVelocity]) -> Mat<Complex64> {
        let mut speeds = Mat::<Complex64>::zeros(self.elements.unknowns, velocities.len());
        let mut weight = vec![0.0; self.elements.unknowns];
        for element in &self.elements.list {
            for (i, corner) in element.unknowns.iter().enumerate() {
                for &(unknown, sign) in corner.entries() {
                    weight[unknown as usize] += element.area;
                    for (j, velocity) in velocities.iter().enumerate() {
                        let v = f64::from(velocity.corners[element.triangle][i]);
                        speeds[(unknown as usize, j)] += sign * element.area * v;
                    }
                }
            }
        }
        Mat::from_fn(speeds.nrows(), speeds.ncols(), |i, j| speeds[(i, j)] / weight[i])
    }

    fn check(&self, velocities: &[NormalVelocity]) -> Result<(), WavesError> {
        for velocity in velocities {
            check_size("the velocity field", self.elements.list.len(), velocity.corners.len())?;
        }
        Ok(())
    }

    /// Returns iωρ₀.
    fn inertia(&self) -> Complex64 {
        Complex64::new(0.0, AIR_DENSITY_KG_M3 * SOUND_SPEED_M_S * self.k)
    }
}
