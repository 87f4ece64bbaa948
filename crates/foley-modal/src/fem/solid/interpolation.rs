//! Interpolation of displacements at arbitrary points.

use super::assembly::Nodes;
use super::cells::Cells;
use super::grid::Grid;
use super::hexahedron::{NODES, shape};
use foley_parallel::prelude::*;
use std::collections::HashMap;

/// Neighbours up to this many cells away are searched before all cells.
const NEAR: i64 = 2;

/// Locates the cell of a point.
pub(super) struct CellLocator {
    pub(super) grid: Grid,
    indices: Vec<[u32; 3]>,
    nodes: Nodes,
    numbers: HashMap<[u32; 3], u32>,
}

/// Interpolation of displacements: for each point the weights of its nodes.
/// Unknowns 3n, 3n+1 and 3n+2 of a solution are the displacement of node n.
#[derive(Debug, Clone, PartialEq)]
pub struct Interpolation {
    rows: Vec<Row>,
}

/// The nodes of a cell and their weights.
type Row = ([u32; NODES], [f64; NODES]);

impl Interpolation {
    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the nodes of a point and their weights.
    pub fn row(&self, point: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (nodes, weights) = &self.rows[point];
        nodes.iter().map(|n| *n as usize).zip(weights.iter().copied())
    }

    /// Returns the displacements at all points.
    ///
    /// # Panics
    /// When `solution` is not a vector of the same problem.
    pub fn displacements(&self, solution: &[f64]) -> Vec<[f64; 3]> {
        let one = |(nodes, weights): &Row| {
            nodes.iter().zip(weights).fold([0.0; 3], |sum: [f64; 3], (n, w)| {
                std::array::from_fn(|a| sum[a] + w * solution[3 * *n as usize + a])
            })
        };
        self.rows.iter().map(one).collect()
    }
}

impl CellLocator {
    pub(super) fn new(grid: Grid, cells: Cells, nodes: Nodes) -> Self {
        let numbers = cells.indices.iter().zip(0..).map(|(index, n)| (*index, n)).collect();
        Self { grid, indices: cells.indices, nodes, numbers }
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn at(&self, points: &[[f64; 3]]) -> Interpolation {
        let row = |p: &[f64; 3]| -> Row {
            let cell = self.nearest(*p);
            let index = self.indices[cell].map(|i| i as usize);
            let local = self.grid.reference(index, *p);
            // Polynomials diverge outside their cell; NaN becomes its centre.
            let local = local.map(|x| if x.is_nan() { 0.0 } else { x.clamp(-1.0, 1.0) });
            (self.nodes.of_cell[cell], shape(local).map(|(value, _)| value))
        };
        Interpolation { rows: points.par_iter().map(row).collect() }
    }

    /// Returns the cell of a point, or else the nearest cell.
    fn nearest(&self, p: [f64; 3]) -> usize {
        let (cell, _) = self.grid.locate(p);
        if let Some(number) = self.numbers.get(&cell.map(|i| i as u32)) {
            return *number as usize;
        }
        let distance = |number: usize| -> f64 {
            let local = self.grid.reference(self.indices[number].map(|i| i as usize), p);
            let beyond = |a: usize| 0.5 * self.grid.edge[a] * (local[a].abs() - 1.0).max(0.0);
            (0..3).map(|a| beyond(a).powi(2)).sum()
        };
        let best = |numbers: &mut dyn Iterator<Item = usize>| {
            numbers.min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
        };
        let steps = || (-NEAR..=NEAR).flat_map(|i| (-NEAR..=NEAR).map(move |j| (i, j)));
        let mut near = steps().flat_map(|(i, j)| {
            (-NEAR..=NEAR).filter_map(move |k| {
                let moved = |a: usize, by: i64| u32::try_from(cell[a] as i64 + by).ok();
                let index = [moved(0, i)?, moved(1, j)?, moved(2, k)?];
                self.numbers.get(&index).map(|n| *n as usize)
            })
        });
        best(&mut near).or_else(|| best(&mut (0..self.indices.len()))).unwrap_or(0)
    }
}
