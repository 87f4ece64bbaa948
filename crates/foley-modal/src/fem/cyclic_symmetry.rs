//! Cyclic symmetry: Bloch–Floquet reduction of shells with an N-fold axis.
//!
//! A mesh whose rings all have N vertices is invariant under rotation by θ = 2π/N about z. In
//! co-rotating axes each mode repeats from vertex to vertex of a ring up to a phase,
//! `u_k = Re(û e^{inkθ})`, and K and M decouple into one small Hermitian problem for each
//! order n:
//!
//! `K_n = Σ_k K_{0k} R(kθ) e^{inkθ}`
//!
//! In real numbers, û = x + iy, it has twice the unknowns and each mode twice: the degenerate
//! pair, rotated by a quarter of a wave. These are the modes of the full mesh, found many times
//! faster than from the full problem.

use super::{Discretisation, FemError};
use foley_eigen::{self as eigen, EigenError, Matrix, Problem};
use foley_geometry::mesh::Mesh;
use glam::DVec3;
use std::f64::consts::TAU;

/// Degrees of freedom of a shell vertex.
const DOFS: usize = 6;

/// Layout of the vertices of a shell of revolution: ring after ring, `round` on each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rings {
    /// Number of rings.
    pub count: usize,
    /// Vertices of each ring, N.
    pub round: usize,
}

impl Rings {
    /// Returns the mesh of a profile (r, z), one point per ring, revolved about z. Every second
    /// ring is rotated by half an edge, for triangles of equal sides.
    pub fn mesh(self, profile: &[[f64; 2]]) -> Mesh {
        let mut mesh = Mesh::default();
        for (ring, [r, z]) in profile.iter().take(self.count).enumerate() {
            let shift = 0.5 * (ring % 2) as f64;
            let vertex = |k: usize| {
                let (sin, cos) = (TAU * (k as f64 + shift) / self.round as f64).sin_cos();
                [r * cos, r * sin, *z]
            };
            mesh.vertices.extend((0..self.round).map(vertex));
        }
        mesh.triangles = self.triangles(|ring| ring % 2 == 1);
        mesh
    }

    /// Returns the triangles between rings; the diagonals of rotated rings lean the other way.
    pub fn triangles(self, is_rotated: impl Fn(usize) -> bool) -> Vec<[u32; 3]> {
        let Self { count, round } = self;
        let cell = |(ring, k): (usize, usize)| {
            let at = |ring: usize, k: usize| (ring * round + k % round) as u32;
            let (a, b, c, d) = (at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k));
            if is_rotated(ring) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
        };
        let bands = 0..count.saturating_sub(1);
        bands.flat_map(|ring| (0..round).map(move |k| (ring, k))).flat_map(cell).collect()
    }
}

/// A mode of one order.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// Undamped, rad/s.
    pub omega: f64,
    /// The order n.
    order: usize,
    /// x and y of each ring, mass-normalised, 1/√kg.
    rings: Vec<[DVec3; 2]>,
}

impl Mode {
    /// Returns the mass-normalised displacement of vertex `k` of a ring, 1/√kg.
    pub fn at(&self, ring: usize, k: usize, round: usize) -> DVec3 {
        let angle = TAU * k as f64 / round as f64;
        let (sin, cos) = (self.order as f64 * angle).sin_cos();
        let [x, y] = self.rings[ring];
        rotated(angle, cos * x - sin * y)
    }

    /// Returns whether this is the other mode, turned about the axis.
    pub fn is_turned(&self, other: &Self) -> bool {
        self.order > 0 && self.order == other.order && (self.omega / other.omega - 1.0).abs() < 1e-7
    }
}

/// Rotates a vector about the z axis.
fn rotated(angle: f64, v: DVec3) -> DVec3 {
    let (sin, cos) = angle.sin_cos();
    DVec3::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y, v.z)
}

/// Returns all elastic modes of a free shell up to a frequency, the lowest first. `progress` is
/// called after each order and cancels when it returns false. Orders from N/2 on are not solved.
///
/// ```
/// use foley_modal::Material;
/// use foley_modal::fem::cyclic_symmetry::{Rings, modes};
/// use foley_modal::fem::{Elastic, shell};
///
/// // A steel tube, 100 mm wide and 60 mm long.
/// let rings = Rings { count: 4, round: 16 };
/// let mesh = rings.mesh(&[0.00, 0.02, 0.04, 0.06].map(|z| [0.05, z]));
/// let steel = Elastic::from(Material::named("steel")?);
/// let wall = vec![1e-3; mesh.triangles.len()];
/// let body = shell::discretise(&mesh, &steel, &wall, shell::free)?;
/// // The lowest modes are a degenerate pair with two waves around the tube.
/// let modes = modes(&body, rings, 2000.0, |_| true)?;
/// assert!((modes[1].omega / modes[0].omega - 1.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn modes(
    body: &Discretisation,
    rings: Rings,
    max_hz: f64,
    mut progress: impl FnMut(usize) -> bool,
) -> Result<Vec<Mode>, FemError> {
    let (unknowns, expected) = (body.problem.unknowns(), DOFS * rings.count * rings.round);
    if unknowns != expected {
        return Err(FemError::NotCyclic { unknowns, expected });
    }
    let (stiffness, mass) =
        (sector(body.problem.stiffness(), rings), sector(body.problem.mass(), rings));
    let top = TAU * max_hz / body.units.omega();
    let mut all = Vec::new();
    for order in 0..rings.round / 2 {
        let problem = Problem::new(
            of_order("stiffness", &stiffness, rings, order)?,
            of_order("mass", &mass, rings, order)?,
        )?;
        let found = eigen::band(&problem, 0.0, top, usize::MAX, &mut eigen::Options::default())?;
        // A unit û moves N vertices; cos² averages to one half for n > 0.
        let unknowns = rings.count * DOFS;
        let share = if order == 0 { 1.0 } else { 0.5 };
        let scale = body.units.shape() / (share * rings.round as f64).sqrt();
        for n in found.zero_modes..found.len() {
            let vector = found.vector(n);
            let part = |first: usize, ring: usize| {
                let at = first + DOFS * ring;
                DVec3::from([0, 1, 2].map(|a| vector.get(at + a).map_or(0.0, |u| scale * u)))
            };
            let ring = |ring| [part(0, ring), part(unknowns, ring)];
            let omega = found.omega_squared[n].max(0.0).sqrt() * body.units.omega();
            all.push(Mode { omega, order, rings: (0..rings.count).map(ring).collect() });
        }
        if !progress(order) {
            return Err(EigenError::Cancelled.into());
        }
        // Shorter waves are stiffer, except for the lowest orders.
        if order > 2 && found.len() == found.zero_modes {
            break;
        }
    }
    all.sort_by(|a, b| a.omega.total_cmp(&b.omega));
    Ok(all)
}

/// A matrix entry between the first vertex of a ring and vertex k of another.
struct Entry {
    row: usize,
    column: usize,
    k: usize,
    value: f64,
}

/// Returns the rows of the rings' first vertices, their columns in co-rotating axes.
fn sector(matrix: &Matrix, Rings { round, .. }: Rings) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut add = |row: usize, column: usize, value: f64| {
        let (vertex, a) = (row / DOFS, row % DOFS);
        if !vertex.is_multiple_of(round) {
            return;
        }
        let (other, b) = (column / DOFS, column % DOFS);
        let (ring, k) = (other / round, other % round);
        // Rᵀ: components along the co-rotating axes.
        let along = rotated(-TAU * k as f64 / round as f64, value * DVec3::AXES[b % 3]);
        for (c, value) in
            along.to_array().into_iter().enumerate().filter(|(_, value)| *value != 0.0)
        {
            let column = DOFS * ring + b / 3 * 3 + c;
            entries.push(Entry { row: DOFS * (vertex / round) + a, column, k, value });
        }
    };
    for (row, column, value) in matrix.lower() {
        add(row, column, value);
        if row != column {
            add(column, row, value);
        }
    }
    entries
}

/// Returns [Re −Im; Im Re] of the matrix of one order; Re alone for order 0.
fn of_order(
    name: &'static str,
    sector: &[Entry],
    rings: Rings,
    order: usize,
) -> Result<Matrix, EigenError> {
    let size = rings.count * DOFS;
    let mut entries = Vec::with_capacity(2 * sector.len());
    for Entry { row, column, k, value } in sector {
        let phase = TAU * ((order * k) % rings.round) as f64 / rings.round as f64;
        let (re, im) = (value * phase.cos(), value * phase.sin());
        if row >= column {
            entries.push((*row, *column, re));
            if order > 0 {
                entries.push((size + row, size + column, re));
            }
        }
        if order > 0 {
            entries.push((size + row, *column, im));
        }
    }
    let unknowns = if order == 0 { size } else { 2 * size };
    Matrix::from_triplets(name, unknowns, entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Material;
    use crate::fem::{Elastic, shell};

    /// A coarse can of sheet steel with a hole in its floor.
    fn can() -> (Mesh, Rings, Discretisation) {
        let floor = (0..4).map(|i| [0.02 + 0.03 * f64::from(i), 0.0]);
        let wall = (0..=10).map(|i| [0.14 + 0.0025 * f64::from(i), 0.045 * f64::from(i)]);
        let profile: Vec<[f64; 2]> = floor.chain(wall).collect();
        let rings = Rings { count: profile.len(), round: 24 };
        let mesh = rings.mesh(&profile);
        let steel = Elastic::from(Material::named("steel").unwrap());
        let wall = vec![1e-3; mesh.triangles.len()];
        let body = shell::discretise(&mesh, &steel, &wall, shell::free).unwrap();
        (mesh, rings, body)
    }

    #[test]
    fn the_orders_together_have_the_modes_of_the_full_mesh() {
        let (_, rings, body) = can();
        let full = eigen::lowest(&body.problem, 46, &mut eigen::Options::default()).unwrap();
        assert_eq!(full.zero_modes, 6);
        let parts = modes(&body, rings, 1500.0, |_| true).unwrap();
        let motion = |n: usize, vertex: usize| {
            let u = body.displacements(full.vector(n))[vertex];
            u.map(|x| (x * body.units.shape()).powi(2)).iter().sum::<f64>()
        };
        let mut n = 0;
        while n + 6 < 45 {
            let omega = |n: usize| full.omega_squared[n + 6].sqrt() * body.units.omega();
            let ratio = parts[n].omega / omega(n);
            assert!((ratio - 1.0).abs() < 1e-6, "mode {n}: {ratio}");
            // Of a degenerate pair only the sum is defined: its angle around the axis is arbitrary.
            let pair = if omega(n + 1) / omega(n) < 1.0 + 1e-6 { 2 } else { 1 };
            for (ring, k) in [(0, 0), (7, 5), (14, 20)] {
                let own = |n: usize| parts[n].at(ring, k, 24).length_squared();
                let found: f64 = (n..n + pair).map(own).sum();
                let expected: f64 = (n..n + pair).map(|n| motion(n + 6, 24 * ring + k)).sum();
                let scale = expected.max(1e-3 / body.mass_kg);
                assert!((found - expected).abs() < 1e-4 * scale, "mode {n}: {found} {expected}");
            }
            n += pair;
        }
    }

    #[test]
    fn other_layouts_are_refused_and_progress_cancels() {
        let (_, rings, body) = can();
        let wrong = Rings { round: 23, ..rings };
        let error = modes(&body, wrong, 600.0, |_| true).unwrap_err();
        assert!(matches!(error, FemError::NotCyclic { .. }), "{error}");
        let error = modes(&body, rings, 600.0, |order| order < 1).unwrap_err();
        assert!(matches!(error, FemError::Eigen(EigenError::Cancelled)), "{error}");
    }
}
