//! Green's function of the Helmholtz equation, G = e^{ikr} / 4πr, without branches.
//!
//! Time dependence is e^{−iωt}, so e^{ikr}/r is an outgoing wave. Nothing here branches or
//! calls, so that loops over it become vector instructions where they are compiled for the
//! processor at hand (`pulp`).

use pulp::{Simd, WithSimd};
use std::f64::consts::{FRAC_2_PI, PI};

/// G and 1/r at one distance.
pub(crate) struct Wave {
    pub(crate) re: f64,
    pub(crate) im: f64,
    pub(crate) inverse_r: f64,
}

/// Computes G at a squared distance.
#[inline(always)]
pub(crate) fn wave(k: f64, squared: f64) -> Wave {
    let r = squared.sqrt();
    let inverse_r = 1.0 / r;
    let (sin, cos) = sin_cos(k * r);
    let scale = inverse_r * (0.25 / PI);
    Wave { re: cos * scale, im: sin * scale, inverse_r }
}

/// Computes the sine and cosine of phases; each phase below 2³¹ in magnitude.
pub(crate) fn sin_cos_all(phases: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    pulp::Arch::new().dispatch(SinCos { phases, sin, cos });
}

/// A type and no closure: a closure would not be compiled for the vector instructions.
struct SinCos<'a> {
    phases: &'a [f64],
    sin: &'a mut [f64],
    cos: &'a mut [f64],
}

impl WithSimd for SinCos<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let results = self.sin.iter_mut().zip(self.cos.iter_mut());
        for (x, (sin, cos)) in self.phases.iter().zip(results) {
            (*sin, *cos) = sin_cos(*x);
        }
    }
}

/// Coefficients of sin y = y + y³ (…) and cos y = 1 + y² (…).
const SINE: [f64; 7] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
];
const COSINE: [f64; 8] = [
    -0.5,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];

#[inline(always)]
fn polynomial<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        sum = coefficients[i] + x * sum;
    }
    sum
}

/// Sine and cosine without branches: Cody–Waite reduction to ±π/4 and Taylor polynomials, whose
/// remainder there is below 1e-15.
#[inline(always)]
fn sin_cos(x: f64) -> (f64, f64) {
    // Adding 1.5·2⁵² rounds to an integer, which then stands in the lowest bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    // π/2 in two parts; the first has 33 bits, so that its products with integers are exact.
    const HIGH: f64 = 1.570_796_326_734_125_6;
    const LOW: f64 = 6.077_100_506_506_192e-11;
    let shifted = x * FRAC_2_PI + ROUND;
    let quarter = shifted.to_bits();
    let n = shifted - ROUND;
    let y = (x - n * HIGH) - n * LOW;
    let y2 = y * y;
    let s = y + y * y2 * polynomial(y2, &SINE);
    let c = 1.0 + y2 * polynomial(y2, &COSINE);
    // Exchanged in odd quarters; by bits, because a branch would end the vectors.
    let odd = 0_u64.wrapping_sub(quarter & 1);
    let exchange = (s.to_bits() ^ c.to_bits()) & odd;
    let sin = f64::from_bits(s.to_bits() ^ exchange);
    let cos = f64::from_bits(c.to_bits() ^ exchange);
    // The signs change in the third and fourth, and in the second and third quarter.
    let sin = f64::from_bits(sin.to_bits() ^ ((quarter & 2) << 62));
    let cos = f64::from_bits(cos.to_bits() ^ ((quarter.wrapping_add(1) & 2) << 62));
    (sin, cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_are_exact_to_rounding() {
        let phases: Vec<f64> =
            (0..20_000).map(|i| 0.037 * i as f64 - 30.0).chain([1e4, 1e5 + 0.3]).collect();
        let (mut sin, mut cos) = (vec![0.0; phases.len()], vec![0.0; phases.len()]);
        sin_cos_all(&phases, &mut sin, &mut cos);
        for (i, x) in phases.iter().enumerate() {
            let bound = 1e-15 + 1e-16 * x.abs();
            assert!((sin[i] - x.sin()).abs() < bound, "{x} {} {}", sin[i], x.sin());
            assert!((cos[i] - x.cos()).abs() < bound, "{x} {} {}", cos[i], x.cos());
        }
    }

    #[test]
    fn greens_function_is_a_spherical_wave() {
        let (k, distances) = (3.0, [0.1_f64, 1.0, 7.5]);
        for r in distances {
            let found = wave(k, r * r);
            assert!((found.re - (k * r).cos() / (4.0 * PI * r)).abs() < 1e-14);
            assert!((found.im - (k * r).sin() / (4.0 * PI * r)).abs() < 1e-14);
            assert!((found.inverse_r * r - 1.0).abs() < 1e-15);
        }
    }
}
