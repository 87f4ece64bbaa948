//! Shells with an N-fold axis, order by order.
//!
//! A mesh whose rings all have N vertices looks the same after a turn by θ = 2π/N. In axes
//! that turn along, each mode repeats from vertex to vertex of a ring but for a phase,
//! `u_k = Re(û e^{inkθ})`, and K and M fall apart into one small Hermitian problem for each
//! order n:
//!
//! `K_n = Σ_k K_{0k} R(kθ) e^{inkθ}`
//!
//! Written with real numbers, û = x + iy, it has twice the unknowns and every mode twice: the
//! two that lie half a wave apart. These are the modes of the whole mesh, found many times
//! faster than from all of it at once.

use anyhow::Result;
use foley_eigen::{self as eigen, Matrix, Problem, Triangles};
use foley_modal::fem::Discrete;
use std::f64::consts::TAU;

/// Unknowns of a vertex of a shell.
const OF_VERTEX: usize = 6;

/// One mode.
pub(super) struct Mode {
    /// Undamped, rad/s.
    pub(super) omega: f64,
    /// n.
    order: usize,
    /// Of each ring x and y, mass-normalised, 1/√kg.
    rings: Vec<[[f64; 3]; 2]>,
}

/// Vertices that stand ring after ring, `round` on each.
#[derive(Clone, Copy)]
pub(super) struct Rings {
    pub(super) count: usize,
    pub(super) round: usize,
}

impl Mode {
    /// The motion of a vertex.
    pub(super) fn at(&self, ring: usize, k: usize, round: usize) -> [f64; 3] {
        let turn = TAU * k as f64 / round as f64;
        let (sin, cos) = (self.order as f64 * turn).sin_cos();
        let [x, y] = self.rings[ring];
        turned(turn, [0, 1, 2].map(|a| cos * x[a] - sin * y[a]))
    }

    /// ∫ (u·n)² dA, m²/kg: area vectors are those of the first vertex of each ring.
    pub(super) fn normal_square(&self, areas: &[[f64; 3]], round: usize) -> f64 {
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let ring = |([x, y], area): (&[[f64; 3]; 2], &[f64; 3])| {
            (dot(*x, *area).powi(2) + dot(*y, *area).powi(2)) / dot(*area, *area).sqrt()
        };
        let share = if self.order == 0 { 1.0 } else { 0.5 };
        share * round as f64 * self.rings.iter().zip(areas).map(ring).sum::<f64>()
    }
}

fn turned(turn: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let (sin, cos) = turn.sin_cos();
    [cos * x - sin * y, sin * x + cos * y, z]
}

/// All elastic modes up to a frequency, the lowest first. `step` hears of each order; none of
/// the orders from N/2 on is looked for.
pub(super) fn modes(
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
        // A unit û moves N vertices, each half of the time where there is a wave.
        let unknowns = rings.count * OF_VERTEX;
        let share = if order == 0 { 1.0 } else { 0.5 };
        let scale = body.units.shape() / (share * rings.round as f64).sqrt();
        for n in found.zero_modes..found.len() {
            let vector = found.vector(n);
            let part = |first: usize, ring: usize| {
                let at = first + OF_VERTEX * ring;
                [0, 1, 2].map(|a| vector.get(at + a).map_or(0.0, |u| scale * u))
            };
            let ring = |ring| [part(0, ring), part(unknowns, ring)];
            let omega = found.omega_squared[n].max(0.0).sqrt() * body.units.omega();
            all.push(Mode { omega, order, rings: (0..rings.count).map(ring).collect() });
        }
        step(order);
        // Shorter waves are stiffer, but for the very longest.
        if order > 2 && found.len() == found.zero_modes {
            break;
        }
    }
    all.sort_by(|a, b| a.omega.total_cmp(&b.omega));
    Ok(all)
}

/// An entry between the first vertex of a ring and any vertex: where, k, and the entry.
struct Entry {
    row: usize,
    column: usize,
    k: usize,
    value: f64,
}

/// The rows of the first vertices, their columns in axes that turn along.
fn sector(matrix: &Matrix, Rings { round, .. }: Rings) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut add = |row: usize, column: usize, value: f64| {
        let (vertex, a) = (row / OF_VERTEX, row % OF_VERTEX);
        if !vertex.is_multiple_of(round) {
            return;
        }
        let (other, b) = (column / OF_VERTEX, column % OF_VERTEX);
        let (ring, k) = (other / round, other % round);
        let mut unit = [0.0; 3];
        unit[b % 3] = value;
        // Rᵀ: what a motion along the turned axes has along the fixed one.
        let along = turned(-TAU * k as f64 / round as f64, unit);
        for (c, value) in along.into_iter().enumerate().filter(|(_, value)| *value != 0.0) {
            let column = OF_VERTEX * ring + b / 3 * 3 + c;
            entries.push(Entry { row: OF_VERTEX * (vertex / round) + a, column, k, value });
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

/// [Re −Im; Im Re] of the matrix of one order; Re alone for order 0.
fn of_order(name: &'static str, sector: &[Entry], rings: Rings, order: usize) -> Result<Matrix> {
    let size = rings.count * OF_VERTEX;
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
