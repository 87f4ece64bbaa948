//! Symmetric quadrature rules of a triangle.
//!
//! D. Dunavant, *High degree efficient symmetrical Gaussian quadrature rules for the triangle*,
//! Int. J. Numer. Methods Eng. 21 (1985). Points are barycentric, weights sum to one.

/// Degree 2. The shape function i is 2/3 at point i and 1/6 at the others.
pub(crate) const THREE_POINTS: [([f64; 3], f64); 3] = {
    let (a, b) = (2.0 / 3.0, 1.0 / 6.0);
    [([a, b, b], 1.0 / 3.0), ([b, a, b], 1.0 / 3.0), ([b, b, a], 1.0 / 3.0)]
};

/// Degree 4.
pub(crate) const SIX_POINTS: [([f64; 3], f64); 6] = {
    let (a, b, v) = (0.108_103_018_168_070, 0.445_948_490_915_965, 0.223_381_589_678_011);
    let (c, d, w) = (0.816_847_572_980_459, 0.091_576_213_509_771, 0.109_951_743_655_322);
    [([a, b, b], v), ([b, a, b], v), ([b, b, a], v), ([c, d, d], w), ([d, c, d], w), ([d, d, c], w)]
};

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ λ₀^a λ₁^b λ₂^c = 2A a! b! c! / (a + b + c + 2)!.
    #[test]
    fn polynomials_are_exact() {
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        let check = |rule: &[([f64; 3], f64)], degree: i32| {
            for a in 0..=degree {
                for b in 0..=degree - a {
                    for c in 0..=degree - a - b {
                        let exact = 2.0 * factorial(a) * factorial(b) * factorial(c)
                            / factorial(a + b + c + 2);
                        let at = |p: &[f64; 3]| p[0].powi(a) * p[1].powi(b) * p[2].powi(c);
                        let found: f64 = rule.iter().map(|(p, w)| w * at(p)).sum();
                        assert!((found - exact).abs() < 1e-13, "{a} {b} {c} {found} {exact}");
                    }
                }
            }
        };
        check(&THREE_POINTS, 2);
        check(&SIX_POINTS, 4);
    }
}
