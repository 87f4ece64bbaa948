//! Cyclic symmetry reduction of shells with an N-fold axis (Bloch–Floquet): modes order by order.
//!
//! A mesh whose rings all have N vertices is invariant under rotation by θ = 2π/N. In co-rotating axes
//! each mode repeats from vertex to vertex of a ring up to a phase, `u_k = Re(û e^{inkθ})`, and K and M
//! decouple into one small Hermitian problem for each order n:
//!
//! `K_n = Σ_k K_{0k} R(kθ) e^{inkθ}`
//!
//! In real numbers, û = x + iy, it has twice the unknowns and each mode twice: the degenerate pair,
//! rotated by a quarter of a wave. These are the modes of the full mesh, found many times faster than
//! from the full problem.

use anyhow::Result;
use foley_eigen::{self as eigen, Matrix, Problem, Triangles};
use foley_modal::fem::Discrete;
use std::f64::consts::TAU;

/// Degrees of freedom of a shell vertex.
const DOFS: usize = 6;

/// A mode of one order.
pub(crate) struct Mode {
    /// Undamped, rad/s.
    pub omega: f64,
    /// The order n.
    order: usize,
    /// x and y of each ring, mass-normalised, 1/√kg.
    rings: Vec<[[f64; 3]; 2]>,
}

/// Layout of the vertices: ring after ring, `round` on each.
#[derive(Clone, Copy)]
pub(crate) struct Rings {
    pub count: usize,
    pub round: usize,
}

impl Mode {
    /// Returns the displacement of vertex `k` of a ring.
    pub(crate) fn at(&self, ring: usize, k: usize, round: usize) -> [f64; 3] {
        let angle = TAU * k as f64 / round as f64;
        let (sin, cos) = (self.order as f64 * angle).sin_cos();
        let [x, y] = self.rings[ring];
        rotated(angle, [0, 1, 2].map(|a| cos * x[a] - sin * y[a]))
    }

    /// Returns ∫ (u·n)² dA, m²/kg, from the area vectors of the first vertex of each ring.
    pub(crate) fn normal_square(&self, areas: &[[f64; 3]], round: usize) -> f64 {
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let ring = |([x, y], area): (&[[f64; 3]; 2], &[f64; 3])| {
            (dot(*x, *area).powi(2) + dot(*y, *area).powi(2)) / dot(*area, *area).sqrt()
        };
        let share = if self.order == 0 { 1.0 } else { 0.5 };
        share * round as f64 * self.rings.iter().zip(areas).map(ring).sum::<f64>()
    }
}

/// Rotates a vector about the z axis.
fn rotated(angle: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let (sin, cos) = angle.sin_cos();
    [cos * x - sin * y, sin * x + cos * y, z]
}

/// Returns all elastic modes up to a frequency, the lowest first. `step` is called after each order; orders
/// from N/2 on are not solved.
pub(crate) fn modes(
    body: &Discrete,
    rings: Rings,
    max_hz: f64,
    mut step: impl FnMut(usize),
) -> Result<Vec<Mode>> {
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
                [0, 1, 2].map(|a| vector.get(at + a).map_or(0.0, |u| scale * u))
            };
            let ring = |ring| [part(0, ring), part(unknowns, ring)];
            let omega = found.omega_squared[n].max(0.0).sqrt() * body.units.omega();
            all.push(Mode { omega, order, rings: (0..rings.count).map(ring).collect() });
        }
        step(order);
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
        let mut unit = [0.0; 3];
        unit[b % 3] = value;
        // Rᵀ: components along the co-rotating axes.
        let along = rotated(-TAU * k as f64 / round as f64, unit);
        for (c, value) in along.into_iter().enumerate().filter(|(_, value)| *value != 0.0) {
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
fn of_order(name: &'static str, sector: &[Entry], rings: Rings, order: usize) -> Result<Matrix> {
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
    Ok(Matrix::from_triplets(name, unknowns, Triangles::Lower, entries)?)
}
