//! Legendre polynomials and Gauss–Legendre quadrature.
//!
//! Bonnet's recurrence `(n+1) P_{n+1} = (2n+1) x P_n − n P_{n−1}`; nodes are the
//! roots of P_n, weights `2 / ((1 − x²) P_n′(x)²)` (Abramowitz & Stegun 25.4.29).

use super::root_finding::newton;
use std::f64::consts::PI;

/// Returns P_0(x) … P_n(x).
pub(crate) fn polynomials(n: usize, x: f64) -> Vec<f64> {
    let mut p = Vec::with_capacity(n + 2);
    p.extend([1.0, x]);
    for k in 1..n {
        let k_ = k as f64;
        p.push(((2.0 * k_ + 1.0) * x * p[k] - k_ * p[k - 1]) / (k_ + 1.0));
    }
    p.truncate(n + 1);
    p
}

/// Returns nodes and weights on [−1, 1], exact for polynomials of degree 2n − 1.
pub(crate) fn gauss(n: usize) -> Vec<(f64, f64)> {
    let n_ = n as f64;
    let p_and_slope = |x: f64| {
        let p = polynomials(n, x);
        (p[n], n_ * (p[n - 1] - x * p[n]) / ((1.0 - x) * (1.0 + x)))
    };
    (0..n)
        .map(|i| {
            let guess = -((i as f64 + 0.75) / (n_ + 0.5) * PI).cos();
            let x = newton(
                |x| {
                    let (p, slope) = p_and_slope(x);
                    p / slope
                },
                guess,
            );
            let slope = p_and_slope(x).1;
            (x, 2.0 / ((1.0 - x) * (1.0 + x) * slope * slope))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadrature_is_exact_up_to_its_degree() {
        for n in [1usize, 2, 5, 20, 101] {
            let rule = gauss(n);
            for degree in [0, 2, 4, 2 * n - 2] {
                if degree > 2 * n - 1 {
                    continue;
                }
                let sum: f64 = rule.iter().map(|(x, w)| w * x.powi(degree as i32)).sum();
                assert!((sum - 2.0 / (degree as f64 + 1.0)).abs() < 1e-13, "{n} {degree} {sum}");
            }
        }
    }

    #[test]
    fn legendre_at_the_ends_is_one() {
        assert!(polynomials(50, 1.0).iter().all(|p| (p - 1.0).abs() < 1e-12));
        assert!((polynomials(3, 0.5)[3] + 0.4375).abs() < 1e-15);
    }
}
