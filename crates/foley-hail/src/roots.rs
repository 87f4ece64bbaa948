//! Roots of polynomials of up to the fourth degree on [0, 1].
//!
//! A parabola intersects a plane in a quadratic and a quadric in a quartic. Between two neighbouring roots of
//! its derivative a polynomial is monotonic: a change of sign there brackets exactly one root, which Newton's
//! method finds with bisection as fallback. So the roots of the second derivative, a quadratic, bracket those
//! of the first, and these those of the quartic: no complex numbers, no case distinctions, and the same code
//! works in f32. A quartic that touches zero without a change of sign has no root here.

/// Up to four roots in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Roots {
    at: [f64; 4],
    count: usize,
}

impl Roots {
    /// Returns the roots in ascending order.
    pub fn as_slice(&self) -> &[f64] {
        &self.at[..self.count]
    }

    fn push(&mut self, root: f64) {
        if self.count < self.at.len() {
            self.at[self.count] = root;
            self.count += 1;
        }
    }
}

/// Returns the roots of `c₀ + c₁ s + c₂ s²` on [0, 1].
pub fn quadratic([c, b, a]: [f64; 3]) -> Roots {
    let mut roots = Roots::default();
    let discriminant = b * b - 4.0 * a * c;
    if !(discriminant >= 0.0) {
        return roots;
    }
    // The form without cancellation. A division by zero gives a NaN or an infinity, which is no root.
    let q = -0.5 * (b + discriminant.sqrt().copysign(b));
    let (one, two) = (q / a, c / q);
    let (first, second) = if one <= two || two.is_nan() { (one, two) } else { (two, one) };
    for root in [first, second] {
        if (0.0..=1.0).contains(&root) {
            roots.push(root);
        }
    }
    roots
}

/// Returns the roots of `c₀ + c₁ s + c₂ s² + c₃ s³ + c₄ s⁴` on [0, 1].
pub fn quartic(c: [f64; 5]) -> Roots {
    if c[3] == 0.0 && c[4] == 0.0 {
        return quadratic([c[0], c[1], c[2]]);
    }
    if one_sign(c) {
        return Roots::default();
    }
    let inflections = quadratic([2.0 * c[2], 6.0 * c[3], 12.0 * c[4]]);
    let slope = [c[1], 2.0 * c[2], 3.0 * c[3], 4.0 * c[4], 0.0];
    let extrema = bracketed(slope, &inflections);
    bracketed(c, &extrema)
}

/// Returns whether all Bernstein coefficients on [0, 1] have one sign; they enclose the values of the
/// polynomial, which then has no root.
fn one_sign(c: [f64; 5]) -> bool {
    let coefficients = [
        c[0],
        c[0] + c[1] / 4.0,
        c[0] + c[1] / 2.0 + c[2] / 6.0,
        c[0] + c[1] * 0.75 + c[2] / 2.0 + c[3] / 4.0,
        c[0] + c[1] + c[2] + c[3] + c[4],
    ];
    coefficients.iter().all(|b| *b > 0.0) || coefficients.iter().all(|b| *b < 0.0)
}

/// Returns the roots of a polynomial that is monotonic between the given points.
fn bracketed(c: [f64; 5], extrema: &Roots) -> Roots {
    let mut roots = Roots::default();
    let (mut lo, mut f_lo) = (0.0, c[0]);
    for piece in 0..=extrema.count {
        let hi = if piece < extrema.count { extrema.at[piece] } else { 1.0 };
        let (f_hi, _) = value_and_slope(c, hi);
        if (f_lo < 0.0) != (f_hi < 0.0) {
            roots.push(refine(c, lo, hi, f_lo < 0.0));
        }
        (lo, f_lo) = (hi, f_hi);
    }
    roots
}

/// Returns the single root between `lo` and `hi`: Newton steps while each is at most half the last one,
/// bisection otherwise.
fn refine(c: [f64; 5], mut lo: f64, mut hi: f64, rises: bool) -> f64 {
    let mut s = 0.5 * (lo + hi);
    let mut step = hi - lo;
    for _ in 0..MAX_STEPS {
        let (f, slope) = value_and_slope(c, s);
        if f == 0.0 {
            return s;
        }
        if (f < 0.0) == rises {
            lo = s;
        } else {
            hi = s;
        }
        let newton = s - f / slope;
        let good = newton > lo && newton < hi && (newton - s).abs() <= 0.5 * step;
        let next = if good { newton } else { 0.5 * (lo + hi) };
        step = (next - s).abs();
        s = next;
        if step <= SMALLEST_STEP {
            return s;
        }
    }
    s
}

/// Bisection alone reaches the smallest step in 52.
const MAX_STEPS: usize = 110;
/// 2⁻⁵², the resolution of double precision on [0, 1]. (2⁻²³ for f32.)
const SMALLEST_STEP: f64 = 1.0 / 4_503_599_627_370_496.0;

fn value_and_slope(c: [f64; 5], s: f64) -> (f64, f64) {
    let value = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * c[4])));
    let slope = c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * 4.0 * c[4]));
    (value, slope)
}
