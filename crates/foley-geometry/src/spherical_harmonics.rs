//! Real spherical harmonics.
//!
//! Orthonormal on the sphere, without the Condon–Shortley phase, in the order of ambisonics (ACN):
//! Y_lm stands at l² + l + m; m > 0 has cos mφ, m < 0 has sin |m|φ.

use std::f64::consts::{PI, SQRT_2};

/// Returns Y_lm of a direction up to a degree, (degree + 1)² values.
pub fn real_spherical_harmonics(degree: usize, direction: [f64; 3]) -> Vec<f64> {
    let [x, y, z] = direction;
    let length = (x * x + y * y + z * z).sqrt();
    let cos_theta = if length > 0.0 { z / length } else { 1.0 };
    let phi = y.atan2(x);
    let legendre = legendre(degree, cos_theta);
    let mut values = vec![0.0; (degree + 1) * (degree + 1)];
    for l in 0..=degree {
        values[l * l + l] = legendre[index(l, 0)];
        for m in 1..=l {
            let (sin, cos) = (m as f64 * phi).sin_cos();
            let value = SQRT_2 * legendre[index(l, m)];
            values[l * l + l + m] = value * cos;
            values[l * l + l - m] = value * sin;
        }
    }
    values
}

/// Place of degree l and order m ≥ 0 in [`legendre`].
pub fn index(l: usize, m: usize) -> usize {
    l * (l + 1) / 2 + m
}

/// Returns associated Legendre functions, normalised so that Y_l0 = P_l0 and
/// Y_lm = √2 P_lm cos mφ, by the stable recurrence in l.
pub fn legendre(degree: usize, x: f64) -> Vec<f64> {
    let mut p = vec![0.0; index(degree, degree) + 1];
    let s = (1.0 - x * x).max(0.0).sqrt();
    p[0] = (0.25 / PI).sqrt();
    for m in 1..=degree {
        let ratio = (2.0 * m as f64 + 1.0) / (2.0 * m as f64);
        p[index(m, m)] = ratio.sqrt() * s * p[index(m - 1, m - 1)];
    }
    for m in 0..degree {
        p[index(m + 1, m)] = (2.0 * m as f64 + 3.0).sqrt() * x * p[index(m, m)];
    }
    for l in 2..=degree {
        let ll = (l * l) as f64;
        let before = ((l - 1) * (l - 1)) as f64;
        for m in 0..l - 1 {
            let mm = (m * m) as f64;
            let a = ((4.0 * ll - 1.0) / (ll - mm)).sqrt();
            let b = ((before - mm) / (4.0 * before - 1.0)).sqrt();
            p[index(l, m)] = a * (x * p[index(l - 1, m)] - b * p[index(l - 2, m)]);
        }
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_harmonics_are_those_of_ambisonics() {
        let d = [0.36, 0.48, 0.8];
        let y = real_spherical_harmonics(2, d);
        let (n0, n1) = ((0.25 / PI).sqrt(), (0.75 / PI).sqrt());
        let first = [n0, n1 * d[1], n1 * d[2], n1 * d[0]];
        y.iter().zip(first).for_each(|(y, exact)| assert!((y - exact).abs() < 1e-14));
        let y20 = (5.0 / PI).sqrt() * 0.25 * (3.0 * d[2] * d[2] - 1.0);
        let y22 = (15.0 / PI).sqrt() * 0.25 * (d[0] * d[0] - d[1] * d[1]);
        assert!((y[6] - y20).abs() < 1e-14 && (y[8] - y22).abs() < 1e-14);
    }

    /// Unsöld's theorem: Σ_m Y_lm² = (2l + 1)/4π.
    #[test]
    fn squares_of_a_degree_add_up() {
        let y = real_spherical_harmonics(60, [0.1, -0.7, 0.2]);
        for l in 0..=60 {
            let sum: f64 = y[l * l..(l + 1) * (l + 1)].iter().map(|y| y * y).sum();
            assert!((sum * 4.0 * PI / (2 * l + 1) as f64 - 1.0).abs() < 1e-11, "{l}");
        }
    }
}
