//! Whittle's likelihood: the curve under which a spectrum is most probable.
//!
//! Powers of noise scatter exponentially about their mean S, so that
//! `Σ ln S + P/S` is least for the true one. With S linear in its logarithm but for the
//! peak, Gauss–Newton steps `(JᵀJ) δ = Jᵀ (P/S − 1)` converge to it, where J holds
//! the derivatives of ln S.

use super::power_spectrum::PowerSpectrum;

/// `ln S = level + β ln f − ln((1 − x²)² + (b x)²)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Curve {
    pub(super) level: f64,
    pub(super) beta: f64,
    /// f_r (Hz) and b.
    pub(super) peak: Option<[f64; 2]>,
}

/// Range of relative widths of a peak.
const WIDTHS: [f64; 2] = [0.003, 1.8];
const STEPS: usize = 80;

impl Curve {
    /// Fits the straight line through the logarithms.
    pub(super) fn line(spectrum: &PowerSpectrum) -> Self {
        let points = spectrum.hz.iter().zip(&spectrum.power);
        // Weighted by 1/f: every octave counts alike.
        let (mut w, mut x, mut y, mut xx, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (f, p) in points {
            let (weight, lf, lp) = (1.0 / f, f.ln(), p.max(1e-300).ln());
            w += weight;
            x += weight * lf;
            y += weight * lp;
            xx += weight * lf * lf;
            xy += weight * lf * lp;
        }
        let beta = (w * xy - x * y) / (w * xx - x * x);
        Self { level: (y - beta * x) / w, beta, peak: None }
    }

    /// ln S at a frequency, and its derivatives by level, β, ln f_r and ln b.
    fn at(&self, hz: f64) -> (f64, [f64; 4]) {
        let (value, slopes) = (self.level + self.beta * hz.ln(), [1.0, hz.ln(), 0.0, 0.0]);
        let Some([f_r, b]) = self.peak else { return (value, slopes) };
        let x = hz / f_r;
        let (q, bx) = (1.0 - x * x, b * x);
        let below = q * q + bx * bx;
        let by_frequency = (2.0 * bx * bx - 4.0 * x * x * q) / below;
        let by_width = -2.0 * bx * bx / below;
        (value - below.ln(), [1.0, hz.ln(), by_frequency, by_width])
    }

    fn moved(&self, step: [f64; 4], band: [f64; 2]) -> Self {
        let peak = self.peak.map(|[f, b]| {
            let [df, db] = [step[2], step[3]].map(|s| s.clamp(-0.5, 0.5));
            [(f * df.exp()).clamp(band[0], band[1]), (b * db.exp()).clamp(WIDTHS[0], WIDTHS[1])]
        });
        Self { level: self.level + step[0], beta: self.beta + step[1], peak }
    }
}

/// `Σ ln S + P/S`.
pub(super) fn cost(spectrum: &PowerSpectrum, curve: &Curve) -> f64 {
    let one = |(f, p): (&f64, &f64)| {
        let (ln_s, _) = curve.at(*f);
        ln_s + p * (-ln_s).exp()
    };
    let cost: f64 = spectrum.hz.iter().zip(&spectrum.power).map(one).sum();
    if cost.is_nan() { f64::INFINITY } else { cost }
}

/// Minimises the cost, starting from a curve.
pub(super) fn refine(spectrum: &PowerSpectrum, from: Curve) -> Curve {
    let (mut curve, mut best) = (levelled(spectrum, from), f64::INFINITY);
    let mut damping = 1e-3;
    for _ in 0..STEPS {
        best = best.min(cost(spectrum, &curve));
        let next =
            levelled(spectrum, curve.moved(step(spectrum, &curve, damping), spectrum.band_hz()));
        let found = cost(spectrum, &next);
        if found < best {
            let gain = best - found;
            (curve, damping) = (next, damping * 0.3);
            if gain < 1e-9 * spectrum.hz.len() as f64 {
                break;
            }
        } else {
            damping *= 5.0;
            if damping > 1e6 {
                break;
            }
        }
    }
    curve
}

/// Sets the best level: the mean of P/S becomes one.
fn levelled(spectrum: &PowerSpectrum, curve: Curve) -> Curve {
    let ratio = |(f, p): (&f64, &f64)| p * (-curve.at(*f).0).exp();
    let mean =
        spectrum.hz.iter().zip(&spectrum.power).map(ratio).sum::<f64>() / spectrum.hz.len() as f64;
    Curve { level: curve.level + mean.ln(), ..curve }
}

/// (JᵀJ + damping) δ = Jᵀ (P/S − 1).
fn step(spectrum: &PowerSpectrum, curve: &Curve, damping: f64) -> [f64; 4] {
    let (mut a, mut r) = ([[0.0; 4]; 4], [0.0; 4]);
    for (f, p) in spectrum.hz.iter().zip(&spectrum.power) {
        let (ln_s, j) = curve.at(*f);
        // Limits the influence of spectral lines far above the curve.
        let residual = (p * (-ln_s).exp() - 1.0).min(30.0);
        for i in 0..4 {
            r[i] += j[i] * residual;
            for k in 0..4 {
                a[i][k] += j[i] * j[k];
            }
        }
    }
    for (i, row) in a.iter_mut().enumerate() {
        row[i] += damping * row[i] + 1e-12;
    }
    solve(a, r)
}

/// Solves by Gaussian elimination; the matrix is positive definite.
fn solve(mut a: [[f64; 4]; 4], mut r: [f64; 4]) -> [f64; 4] {
    for i in 0..4 {
        let pivot = a[i];
        for k in i + 1..4 {
            let factor = a[k][i] / pivot[i];
            (i..4).for_each(|j| a[k][j] -= factor * pivot[j]);
            r[k] -= factor * r[i];
        }
    }
    for i in (0..4).rev() {
        let known: f64 = (i + 1..4).map(|j| a[i][j] * r[j]).sum();
        r[i] = (r[i] - known) / a[i][i];
    }
    r
}

/// Returns whether a peak is significant: it lies inside the band, is narrower than 1.2 f_r, and
/// its gain is three times what the Bayesian information criterion (Schwarz) requires.
pub(super) fn is_worth_a_peak(spectrum: &PowerSpectrum, plain: &Curve, peaked: &Curve) -> bool {
    let Some([f, b]) = peaked.peak else { return false };
    let [low, high] = spectrum.band_hz();
    let gain = 2.0 * spectrum.windows * (cost(spectrum, plain) - cost(spectrum, peaked));
    let asked = 2.0 * (spectrum.windows * spectrum.hz.len() as f64).ln();
    f > 1.02 * low && f < 0.98 * high && b < 1.2 && gain > 3.0 * asked
}

/// RMS difference to the spectrum in sixths of an octave, dB.
pub(super) fn misfit_db(spectrum: &PowerSpectrum, curve: &Curve) -> f64 {
    let mut bands: Vec<[f64; 2]> = Vec::new();
    let mut end = 0.0;
    for (f, p) in spectrum.hz.iter().zip(&spectrum.power) {
        if *f >= end {
            bands.push([0.0; 2]);
            end = f * 2f64.powf(1.0 / 6.0);
        }
        if let Some(band) = bands.last_mut() {
            band[0] += p * (-curve.at(*f).0).exp();
            band[1] += 1.0;
        }
    }
    let square = |[sum, count]: &[f64; 2]| (10.0 * (sum / count).max(1e-30).log10()).powi(2);
    (bands.iter().map(square).sum::<f64>() / bands.len() as f64).sqrt()
}
