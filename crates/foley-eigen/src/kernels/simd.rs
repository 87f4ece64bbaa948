//! SIMD kernels: a strip of a tall matrix times a panel of vectors, and the transpose.
//!
//! Tall matrices (the factor's columns, the Krylov basis) are stored in strips of four
//! rows, a strip column by column; blocks of vectors in panels of eight, row by row. Both
//! kernels then read every matrix entry once, in order, and need no packing.

use pulp::Simd;

pub(crate) const STRIP_ROWS: usize = 4;
/// Number of vectors of a panel.
pub(crate) const LANES: usize = 8;
/// One row of a panel.
pub(crate) type Row = [f64; LANES];

/// Returns Σₖ strip[·, k] x[k]: four rows of a product.
#[inline(always)]
pub(crate) fn multiply<S: Simd>(simd: S, strip: &[f64], x: &[Row]) -> [Row; STRIP_ROWS] {
    match S::F64_LANES {
        8 => multiply_in::<S, 1>(simd, strip, x),
        4 => multiply_in::<S, 2>(simd, strip, x),
        2 => multiply_in::<S, 4>(simd, strip, x),
        _ => multiply_in::<S, 8>(simd, strip, x),
    }
}

/// Adds the transposed product: x[k] += Σᵣ strip[r, k] y[r].
#[inline(always)]
pub(crate) fn multiply_transposed<S: Simd>(
    simd: S,
    strip: &[f64],
    y: &[Row; STRIP_ROWS],
    x: &mut [Row],
) {
    match S::F64_LANES {
        8 => multiply_transposed_in::<S, 1>(simd, strip, y, x),
        4 => multiply_transposed_in::<S, 2>(simd, strip, y, x),
        2 => multiply_transposed_in::<S, 4>(simd, strip, y, x),
        _ => multiply_transposed_in::<S, 8>(simd, strip, y, x),
    }
}

/// Loads a row into `V` registers.
#[inline(always)]
fn load<S: Simd, const V: usize>(row: &Row) -> [S::f64s; V] {
    let (parts, _) = S::as_simd_f64s(row);
    std::array::from_fn(|v| parts[v])
}

#[inline(always)]
fn store<S: Simd, const V: usize>(row: &mut Row, registers: [S::f64s; V]) {
    let (parts, _) = S::as_mut_simd_f64s(row);
    parts[..V].copy_from_slice(&registers);
}

#[inline(always)]
fn multiply_in<S: Simd, const V: usize>(simd: S, strip: &[f64], x: &[Row]) -> [Row; STRIP_ROWS] {
    let mut sums = [[simd.splat_f64s(0.0); V]; STRIP_ROWS];
    let (columns, _) = strip.as_chunks::<STRIP_ROWS>();
    for (column, x) in columns.iter().zip(x) {
        let x = load::<S, V>(x);
        for (sum, a) in sums.iter_mut().zip(column) {
            let a = simd.splat_f64s(*a);
            for v in 0..V {
                sum[v] = simd.mul_add_e_f64s(a, x[v], sum[v]);
            }
        }
    }
    let mut rows = [[0.0; LANES]; STRIP_ROWS];
    for (row, sum) in rows.iter_mut().zip(sums) {
        store::<S, V>(row, sum);
    }
    rows
}

#[inline(always)]
fn multiply_transposed_in<S: Simd, const V: usize>(
    simd: S,
    strip: &[f64],
    y: &[Row; STRIP_ROWS],
    x: &mut [Row],
) {
    let y: [[S::f64s; V]; STRIP_ROWS] = std::array::from_fn(|r| load::<S, V>(&y[r]));
    let (columns, _) = strip.as_chunks::<STRIP_ROWS>();
    for (column, x) in columns.iter().zip(x) {
        let mut sum = load::<S, V>(x);
        for (y, a) in y.iter().zip(column) {
            let a = simd.splat_f64s(*a);
            for v in 0..V {
                sum[v] = simd.mul_add_e_f64s(a, y[v], sum[v]);
            }
        }
        store::<S, V>(x, sum);
    }
}
