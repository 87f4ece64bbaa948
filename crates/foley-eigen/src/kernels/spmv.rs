//! Sparse matrix times block of vectors (SpMV), in parallel.

use std::iter::once;

use foley_parallel::prelude::*;
use pulp::{Arch, Simd, WithSimd};

use crate::kernels::block_vector::BlockVector;
use crate::kernels::simd::{LANES, Row};
use crate::matrix::group_starts;

/// Rows per parallel task.
const CHUNK: usize = 512;

/// A symmetric matrix in compressed sparse rows (CSR), both triangles stored.
pub(crate) struct SymmetricCsr {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl SymmetricCsr {
    /// Builds the matrix from one triangle by columns; drops zero entries.
    pub(crate) fn from_triangle(starts: &[u32], rows: &[u32], values: &[f64]) -> Self {
        let n = starts.len() - 1;
        let columns = (0..n).map(|j| (j, starts[j] as usize..starts[j + 1] as usize));
        let triangle = columns
            .flat_map(|(j, column)| column.map(move |p| (rows[p] as usize, j, values[p])))
            .filter(|(_, _, value)| *value != 0.0);
        let both = triangle
            .flat_map(|(i, j, value)| once((i, j, value)).chain((i != j).then_some((j, i, value))));
        let starts = group_starts(n, both.clone().map(|(row, ..)| row));
        let mut next = starts.clone();
        let total = starts[n] as usize;
        let (mut columns, mut values) = (vec![0; total], vec![0.0; total]);
        both.for_each(|(row, column, value)| {
            let at = &mut next[row];
            columns[*at as usize] = column as u32;
            values[*at as usize] = value;
            *at += 1;
        });
        Self { starts, columns, values }
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.starts.len() * 4 + self.columns.len() * 12) as u64
    }

    /// Returns whether only the diagonal is stored.
    pub(crate) fn is_diagonal(&self) -> bool {
        self.columns.len() < self.starts.len()
    }

    /// Returns A x.
    pub(crate) fn times(&self, x: &BlockVector) -> BlockVector {
        self.multiply_with(x, |value| value, |x| x)
    }

    /// Returns |A| |x|.
    pub(crate) fn times_absolute(&self, x: &BlockVector) -> BlockVector {
        self.multiply_with(x, f64::abs, f64::abs)
    }

    fn multiply_with(
        &self,
        x: &BlockVector,
        f: impl Fn(f64) -> f64 + Copy + Send + Sync,
        g: impl Fn(f64) -> f64 + Copy + Send + Sync,
    ) -> BlockVector {
        let n = self.starts.len() - 1;
        let mut y = BlockVector::zeros(n, x.width);
        for (x, y) in x.panels.iter().zip(&mut y.panels) {
            y[..n].par_chunks_mut(CHUNK).enumerate().for_each(|(c, y)| {
                Arch::new().dispatch(Kernel { matrix: self, first_row: c * CHUNK, x, y, f, g });
            });
        }
        y
    }
}

/// Rows of one task, compiled for the widest SIMD registers of the CPU.
struct Kernel<'a, F, G> {
    matrix: &'a SymmetricCsr,
    first_row: usize,
    x: &'a [Row],
    y: &'a mut [Row],
    f: F,
    g: G,
}

impl<F: Fn(f64) -> f64, G: Fn(f64) -> f64> WithSimd for Kernel<'_, F, G> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        for (i, y) in self.y.iter_mut().enumerate() {
            let row = self.first_row + i;
            let entries = self.matrix.starts[row] as usize..self.matrix.starts[row + 1] as usize;
            let mut sum = [0.0; LANES];
            let columns = &self.matrix.columns[entries.clone()];
            for (column, value) in columns.iter().zip(&self.matrix.values[entries]) {
                let value = (self.f)(*value);
                for (sum, x) in sum.iter_mut().zip(&self.x[*column as usize]) {
                    *sum += (self.g)(*x) * value;
                }
            }
            *y = sum;
        }
    }
}
