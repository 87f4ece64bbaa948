//! ESPRIT: the poles of sums of exponentials from the shift invariance of their
//! signal subspace (Roy & Kailath 1989; for damped modes Laroche 1993).
//!
//! The Hankel matrices of all signals stand side by side, so that signals share their
//! poles: with columns h_m = (x_m … x_{m+L−1}), `R = Σ h_m h_mᴴ = U Λ Uᴴ`. The
//! eigenvectors U_s above the noise span the exponentials, and the eigenvalues of
//! `Ψ = U_↑⁺ U_↓` (U_s without its last, without its first row) are the poles z.

use faer::{Mat, Side};
use realfft::num_complex::Complex64;

/// The orthonormal vectors that span the exponentials, the strongest first.
pub(super) struct Subspace {
    u: Mat<Complex64>,
}

impl Subspace {
    /// Estimates the signal subspace from the first `length` samples of signals whose noise has
    /// unit variance; at most `most` vectors.
    pub(super) fn new(signals: &[Vec<Complex64>], length: usize, most: usize) -> Option<Self> {
        let used = |x: &Vec<Complex64>| x.len().min(length);
        let shortest = signals.iter().map(used).min()?;
        let rows = (2 * shortest / 5).min(128);
        if rows < 3 {
            return None;
        }
        let columns: usize = signals.iter().map(|x| used(x) + 1 - rows).sum();
        let mut r = Mat::<Complex64>::zeros(rows, rows);
        for x in signals {
            add_covariance(&mut r, &x[..used(x)]);
        }
        let trace: f64 = (0..rows).map(|i| r[(i, i)].re).sum();
        if !(trace > 0.0 && trace.is_finite()) {
            return None;
        }
        let scaled = Mat::from_fn(rows, rows, |i, j| r[(i, j)] / trace);
        let spectrum = scaled.self_adjoint_eigen(Side::Lower).ok()?;
        // The largest eigenvalue of pure noise: the edge of the Marchenko–Pastur law.
        let edge = columns as f64 * (1.0 + (rows as f64 / columns as f64).sqrt()).powi(2);
        let above = |i: &usize| spectrum.S()[rows - 1 - i].re * trace > 1.3 * edge;
        let order = (0..rows).take_while(above).count().min(most).min(rows - 2);
        let u = Mat::from_fn(rows, order, |i, j| spectrum.U()[(i, rows - 1 - j)]);
        Some(Self { u })
    }

    /// Returns the number of exponentials above the noise.
    pub(super) fn order(&self) -> usize {
        self.u.ncols()
    }

    /// Returns the poles z for this model order.
    pub(super) fn poles(&self, order: usize) -> Vec<Complex64> {
        let order = order.min(self.order());
        if order == 0 {
            return Vec::new();
        }
        let u = self.u.subcols(0, order).to_owned();
        rotate(&u).eigenvalues().unwrap_or_default()
    }
}

/// R += Σ h_m h_mᴴ, by `R_{i+1,j+1} = R_{ij} − x_i x_j* + x_{i+M} x_{j+M}*`.
fn add_covariance(r: &mut Mat<Complex64>, x: &[Complex64]) {
    let rows = r.nrows();
    let columns = x.len() + 1 - rows;
    for lag in 0..rows {
        let mut sum: Complex64 = (0..columns).map(|m| x[m + lag] * x[m].conj()).sum();
        for j in 0..rows - lag {
            let i = j + lag;
            r[(i, j)] += sum;
            if lag > 0 {
                r[(j, i)] += sum.conj();
            }
            if i + 1 < rows {
                sum += x[i + columns] * x[j + columns].conj() - x[i] * x[j].conj();
            }
        }
    }
}

/// Ψ. Since U is orthonormal, `U_↑ᴴ U_↑ = I − v vᴴ` with v the last row's conjugate,
/// whose inverse is `I + v vᴴ / (1 − |v|²)`.
fn rotate(u: &Mat<Complex64>) -> Mat<Complex64> {
    let (rows, order) = (u.nrows(), u.ncols());
    let upper = u.submatrix(0, 0, rows - 1, order);
    let lower = u.submatrix(1, 0, rows - 1, order);
    let product = upper.adjoint() * lower;
    let v: Vec<Complex64> = (0..order).map(|a| u[(rows - 1, a)].conj()).collect();
    let residual = (1.0 - v.iter().map(|x| x.norm_sqr()).sum::<f64>()).max(1e-9);
    let row: Vec<Complex64> =
        (0..order).map(|b| (0..order).map(|a| v[a].conj() * product[(a, b)]).sum()).collect();
    Mat::from_fn(order, order, |a, b| product[(a, b)] + v[a] * row[b] / residual)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two damped exponentials, one tenth of a resolution cell apart, without noise.
    #[test]
    fn exact_signals_give_exact_poles() {
        let truth = [Complex64::new(-0.01, 1.0), Complex64::new(-0.013, 1.003)];
        let signal = |a: [f64; 2]| -> Vec<Complex64> {
            let at = |m| (0..2).map(|i| 1e6 * a[i] * (truth[i] * f64::from(m)).exp()).sum();
            (0..200).map(at).collect()
        };
        let signals = [signal([1.0, 0.7]), signal([0.2, -1.0])];
        let mut found = Subspace::new(&signals, 200, 8).unwrap().poles(2);
        found.sort_by(|a, b| a.arg().total_cmp(&b.arg()));
        assert_eq!(found.len(), 2);
        for (z, s) in found.iter().zip(truth) {
            assert!((z.ln() - s).norm() < 1e-4, "{z} {s}");
        }
    }

    #[test]
    fn silence_has_no_poles() {
        assert!(Subspace::new(&[vec![Complex64::ZERO; 100]], 100, 8).is_none());
        assert!(Subspace::new(&[], 100, 8).is_none());
    }
}
