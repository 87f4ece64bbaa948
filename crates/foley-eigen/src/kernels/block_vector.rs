//! A block of vectors, stored in panels of eight.

use faer::{Mat, MatRef};
use foley_parallel::prelude::*;
use pulp::{Arch, Simd, WithSimd};

use crate::kernels::simd::{LANES, Row, STRIP_ROWS};

/// Rows per parallel task. It does not depend on the number of threads, so sums do not
/// either. A multiple of [`STRIP_ROWS`].
pub(crate) const CHUNK: usize = 2048;

/// `width` vectors. Unused lanes and padding rows are zero.
#[derive(Clone)]
pub(crate) struct BlockVector {
    pub(crate) width: usize,
    pub(crate) panels: Vec<Vec<Row>>,
}

impl BlockVector {
    pub(crate) fn zeros(unknowns: usize, width: usize) -> Self {
        let rows = unknowns.next_multiple_of(STRIP_ROWS);
        let panels = (0..width.div_ceil(LANES)).map(|_| vec![[0.0; LANES]; rows]).collect();
        Self { width, panels }
    }

    pub(crate) fn rows(&self) -> usize {
        self.panels.first().map_or(0, Vec::len)
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.panels[column / LANES][row][column % LANES]
    }

    pub(crate) fn set(&mut self, row: usize, column: usize, value: f64) {
        self.panels[column / LANES][row][column % LANES] = value;
    }

    /// Returns self · matrix.
    pub(crate) fn times(&self, matrix: MatRef<'_, f64>) -> Self {
        let matrix = small_matrix_panels(matrix);
        let width = matrix.width;
        let rows = self.rows();
        let make = |matrix: &Vec<Row>| {
            let mut out = vec![[0.0; LANES]; rows];
            out.par_chunks_mut(CHUNK).enumerate().for_each(|(c, out)| {
                let first = c * CHUNK;
                for (p, panel) in self.panels.iter().enumerate() {
                    let from = &panel[first..first + out.len()];
                    let matrix = &matrix[p * LANES..((p + 1) * LANES).min(self.width)];
                    Arch::new().dispatch(RightMultiply { from, matrix, out });
                }
            });
            out
        };
        Self { width, panels: matrix.panels.iter().map(make).collect() }
    }

    /// Returns selfᵀ · other.
    pub(crate) fn inner(&self, other: &Self) -> Mat<f64> {
        let mut product = Mat::zeros(self.width, other.width);
        for (p, a) in self.panels.iter().enumerate() {
            for (q, b) in other.panels.iter().enumerate() {
                let parts: Vec<[Row; LANES]> = a
                    .par_chunks(CHUNK)
                    .zip(b.par_chunks(CHUNK))
                    .map(|(a, b)| Arch::new().dispatch(Gram { a, b }))
                    .collect();
                let (rows, columns) =
                    (LANES.min(self.width - p * LANES), LANES.min(other.width - q * LANES));
                for i in 0..rows {
                    for j in 0..columns {
                        product[(p * LANES + i, q * LANES + j)] =
                            parts.iter().map(|part| part[i][j]).sum();
                    }
                }
            }
        }
        product
    }

    /// Subtracts another block: self ← self − other.
    pub(crate) fn subtract(&mut self, other: &Self) {
        for (x, y) in self.panels.iter_mut().zip(&other.panels) {
            x.par_iter_mut().zip(y).with_min_len(CHUNK).for_each(|(x, y)| {
                x.iter_mut().zip(y).for_each(|(x, y)| *x -= y);
            });
        }
    }

    /// Appends the columns of another block.
    pub(crate) fn concat(self, other: Self) -> Self {
        if self.width == 0 {
            return other;
        }
        let old = self.width;
        let mut both = self;
        both.width += other.width;
        both.panels.resize_with(both.width.div_ceil(LANES), || vec![[0.0; LANES]; other.rows()]);
        for j in 0..other.width {
            for i in 0..other.rows() {
                both.set(i, old + j, other.get(i, j));
            }
        }
        both
    }
}

/// Converts a small matrix to panels, row by row.
pub(crate) fn small_matrix_panels(matrix: MatRef<'_, f64>) -> BlockVector {
    let mut block = BlockVector {
        width: matrix.ncols(),
        panels: vec![vec![[0.0; LANES]; matrix.nrows()]; matrix.ncols().div_ceil(LANES)],
    };
    for j in 0..matrix.ncols() {
        for i in 0..matrix.nrows() {
            block.set(i, j, matrix[(i, j)]);
        }
    }
    block
}

struct RightMultiply<'a> {
    from: &'a [Row],
    matrix: &'a [Row],
    out: &'a mut [Row],
}

impl WithSimd for RightMultiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        for (out, from) in self.out.iter_mut().zip(self.from) {
            let mut sum = *out;
            for (m, x) in self.matrix.iter().zip(from) {
                for (sum, m) in sum.iter_mut().zip(m) {
                    *sum += x * m;
                }
            }
            *out = sum;
        }
    }
}

struct Gram<'a> {
    a: &'a [Row],
    b: &'a [Row],
}

impl WithSimd for Gram<'_> {
    type Output = [Row; LANES];

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> [Row; LANES] {
        let mut all = [[0.0; LANES]; LANES];
        // Half of the sums at a time stay in registers.
        for half in 0..2 {
            let mut sums = [[0.0; LANES]; LANES / 2];
            for (a, b) in self.a.iter().zip(self.b) {
                for (i, sum) in sums.iter_mut().enumerate() {
                    for (sum, b) in sum.iter_mut().zip(b) {
                        *sum += a[half * LANES / 2 + i] * b;
                    }
                }
            }
            all[half * LANES / 2..][..LANES / 2].copy_from_slice(&sums);
        }
        all
    }
}
