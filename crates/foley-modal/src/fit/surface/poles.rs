//! Proposes spectral peaks: poles of autoregressive models of the whitened recording.
//!
//! The autocorrelation is the transform of the power spectrum, here of `S(f) f^{−β}`, held
//! constant outside the band; Levinson's recursion gives the model of every order, and
//! roots of its polynomial near the unit circle are resonances.

use realfft::num_complex::Complex64;
use std::f64::consts::TAU;

use super::power_spectrum::PowerSpectrum;

/// Model orders tried: for a single peak, and for one beside other structure.
const ORDERS: [usize; 3] = [2, 4, 8];
/// Relative widths tried at the highest point.
const WIDTHS: [f64; 3] = [0.05, 0.2, 0.7];

/// Returns candidates: frequency (Hz) and relative width.
pub(super) fn propose(spectrum: &PowerSpectrum, beta: f64) -> Vec<[f64; 2]> {
    let white: Vec<f64> =
        spectrum.hz.iter().zip(&spectrum.power).map(|(f, p)| p * f.powf(-beta)).collect();
    // As if sampled at twice the top of the band.
    let bin = spectrum.hz[1] - spectrum.hz[0];
    let [low, high] = spectrum.band_hz();
    let rate = 2.0 * high;
    let below = (low / bin).round() as usize;
    let whitened: Vec<f64> =
        std::iter::repeat_n(white[0], below).chain(white.iter().copied()).collect();
    let most = ORDERS[ORDERS.len() - 1];
    let correlation: Vec<f64> = (0..=most).map(|lag| transform(&whitened, lag)).collect();
    let mut found = Vec::new();
    for order in ORDERS {
        for root in roots(&levinson(&correlation, order)) {
            let (f, d) = (root.arg() / TAU * rate, -root.norm().ln() * rate);
            if f > low && f < high && d > 0.0 {
                // A pole e^{−d + iω} is a peak as wide as d/π.
                found.push([f, (d / std::f64::consts::PI / f).clamp(0.01, 1.5)]);
            }
        }
    }
    let smooth = |m: usize| {
        let side = (m / 30).max(2);
        let part = &white[m.saturating_sub(side)..(m + side + 1).min(white.len())];
        part.iter().sum::<f64>() / part.len() as f64
    };
    let top = (0..white.len()).max_by(|a, b| smooth(*a).total_cmp(&smooth(*b))).unwrap_or(0);
    found.extend(WIDTHS.map(|width| [spectrum.hz[top], width]));
    found
}

/// One value of the cosine transform.
fn transform(spectrum: &[f64], lag: usize) -> f64 {
    let step = std::f64::consts::PI * lag as f64 / (spectrum.len() - 1) as f64;
    spectrum.iter().enumerate().map(|(m, p)| p * (step * m as f64).cos()).sum()
}

/// Coefficients 1, a₁, … of the predictor of an order (Levinson–Durbin).
fn levinson(r: &[f64], order: usize) -> Vec<f64> {
    let mut a = vec![1.0];
    let mut error = r[0] * (1.0 + 1e-9);
    for m in 1..=order {
        let sum: f64 = a.iter().enumerate().map(|(i, a)| a * r[m - i]).sum();
        let k = -sum / error;
        a.push(0.0);
        let before = a.clone();
        for i in 1..=m {
            a[i] += k * before[m - i];
        }
        error *= 1.0 - k * k;
    }
    a
}

/// Returns the zeros of z^n + a₁ z^{n−1} + … (Durand–Kerner iteration).
fn roots(a: &[f64]) -> Vec<Complex64> {
    let n = a.len() - 1;
    let mut z: Vec<Complex64> =
        (0..n).map(|i| Complex64::from_polar(0.9, 0.4 + TAU * i as f64 / n as f64)).collect();
    for _ in 0..200 {
        for i in 0..n {
            let value = a.iter().fold(Complex64::ZERO, |sum, a| sum * z[i] + a);
            let others = (0..n).filter(|j| *j != i).map(|j| z[i] - z[j]);
            let step = value / others.product::<Complex64>();
            if step.is_finite() {
                z[i] -= step;
            }
        }
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_autoregressive_spectrum_gives_its_poles_back() {
        let pole = Complex64::from_polar(0.96, 0.7);
        let power = |m: usize| {
            let z = Complex64::from_polar(1.0, -std::f64::consts::PI * m as f64 / 2000.0);
            1.0 / ((1.0 - pole * z) * (1.0 - pole.conj() * z)).norm_sqr()
        };
        // Halves at both ends make the sum a trapezoidal rule.
        let mut spectrum: Vec<f64> = (0..=2000).map(power).collect();
        spectrum[0] /= 2.0;
        spectrum[2000] /= 2.0;
        let r: Vec<f64> = (0..=2).map(|lag| transform(&spectrum, lag)).collect();
        let found = roots(&levinson(&r, 2));
        assert!(found.iter().any(|z| (z - pole).norm() < 1e-6), "{found:?}");
    }
}
