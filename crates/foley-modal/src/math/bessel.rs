//! Bessel functions J_n and I_n of integer order n ≥ 0 and real x ≥ 0.
//!
//! Both by Miller's backward recurrence (Abramowitz & Stegun 9.12):
//! `J_{k−1} = (2k/x) J_k − J_{k+1}`, scaled so that `J_0 + 2 Σ J_{2k} = 1`;
//! `r_{k−1} = 1 / (2k/x + r_k)` for the ratios `r_k = I_{k+1}/I_k`, scaled so that
//! `I_0 + 2 Σ I_k = e^x`. Upward recurrence would be unstable for n > x.

/// Returns J_n(x) and J_{n+1}(x).
pub(crate) fn j(n: usize, x: f64) -> (f64, f64) {
    if x < 1e-30 {
        return (if n == 0 { 1.0 } else { 0.0 }, 0.0);
    }
    // Past the turning point k ≈ x the functions fall faster than exponentially:
    // at this start they are 1e-17 of the result.
    let top = x.max(n as f64 + 1.0);
    let start = (top + 30.0 + 12.0 * top.cbrt()) as usize;
    let (mut above, mut here) = (0.0, 1e-300);
    let (mut j_n, mut j_next, mut sum) = (0.0, 0.0, 0.0);
    for k in (1..=start).rev() {
        (above, here) = (here, 2.0 * k as f64 / x * here - above);
        let order = k - 1;
        if here.abs() > 1e200 {
            for value in [&mut above, &mut here, &mut j_n, &mut j_next, &mut sum] {
                *value *= 1e-250;
            }
        }
        if order == n {
            (j_n, j_next) = (here, above);
        }
        if order % 2 == 0 {
            sum += if order == 0 { here } else { 2.0 * here };
        }
    }
    (j_n / sum, j_next / sum)
}

/// Returns e^{−x} I_n(x) and the ratio I_{n+1}(x)/I_n(x).
pub(crate) fn i_scaled(n: usize, x: f64) -> (f64, f64) {
    if x < 1e-30 {
        return (if n == 0 { 1.0 } else { 0.0 }, 0.0);
    }
    let start = n + 40 + (7.0 * x.sqrt()) as usize;
    let k = start as f64 + 1.0;
    let mut ratio = x / (k + (k * k + x * x).sqrt());
    // Horner's form of 1 + 2 r_0 (1 + r_1 (1 + …)), and of the product r_0 … r_{n−1}.
    let (mut tail, mut product, mut ratio_n) = (1.0, 1.0, ratio);
    for order in (0..start).rev() {
        ratio = 1.0 / (2.0 * (order + 1) as f64 / x + ratio);
        if order == n {
            ratio_n = ratio;
        }
        if order < n {
            product *= ratio;
        }
        tail = if order == 0 { 1.0 + 2.0 * ratio * tail } else { 1.0 + ratio * tail };
    }
    (product / tail, ratio_n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-13 * b.abs().max(1e-3), "{a} {b}");
    }

    /// Values of Abramowitz & Stegun, tables 9.1, 9.4 and 9.8.
    #[test]
    fn tabulated_values() {
        close(j(0, 1.0).0, 0.765_197_686_557_966_6);
        close(j(1, 1.0).0, 0.440_050_585_744_933_5);
        close(j(0, 10.0).0, -0.245_935_764_451_348_3);
        close(j(1, 10.0).0, 0.043_472_746_168_861_44);
        close(j(2, 1.0).0, 0.114_903_484_931_900_5);
        close(i_scaled(0, 1.0).0, 0.465_759_607_593_640_4);
        close(i_scaled(1, 1.0).0, 0.207_910_415_349_708_5);
        close(i_scaled(0, 100.0).0, 0.039_944_379_299_096_68);
    }

    /// J_n(x) = (1/π) ∫ cos(nθ − x sin θ) dθ over (0, π), and likewise for I_n; the
    /// trapezium rule is exact to rounding for such periodic functions.
    #[test]
    fn integral_representations() {
        for (n, x) in [(0, 0.3), (3, 2.0), (7, 30.0), (25, 40.0), (60, 55.0), (5, 200.0)] {
            let (steps, n_) = (4000, n as f64);
            let mean = |f: &dyn Fn(f64) -> f64| {
                let angle = |k| (k as f64 + 0.5) * std::f64::consts::PI / f64::from(steps);
                (0..steps).map(|k| f(angle(k))).sum::<f64>() / f64::from(steps)
            };
            let expected = mean(&|t| (n_ * t - x * t.sin()).cos());
            assert!((j(n, x).0 - expected).abs() < 1e-13, "J{n}({x})");
            assert!((j(n, x).1 - j(n + 1, x).0).abs() < 1e-14);
            let expected = mean(&|t| (x * (t.cos() - 1.0)).exp() * (n_ * t).cos());
            let (i, ratio) = i_scaled(n, x);
            assert!((i - expected).abs() < 1e-14, "I{n}({x}) {i} {expected}");
            assert!((i * ratio - i_scaled(n + 1, x).0).abs() < 1e-15);
        }
    }

    /// Tiny and large arguments, orders far above and far below them.
    #[test]
    fn extremes_stay_finite() {
        for x in [0.0, 1e-300, 1e-12, 700.0] {
            for n in [0, 1, 400, 800] {
                let (a, b) = j(n, x);
                let (c, d) = i_scaled(n, x);
                assert!([a, b, c, d].iter().all(|v| v.is_finite()), "{n} {x}");
            }
        }
        assert_eq!(j(0, 0.0).0, 1.0);
    }
}
