//! The symmetric problem `K z = Λ M z`, dense, K positive semi-definite and M
//! positive definite.
//!
//! With the shift `A = K + s M = L Lᵀ` it becomes `L⁻¹ M L⁻ᵀ c = μ c`,
//! `μ = 1/(Λ + s)`: the smallest Λ, which are the ones wanted, are the largest μ and
//! are found to full relative accuracy however large the largest Λ is. A is first
//! scaled to a unit diagonal, and the last matrix to norm one.

use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Mat, Par, Side};

/// Λ in ascending order, and the vectors with zᵀ M z = 1, for all Λ up to a limit.
#[derive(Debug)]
pub struct Pairs {
    /// Λ, ascending.
    pub values: Vec<f64>,
    /// One vector per value.
    pub vectors: Vec<Vec<f64>>,
}

/// Solves for all Λ ≤ `limit`; `None` when the matrices are not definite.
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

    // faer gives the μ in ascending order: the Λ wanted are the last columns.
    let mu: Vec<f64> = (0..n).map(|i| spectrum.S()[i] * norm).collect();
    let wanted = mu.iter().rev().take_while(|mu| **mu > 0.0 && 1.0 / **mu - shift <= limit).count();
    let mut z = Mat::from_fn(n, wanted, |i, j| spectrum.U()[(i, n - 1 - j)]);
    solve_upper_triangular_in_place(lower.transpose(), z.as_mut(), Par::Seq);
    let values = (0..wanted).map(|j| 1.0 / mu[n - 1 - j] - shift).collect();
    // cᵀc = 1 means zᵀ A z = 1, hence zᵀ M z = μ.
    let vectors = (0..wanted)
        .map(|j| (0..n).map(|i| z[(i, j)] * scale[i] / mu[n - 1 - j].sqrt()).collect())
        .collect();
    Some(Pairs { values, vectors })
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
