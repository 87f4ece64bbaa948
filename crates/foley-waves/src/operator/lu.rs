//! LU factorisation of a dense complex matrix with partial pivoting, in parallel.
//!
//! Right-looking and blocked: a panel of columns is factorised, then every other block of columns
//! exchanges rows, solves with the panel's triangle and subtracts the panel's product. Blocks are
//! independent and of fixed size, so the result does not depend on the number of threads.

use crate::WavesError;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{
    solve_unit_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::reborrow::ReborrowMut;
use faer::{Accum, Mat, MatMut, Par, Spec};
use foley_parallel::prelude::*;
use num_complex::Complex64;

/// Columns of a panel.
const PANEL: usize = 64;
/// Columns that one task updates.
const BLOCK: usize = 128;
/// Right-hand sides that one task solves.
const SIDES: usize = 16;

/// P A = L U.
pub(crate) struct Lu {
    factors: Mat<Complex64>,
    /// Row of A at each row of P A.
    rows: Vec<usize>,
}

impl Lu {
    /// Factorises a square matrix in place. `progress` receives the fraction done; false cancels.
    pub(crate) fn new(
        mut matrix: Mat<Complex64>,
        progress: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Self, WavesError> {
        let n = matrix.nrows();
        let mut rows: Vec<usize> = (0..n).collect();
        let mut start = 0;
        while start < n {
            let left = 1.0 - start as f64 / n as f64;
            if !progress(1.0 - left.powi(3)) {
                return Err(WavesError::Cancelled);
            }
            let width = PANEL.min(n - start);
            step(matrix.as_mut(), start, width, &mut rows)?;
            start += width;
        }
        Ok(Self { factors: matrix, rows })
    }

    /// Solves for all columns.
    pub(crate) fn solve(&self, sides: &Mat<Complex64>) -> Result<Mat<Complex64>, WavesError> {
        let n = self.rows.len();
        let mut x = Mat::from_fn(n, sides.ncols(), |i, j| sides[(self.rows[i], j)]);
        blocks(x.as_mut(), SIDES).par_iter_mut().for_each(|block| {
            let mut block = block.rb_mut();
            solve_unit_lower_triangular_in_place(self.factors.as_ref(), block.rb_mut(), Par::Seq);
            solve_upper_triangular_in_place(self.factors.as_ref(), block, Par::Seq);
        });
        let finite = x.col_iter().all(|column| column.iter().all(|z| z.is_finite()));
        if finite { Ok(x) } else { Err(WavesError::Singular) }
    }
}

/// Cuts a matrix into blocks of columns.
fn blocks(matrix: MatMut<'_, Complex64>, width: usize) -> Vec<MatMut<'_, Complex64>> {
    let mut parts = Vec::new();
    let mut rest = matrix;
    while rest.ncols() > 0 {
        let columns = width.min(rest.ncols());
        let (part, after) = rest.split_at_col_mut(columns);
        parts.push(part);
        rest = after;
    }
    parts
}

/// Eliminates the columns from `start` on.
fn step(
    matrix: MatMut<'_, Complex64>,
    start: usize,
    width: usize,
    rows: &mut [usize],
) -> Result<(), WavesError> {
    let (left, rest) = matrix.split_at_col_mut(start);
    let (panel, right) = rest.split_at_col_mut(width);
    let (_, left) = left.split_at_row_mut(start);
    let (_, mut panel) = panel.split_at_row_mut(start);
    let (_, right) = right.split_at_row_mut(start);
    let height = panel.nrows();
    let (mut order, mut inverse) = (vec![0_usize; height], vec![0_usize; height]);
    let needed = lu_in_place_scratch::<usize, Complex64>(height, width, Par::Seq, Spec::default());
    lu_in_place(
        panel.rb_mut(),
        &mut order,
        &mut inverse,
        Par::Seq,
        MemStack::new(&mut MemBuffer::try_new(needed).map_err(|_| WavesError::Singular)?),
        Spec::default(),
    );
    let old = rows[start..].to_vec();
    rows[start..].iter_mut().zip(&order).for_each(|(row, from)| *row = old[*from]);
    // Rows that stay, and rows that move.
    let moved: Vec<(usize, usize)> = order
        .iter()
        .enumerate()
        .filter(|(to, from)| to != *from)
        .map(|(to, &from)| (to, from))
        .collect();
    let exchange = |block: &mut MatMut<'_, Complex64>| {
        let mut values = vec![Complex64::ZERO; moved.len()];
        for column in 0..block.ncols() {
            for (value, (_, from)) in values.iter_mut().zip(&moved) {
                *value = block[(*from, column)];
            }
            for (value, (to, _)) in values.iter().zip(&moved) {
                block[(*to, column)] = *value;
            }
        }
    };
    let (upper, lower) = panel.as_ref().split_at_row(width);
    blocks(left, BLOCK).par_iter_mut().for_each(exchange);
    blocks(right, BLOCK).par_iter_mut().for_each(|block| {
        exchange(block);
        let (mut top, below) = block.rb_mut().split_at_row_mut(width);
        solve_unit_lower_triangular_in_place(upper, top.rb_mut(), Par::Seq);
        let minus = Complex64::new(-1.0, 0.0);
        matmul(below, Accum::Add, lower, top.as_ref(), minus, Par::Seq);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_geometry::rng::SplitMix64;

    #[test]
    fn solutions_satisfy_the_equations() {
        for n in [1, 2, 63, 64, 65, 300] {
            let mut random = SplitMix64::new(n as u64);
            let mut next = || Complex64::new(random.unit() - 0.5, random.unit() - 0.5);
            let matrix = Mat::from_fn(n, n, |_, _| next());
            let sides = Mat::from_fn(n, 3, |_, _| next());
            let x = Lu::new(matrix.clone(), &mut |_| true).unwrap().solve(&sides).unwrap();
            let rest = &matrix * &x - &sides;
            assert!(rest.norm_max() < 1e-9, "{n} {}", rest.norm_max());
        }
    }

    #[test]
    fn a_singular_matrix_is_an_error() {
        let zero = Mat::<Complex64>::zeros(70, 70);
        let sides = Mat::from_fn(70, 1, |_, _| Complex64::ONE);
        let factors = Lu::new(zero, &mut |_| true).unwrap();
        assert_eq!(factors.solve(&sides).err(), Some(WavesError::Singular));
    }
}
