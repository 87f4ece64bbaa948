//! Mode shapes of the Euler–Bernoulli beam, `φ'''' = β⁴ φ` on −½ ≤ ξ ≤ ½.
//!
//! | ends | characteristic equation |
//! |---|---|
//! | free–free, clamped–clamped | cos β cosh β = 1 |
//! | clamped–free | cos β cosh β = −1 |
//! | simply supported | sin β = 0 |
//!
//! (Blevins, *Formulas for Natural Frequency and Mode Shape*, table 8-1.) The usual
//! shapes subtract cosh and sinh, which overflow beyond β ≈ 700 and lose all digits
//! long before. About the middle of the beam, free (+) and clamped (−) shapes are
//!
//! `φ = cos βξ / cos ½β ± cosh βξ / cosh ½β` for odd n, and the same with sines for
//! even n,
//!
//! whose hyperbolic quotients never exceed 1. The cantilever is written in
//! e^{−βs} and e^{−β(1−s)}, s = ξ + ½ from the clamped end. All have ∫ φ² dξ = 1.

use super::bar::End;
use crate::math::root_finding::newton;
use std::f64::consts::{PI, SQRT_2};

/// The n-th mode shape of a beam, n = 1, 2, …
#[derive(Debug, Clone, Copy)]
pub(super) struct Beam {
    end: End,
    n: usize,
    /// The n-th root β.
    pub(super) beta: f64,
}

impl Beam {
    pub(super) fn new(end: End, n: usize) -> Self {
        let n_ = n as f64;
        // cos β = ±1/cosh β in a form that neither overflows nor underflows.
        let sech = |b: f64| 2.0 * (-b).exp() / (1.0 + (-2.0 * b).exp());
        let root = |sign: f64, guess: f64| {
            let step = |b: f64| (b.cos() - sign * sech(b)) / (sign * sech(b) * b.tanh() - b.sin());
            newton(step, guess)
        };
        let beta = match end {
            End::Free | End::Clamped => root(1.0, (n_ + 0.5) * PI),
            End::Cantilever => root(-1.0, (n_ - 0.5) * PI),
            End::Supported => n_ * PI,
        };
        Self { end, n, beta }
    }

    /// φ(ξ), −½ ≤ ξ ≤ ½.
    pub(super) fn at(&self, xi: f64) -> f64 {
        let b = self.beta;
        let (y, h) = (b * xi, 0.5 * b);
        let odd = self.n % 2 == 1;
        let circular = if odd { y.cos() / h.cos() } else { y.sin() / h.sin() };
        let hyperbolic = || if odd { cosh_ratio(y, h) } else { sinh_ratio(y, h) };
        match self.end {
            End::Free => circular + hyperbolic(),
            End::Clamped => circular - hyperbolic(),
            End::Supported if odd => SQRT_2 * y.cos(),
            End::Supported => SQRT_2 * y.sin(),
            End::Cantilever => cantilever(b, xi + 0.5),
        }
    }
}

/// cosh y / cosh h for |y| ≤ h.
fn cosh_ratio(y: f64, h: f64) -> f64 {
    let y = y.abs();
    (y - h).exp() * (1.0 + (-2.0 * y).exp()) / (1.0 + (-2.0 * h).exp())
}

/// sinh y / sinh h for |y| ≤ h.
fn sinh_ratio(y: f64, h: f64) -> f64 {
    (y.abs() - h).exp() * (-2.0 * y.abs()).exp_m1() / (-2.0 * h).exp_m1() * y.signum()
}

/// cosh βs − cos βs − σ (sinh βs − sin βs), σ = (cosh β + cos β)/(sinh β + sin β).
fn cantilever(b: f64, s: f64) -> f64 {
    let e = (-b).exp();
    // ½ (1 − σ) e^{βs} and ½ (1 + σ) e^{−βs}, with 1 − σ taken out of its cancellation.
    let one_minus_sigma = 2.0 * (b.sin() - b.cos() - e) / (1.0 - e * e + 2.0 * e * b.sin());
    let sigma = 1.0 - one_minus_sigma * e;
    let grows = 0.5 * one_minus_sigma * (b * (s - 1.0)).exp();
    let falls = 0.5 * (1.0 + sigma) * (-b * s).exp();
    grows + falls - (b * s).cos() + sigma * (b * s).sin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::legendre::gauss;

    const ENDS: [End; 4] = [End::Free, End::Clamped, End::Supported, End::Cantilever];

    /// Blevins, table 8-1.
    #[test]
    fn roots() {
        let roots = |end| [1, 2, 3, 4, 5].map(|n| Beam::new(end, n).beta);
        let close = |a: [f64; 5], b: [f64; 5]| {
            a.iter().zip(b).for_each(|(a, b)| assert!((a - b).abs() < 1e-7, "{a} {b}"));
        };
        let free = [4.73004074, 7.85320462, 10.9956079, 14.1371655, 17.2787597];
        close(roots(End::Free), free);
        close(roots(End::Clamped), free);
        let cantilever = [1.87510407, 4.69409113, 7.85475744, 10.99554073, 14.13716839];
        close(roots(End::Cantilever), cantilever);
    }

    #[test]
    fn shapes_are_orthonormal() {
        let rule = gauss(200);
        for end in ENDS {
            let beams: Vec<_> = [1, 2, 3, 4, 9, 10, 40, 41].map(|n| Beam::new(end, n)).to_vec();
            for (i, a) in beams.iter().enumerate() {
                for (j, b) in beams.iter().enumerate() {
                    let inner: f64 =
                        rule.iter().map(|(x, w)| 0.5 * w * a.at(0.5 * x) * b.at(0.5 * x)).sum();
                    let expected = f64::from(u8::from(i == j));
                    assert!((inner - expected).abs() < 1e-11, "{end:?} {i} {j}: {inner}");
                }
            }
        }
    }

    /// Each end does what its name says; derivatives by differences.
    #[test]
    fn boundary_conditions_hold() {
        for end in ENDS {
            for n in [1, 2, 3, 8] {
                let beam = Beam::new(end, n);
                let h = 1e-3 / beam.beta;
                // One-sided differences of fourth order from the end at ±½ inwards.
                let f = |side: f64, k: f64| beam.at(side * (0.5 - k * h));
                for side in [-1.0, 1.0] {
                    let [f0, f1, f2, f3, f4] = [0., 1., 2., 3., 4.].map(|k| f(side, k));
                    let slope = (-25. * f0 + 48. * f1 - 36. * f2 + 16. * f3 - 3. * f4) / 12e-3;
                    let bend = (35. * f0 - 104. * f1 + 114. * f2 - 56. * f3 + 11. * f4) / 12e-6;
                    let clamped = end == End::Clamped || (end == End::Cantilever && side < 0.0);
                    if clamped {
                        assert!(f0.abs() < 1e-10 && slope.abs() < 1e-8, "{end:?} {n} {f0} {slope}");
                    } else if end == End::Supported {
                        assert!(f0.abs() < 1e-10 && bend.abs() < 1e-4, "{end:?} {n} {f0} {bend}");
                    } else {
                        assert!((f0.abs() - 2.0).abs() < 1e-10 && bend.abs() < 1e-4, "{end:?} {n}");
                    }
                }
            }
        }
    }

    #[test]
    fn very_high_modes_stay_bounded() {
        for end in ENDS {
            let beam = Beam::new(end, 100_001);
            for i in 0..=1000 {
                let value = beam.at(f64::from(i) / 1000.0 - 0.5);
                assert!(value.abs() <= 2.0 + 1e-6, "{end:?} {value}");
            }
        }
    }
}
