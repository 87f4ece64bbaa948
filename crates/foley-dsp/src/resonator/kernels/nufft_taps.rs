//! Taps of the non-uniform FFT: from the modes of one frequency cell to the shared spectral grid.
//!
//! Over a block of B samples, centred (n' = n − B/2, x = 2n'/B), a mode is `z^{n'} = e^{2πi κ n'/M}
//! e^{−a_c x} e^{ζ x}`, M = 2B: κ the centre of its frequency cell in bins, a_c the centre of its
//! damping class, and ζ a small remainder. So
//!
//! `e^{ζx} = Σ_p ζ^p x^p / p!`
//!
//! and a cell needs only the moments `μ_p = Σ_m s_m ζ_m^p`, p < 8, instead of eight taps for each
//! mode. Each function `e^{−a_c x} x^p / p!` is then written on the grid as `w(n') Σ_l A_lp e^{2πi
//! (l − 7/2) n'/M}`, l < 8, by least squares; w is the reciprocal of the transform of the
//! Kaiser–Bessel window, as in non-uniform FFTs (here with complex frequencies, so the decay inside
//! the block is exact).

use num_complex::Complex64;
use std::f64::consts::PI;

use crate::simd::Row;

/// Grid bins a cell touches.
pub(crate) const TAPS: usize = 8;
/// Moments of a cell.
pub(crate) const MOMENTS: usize = 8;
/// Damping classes. Beyond them (T60 < 20 ms at B = 512, 48 kHz) eight taps no longer reach 95 dB,
/// and the mode is computed by the per-sample kernel.
pub(crate) const CLASSES: usize = 3;
/// Width of a damping class in nepers per half block.
pub(crate) const CLASS_WIDTH: f64 = 0.6;
/// Bound of |ζ|: half a bin (π/4) and half a class. Stored ζ are divided by it so that their powers
/// stay between 0 and about 1.
pub(crate) const RADIUS: f64 = 0.85;

/// The matrices A of one damping class, laid out for both directions.
#[derive(Clone, Debug)]
pub(crate) struct ClassTaps {
    /// `[p]`: taps of moment p, interleaved (re, im), for its real and its imaginary part.
    pub(crate) spread: [[Row; 2]; MOMENTS],
    /// `[l]`: moments of tap l, in the same order.
    pub(crate) gather: [[Row; 2]; TAPS],
}

/// w(n') for n' = −B/2 … B/2, both ends included.
pub(crate) fn window(block: usize) -> Vec<f64> {
    let (width, sigma) = (TAPS as f64, 2.0);
    let m = 2.0 * block as f64;
    let beta = PI * ((width * (sigma - 0.5) / sigma).powi(2) - 0.8).sqrt();
    let transform = |n: f64| {
        let t = beta * beta - (PI * width * n / m).powi(2);
        if t > 0.0 { t.sqrt().sinh() / t.sqrt() } else { (-t).sqrt().sin() / (-t).sqrt() }
    };
    let half = block as f64 / 2.0;
    (0..=block).map(|n| transform(0.0) / transform(n as f64 - half)).collect()
}

/// Returns the damping at the centre of a class, nepers per half block.
pub(crate) fn class_centre(class: usize) -> f64 {
    (class as f64 + 0.5) * CLASS_WIDTH
}

/// Computes least-squares taps for every moment of every class.
pub(crate) fn class_taps(block: usize) -> Vec<ClassTaps> {
    let w = window(block);
    let half = block as f64 / 2.0;
    let carrier = |l: usize, n: usize| {
        let angle = PI * (l as f64 - 3.5) * (n as f64 - half) / block as f64;
        Complex64::from_polar(w[n], angle)
    };
    let basis: Vec<Vec<Complex64>> =
        (0..TAPS).map(|l| (0..=block).map(|n| carrier(l, n)).collect()).collect();
    let gram: Vec<Vec<Complex64>> = (0..TAPS)
        .map(|a| {
            (0..TAPS)
                .map(|b| {
                    let dot: Complex64 =
                        basis[a].iter().zip(&basis[b]).map(|(x, y)| x.conj() * y).sum();
                    // A small ridge keeps the taps small, and with them the rounding errors.
                    dot + if a == b { 1e-9 * block as f64 } else { 0.0 }
                })
                .collect()
        })
        .collect();
    (0..CLASSES).map(|c| one_class(class_centre(c), &basis, &gram, half)).collect()
}

fn one_class(
    centre: f64,
    basis: &[Vec<Complex64>],
    gram: &[Vec<Complex64>],
    half: f64,
) -> ClassTaps {
    let mut taps = ClassTaps { spread: [[Row::default(); 2]; 8], gather: [[Row::default(); 2]; 8] };
    let mut factorial = 1.0;
    for p in 0..MOMENTS {
        factorial *= p.max(1) as f64;
        let target = |n: usize| {
            let x = (n as f64 - half) / half;
            (-centre * x).exp() * (RADIUS * x).powi(p as i32) / factorial
        };
        let rhs: Vec<Complex64> = basis
            .iter()
            .map(|b| b.iter().enumerate().map(|(n, v)| v.conj() * target(n)).sum())
            .collect();
        for (l, a) in solve(gram.to_vec(), rhs).into_iter().enumerate() {
            let (re, im) = (a.re as f32, a.im as f32);
            for (k, (x, y)) in [(re, im), (-im, re)].into_iter().enumerate() {
                taps.spread[p][k].0[2 * l] = x;
                taps.spread[p][k].0[2 * l + 1] = y;
                taps.gather[l][k].0[2 * p] = x;
                taps.gather[l][k].0[2 * p + 1] = y;
            }
        }
    }
    taps
}

/// Gaussian elimination with pivoting, for the 8×8 normal equations.
fn solve(mut a: Vec<Vec<Complex64>>, mut b: Vec<Complex64>) -> Vec<Complex64> {
    let n = b.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&p, &q| a[p][i].norm().total_cmp(&a[q][i].norm())).unwrap_or(i);
        a.swap(i, pivot);
        b.swap(i, pivot);
        for r in i + 1..n {
            let f = a[r][i] / a[i][i];
            let (above, below) = a.split_at_mut(r);
            for (x, pivot) in below[0][i..].iter_mut().zip(&above[i][i..]) {
                *x -= f * pivot;
            }
            let t = f * b[i];
            b[r] -= t;
        }
    }
    for i in (0..n).rev() {
        let known: Complex64 = (i + 1..n).map(|c| a[i][c] * b[c]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// z^{n'} rebuilt from moments and taps, against the closed form, in every corner of a cell: at
    /// least 95 dB, and 109 dB except for the fastest decays.
    #[test]
    fn every_mode_of_a_cell_is_rebuilt_from_its_moments() {
        let mut snrs = [vec![], vec![]];
        for block in [64, 512] {
            let (w, classes) = (window(block), class_taps(block));
            let half = block as f64 / 2.0;
            for (class, taps) in classes.iter().enumerate() {
                for offset in [-0.5, -0.25, 0.0, 0.3, 0.5] {
                    for lean in [-0.5, -0.2, 0.1, 0.5] {
                        let zeta = Complex64::new(-lean * CLASS_WIDTH, PI / 2.0 * offset);
                        let scaled = zeta / RADIUS;
                        let (mut error, mut power) = (0.0, 0.0);
                        for (n, w) in w.iter().take(block).enumerate() {
                            let x = (n as f64 - half) / half;
                            let truth = (zeta * x - class_centre(class) * x).exp();
                            let mut got = Complex64::ZERO;
                            for l in 0..TAPS {
                                let mut c = Complex64::ZERO;
                                for p in 0..MOMENTS {
                                    let row = &taps.spread[p][0].0;
                                    let a =
                                        Complex64::new(row[2 * l].into(), row[2 * l + 1].into());
                                    c += a * scaled.powu(p as u32);
                                }
                                let angle = PI * (l as f64 - 3.5) * x / 2.0;
                                got += c * Complex64::from_polar(*w, angle);
                            }
                            error += (got - truth).norm_sqr();
                            power += truth.norm_sqr();
                        }
                        let snr = 10.0 * (power / error).log10();
                        println!("B {block} class {class} ({offset}, {lean}): {snr:.1} dB");
                        snrs[usize::from(class == 2)].push(snr);
                    }
                }
            }
        }
        let [slow, fast] = snrs.map(foley_measured::smallest);
        foley_measured::check!("resonators.moments", slow);
        foley_measured::check!("resonators.moments_fast", fast);
    }
}
