//! The two kernels that all heavy work comes down to.
//!
//! Tall matrices (the factor's columns, the Krylov basis) are stored in strips of four
//! rows, a strip column by column; blocks of vectors in panels of eight, row by row. Both
//! kernels then read every matrix entry once, in order, and need no packing.

use pulp::Simd;

/// Rows of a strip.
pub(super) const HEIGHT: usize = 4;
/// Vectors of a panel.
pub(super) const LANES: usize = 8;
/// One row of a panel.
pub(super) type Row = [f64; LANES];

/// Σₖ strip[·, k] x[k]: four rows of a product.
#[inline(always)]
pub(super) fn times<S: Simd>(simd: S, strip: &[f64], x: &[Row]) -> [Row; HEIGHT] {
    match S::F64_LANES {
        8 => times_in::<S, 1>(simd, strip, x),
        4 => times_in::<S, 2>(simd, strip, x),
        2 => times_in::<S, 4>(simd, strip, x),
        _ => times_in::<S, 8>(simd, strip, x),
    }
}

/// x[k] += Σᵣ strip[r, k] y[r]: the transposed product.
#[inline(always)]
pub(super) fn spread<S: Simd>(simd: S, strip: &[f64], y: &[Row; HEIGHT], x: &mut [Row]) {
    match S::F64_LANES {
        8 => spread_in::<S, 1>(simd, strip, y, x),
        4 => spread_in::<S, 2>(simd, strip, y, x),
        2 => spread_in::<S, 4>(simd, strip, y, x),
        _ => spread_in::<S, 8>(simd, strip, y, x),
    }
}

/// A row as `V` registers.
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
fn times_in<S: Simd, const V: usize>(simd: S, strip: &[f64], x: &[Row]) -> [Row; HEIGHT] {
    let mut sums = [[simd.splat_f64s(0.0); V]; HEIGHT];
    let (columns, _) = strip.as_chunks::<HEIGHT>();
    for (column, x) in columns.iter().zip(x) {
        let x = load::<S, V>(x);
        for (sum, a) in sums.iter_mut().zip(column) {
            let a = simd.splat_f64s(*a);
            for v in 0..V {
                sum[v] = simd.mul_add_e_f64s(a, x[v], sum[v]);
            }
        }
    }
    let mut rows = [[0.0; LANES]; HEIGHT];
    for (row, sum) in rows.iter_mut().zip(sums) {
        store::<S, V>(row, sum);
    }
    rows
}

#[inline(always)]
fn spread_in<S: Simd, const V: usize>(simd: S, strip: &[f64], y: &[Row; HEIGHT], x: &mut [Row]) {
    let y: [[S::f64s; V]; HEIGHT] = std::array::from_fn(|r| load::<S, V>(&y[r]));
    let (columns, _) = strip.as_chunks::<HEIGHT>();
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
