//! Assembly of the Galerkin matrices of boundary operators.
//!
//! Elements are taken in blocks of fixed size. A task computes the *strip* of one block: its
//! pairs with all elements from itself on, each pair once for both of its orders. Strips are then
//! added to the matrix in their order, column by column, so that the sums do not depend on the
//! number of threads.

use super::pair::{Block, FAR, Pair, PairIntegrator, pair_rules, touch};
use super::{Element, Elements};
use crate::WavesError;
use crate::green::Green;
use crate::quadrature::PairRules;
use faer::Mat;
use faer::reborrow::ReborrowMut;
use foley_parallel::prelude::*;
use num_complex::Complex64;

/// Elements of a block.
const BLOCK: usize = 64;
/// Strips that are in memory at a time.
const WAVE: usize = 16;

/// A boundary operator on densities μ; η is zero on open sheets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Operator {
    /// The normal derivative of the combined potential (D + iηS)μ at the front:
    /// N + iη(D′ − ½). By Maue's identity (A.-W. Maue, Z. Phys. 126 (1949))
    /// ⟨Nμ, ν⟩ = ∫∫ G [k² (n·n′) μν − curl μ · curl ν], with weak singularities only.
    NormalDerivative { eta: f64 },
    /// The potential itself at the front: ½ + D + iηS.
    Trace { eta: f64 },
}

impl Operator {
    /// Returns the 3 × 3 blocks of a pair: of the row of `a`, and of the row of `b`, transposed.
    #[inline(always)]
    fn blocks(self, k: f64, a: &Element, b: &Element, pair: &Pair) -> [Block; 2] {
        let layer = |element: &Element, eta: f64| {
            Complex64::new(0.0, if element.closed { eta } else { 0.0 })
        };
        let mut blocks = [[[Complex64::ZERO; 3]; 3]; 2];
        match self {
            Self::NormalDerivative { eta } => {
                let total: Complex64 = pair.single.iter().flatten().sum();
                let kk = k * k * a.normal.dot(b.normal);
                let (of_a, of_b) = (layer(a, eta), layer(b, eta));
                for i in 0..3 {
                    for j in 0..3 {
                        let both = pair.single[i][j] * kk - total * a.curls[i].dot(b.curls[j]);
                        blocks[0][i][j] = both + of_b * pair.by_x[i][j];
                        blocks[1][i][j] = both + of_a * pair.by_y[i][j];
                    }
                }
            }
            Self::Trace { eta } => {
                let (of_a, of_b) = (layer(a, eta), layer(b, eta));
                for i in 0..3 {
                    for j in 0..3 {
                        blocks[0][i][j] = pair.by_y[i][j] + of_b * pair.single[i][j];
                        blocks[1][i][j] = pair.by_x[i][j] + of_a * pair.single[i][j];
                    }
                }
            }
        }
        blocks
    }

    /// Returns the factor of the mass matrix: the jump of the potential at the surface.
    fn jump(self, element: &Element) -> Complex64 {
        match self {
            Self::NormalDerivative { eta } if element.closed => Complex64::new(0.0, -0.5 * eta),
            Self::NormalDerivative { .. } => Complex64::ZERO,
            Self::Trace { .. } => Complex64::new(0.5, 0.0),
        }
    }

    /// Whether both blocks of every pair are the same.
    fn symmetric(self, elements: &Elements) -> bool {
        matches!(self, Self::NormalDerivative { .. }) && !elements.any_closed
    }
}

/// Assembles the matrix of an operator at wave number k. `progress` receives the fraction done;
/// false cancels.
pub(crate) fn assemble(
    elements: &Elements,
    k: f64,
    operator: Operator,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Mat<Complex64>, WavesError> {
    let n = elements.unknowns;
    let mut matrix = Mat::<Complex64>::zeros(n, n);
    let rules = pair_rules();
    let assembly =
        Assembly { elements, k, operator, rules: &rules, symmetric: operator.symmetric(elements) };
    let blocks: Vec<usize> = (0..elements.list.len().div_ceil(BLOCK)).collect();
    for (wave, numbers) in blocks.chunks(WAVE).enumerate() {
        // The first strips are the longest.
        let left = 1.0 - (wave * WAVE) as f64 / blocks.len() as f64;
        if !progress(1.0 - left * left) {
            return Err(WavesError::Cancelled);
        }
        let strips: Vec<Strip> =
            numbers.par_iter().with_min_len(1).map(|&block| assembly.strip(block)).collect();
        let mut columns: Vec<_> = matrix.col_iter_mut().enumerate().collect();
        columns.par_iter_mut().for_each(|(number, column)| {
            if let Some(column) = column.rb_mut().try_as_col_major_mut() {
                let column = column.as_slice_mut();
                strips.iter().for_each(|strip| strip.add_to(*number, column));
            }
        });
    }
    Ok(matrix)
}

/// The rows of a block of elements, and its columns.
struct Strip {
    /// The unknowns of the block.
    rows: Vec<u32>,
    /// Place of each unknown in `rows`, `NONE` for others.
    place: Vec<u32>,
    /// Rows × all unknowns, column by column.
    row_part: Vec<Complex64>,
    /// All unknowns × rows, transposed like `row_part`; empty if the same.
    column_part: Vec<Complex64>,
}

const NONE: u32 = u32::MAX;

impl Strip {
    /// Adds a column of the strip.
    fn add_to(&self, number: usize, column: &mut [Complex64]) {
        let m = self.rows.len();
        for (row, value) in self.rows.iter().zip(&self.row_part[m * number..m * (number + 1)]) {
            column[*row as usize] += value;
        }
        if self.place[number] != NONE {
            let place = self.place[number] as usize;
            let part = if self.column_part.is_empty() { &self.row_part } else { &self.column_part };
            for (entry, values) in column.iter_mut().zip(part.chunks_exact(m)) {
                *entry += values[place];
            }
        }
    }
}

struct Assembly<'a> {
    elements: &'a Elements,
    k: f64,
    operator: Operator,
    rules: &'a PairRules,
    symmetric: bool,
}

/// Distances and kernels between the three points of one element and all points of a block.
#[derive(Default)]
struct Tile {
    squared: Vec<f64>,
    green: Green,
}

impl Assembly<'_> {
    fn strip(&self, block: usize) -> Strip {
        let list = &self.elements.list;
        let n = self.elements.unknowns;
        let range = block * BLOCK..list.len().min((block + 1) * BLOCK);
        let mut place = vec![NONE; n];
        let mut rows = Vec::new();
        for corner in list[range.clone()].iter().flat_map(|element| &element.unknowns) {
            for &(unknown, _) in corner.entries() {
                if place[unknown as usize] == NONE {
                    place[unknown as usize] = rows.len() as u32;
                    rows.push(unknown);
                }
            }
        }
        let size = rows.len() * n;
        let mut strip = Strip {
            rows,
            place,
            row_part: vec![Complex64::ZERO; size],
            column_part: vec![Complex64::ZERO; if self.symmetric { 0 } else { size }],
        };
        let mut near = PairIntegrator::new(self.k, self.rules, !self.symmetric);
        let mut tile = Tile::default();
        let mut start = range.start;
        while start < list.len() {
            let end = list.len().min(start + BLOCK);
            for a in range.clone() {
                let first = start.max(a);
                self.kernels(a, first..end, &mut tile);
                for b in first..end {
                    let blocks = self.pair(a, b, (b - first, end - first), &tile, &mut near);
                    self.scatter(&mut strip, a, b, &blocks);
                }
            }
            start = end;
        }
        strip
    }

    /// Computes G between the points of element a and those of a range.
    fn kernels(&self, a: usize, range: std::ops::Range<usize>, tile: &mut Tile) {
        tile.squared.clear();
        let [x, y, z] = &self.elements.points;
        let (start, end) = (3 * range.start, 3 * range.end.max(range.start));
        for q in 0..3 {
            let at = self.elements.point(3 * a + q);
            let others = x[start..end].iter().zip(&y[start..end]).zip(&z[start..end]);
            tile.squared.extend(others.map(|((x, y), z)| {
                let (dx, dy, dz) = (at.x - x, at.y - y, at.z - z);
                dx * dx + dy * dy + dz * dz
            }));
        }
        // An element with itself has a rule of its own.
        tile.squared.iter_mut().for_each(|r2| *r2 = r2.max(f64::MIN_POSITIVE));
        tile.green.evaluate(self.k, &tile.squared);
    }

    /// Returns the blocks of a pair; element b is the `at`-th of `count` in the tile.
    #[inline(always)]
    fn pair(
        &self,
        number_a: usize,
        number_b: usize,
        (at, count): (usize, usize),
        tile: &Tile,
        near: &mut PairIntegrator<'_>,
    ) -> [Block; 2] {
        let (a, b) = (&self.elements.list[number_a], &self.elements.list[number_b]);
        let far = FAR * (a.radius + b.radius);
        if a.middle.distance_squared(b.middle) > far * far && !touch(a, b) {
            let pair = self.regular(number_a, number_b, (at, count), tile);
            return self.operator.blocks(self.k, a, b, &pair);
        }
        let pair = near.integrate(a, b);
        let mut blocks = self.operator.blocks(self.k, a, b, &pair);
        if number_a == number_b {
            // Both blocks are added: each has one half.
            let jump = self.operator.jump(a);
            for block in &mut blocks {
                for i in 0..3 {
                    for j in 0..3 {
                        block[i][j] = (block[i][j] + jump * a.mass(i, j)) * 0.5;
                    }
                }
            }
        }
        blocks
    }

    /// Integrates with three points in each triangle.
    #[inline(always)]
    fn regular(
        &self,
        number_a: usize,
        number_b: usize,
        (at, count): (usize, usize),
        tile: &Tile,
    ) -> Pair {
        let (a, b) = (&self.elements.list[number_a], &self.elements.list[number_b]);
        let weight = a.area * b.area / 9.0;
        let place = |p: usize, q: usize| 3 * count * p + 3 * at + q;
        let mut values = [[Complex64::ZERO; 3]; 3];
        for (p, row) in values.iter_mut().enumerate() {
            for (q, value) in row.iter_mut().enumerate() {
                let c = place(p, q);
                *value = Complex64::new(tile.green.re[c], tile.green.im[c]) * weight;
            }
        }
        let mut pair = Pair { single: with_shapes(&values), ..Pair::default() };
        if !self.symmetric {
            let (mut by_x, mut by_y) = (values, values);
            for p in 0..3 {
                let x = self.elements.point(3 * number_a + p);
                for q in 0..3 {
                    let apart = x - self.elements.point(3 * number_b + q);
                    let inverse = tile.green.inverse_r[place(p, q)];
                    let slope = Complex64::new(-inverse * inverse, self.k * inverse);
                    by_x[p][q] *= slope * a.normal.dot(apart);
                    by_y[p][q] *= slope * -b.normal.dot(apart);
                }
            }
            (pair.by_x, pair.by_y) = (with_shapes(&by_x), with_shapes(&by_y));
        }
        pair
    }

    #[inline(always)]
    fn scatter(&self, strip: &mut Strip, a: usize, b: usize, blocks: &[Block; 2]) {
        let (a, b) = (&self.elements.list[a], &self.elements.list[b]);
        let m = strip.rows.len();
        for (i, corner) in a.unknowns.iter().enumerate() {
            for &(unknown, sign) in corner.entries() {
                let row = strip.place[unknown as usize] as usize;
                for (j, corner) in b.unknowns.iter().enumerate() {
                    for &(column, other) in corner.entries() {
                        let to = m * column as usize + row;
                        strip.row_part[to] += blocks[0][i][j] * (sign * other);
                        if !self.symmetric {
                            strip.column_part[to] += blocks[1][i][j] * (sign * other);
                        }
                    }
                }
            }
        }
    }
}

/// Returns Σ_pq φ_i(p) v_pq φ_j(q) for the rule of three points, where φ_i(p) = 1/6 + δ_ip/2.
#[inline(always)]
fn with_shapes(values: &Block) -> Block {
    let rows = values.map(|row| (row[0] + row[1] + row[2]) * (1.0 / 12.0));
    let columns = [0, 1, 2].map(|j| (values[0][j] + values[1][j] + values[2][j]) * (1.0 / 12.0));
    let all = (rows[0] + rows[1] + rows[2]) * (1.0 / 3.0);
    let entry = |i: usize, j: usize| all + rows[i] + columns[j] + values[i][j] * 0.25;
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}
