//! Products with blocks of vectors, on all threads.

use faer::linalg::matmul::matmul;
use faer::reborrow::ReborrowMut;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Vectors multiplied together, so that each entry of the matrix is read once for all.
const PANEL: usize = 8;
type Panel = [f64; PANEL];
/// Rows given to a thread at a time.
const CHUNK: usize = 512;

/// Rows of tall matrices given to a thread at a time.
const TALL: usize = 4096;

/// aᵀ b of tall matrices; added up in the same order on any number of threads.
pub(super) fn inner(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    let parts: Vec<Mat<f64>> = (0..a.nrows().div_ceil(TALL))
        .into_par_iter()
        .map(|part| {
            let rows = TALL.min(a.nrows() - part * TALL);
            let (a, b) = (a.subrows(part * TALL, rows), b.subrows(part * TALL, rows));
            let mut product = Mat::zeros(a.ncols(), b.ncols());
            matmul(&mut product, Accum::Replace, a.transpose(), b, 1.0, Par::Seq);
            product
        })
        .collect();
    let mut sum = Mat::zeros(a.ncols(), b.ncols());
    parts.iter().for_each(|part| sum += part);
    sum
}

/// y ← y + α a b with y and a tall.
pub(super) fn add_product(y: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>, alpha: f64) {
    let rows = y.nrows();
    if rows <= TALL {
        return matmul(y, Accum::Add, a, b, alpha, Par::Seq);
    }
    let middle = (rows / 2).next_multiple_of(64);
    let (y_top, y_bottom) = y.split_at_row_mut(middle);
    let (a_top, a_bottom) = a.split_at_row(middle);
    rayon::join(
        || add_product(y_top, a_top, b, alpha),
        || add_product(y_bottom, a_bottom, b, alpha),
    );
}

/// A symmetric matrix with both triangles, by rows.
pub(super) struct Rows {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Rows {
    /// From one triangle by columns; entries that are zero are left out.
    pub(super) fn mirrored(starts: &[u32], rows: &[u32], values: &[f64]) -> Self {
        let n = starts.len() - 1;
        let entries = |j: usize| {
            let column = starts[j] as usize..starts[j + 1] as usize;
            column.filter(|p| values[*p] != 0.0).map(|p| (rows[p] as usize, values[p]))
        };
        let mut sizes = vec![0_u32; n + 1];
        for j in 0..n {
            for (i, _) in entries(j) {
                sizes[i + 1] += 1;
                sizes[j + 1] += u32::from(i != j);
            }
        }
        for i in 0..n {
            sizes[i + 1] += sizes[i];
        }
        let mut next = sizes.clone();
        let total = sizes[n] as usize;
        let (mut columns, mut mirrored) = (vec![0; total], vec![0.0; total]);
        let mut put = |row: usize, column: usize, value: f64| {
            let at = &mut next[row];
            columns[*at as usize] = column as u32;
            mirrored[*at as usize] = value;
            *at += 1;
        };
        for j in 0..n {
            for (i, value) in entries(j) {
                put(i, j, value);
                if i != j {
                    put(j, i, value);
                }
            }
        }
        Self { starts: sizes, columns, values: mirrored }
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.starts.len() * 4 + self.columns.len() * 12) as u64
    }

    /// Whether only the diagonal is filled.
    pub(super) fn is_diagonal(&self) -> bool {
        self.columns.len() < self.starts.len()
    }

    /// y = A x.
    pub(super) fn times(&self, x: MatRef<'_, f64>, y: MatMut<'_, f64>) {
        self.map(x, y, |value| value);
    }

    /// y = |A| |x|.
    pub(super) fn times_absolute(&self, x: MatRef<'_, f64>, y: MatMut<'_, f64>) {
        let x = Mat::from_fn(x.nrows(), x.ncols(), |i, j| x[(i, j)].abs());
        self.map(x.as_ref(), y, f64::abs);
    }

    fn map(
        &self,
        x: MatRef<'_, f64>,
        mut y: MatMut<'_, f64>,
        f: impl Fn(f64) -> f64 + Copy + Send + Sync,
    ) {
        let n = self.starts.len() - 1;
        let mut packed = vec![[0.0; PANEL]; n];
        let mut out = vec![[0.0; PANEL]; n];
        for first in (0..x.ncols()).step_by(PANEL) {
            let width = PANEL.min(x.ncols() - first);
            let part = x.subcols(first, width);
            packed.par_chunks_mut(CHUNK).enumerate().for_each(|(c, rows)| {
                for lane in 0..width {
                    let column = part.col(lane);
                    for (i, row) in rows.iter_mut().enumerate() {
                        row[lane] = column[c * CHUNK + i];
                    }
                }
            });
            out.par_chunks_mut(CHUNK).enumerate().for_each(|(c, rows)| {
                let first_row = c * CHUNK;
                Arch::new().dispatch(Kernel { matrix: self, first_row, x: &packed, y: rows, f });
            });
            for lane in 0..width {
                let mut column = y.rb_mut().col_mut(first + lane);
                for (i, row) in out.iter().enumerate() {
                    column[i] = row[lane];
                }
            }
        }
    }
}

/// Rows of one chunk, compiled for the widest vectors that the processor has.
struct Kernel<'a, F> {
    matrix: &'a Rows,
    first_row: usize,
    x: &'a [Panel],
    y: &'a mut [Panel],
    f: F,
}

impl<F: Fn(f64) -> f64> WithSimd for Kernel<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        for (i, y) in self.y.iter_mut().enumerate() {
            let row = self.first_row + i;
            let entries = self.matrix.starts[row] as usize..self.matrix.starts[row + 1] as usize;
            let mut sum = [0.0; PANEL];
            let columns = &self.matrix.columns[entries.clone()];
            for (column, value) in columns.iter().zip(&self.matrix.values[entries]) {
                let value = (self.f)(*value);
                for (sum, x) in sum.iter_mut().zip(&self.x[*column as usize]) {
                    *sum += x * value;
                }
            }
            *y = sum;
        }
    }
}
