//! Data of each strike, and the modes that all strikes share.

use super::noise::Noise;
use super::spectrum::{self, Spectrum};
use realfft::num_complex::Complex64;
use std::f64::consts::PI;

/// A mode: `2 Re(A_k e^{s m})` in strike k, m samples after the start of its fit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mode {
    /// −d + 2πj f, per sample.
    pub(super) s: Complex64,
    /// A_k of every strike.
    pub(super) a: Vec<Complex64>,
}

/// One recording and the range of its fit.
pub(super) struct Strike {
    /// The full recording without its mean.
    pub(super) y: Vec<f64>,
    /// Sample of the onset.
    pub(super) onset: usize,
    /// Start of the fit: the onset, or the end of a soft contact or of clipping.
    pub(super) start: usize,
    /// End of the fit.
    pub(super) end: usize,
    pub(super) clipped: usize,
    pub(super) levels: Vec<Spectrum>,
    pub(super) noise: Noise,
    /// The largest magnitude.
    pub(super) peak: f64,
}

/// All strikes of one object.
pub(super) struct Strikes {
    pub(super) rate_hz: f64,
    /// Samples in a granule; see [`spectrum`](super::spectrum).
    pub(super) granule: usize,
    pub(super) strikes: Vec<Strike>,
}

impl Strikes {
    pub(super) fn hz(&self, s: Complex64) -> f64 {
        s.im * self.rate_hz / (2.0 * PI)
    }

    /// The longest spectrum, s.
    pub(super) fn longest_s(&self) -> f64 {
        let longest = self.strikes.iter().map(|k| k.levels[0].n).max().unwrap_or(0);
        longest as f64 / self.rate_hz
    }

    /// Returns the highest level of a mode above the noise over the strikes, dB; see [`level_db`](super::FittedMode::level_db).
    pub(super) fn level_db(&self, mode: &Mode) -> f64 {
        let level = |(strike, a): (&Strike, &Complex64)| {
            let n = strike.levels[0].n as f64;
            let d = -mode.s.re;
            // Σ (2|A|)² e^{−2dm} / 2, the mode's energy in samples.
            let energy = 2.0 * a.norm_sqr() * -(-2.0 * d * n).exp_m1() / (2.0 * d);
            // B T60 = 10 d · 3 ln 10 / d, at the one-sided density 2σ² per sample.
            let noise = 2.0 * 30.0 * 10f64.ln() * strike.noise.variance(self.hz(mode.s));
            10.0 * (energy / noise).log10()
        };
        self.strikes.iter().zip(&mode.a).map(level).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Estimates noise and offset again from the residual: the mean of the recording was in part
    /// that of the modes (spectra contain it in bin 0 only). Samples between the onset and the
    /// start of the fit are left out, since the modes are unknown there.
    pub(super) fn update_noise(&mut self, modes: &[Mode]) {
        for (k, strike) in self.strikes.iter_mut().enumerate() {
            let sound = sum(modes, k, strike.end - strike.start);
            let mut residual = strike.y[..strike.end].to_vec();
            for (y, v) in residual[strike.start..].iter_mut().zip(sound) {
                *y -= v;
            }
            residual[strike.onset..strike.start].fill(0.0);
            let known = residual.len() - (strike.start - strike.onset);
            let offset = residual.iter().sum::<f64>() / known as f64;
            residual.iter_mut().chain(&mut strike.y).for_each(|y| *y -= offset);
            residual[strike.onset..strike.start].fill(0.0);
            strike.noise.lower(&Noise::of(&residual, self.rate_hz, strike.peak));
        }
    }

    /// Returns the relative energy of the residual above `noises` times the noise, from `delay_s`
    /// after the onset: the largest over the strikes.
    pub(super) fn residual(&self, modes: &[Mode], delay_s: f64, noises: f64) -> f64 {
        let left = |(k, strike): (usize, &Strike)| {
            let from = strike.onset + (delay_s * self.rate_hz) as usize;
            let from = from.max(strike.start).min(strike.end);
            let y = &strike.y[from..strike.end];
            let energy = |part: &mut dyn Iterator<Item = f64>| part.map(|v| v * v).sum::<f64>();
            let total = energy(&mut y.iter().copied());
            let sound = sum(modes, k, strike.end - strike.start);
            let residual = y.iter().zip(&sound[from - strike.start..]);
            let noise = noises * strike.noise.total(self.rate_hz) * residual.len() as f64;
            (energy(&mut residual.map(|(y, v)| y - v)) - noise).max(0.0) / total.max(1e-300)
        };
        self.strikes.iter().enumerate().map(left).fold(0.0, f64::max)
    }

    /// Returns the longest spectrum of strike k without the modes.
    pub(super) fn residual_spectrum(&self, modes: &[Mode], k: usize) -> Spectrum {
        let (strike, longest) = (&self.strikes[k], &self.strikes[k].levels[0]);
        let sound = sum(modes, k, longest.n);
        let residual: Vec<f64> =
            strike.y[strike.start..].iter().zip(sound).map(|(y, v)| y - v).collect();
        Spectrum::new(&residual, longest.m, self.granule)
    }
}

impl Strike {
    /// Extrapolates the amplitude of a mode from the start of the fit back to the onset. Twice the
    /// peak bounds it, since uncertain decays could make it arbitrarily large.
    pub(super) fn at_onset(&self, s: Complex64, a: Complex64) -> Complex64 {
        let back = (self.start - self.onset) as f64;
        if back == 0.0 {
            return a;
        }
        let most = (2.0 * self.peak).max(a.norm());
        let grown = (a.norm().ln() - s.re * back).min(most.ln()).exp();
        Complex64::from_polar(grown, a.arg() - s.im * back)
    }
}

/// Samples of a mode computed together.
const LANES: usize = 16;

/// `Σ 2 Re(A_k e^{s m})` for m = 0 … n−1.
pub(super) fn sum(modes: &[Mode], k: usize, n: usize) -> Vec<f64> {
    let mut y = vec![0.0; n];
    for mode in modes {
        let (x, z) = (2.0 * mode.a[k], mode.s.exp());
        // Below −200 dB it is smaller than the resolution of a sample.
        let end = (-23.0 / mode.s.re).min(n as f64).max(0.0) as usize;
        // Independent lanes, so that products do not wait for each other.
        let lanes: [Complex64; LANES] = std::array::from_fn(|i| x * z.powu(i as u32));
        let (mut re, mut im) = (lanes.map(|x| x.re), lanes.map(|x| x.im));
        let step = z.powu(LANES as u32);
        for part in y[..end].chunks_mut(LANES) {
            part.iter_mut().zip(&re).for_each(|(y, re)| *y += re);
            for (re, im) in re.iter_mut().zip(&mut im) {
                (*re, *im) = (*re * step.re - *im * step.im, *re * step.im + *im * step.re);
            }
        }
    }
    y
}

/// Returns the bins of a spectrum between two frequencies, at least twelve.
pub(super) fn bins(spectrum: &Spectrum, rate_hz: f64, low_hz: f64, high_hz: f64) -> (usize, usize) {
    let bin = |hz: f64| hz * spectrum.n as f64 / rate_hz;
    let top = spectrum.n / 2;
    let from = (bin(low_hz).ceil().max(1.0) as usize).min(top.saturating_sub(12));
    let to = (bin(high_hz).floor().max(0.0) as usize + 1).max(from + 12).min(top + 1);
    (from, to)
}

/// Returns the shortest spectrum of a strike that has at least this many samples.
pub(super) fn lasting(strike: &Strike, samples: f64) -> &Spectrum {
    spectrum::lasting(&strike.levels, samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_to_the_end() {
        let s = Complex64::new(-1e-4, 0.3);
        let modes = [Mode { s, a: vec![Complex64::new(0.2, -0.1)] }; 1];
        let y = sum(&modes, 0, 50_007);
        for m in [0, 1, 15, 16, 17, 4_000, 50_000, 50_006] {
            let expected = 2.0 * (modes[0].a[0] * (s * m as f64).exp()).re;
            assert!((y[m] - expected).abs() < 1e-12, "{m}: {} {expected}", y[m]);
        }
    }
}
