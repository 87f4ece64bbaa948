//! Reference modes: free vibrations of an elastic sphere (H. Lamb 1882; A. Eringen, E. Suhubi,
//! *Elastodynamics* II, § 8.14), and of a bar with bending and shear (S. Timoshenko 1921).

#![allow(dead_code, unreachable_pub)]

use std::f64::consts::{PI, TAU};

/// Returns spherical Bessel functions j_n(x) and j_{n+1}(x), by their power series.
fn bessel(n: usize, x: f64) -> [f64; 2] {
    [n, n + 1].map(|n| {
        let first: f64 = (1..=n).map(|k| x / (2 * k + 1) as f64).product();
        let mut term = first;
        let mut sum = first;
        for k in 1..80 {
            term *= -0.5 * x * x / (k * (2 * n + 2 * k + 1)) as f64;
            sum += term;
        }
        sum
    })
}

/// Returns all ωa/c_s below `limit` with their multiplicity 2l + 1, ascending, for a sphere of
/// radius a.
pub fn sphere_eta(poisson: f64, limit: f64) -> Vec<f64> {
    // c_s / c_l.
    let ratio = ((1.0 - 2.0 * poisson) / (2.0 - 2.0 * poisson)).sqrt();
    let mut all = Vec::new();
    for l in 0..12 {
        let l_ = l as f64;
        let toroidal = |k: f64| {
            let [j, next] = bessel(l, k);
            (l_ - 1.0) * j - k * next
        };
        let spheroidal = |k: f64| {
            let h = ratio * k;
            let ([jh, jh_next], [jk, jk_next]) = (bessel(l, h), bessel(l, k));
            let t11 = (l_ * l_ - l_ - 0.5 * k * k) * jh + 2.0 * h * jh_next;
            let t13 = l_ * (l_ + 1.0) * ((l_ - 1.0) * jk - k * jk_next);
            let t41 = (l_ - 1.0) * jh - h * jh_next;
            let t43 = (l_ * l_ - 1.0 - 0.5 * k * k) * jk + k * jk_next;
            // The radial modes move in and out only.
            if l == 0 { t11 } else { t11 * t43 - t13 * t41 }
        };
        let mut add = |f: &dyn Fn(f64) -> f64| {
            for root in roots(f, 0.3, limit, 0.01) {
                all.extend(vec![root; 2 * l + 1]);
            }
        };
        add(&spheroidal);
        if l > 0 {
            add(&toroidal);
        }
    }
    all.sort_by(f64::total_cmp);
    all
}

/// Returns the first frequencies of a free bar bending in one plane, Hz. `height` is its
/// extent in that plane.
pub fn timoshenko_hz(
    [length, height, width]: [f64; 3],
    [young, poisson, density]: [f64; 3],
    limit_hz: f64,
) -> Vec<f64> {
    let area = height * width;
    let inertia = width * height.powi(3) / 12.0;
    // Cowper's coefficient of a rectangle (1966).
    let kappa = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);
    let shear = kappa * young / (2.0 * (1.0 + poisson)) * area;
    let slope = |omega: f64, [w, psi, m, q]: [f64; 4]| {
        let o = omega * omega * density;
        [psi + q / shear, m / (young * inertia), -q - o * inertia * psi, -o * area * w]
    };
    // Moment and force at the far end vanish for some motion of the near one.
    let end = |omega: f64| {
        let shoot = |start: [f64; 4]| {
            let steps = 200;
            let dx = length / f64::from(steps);
            let plus = |a: [f64; 4], b: [f64; 4], s: f64| -> [f64; 4] {
                std::array::from_fn(|i| a[i] + s * b[i])
            };
            (0..steps).fold(start, |y, _| {
                let k1 = slope(omega, y);
                let k2 = slope(omega, plus(y, k1, 0.5 * dx));
                let k3 = slope(omega, plus(y, k2, 0.5 * dx));
                let k4 = slope(omega, plus(y, k3, dx));
                let sum: [f64; 4] =
                    std::array::from_fn(|i| k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
                plus(y, sum, dx / 6.0)
            })
        };
        let (a, b) = (shoot([1.0, 0.0, 0.0, 0.0]), shoot([0.0, 1.0 / length, 0.0, 0.0]));
        a[2] * b[3] - a[3] * b[2]
    };
    roots(&|f| end(TAU * f), 0.02 * limit_hz, limit_hz, 0.005 * limit_hz)
}

/// Returns the torsional wave speed of a rectangular bar relative to shear waves, √(J/I_p), with
/// Saint-Venant's J.
pub fn torsion_factor(a: f64, b: f64) -> f64 {
    let (a, b) = (a.max(b), a.min(b));
    let series: f64 = (0..20)
        .map(|n| f64::from(2 * n + 1))
        .map(|n| (0.5 * n * PI * a / b).tanh() / n.powi(5))
        .sum();
    let j = a * b.powi(3) * (1.0 / 3.0 - 64.0 / PI.powi(5) * b / a * series);
    (j / (a * b * (a * a + b * b) / 12.0)).sqrt()
}

fn roots(f: &dyn Fn(f64) -> f64, from: f64, to: f64, step: f64) -> Vec<f64> {
    let count = ((to - from) / step) as usize;
    let at = |i: usize| from + i as f64 * step;
    let crossing = |i: usize| {
        let (mut a, mut b) = (at(i), at(i + 1));
        let negative = f(a) < 0.0;
        if negative == (f(b) < 0.0) {
            return None;
        }
        for _ in 0..60 {
            let middle = 0.5 * (a + b);
            if (f(middle) < 0.0) == negative { a = middle } else { b = middle }
        }
        Some(a)
    };
    (0..count).filter_map(crossing).collect()
}
