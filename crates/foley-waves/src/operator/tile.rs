//! Integrals of one triangle with a block of far ones, side by side.
//!
//! Three quadrature points in each triangle. The triangles of a block are the lanes of loops
//! without branches, which the compiler turns into vector instructions.

use super::assemble::Operator;
use super::elements::{Element, Elements};
use super::pair::FAR;
use crate::green::{Wave, wave};
use pulp::{Simd, WithSimd};
use std::array::from_fn;

/// Elements of a block.
pub(super) const BLOCK: usize = 64;
/// Squared distances are kept above this, m², where triangles have rules of their own.
const LEAST: f64 = 1e-24;

type Lanes = [f64; BLOCK];

/// The elements of a block, each quantity as an array; the last block is filled up with elements
/// of no area.
pub(super) struct BlockElements {
    /// Number of elements.
    pub(super) count: usize,
    points: [[Lanes; 3]; 3],
    normal: [Lanes; 3],
    curls: [[Lanes; 3]; 3],
    middle: [Lanes; 3],
    radius: Lanes,
    area: Lanes,
    /// One on closed bodies, zero on sheets.
    closed: Lanes,
}

impl BlockElements {
    pub(super) fn new(elements: &Elements, block: usize) -> Self {
        let start = block * BLOCK;
        let list = &elements.list[start..elements.list.len().min(start + BLOCK)];
        let at = |t: usize| &list[t.min(list.len() - 1)];
        let point = |t: usize, q: usize| elements.point(3 * (start + t.min(list.len() - 1)) + q);
        Self {
            count: list.len(),
            points: from_fn(|q| from_fn(|d| from_fn(|t| point(t, q)[d]))),
            normal: from_fn(|d| from_fn(|t| at(t).normal[d])),
            curls: from_fn(|i| from_fn(|d| from_fn(|t| at(t).curls[i][d]))),
            middle: from_fn(|d| from_fn(|t| at(t).middle[d])),
            radius: from_fn(|t| at(t).radius),
            area: from_fn(|t| if t < list.len() { at(t).area } else { 0.0 }),
            closed: from_fn(|t| if at(t).closed { 1.0 } else { 0.0 }),
        }
    }
}

/// A matrix per lane: real and imaginary part.
type Blocks = [[[Lanes; 2]; 3]; 3];

/// Working memory: kernels at the quadrature points, then blocks.
pub(super) struct Tile {
    single: Blocks,
    by_x: Blocks,
    by_y: Blocks,
    /// Area products over nine; zero where the pair is near.
    weight: Lanes,
}

/// Sums of blocks: per row of the strip and corner of the lanes, `BLOCK` real and imaginary parts.
#[derive(Default)]
pub(super) struct TileSums {
    pub(super) rows: Vec<[[Lanes; 2]; 3]>,
    /// The other order of the pairs.
    pub(super) columns: Vec<[[Lanes; 2]; 3]>,
}

impl TileSums {
    pub(super) fn clear(&mut self, rows: usize, symmetric: bool) {
        let zero = [[[0.0; BLOCK]; 2]; 3];
        self.rows.clear();
        self.rows.resize(rows, zero);
        self.columns.clear();
        self.columns.resize(if symmetric { 0 } else { rows }, zero);
    }
}

impl Tile {
    pub(super) fn new() -> Box<Self> {
        let zero = [[[[0.0; BLOCK]; 2]; 3]; 3];
        Box::new(Self { single: zero, by_x: zero, by_y: zero, weight: [0.0; BLOCK] })
    }

    /// Marks the pairs of `a` with lanes from `first` on that are far, and returns the others.
    pub(super) fn select(&mut self, a: &Element, first: usize, b: &BlockElements) -> Vec<usize> {
        let mut near = Vec::new();
        let middle = a.middle.to_array();
        for t in 0..BLOCK {
            let d = [
                middle[0] - b.middle[0][t],
                middle[1] - b.middle[1][t],
                middle[2] - b.middle[2][t],
            ];
            let far = FAR * (a.radius + b.radius[t]);
            let is_far = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > far * far;
            let wanted = t >= first && t < b.count;
            self.weight[t] = if is_far && wanted { a.area * b.area[t] / 9.0 } else { 0.0 };
            if wanted && !is_far {
                near.push(t);
            }
        }
        near
    }

    #[inline(always)]
    fn add_in<const DERIVATIVES: bool>(
        &mut self,
        k: f64,
        operator: Operator,
        a: &TileElement,
        b: &BlockElements,
        sums: &mut TileSums,
    ) {
        self.kernels::<DERIVATIVES>(k, a, b);
        with_shapes(&mut self.single);
        if DERIVATIVES {
            with_shapes(&mut self.by_x);
            with_shapes(&mut self.by_y);
        }
        match operator {
            Operator::NormalDerivative { eta } => self.maue::<DERIVATIVES>(k, eta, a, b, sums),
            Operator::Trace { eta } => self.trace(eta, a, b, sums),
        }
    }

    /// Computes G and its derivatives, with weights.
    #[inline(always)]
    fn kernels<const DERIVATIVES: bool>(&mut self, k: f64, a: &TileElement, b: &BlockElements) {
        for p in 0..3 {
            let x = a.points[p];
            for q in 0..3 {
                let y = &b.points[q];
                for t in 0..BLOCK {
                    let d = [x[0] - y[0][t], x[1] - y[1][t], x[2] - y[2][t]];
                    let squared = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).max(LEAST);
                    let Wave { re, im, inverse_r } = wave(k, squared);
                    let (re, im) = (re * self.weight[t], im * self.weight[t]);
                    (self.single[p][q][0][t], self.single[p][q][1][t]) = (re, im);
                    if DERIVATIVES {
                        // ∇ₓ G = G (ik − 1/r) (x − y)/r, and ∇_y G = −∇ₓ G.
                        let (minus, turn) = (inverse_r * inverse_r, k * inverse_r);
                        let (s_re, s_im) = (-re * minus - im * turn, -im * minus + re * turn);
                        let n = a.normal;
                        let to_a = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
                        let n = [b.normal[0][t], b.normal[1][t], b.normal[2][t]];
                        let to_b = -(n[0] * d[0] + n[1] * d[1] + n[2] * d[2]);
                        (self.by_x[p][q][0][t], self.by_x[p][q][1][t]) = (s_re * to_a, s_im * to_a);
                        (self.by_y[p][q][0][t], self.by_y[p][q][1][t]) = (s_re * to_b, s_im * to_b);
                    }
                }
            }
        }
    }

    /// Adds k² (n·n′) ∫∫ G φφ′ − curl φ · curl φ′ ∫∫ G, and iη D′ on closed bodies.
    #[inline(always)]
    fn maue<const DERIVATIVES: bool>(
        &self,
        k: f64,
        eta: f64,
        a: &TileElement,
        b: &BlockElements,
        sums: &mut TileSums,
    ) {
        let mut total = [[0.0; BLOCK]; 2];
        for block in self.single.iter().flatten() {
            for part in 0..2 {
                for t in 0..BLOCK {
                    total[part][t] += block[part][t];
                }
            }
        }
        let mut kk = [0.0; BLOCK];
        for t in 0..BLOCK {
            let n = a.normal;
            kk[t] = k * k * (n[0] * b.normal[0][t] + n[1] * b.normal[1][t] + n[2] * b.normal[2][t]);
        }
        let of_a = eta * a.closed;
        for i in 0..3 {
            let curl = a.curls[i];
            for j in 0..3 {
                let other = &b.curls[j];
                let (mut rows, mut columns) = ([[0.0; BLOCK]; 2], [[0.0; BLOCK]; 2]);
                for t in 0..BLOCK {
                    let c = curl[0] * other[0][t] + curl[1] * other[1][t] + curl[2] * other[2][t];
                    let re = kk[t] * self.single[i][j][0][t] - c * total[0][t];
                    let im = kk[t] * self.single[i][j][1][t] - c * total[1][t];
                    (rows[0][t], rows[1][t]) = (re, im);
                    if DERIVATIVES {
                        let of_b = eta * b.closed[t];
                        rows[0][t] = re - of_b * self.by_x[i][j][1][t];
                        rows[1][t] = im + of_b * self.by_x[i][j][0][t];
                        columns[0][t] = re - of_a * self.by_y[i][j][1][t];
                        columns[1][t] = im + of_a * self.by_y[i][j][0][t];
                    }
                }
                add(&mut sums.rows, &a.rows[i], j, &rows);
                if DERIVATIVES {
                    add(&mut sums.columns, &a.rows[i], j, &columns);
                }
            }
        }
    }

    /// Adds D + iηS.
    #[inline(always)]
    fn trace(&self, eta: f64, a: &TileElement, b: &BlockElements, sums: &mut TileSums) {
        let of_a = eta * a.closed;
        for i in 0..3 {
            for j in 0..3 {
                let (mut rows, mut columns) = ([[0.0; BLOCK]; 2], [[0.0; BLOCK]; 2]);
                for t in 0..BLOCK {
                    let of_b = eta * b.closed[t];
                    let (re, im) = (self.single[i][j][0][t], self.single[i][j][1][t]);
                    rows[0][t] = self.by_y[i][j][0][t] - of_b * im;
                    rows[1][t] = self.by_y[i][j][1][t] + of_b * re;
                    columns[0][t] = self.by_x[i][j][0][t] - of_a * im;
                    columns[1][t] = self.by_x[i][j][1][t] + of_a * re;
                }
                add(&mut sums.rows, &a.rows[i], j, &rows);
                add(&mut sums.columns, &a.rows[i], j, &columns);
            }
        }
    }
}

/// Adds the far pairs of an element with a block, compiled for the vector instructions.
pub(super) struct AddTile<'a> {
    pub(super) tile: &'a mut Tile,
    pub(super) k: f64,
    pub(super) operator: Operator,
    pub(super) symmetric: bool,
    pub(super) a: &'a TileElement,
    pub(super) b: &'a BlockElements,
    pub(super) sums: &'a mut TileSums,
}

impl WithSimd for AddTile<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { tile, k, operator, a, b, sums, .. } = self;
        match self.symmetric {
            true => tile.add_in::<false>(k, operator, a, b, sums),
            false => tile.add_in::<true>(k, operator, a, b, sums),
        }
    }
}

/// An element as a tile needs it.
pub(super) struct TileElement {
    points: [[f64; 3]; 3],
    normal: [f64; 3],
    curls: [[f64; 3]; 3],
    closed: f64,
    /// Rows of the sums and signs, for each corner.
    rows: [Vec<(usize, f64)>; 3],
}

impl TileElement {
    /// `place` returns the row of an unknown.
    pub(super) fn new(elements: &Elements, number: usize, place: impl Fn(u32) -> usize) -> Self {
        let element = &elements.list[number];
        let entries = |i: usize| element.unknowns[i].entries().iter();
        Self {
            points: from_fn(|q| elements.point(3 * number + q).to_array()),
            normal: element.normal.to_array(),
            curls: element.curls.map(|curl| curl.to_array()),
            closed: if element.closed { 1.0 } else { 0.0 },
            rows: from_fn(|i| entries(i).map(|&(u, sign)| (place(u), sign)).collect()),
        }
    }
}

#[inline(always)]
fn add(sums: &mut [[[Lanes; 2]; 3]], rows: &[(usize, f64)], corner: usize, values: &[Lanes; 2]) {
    for &(row, sign) in rows {
        let to = &mut sums[row][corner];
        for part in 0..2 {
            for t in 0..BLOCK {
                to[part][t] += sign * values[part][t];
            }
        }
    }
}

/// Replaces values v_pq at the points by Σ_pq φ_i(p) v_pq φ_j(q), where φ_i(p) = 1/6 + δ_ip/2.
#[inline(always)]
fn with_shapes(values: &mut Blocks) {
    for part in 0..2 {
        for t in 0..BLOCK {
            let (mut rows, mut columns) = ([0.0; 3], [0.0; 3]);
            for p in 0..3 {
                for q in 0..3 {
                    rows[p] += values[p][q][part][t] * (1.0 / 12.0);
                    columns[q] += values[p][q][part][t] * (1.0 / 12.0);
                }
            }
            let all = (rows[0] + rows[1] + rows[2]) * (1.0 / 3.0);
            for i in 0..3 {
                for j in 0..3 {
                    let own = 0.25 * values[i][j][part][t];
                    values[i][j][part][t] = all + rows[i] + columns[j] + own;
                }
            }
        }
    }
}
