//! The Krylov basis: a tall matrix stored in strips.

use faer::{Mat, MatRef};
use foley_parallel::prelude::*;
use pulp::{Arch, Simd, WithSimd};

use crate::kernels::block_vector::{BlockVector, CHUNK, small_matrix_panels};
use crate::kernels::simd::{LANES, Row, STRIP_ROWS, multiply, multiply_transposed};

pub(crate) struct Basis {
    capacity: usize,
    strips: Vec<f64>,
}

impl Basis {
    pub(crate) fn zeros(unknowns: usize, capacity: usize) -> Self {
        Self { capacity, strips: vec![0.0; unknowns.next_multiple_of(STRIP_ROWS) * capacity] }
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    fn strip(&self) -> usize {
        STRIP_ROWS * self.capacity
    }

    /// Returns the numbers per parallel task.
    fn chunk(&self) -> usize {
        CHUNK / STRIP_ROWS * self.strip()
    }

    /// Stores a block in the columns from `at`.
    pub(crate) fn put(&mut self, at: usize, block: &BlockVector) {
        let strip = self.strip();
        self.strips.par_chunks_mut(strip).enumerate().for_each(|(s, strip)| {
            for j in 0..block.width {
                for r in 0..STRIP_ROWS {
                    strip[(at + j) * STRIP_ROWS + r] = block.get(s * STRIP_ROWS + r, j);
                }
            }
        });
    }

    /// Returns Vᵀ x over the columns from … end.
    pub(crate) fn inner(&self, from: usize, end: usize, x: &BlockVector) -> Mat<f64> {
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

    /// Computes x ← x + α V y over the columns from … end.
    pub(crate) fn add(
        &self,
        from: usize,
        end: usize,
        y: MatRef<'_, f64>,
        alpha: f64,
        x: &mut BlockVector,
    ) {
        let y = &small_matrix_panels(y);
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

    /// Computes V ← V y: replaces the first columns by fewer combinations of them.
    pub(crate) fn rotate(&mut self, y: MatRef<'_, f64>) {
        let y = small_matrix_panels(y);
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
    x: &'a BlockVector,
    /// Row of the first strip.
    first: usize,
    sum: &'a mut [Vec<Row>],
}

impl WithSimd for Inner<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (s, strip) in self.strips.chunks_exact(self.strip).enumerate() {
            let strip = &strip[self.from * STRIP_ROWS..self.end * STRIP_ROWS];
            let row = self.first + s * STRIP_ROWS;
            for (sum, panel) in self.sum.iter_mut().zip(&self.x.panels) {
                let rows = std::array::from_fn(|r| panel[row + r]);
                multiply_transposed(simd, strip, &rows, sum);
            }
        }
    }
}

struct Add<'a, 'x> {
    strips: &'a [f64],
    strip: usize,
    from: usize,
    end: usize,
    y: &'a BlockVector,
    alpha: f64,
    x: &'a mut [&'x mut [Row]],
}

impl WithSimd for Add<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (s, strip) in self.strips.chunks_exact(self.strip).enumerate() {
            let strip = &strip[self.from * STRIP_ROWS..self.end * STRIP_ROWS];
            for (x, y) in self.x.iter_mut().zip(&self.y.panels) {
                let product = multiply(simd, strip, y);
                for (x, product) in x[s * STRIP_ROWS..][..STRIP_ROWS].iter_mut().zip(product) {
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
    y: &'a BlockVector,
}

impl WithSimd for Rotate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let old = self.strip[..self.y.rows() * STRIP_ROWS].to_vec();
        for (p, y) in self.y.panels.iter().enumerate() {
            let product = multiply(simd, &old, y);
            for j in p * LANES..self.y.width.min((p + 1) * LANES) {
                for (r, row) in product.iter().enumerate() {
                    self.strip[j * STRIP_ROWS + r] = row[j % LANES];
                }
            }
        }
    }
}
