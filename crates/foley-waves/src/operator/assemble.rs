//! Assembly of the Galerkin matrices of boundary operators.
//!
//! Elements are taken in blocks of fixed size. A task computes the *strip* of one block: its
//! pairs with all elements from itself on, each pair once for both of its orders. Strips are then
//! added to the matrix in their order, column by column, so that the sums do not depend on the
//! number of threads.

use super::pair::{Block, Pair, PairIntegrator};
use super::tile::{AddTile, BLOCK, BlockElements, Tile, TileElement, TileSums};
use super::{Element, Elements};
use crate::WavesError;
use faer::Mat;
use faer::reborrow::ReborrowMut;
use foley_parallel::prelude::*;
use num_complex::Complex64;

/// Strips that are in memory at a time.
const WAVE: usize = 8;

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
    let symmetric = operator.symmetric(elements);
    let blocks: Vec<usize> = (0..elements.list.len().div_ceil(BLOCK)).collect();
    let assembly = Assembly {
        elements,
        k,
        operator,
        symmetric,
        near: PairIntegrator::new(k, !symmetric),
        blocks: blocks.iter().map(|&block| BlockElements::new(elements, block)).collect(),
    };
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
    symmetric: bool,
    near: PairIntegrator,
    blocks: Vec<BlockElements>,
}

impl Assembly<'_> {
    fn strip(&self, number: usize) -> Strip {
        let mut strip = self.empty_strip(number);
        let list = &self.elements.list;
        let range = number * BLOCK..list.len().min((number + 1) * BLOCK);
        let place = |unknown: u32| strip.place[unknown as usize] as usize;
        let rows: Vec<TileElement> =
            range.clone().map(|a| TileElement::new(self.elements, a, place)).collect();
        let (mut tile, mut sums) = (Tile::new(), TileSums::default());
        let arch = pulp::Arch::new();
        for (other, block) in self.blocks.iter().enumerate().skip(number) {
            sums.clear(strip.rows.len(), self.symmetric);
            for (a, row) in range.clone().zip(&rows) {
                // Within the block every pair once, and each element with itself.
                let first = if other == number { a - range.start } else { 0 };
                for t in tile.select(&list[a], first, block) {
                    let b = other * BLOCK + t;
                    self.scatter(&mut strip, a, b, &self.near_pair(a, b));
                }
                arch.dispatch(AddTile {
                    tile: &mut tile,
                    k: self.k,
                    operator: self.operator,
                    symmetric: self.symmetric,
                    a: row,
                    b: block,
                    sums: &mut sums,
                });
            }
            self.collect(&mut strip, other, &sums);
        }
        strip
    }

    fn empty_strip(&self, number: usize) -> Strip {
        let (list, n) = (&self.elements.list, self.elements.unknowns);
        let range = number * BLOCK..list.len().min((number + 1) * BLOCK);
        let mut place = vec![NONE; n];
        let mut rows = Vec::new();
        for corner in list[range].iter().flat_map(|element| &element.unknowns) {
            for &(unknown, _) in corner.entries() {
                if place[unknown as usize] == NONE {
                    place[unknown as usize] = rows.len() as u32;
                    rows.push(unknown);
                }
            }
        }
        let size = rows.len() * n;
        Strip {
            rows,
            place,
            row_part: vec![Complex64::ZERO; size],
            column_part: vec![Complex64::ZERO; if self.symmetric { 0 } else { size }],
        }
    }

    /// Returns the blocks of a pair that touches or is close.
    fn near_pair(&self, number_a: usize, number_b: usize) -> [Block; 2] {
        let (a, b) = (&self.elements.list[number_a], &self.elements.list[number_b]);
        let mut blocks = self.operator.blocks(self.k, a, b, &self.near.integrate(a, b));
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

    /// Adds the blocks of one pair to the strip.
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

    /// Adds the sums of the far pairs with a block to the strip.
    fn collect(&self, strip: &mut Strip, other: usize, sums: &TileSums) {
        let m = strip.rows.len();
        let list = &self.elements.list[other * BLOCK..];
        for (t, element) in list.iter().take(BLOCK).enumerate() {
            for (j, corner) in element.unknowns.iter().enumerate() {
                for &(column, sign) in corner.entries() {
                    let range = m * column as usize..m * (column as usize + 1);
                    let add = |to: &mut [Complex64], sums: &[[[[f64; BLOCK]; 2]; 3]]| {
                        for (to, sum) in to.iter_mut().zip(sums) {
                            *to += Complex64::new(sum[j][0][t], sum[j][1][t]) * sign;
                        }
                    };
                    add(&mut strip.row_part[range.clone()], &sums.rows);
                    if !self.symmetric {
                        add(&mut strip.column_part[range], &sums.columns);
                    }
                }
            }
        }
    }
}
