//! The Krylov basis: a tall matrix in strips.

use faer::{Mat, MatRef};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::block::{Block, CHUNK, panels_of};
use super::tile::{HEIGHT, LANES, Row, spread, times};

pub(super) struct Basis {
    capacity: usize,
    strips: Vec<f64>,
}

impl Basis {
    pub(super) fn zeros(unknowns: usize, capacity: usize) -> Self {
        Self { capacity, strips: vec![0.0; unknowns.next_multiple_of(HEIGHT) * capacity] }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    fn strip(&self) -> usize {
        HEIGHT * self.capacity
    }

    /// Numbers given to a thread at a time.
    fn chunk(&self) -> usize {
        CHUNK / HEIGHT * self.strip()
    }

    /// Puts a block into the columns from `at` on.
    pub(super) fn put(&mut self, at: usize, block: &Block) {
        let strip = self.strip();
        self.strips.par_chunks_mut(strip).enumerate().for_each(|(s, strip)| {
            for j in 0..block.width {
                for r in 0..HEIGHT {
                    strip[(at + j) * HEIGHT + r] = block.get(s * HEIGHT + r, j);
                }
            }
        });
    }

    /// Vᵀ x over the columns from … end.
    pub(super) fn inner(&self, from: usize, end: usize, x: &Block) -> Mat<f64> {
        let parts: Vec<Vec<Vec<Row>>> = self
            .strips
            .par_chunks(self.chunk())
            .enumerate()
            .map(|(c, strips)| {
                let mut sums = vec![vec![[0.0; LANES]; end - from]; x.panels.len()];
                let (strip, first) = (self.strip(), c * CHUNK);
                let sum = &mut sums;
                Arch::new().dispatch(Inner { strips, strip, from, end, x, first, sum });
                sums
            })
            .collect();
        Mat::from_fn(end - from, x.width, |i, j| {
            parts.iter().map(|part| part[j / LANES][i][j % LANES]).sum()
        })
    }

    /// x ← x + α V y over the columns from … end.
    pub(super) fn add(
        &self,
        from: usize,
        end: usize,
        y: MatRef<'_, f64>,
        alpha: f64,
        x: &mut Block,
    ) {
        let y = &panels_of(y);
        let chunks = x.rows().div_ceil(CHUNK);
        let mut parts: Vec<Vec<&mut [Row]>> = (0..chunks).map(|_| Vec::new()).collect();
        for panel in &mut x.panels {
            parts.iter_mut().zip(panel.chunks_mut(CHUNK)).for_each(|(part, x)| part.push(x));
        }
        parts.par_iter_mut().zip(self.strips.par_chunks(self.chunk())).for_each(|(x, strips)| {
            let strip = self.strip();
            Arch::new().dispatch(Add { strips, strip, from, end, y, alpha, x });
        });
    }

    /// V ← V y: turns the first columns into fewer.
    pub(super) fn rotate(&mut self, y: MatRef<'_, f64>) {
        let y = panels_of(y);
        let strip = self.strip();
        self.strips.par_chunks_mut(strip).for_each(|strip| {
            Arch::new().dispatch(Rotate { strip, y: &y });
        });
    }
}

struct Inner<'a> {
    strips: &'a [f64],
    strip: usize,
    from: usize,
    end: usize,
    x: &'a Block,
    /// Row of the first strip.
    first: usize,
    sum: &'a mut [Vec<Row>],
}

impl WithSimd for Inner<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (s, strip) in self.strips.chunks_exact(self.strip).enumerate() {
            let strip = &strip[self.from * HEIGHT..self.end * HEIGHT];
            let row = self.first + s * HEIGHT;
            for (sum, panel) in self.sum.iter_mut().zip(&self.x.panels) {
                let rows = std::array::from_fn(|r| panel[row + r]);
                spread(simd, strip, &rows, sum);
            }
        }
    }
}

struct Add<'a, 'x> {
    strips: &'a [f64],
    strip: usize,
    from: usize,
    end: usize,
    y: &'a Block,
    alpha: f64,
    x: &'a mut [&'x mut [Row]],
}

impl WithSimd for Add<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (s, strip) in self.strips.chunks_exact(self.strip).enumerate() {
            let strip = &strip[self.from * HEIGHT..self.end * HEIGHT];
            for (x, y) in self.x.iter_mut().zip(&self.y.panels) {
                let product = times(simd, strip, y);
                for (x, product) in x[s * HEIGHT..][..HEIGHT].iter_mut().zip(product) {
                    for (x, product) in x.iter_mut().zip(product) {
                        *x += self.alpha * product;
                    }
                }
            }
        }
    }
}

struct Rotate<'a> {
    strip: &'a mut [f64],
    y: &'a Block,
}

impl WithSimd for Rotate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let old = self.strip[..self.y.rows() * HEIGHT].to_vec();
        for (p, y) in self.y.panels.iter().enumerate() {
            let product = times(simd, &old, y);
            for j in p * LANES..self.y.width.min((p + 1) * LANES) {
                for (r, row) in product.iter().enumerate() {
                    self.strip[j * HEIGHT + r] = row[j % LANES];
                }
            }
        }
    }
}
