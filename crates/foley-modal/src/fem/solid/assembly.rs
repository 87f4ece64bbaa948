//! Assembly of the global matrices from the cells.

use super::cells::Cells;
use super::grid::Grid;
use super::hexahedron::{MASS, MomentTemplates, NODE_POSITIONS, NODES, STIFFNESS, lower};
use super::moments::MOMENTS;
use crate::fem::watch::{self, Watch};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use foley_eigen::{EigenError, Problem};
use foley_geometry::mesh::UnionFind;
use foley_parallel::prelude::*;

/// Cells per batch of a matrix product.
const BATCH: usize = 64;
/// Fictitious stiffness and mass of a cut cell, relative to a full one (α of the finite cell
/// method). Polynomials that nearly vanish in the filled part have neither, and rounding could
/// make them negative. The stiffness share is larger, so that the addition has no low modes. A
/// wall of a tenth of a cell bends 1e-5 stiffer. (Mass added node by node gives spurious low
/// modes: motions outside the filled part have no stiffness.)
const FICTITIOUS: [f64; 2] = [1e-8, 1e-9];

/// The nodes of the cells.
pub(super) struct Nodes {
    /// Positions in half cells, packed and ascending; the index is the node number.
    keys: Vec<u64>,
    pub(super) of_cell: Vec<[u32; NODES]>,
}

impl Nodes {
    pub(super) fn new(cells: &Cells) -> Self {
        let key = |cell: &[u32; 3], index: &[u8; 3]| {
            (0..3).fold(0, |key, a| key << 16 | (2 * u64::from(cell[a]) + u64::from(index[a])))
        };
        let all = |cell: &[u32; 3]| NODE_POSITIONS.map(|index| key(cell, &index));
        let mut keys: Vec<u64> = cells.indices.par_iter().flat_map_iter(all).collect();
        keys.par_sort_unstable();
        keys.dedup();
        let number = |key: u64| keys.partition_point(|k| *k < key) as u32;
        let of_cell = cells.indices.par_iter().map(|cell| all(cell).map(number)).collect();
        Self { keys, of_cell }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns the number of connected bodies.
    pub(super) fn bodies(&self) -> usize {
        let mut components = UnionFind::new(self.len());
        for nodes in &self.of_cell {
            nodes[1..].iter().for_each(|n| {
                components.join(nodes[0], *n, false);
            });
        }
        (0..self.len() as u32).filter(|n| components.find(*n).0 == *n).count()
    }

    fn position(&self, node: usize, grid: &Grid) -> [f64; 3] {
        let key = self.keys[node];
        std::array::from_fn(|a| {
            let halves = (key >> (16 * (2 - a)) & 0xffff) as f64;
            grid.low[a] + 0.5 * halves * grid.edge[a]
        })
    }
}

/// The block pattern of the lower triangles: for each node the nodes ≥ it in a common cell.
struct Pattern {
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl Pattern {
    fn new(nodes: &Nodes) -> Self {
        let mut first = vec![0_u32; nodes.len() + 1];
        for node in nodes.of_cell.iter().flatten() {
            first[*node as usize + 1] += 1;
        }
        for n in 0..nodes.len() {
            first[n + 1] += first[n];
        }
        let mut next = first.clone();
        let mut cells = vec![0_u32; first[nodes.len()] as usize];
        for (c, node) in nodes.of_cell.iter().enumerate().flat_map(|(c, n)| n.map(|n| (c, n))) {
            cells[next[node as usize] as usize] = c as u32;
            next[node as usize] += 1;
        }
        let columns: Vec<Vec<u32>> = (0..nodes.len())
            .into_par_iter()
            .with_min_len(256)
            .map(|n| {
                let around = &cells[first[n] as usize..first[n + 1] as usize];
                let mut rows: Vec<u32> = around
                    .iter()
                    .flat_map(|c| nodes.of_cell[*c as usize])
                    .filter(|m| *m as usize >= n)
                    .collect();
                rows.sort_unstable();
                rows.dedup();
                rows
            })
            .collect();
        let mut pattern = Self { starts: vec![0], rows: Vec::new() };
        for column in columns {
            pattern.rows.extend(column);
            pattern.starts.push(pattern.rows.len());
        }
        pattern
    }

    /// Returns the index of the block (row, column), row ≥ column.
    fn find(&self, row: u32, column: u32) -> usize {
        let start = self.starts[column as usize];
        let rows = &self.rows[start..self.starts[column as usize + 1]];
        start + rows.partition_point(|r| *r < row)
    }
}

/// Global stiffness (a 3 × 3 block per pair of nodes) and mass (a number per pair).
struct BlockMatrices {
    stiffness: Vec<[f64; 9]>,
    mass: Vec<f64>,
}

impl BlockMatrices {
    /// Adds the matrices of a cell.
    fn add(&mut self, pattern: &Pattern, nodes: &[u32; NODES], cell: &[f64]) {
        for p in 0..NODES {
            for q in 0..=p {
                // The lower triangle needs the larger node number as the row.
                let swapped = nodes[p] < nodes[q];
                let at = match swapped {
                    false => pattern.find(nodes[p], nodes[q]),
                    true => pattern.find(nodes[q], nodes[p]),
                };
                self.mass[at] += cell[STIFFNESS + lower(p, q)];
                let block = &mut self.stiffness[at];
                for a in 0..3 {
                    for b in 0..3 {
                        let (row, column) = (3 * p + a, 3 * q + b);
                        let value = cell[lower(row.max(column), row.min(column))];
                        block[if swapped { 3 * b + a } else { 3 * a + b }] += value;
                    }
                }
            }
        }
    }
}

/// Assembles K and M of all cells.
pub(super) fn problem(
    cells: &Cells,
    nodes: &Nodes,
    grid: &Grid,
    templates: &MomentTemplates,
    watch: &mut Watch<'_>,
) -> Result<Problem, EigenError> {
    watch::check(watch, 0.2)?;
    let pattern = Pattern::new(nodes);
    let pairs = pattern.rows.len();
    let mut global = BlockMatrices { stiffness: vec![[0.0; 9]; pairs], mass: vec![0.0; pairs] };
    let cut: Vec<(usize, u32)> =
        cells.cut.iter().enumerate().filter_map(|(c, cut)| Some((c, (*cut)?))).collect();
    let wave = BATCH * 2 * foley_parallel::current_num_threads();
    for (n, part) in cut.chunks(wave).enumerate() {
        watch::check(watch, 0.3 + 0.3 * (n * wave) as f64 / cut.len() as f64)?;
        let matrices: Vec<Mat<f64>> =
            part.par_chunks(BATCH).map(|batch| matrices(batch, cells, templates)).collect();
        for ((cell, _), n) in part.iter().zip(0..) {
            let matrix = matrices[n / BATCH].col_as_slice(n % BATCH);
            global.add(&pattern, &nodes.of_cell[*cell], matrix);
        }
    }
    for (cell, _) in cells.cut.iter().enumerate().filter(|(_, cut)| cut.is_none()) {
        global.add(&pattern, &nodes.of_cell[cell], &templates.full);
    }

    let unknowns = 3 * nodes.len();
    let columns = |n: usize| (0..3).map(move |b| (n, b));
    let column = |(n, b): (usize, usize)| {
        let pairs = pattern.starts[n]..pattern.starts[n + 1];
        pairs.map(move |at| (at, n, b))
    };
    let all = || (0..nodes.len()).flat_map(columns).flat_map(column);
    let stiffness = all().flat_map(|(at, n, b)| {
        let row = pattern.rows[at] as usize;
        let first = if row == n { b } else { 0 };
        let block = &global.stiffness[at];
        (first..3).map(move |a| (3 * row + a, 3 * n + b, block[3 * a + b]))
    });
    let stiffness = (9 * pairs, stiffness);
    let stiffness = watch::matrix("stiffness", unknowns, stiffness, [0.6, 0.9], watch)?;
    let mass =
        all().map(|(at, n, b)| (3 * pattern.rows[at] as usize + b, 3 * n + b, global.mass[at]));
    let mass = watch::matrix("mass", unknowns, (3 * pairs, mass), [0.9, 1.0], watch)?;
    let coordinates = (0..nodes.len()).flat_map(|n| [nodes.position(n, grid); 3]).collect();
    Problem::new(stiffness, mass)?.with_coordinates(coordinates)
}

/// Returns the matrices of cut cells, one per column: the templates times their moments.
fn matrices(batch: &[(usize, u32)], cells: &Cells, templates: &MomentTemplates) -> Mat<f64> {
    let moments = Mat::from_fn(MOMENTS, batch.len(), |t, n| cells.moments_of(batch[n].1)[t]);
    let mut result = Mat::from_fn(STIFFNESS + MASS, batch.len(), |i, _| {
        let share = if i < STIFFNESS { FICTITIOUS[0] } else { FICTITIOUS[1] };
        share * templates.full[i]
    });
    let (left, right): (MatRef<'_, f64>, MatRef<'_, f64>) =
        (templates.matrix.as_ref(), moments.as_ref());
    matmul(result.as_mut(), Accum::Add, left, right, 1.0, Par::Seq);
    result
}
