//! Dense generalised symmetric eigenproblem `K z = Λ M z`, K positive semi-definite and M
//! positive definite.
//!
//! With the shift `A = K + s M = L Lᵀ` it becomes `L⁻¹ M L⁻ᵀ c = μ c`,
//! `μ = 1/(Λ + s)`: the smallest Λ, which are wanted, are the largest μ, so they
//! have full relative accuracy for any largest Λ. A is first scaled to a unit diagonal, and
//! the last matrix to norm one.

use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Mat, Par, Side};

use crate::kernels::block_vector::BlockVector;
use crate::modes::Modes;
use crate::pencil::Pencil;
use crate::vector_sign::fix_sign;
use crate::verify::verified;
use crate::{EigenError, Options, Stage};

/// Eigenpairs with zᵀ M z = 1 and fixed signs, for all Λ up to a limit.
#[derive(Debug)]
pub struct Pairs {
    /// Λ, ascending.
    pub values: Vec<f64>,
    /// One vector per value.
    pub vectors: Vec<Vec<f64>>,
}

/// Returns all eigenpairs with Λ ≤ `limit`; `None` when the matrices are not definite.
pub fn lowest(k: &Mat<f64>, m: &Mat<f64>, shift: f64, limit: f64) -> Option<Pairs> {
    let n = k.nrows();
    let scale: Vec<f64> = (0..n).map(|i| (k[(i, i)] + shift * m[(i, i)]).sqrt().recip()).collect();
    let scaled =
        |f: &dyn Fn(usize, usize) -> f64| Mat::from_fn(n, n, |i, j| scale[i] * scale[j] * f(i, j));
    let a = scaled(&|i, j| k[(i, j)] + shift * m[(i, j)]);
    let factor = a.llt(Side::Lower).ok()?;
    let lower = factor.L();

    let mut c = scaled(&|i, j| m[(i, j)]);
    solve_lower_triangular_in_place(lower, c.as_mut(), Par::Seq);
    let mut c = c.transpose().to_owned();
    solve_lower_triangular_in_place(lower, c.as_mut(), Par::Seq);
    let norm = (0..n).map(|i| c[(i, i)]).fold(0.0, f64::max);
    if !(norm.is_finite() && norm > 0.0) {
        return None;
    }
    let c = Mat::from_fn(n, n, |i, j| 0.5 * (c[(i, j)] + c[(j, i)]) / norm);
    let spectrum = c.self_adjoint_eigen(Side::Lower).ok()?;

    // faer returns μ in ascending order: the wanted Λ are the last columns.
    let mu: Vec<f64> = (0..n).map(|i| spectrum.S()[i] * norm).collect();
    let wanted = mu.iter().rev().take_while(|mu| **mu > 0.0 && 1.0 / **mu - shift <= limit).count();
    let mut z = Mat::from_fn(n, wanted, |i, j| spectrum.U()[(i, n - 1 - j)]);
    solve_upper_triangular_in_place(lower.transpose(), z.as_mut(), Par::Seq);
    let values = (0..wanted).map(|j| 1.0 / mu[n - 1 - j] - shift).collect();
    // cᵀc = 1 means zᵀ A z = 1, hence zᵀ M z = μ.
    let vector = |j: usize| {
        let unscale = mu[n - 1 - j].sqrt().recip();
        let mut vector: Vec<f64> = (0..n).map(|i| z[(i, j)] * scale[i] * unscale).collect();
        fix_sign(&mut vector);
        vector
    };
    let vectors = (0..wanted).map(vector).collect();
    Some(Pairs { values, vectors })
}

/// Shifts to try, relative to the largest λ.
const SHIFTS: [f64; 3] = [1e-8, 1e-6, 1e-4];

/// Returns the modes with low ≤ λ' < high, at most `count`, in the pencil's units.
pub(crate) fn modes(
    pencil: &Pencil,
    low: f64,
    high: f64,
    count: usize,
    options: &mut Options<'_>,
) -> Result<Modes, EigenError> {
    let n = pencil.unknowns();
    options.check_memory(8 * 8 * (n as u64).pow(2))?;
    options.report(Stage::Iterating, 0.0)?;
    let full = |values: &[f64]| {
        let mut a = Mat::zeros(n, n);
        for j in 0..n {
            let column = pencil.starts[j] as usize..pencil.starts[j + 1] as usize;
            for (row, value) in pencil.rows[column.clone()].iter().zip(&values[column]) {
                a[(*row as usize, j)] = *value;
                a[(j, *row as usize)] = *value;
            }
        }
        a
    };
    let (k, m) = (full(&pencil.k), full(&pencil.m));
    m.llt(faer::Side::Lower).map_err(|_| EigenError::MassNotDefinite)?;
    let mut failed = EigenError::StiffnessNegative;
    for shift in SHIFTS.map(|shift| shift * pencil.lambda_max) {
        let Some(pairs) = lowest(&k, &m, shift, high) else { continue };
        // A positive semi-definite K has no λ below zero.
        if pairs.values.first().is_some_and(|l| *l < -1e-3 * shift) {
            return Err(EigenError::StiffnessNegative);
        }
        let skipped = pairs.values.iter().take_while(|l| **l < low).count();
        let vectors = &pairs.vectors[skipped..];
        let vectors = &vectors[..count.min(vectors.len())];
        let mut block = BlockVector::zeros(n, vectors.len());
        for (j, vector) in vectors.iter().enumerate() {
            vector.iter().enumerate().for_each(|(i, x)| block.set(i, j, *x));
        }
        // High modes lose the digits by which they exceed the shift.
        match verified(pencil, block, shift, options.tolerance) {
            Err(error @ EigenError::NotConverged { .. }) => failed = error,
            answer => return answer,
        }
    }
    Err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of masses and springs between walls: Λ_i = 2 − 2 cos(iπ/(n+1)).
    #[test]
    fn spring_chain() {
        let n = 40;
        let k = Mat::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 2e9,
            1 => -1e9,
            _ => 0.0,
        });
        let m = Mat::from_fn(n, n, |i, j| if i == j { 3.0 } else { 0.0 });
        let pairs = lowest(&k, &m, 1.0, 1e9).unwrap();
        for (i, value) in pairs.values.iter().enumerate() {
            let angle = (i + 1) as f64 * std::f64::consts::PI / (n + 1) as f64;
            let expected = (2.0 - 2.0 * angle.cos()) * 1e9 / 3.0;
            assert!((value / expected - 1.0).abs() < 1e-10, "{i} {value} {expected}");
            let norm: f64 = pairs.vectors[i].iter().map(|z| 3.0 * z * z).sum();
            assert!((norm - 1.0).abs() < 1e-10);
        }
        assert!(pairs.values.len() > 20 && pairs.values.iter().all(|v| *v <= 1e9));
    }

    #[test]
    fn nonsense_is_refused() {
        let nan = Mat::from_fn(3, 3, |_, _| f64::NAN);
        assert!(lowest(&nan, &nan, 1.0, 1.0).is_none());
    }
}
