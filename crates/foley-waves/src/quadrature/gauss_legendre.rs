//! Gauss–Legendre nodes and weights, by Newton's method on the Legendre polynomial.

use std::f64::consts::PI;

/// Returns nodes, ascending, and weights on −1 … 1.
pub(crate) fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    let mut rule = vec![(0.0, 0.0); n];
    for i in 0..n.div_ceil(2) {
        // Tricomi's first guess, then Newton; it converges quadratically.
        let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..100 {
            let (mut p, mut before) = (1.0, 0.0);
            for j in 0..n {
                let j = j as f64;
                (p, before) = (((2.0 * j + 1.0) * x * p - j * before) / (j + 1.0), p);
            }
            slope = n as f64 * (x * p - before) / (x * x - 1.0);
            let step = p / slope;
            x -= step;
            if step.abs() < 1e-15 {
                break;
            }
        }
        let weight = 2.0 / ((1.0 - x * x) * slope * slope);
        // The middle node of an odd rule is zero exactly.
        let x = if 2 * i + 1 == n { 0.0 } else { x };
        rule[i] = (-x, weight);
        rule[n - 1 - i] = (x, weight);
    }
    rule
}

/// Returns nodes and weights on 0 … 1.
pub(crate) fn gauss_legendre_unit(n: usize) -> Vec<(f64, f64)> {
    gauss_legendre(n).into_iter().map(|(x, w)| (0.5 + 0.5 * x, 0.5 * w)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_2n_minus_1_are_exact() {
        for n in 1..40 {
            let rule = gauss_legendre(n);
            for degree in 0..2 * n {
                let exact = if degree % 2 == 0 { 2.0 / (degree as f64 + 1.0) } else { 0.0 };
                let found: f64 = rule.iter().map(|(x, w)| w * x.powi(degree as i32)).sum();
                assert!((found - exact).abs() < 1e-13, "{n} {degree} {found}");
            }
        }
    }
}
