//! Root finding for functions of one variable.

/// Returns a root in [a, b] by bisection; f(a) and f(b) must differ in sign.
pub(crate) fn bisect(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    let sign = f(a).is_sign_negative();
    for _ in 0..80 {
        let middle = 0.5 * (a + b);
        if middle <= a || middle >= b {
            break;
        }
        match f(middle).is_sign_negative() == sign {
            true => a = middle,
            false => b = middle,
        }
    }
    0.5 * (a + b)
}

/// Returns all roots of f in [from, to], given that no two lie closer than `step`.
pub(crate) fn scan(f: impl Fn(f64) -> f64, from: f64, to: f64, step: f64) -> Vec<f64> {
    let mut roots = Vec::new();
    let (mut a, mut fa) = (from, f(from));
    while a < to {
        let b = a + step;
        let fb = f(b);
        if fa.is_sign_negative() != fb.is_sign_negative() {
            roots.push(bisect(&f, a, b));
        }
        (a, fa) = (b, fb);
    }
    roots.retain(|r| *r <= to);
    roots
}

/// Returns a root by Newton's iteration; `step` returns f(x)/f′(x).
pub(crate) fn newton(step: impl Fn(f64) -> f64, mut x: f64) -> f64 {
    for _ in 0..30 {
        let dx = step(x);
        x -= dx;
        if dx.abs() <= 1e-15 * x.abs() {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn the_roots_of_the_sine() {
        let roots = scan(f64::sin, 0.5, 10.0, 0.4);
        assert_eq!(roots.len(), 3);
        for (i, r) in roots.iter().enumerate() {
            assert!((r - PI * (i + 1) as f64).abs() < 1e-14);
        }
        assert!((newton(f64::tan, 3.0) - PI).abs() < 1e-15);
    }
}
