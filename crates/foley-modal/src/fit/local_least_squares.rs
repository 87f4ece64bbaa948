//! Local nonlinear least squares: poles and amplitudes of the modes in one band.
//!
//! `X_k(i) ≈ Σ_n A_nk φ_i(s_n)` is linear in the amplitudes and holomorphic in the
//! poles. The amplitudes follow from the poles by linear least squares; the poles by
//! Gauss–Newton on its residual (variable projection, Golub & Pereyra 1973, in
//! Kaufman's form): with `Φ = [φ(s_n)]`, `Φ′ = [∂φ/∂s_n]` and Q⊥ the projector off Φ,
//!
//! `Σ_k diag(A_k)ᴴ Φ′ᴴ Q⊥ Φ′ diag(A_k) δs = Σ_k diag(A_k)ᴴ Φ′ᴴ Q⊥ X_k`.
//!
//! Beside the modes stand three Legendre polynomials over the band: the skirts of modes
//! outside it and the click of the contact, both smooth there (the residual terms of
//! experimental modal analysis, Ewins 2000). Powers are in units of the noise of a
//! bin.

use super::spectrum::twiddle;
use super::strike::{Mode, Strike, Strikes, bins, lasting};
use faer::linalg::solvers::Solve;
use faer::{Col, Mat, Side};
use realfft::num_complex::Complex64;
use std::cell::Cell;
use std::f64::consts::PI;

/// Energy a mode must explain to be kept, in units of a bin's noise; also its penalty when
/// fits of different orders are compared. The best of a million fits to pure noise explains
/// about 20, so 40 excludes them; a mode at 0 dB (see
/// [`level_db`](super::FittedMode::level_db)) explains 69.
pub(super) const MODE_PENALTY: f64 = 40.0;

/// Polynomials over the band, of degree 0, 1 and 2.
const SMOOTH: usize = 3;

/// The bins of a band in all strikes, with the modes outside the band subtracted.
pub(super) struct LocalFit {
    /// Edges, radians per sample.
    low: f64,
    high: f64,
    /// Estimated multiplications so far.
    work: Cell<f64>,
    views: Vec<View>,
}

struct View {
    n: f64,
    /// w_i of each bin.
    w: Vec<Complex64>,
    y: Col<Complex64>,
    /// 1 / (n σ²).
    weight: f64,
}

/// Poles with their amplitudes and normal equations.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub(super) poles: Vec<Complex64>,
    /// A_nk, strike after strike.
    a: Vec<Vec<Complex64>>,
    /// Residual energy, in units of a bin's noise.
    pub(super) cost: f64,
    /// Increase of the residual energy without each mode, the others refitted.
    explained: Vec<f64>,
    normal: Mat<Complex64>,
    right: Vec<Complex64>,
}

impl LocalFit {
    /// Bins from `low_hz` to `high_hz` of spectra lasting `samples`, without `others`
    /// and without the images at negative frequencies of `own`.
    pub(super) fn new(
        strikes: &Strikes,
        (low_hz, high_hz): (f64, f64),
        samples: f64,
        others: &[Mode],
        own: &[Mode],
    ) -> Self {
        let radians = 2.0 * PI / strikes.rate_hz;
        let (low, high) = (low_hz * radians, high_hz * radians);
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let view = |(k, strike): (usize, &Strike)| {
            let spectrum = lasting(strike, samples);
            let (from, to) = bins(spectrum, strikes.rate_hz, low_hz, high_hz);
            let w: Vec<Complex64> = (from..to).map(|i| twiddle(i, spectrum.n)).collect();
            let mut y = spectrum.bins()[from..to].to_vec();
            let n = spectrum.n as f64;
            let variance = strike.noise.variance(0.5 * (low_hz + high_hz));
            let mut remove = |s: Complex64, a: Complex64| {
                let (z, c) = (s.exp(), a * (1.0 - (s * n).exp()));
                // Far away its skirt c / (D + x), |x| < h, is a parabola but for
                // c h³/D⁴, and the polynomials take care of parabolas.
                let far = ((s.im - middle).abs() - half).max(0.0);
                let curved = c.norm() * (half / far).powi(3) / far;
                if far > half && curved.powi(2) < 1e-3 * n * variance {
                    return;
                }
                y.iter_mut().zip(&w).for_each(|(y, w)| *y -= c / (1.0 - z * w));
            };
            for mode in others {
                remove(mode.s, mode.a[k]);
            }
            for mode in others.iter().chain(own) {
                remove(mode.s.conj(), mode.a[k].conj());
            }
            View { n, w, y: Col::from_fn(y.len(), |i| y[i]), weight: 1.0 / (n * variance) }
        };
        let views = strikes.strikes.iter().enumerate().map(view).collect();
        Self { low, high, work: Cell::new(0.0), views }
    }

    /// Returns the expected residual energy of noise alone.
    pub(super) fn noise(&self) -> f64 {
        self.views.iter().map(|v| v.w.len() as f64).sum()
    }

    /// Returns the estimated multiplications so far.
    pub(super) fn work(&self) -> f64 {
        self.work.get()
    }

    /// Returns whether a pole lies in the band and is narrower than it.
    fn holds(&self, s: Complex64) -> bool {
        let width = self.high - self.low;
        (self.low..self.high).contains(&s.im) && -s.re < 0.5 * width
    }

    /// Fits the amplitudes of these poles; `None` when poles coincide.
    pub(super) fn amplitudes(&self, poles: &[Complex64]) -> Option<Fit> {
        let count = poles.len();
        let columns = (SMOOTH + 2 * count) as f64;
        self.work.set(self.work.get() + self.noise() * columns * (columns + 10.0));
        let mut fit = Fit {
            poles: poles.to_vec(),
            a: vec![Vec::new(); self.views.len()],
            cost: 0.0,
            explained: vec![0.0; count],
            normal: Mat::zeros(count, count),
            right: vec![Complex64::ZERO; count],
        };
        for (view, a) in self.views.iter().zip(&mut fit.a) {
            let columns = view.columns(poles);
            let gram = columns.adjoint() * &columns;
            let linear = SMOOTH + count;
            let inverse = inverse(&gram, linear)?;
            let (phi, slopes) = (columns.subcols(0, linear), columns.subcols(linear, count));
            let cross = gram.submatrix(0, linear, linear, count);
            let solved = &inverse * (phi.adjoint() * &view.y);
            // Explicitly, since close poles leave nothing but rounding in y² − |ΦA|².
            let residual = &view.y - phi * &solved;
            fit.cost += view.weight * residual.squared_norm_l2();
            // Φ′ᴴ Q⊥ Φ′ and Φ′ᴴ Q⊥ X.
            let p =
                gram.submatrix(linear, linear, count, count) - cross.adjoint() * &inverse * cross;
            let q = slopes.adjoint() * &residual;
            let amplitude = |i: usize| solved[SMOOTH + i];
            for i in 0..count {
                let left = amplitude(i).conj() * view.weight;
                fit.right[i] += left * q[i];
                for j in 0..count {
                    fit.normal[(i, j)] += left * p[(i, j)] * amplitude(j);
                }
                let spread = inverse[(SMOOTH + i, SMOOTH + i)].re.max(1e-300);
                fit.explained[i] += view.weight * amplitude(i).norm_sqr() / spread;
            }
            *a = (0..count).map(amplitude).collect();
        }
        (fit.cost.is_finite() && fit.explained.iter().all(|w| w.is_finite())).then_some(fit)
    }

    /// Drops poles outside the band, then those that explain the least, until each explains
    /// more than [`MODE_PENALTY`].
    pub(super) fn pruned(&self, mut fit: Fit) -> Option<Fit> {
        if fit.poles.iter().any(|s| !self.holds(*s)) {
            let poles: Vec<Complex64> =
                fit.poles.iter().copied().filter(|s| self.holds(*s)).collect();
            fit = self.amplitudes(&poles)?;
        }
        while let Some(least) =
            (0..fit.poles.len()).min_by(|i, j| fit.explained[*i].total_cmp(&fit.explained[*j]))
        {
            if fit.explained[least] >= MODE_PENALTY {
                break;
            }
            let mut poles = fit.poles.clone();
            poles.swap_remove(least);
            fit = self.amplitudes(&poles)?;
        }
        Some(fit)
    }

    /// Moves the poles by up to `steps` damped Gauss–Newton steps.
    pub(super) fn refined(&self, mut fit: Fit, steps: usize) -> Fit {
        let n = self.views.iter().fold(0.0f64, |n, v| n.max(v.n));
        let mut damping = 1e-6;
        for _ in 0..steps {
            let Some(delta) = step(&fit, damping) else { break };
            let moved: Vec<Complex64> =
                fit.poles.iter().zip(&delta).map(|(s, delta)| stepped(*s, *delta, n)).collect();
            match self.amplitudes(&moved) {
                Some(next) if next.cost <= fit.cost => {
                    let gain = fit.cost - next.cost;
                    fit = next;
                    damping = (damping * 0.1f64).max(1e-9);
                    if gain < 1e-3 {
                        break;
                    }
                }
                _ => damping = (damping * 100.0).max(1e-3),
            }
        }
        fit
    }
}

impl View {
    /// Returns the columns of the polynomials, Φ and Φ′.
    fn columns(&self, poles: &[Complex64]) -> Mat<Complex64> {
        let (count, bins) = (poles.len(), self.w.len());
        let mut columns = Mat::<Complex64>::zeros(bins, SMOOTH + 2 * count);
        for i in 0..bins {
            let x = 2.0 * (i as f64 + 0.5) / bins as f64 - 1.0;
            for (j, p) in [1.0, x, 1.5 * x * x - 0.5].into_iter().enumerate() {
                columns[(i, j)] = p.into();
            }
        }
        for (j, &s) in poles.iter().enumerate() {
            let (z, end) = (s.exp(), (s * self.n).exp());
            let (c, slope) = (1.0 - end, -self.n * end);
            for (i, w) in self.w.iter().enumerate() {
                let zw = z * w;
                let pole = 1.0 / (1.0 - zw);
                columns[(i, SMOOTH + j)] = c * pole;
                columns[(i, SMOOTH + count + j)] = (slope + c * zw * pole) * pole;
            }
        }
        columns
    }
}

impl Fit {
    /// Returns the residual energy plus a penalty for every mode.
    pub(super) fn penalised_cost(&self) -> f64 {
        self.cost + MODE_PENALTY * self.poles.len() as f64
    }

    pub(super) fn into_modes(self) -> Vec<Mode> {
        let mode =
            |(i, s): (usize, &Complex64)| Mode { s: *s, a: self.a.iter().map(|a| a[i]).collect() };
        self.poles.iter().enumerate().map(mode).collect()
    }
}

/// The inverse of the leading block, by Cholesky after scaling its diagonal to one.
fn inverse(gram: &Mat<Complex64>, count: usize) -> Option<Mat<Complex64>> {
    let scale: Vec<f64> = (0..count).map(|i| gram[(i, i)].re.sqrt().recip()).collect();
    if !scale.iter().all(|s| s.is_finite()) {
        return None;
    }
    let scaled = Mat::from_fn(count, count, |i, j| {
        gram[(i, j)] * (scale[i] * scale[j]) * if i == j { 1.0 + 1e-12 } else { 1.0 }
    });
    let factor = scaled.llt(Side::Lower).ok()?;
    let unit = Mat::<Complex64>::identity(count, count);
    let inverse = factor.solve(&unit);
    Some(Mat::from_fn(count, count, |i, j| inverse[(i, j)] * (scale[i] * scale[j])))
}

/// Returns the Levenberg–Marquardt step δs: the diagonal of the normal matrix is raised.
fn step(fit: &Fit, damping: f64) -> Option<Vec<Complex64>> {
    let count = fit.poles.len();
    if count == 0 {
        return None;
    }
    let scale: Vec<f64> =
        (0..count).map(|i| fit.normal[(i, i)].re.max(1e-300).sqrt().recip()).collect();
    let matrix = Mat::from_fn(count, count, |i, j| {
        fit.normal[(i, j)] * (scale[i] * scale[j]) * if i == j { 1.0 + damping } else { 1.0 }
    });
    let right = Mat::from_fn(count, 1, |i, _| fit.right[i] * scale[i]);
    let solved = matrix.llt(Side::Lower).ok()?.solve(&right);
    let delta: Vec<Complex64> = (0..count).map(|i| solved[(i, 0)] * scale[i]).collect();
    delta.iter().all(|d| d.is_finite()).then_some(delta)
}

/// Applies a step, limited to the width of the mode; the pole stays damped.
fn stepped(s: Complex64, delta: Complex64, n: f64) -> Complex64 {
    let longest = 0.7 * (-s.re).max(1.0 / n);
    let moved = s + delta * (longest / delta.norm().max(1e-300)).min(1.0);
    Complex64::new(moved.re.min(-slowest(n)), moved.im)
}

/// Returns the slowest decay that n samples can distinguish from none, per sample.
pub(super) fn slowest(n: f64) -> f64 {
    1e-3 / n
}
