//! Exact spectra of damped exponentials, in a pyramid of lengths.
//!
//! A strike is cut at its onset and transformed over n samples without a window: then
//! the damped exponential `e^{s m}`, m = 0 … n−1, has the exact spectrum
//! `φ_i(s) = (1 − e^{s n}) / (1 − e^{s} w_i)`, `w_i = e^{−2πj i/n}`, and white noise of
//! variance σ² has independent bins of power n σ². Least squares over the bins of a
//! band is therefore the maximum-likelihood fit to that band, onset included.
//!
//! Fast decays need no long spectrum: every strike has a pyramid of them, each about
//! half as long as the one before. All lengths are multiples of one *granule* of 20
//! or 50 ms, so that bands with edges on multiples of 1/granule fall on whole bins of
//! every spectrum of every strike.

use realfft::RealFftPlanner;
use realfft::num_complex::Complex64;
use std::f64::consts::PI;

/// The transform of the first n samples after the onset.
pub(super) struct Spectrum {
    /// Samples.
    pub(super) n: usize,
    /// Granules.
    pub(super) m: usize,
    bins: Vec<Complex64>,
}

impl Spectrum {
    /// Transforms m granules of q samples; y must be as long.
    pub(super) fn new(y: &[f64], m: usize, q: usize) -> Self {
        let n = m * q;
        let fft = RealFftPlanner::<f64>::new().plan_fft_forward(n);
        let mut input = y[..n].to_vec();
        let mut bins = fft.make_output_vec();
        // The lengths are the plan's own: this cannot fail.
        let _ = fft.process(&mut input, &mut bins);
        Self { n, m, bins }
    }

    /// Bin i, also below zero and above half the sample rate.
    pub(super) fn bin(&self, i: isize) -> Complex64 {
        let n = self.n as isize;
        let i = i.rem_euclid(n);
        if i <= n / 2 { self.bins[i as usize] } else { self.bins[(n - i) as usize].conj() }
    }

    /// The bins from 0 to half the sample rate.
    pub(super) fn bins(&self) -> &[Complex64] {
        &self.bins
    }
}

/// Spectra of one strike, the longest first.
pub(super) fn pyramid(y: &[f64], q: usize) -> Vec<Spectrum> {
    let mut levels = Vec::new();
    let mut m = y.len() / q;
    while m >= 2 {
        m = smooth(m);
        levels.push(Spectrum::new(y, m, q));
        m /= 2;
    }
    levels
}

/// The shortest spectrum that lasts at least this many samples, or the longest.
pub(super) fn lasting(levels: &[Spectrum], samples: f64) -> &Spectrum {
    levels.iter().rev().find(|l| l.n as f64 >= samples).unwrap_or(&levels[0])
}

/// Returns the twiddle factor w_i of bin i.
pub(super) fn twiddle(i: usize, n: usize) -> Complex64 {
    Complex64::cis(-2.0 * PI * i as f64 / n as f64)
}

/// The largest number up to m without prime factors above 5.
fn smooth(m: usize) -> usize {
    let is_smooth = |mut k: usize| {
        for p in [2, 3, 5] {
            while k.is_multiple_of(p) {
                k /= p;
            }
        }
        k == 1
    };
    (1..=m).rev().find(|k| is_smooth(*k)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_shrink_by_about_half_and_transform_fast() {
        let levels = pyramid(&vec![0.0; 10 * 97], 10);
        let granules: Vec<usize> = levels.iter().map(|l| l.m).collect();
        assert_eq!(granules, [96, 48, 24, 12, 6, 3]);
        assert_eq!(lasting(&levels, 100.0).m, 12);
        assert_eq!(lasting(&levels, 1e9).m, 96);
    }

    #[test]
    fn an_exponential_has_its_closed_form() {
        let (s, n) = (Complex64::new(-0.01, 0.7), 120);
        let y: Vec<f64> = (0..n).map(|m| 2.0 * (s * m as f64).exp().re).collect();
        let spectrum = Spectrum::new(&y, 12, 10);
        let phi =
            |s: Complex64, i: usize| (1.0 - (s * n as f64).exp()) / (1.0 - s.exp() * twiddle(i, n));
        for i in [0, 5, 13, 60] {
            let expected = phi(s, i) + phi(s.conj(), i);
            assert!((spectrum.bin(i as isize) - expected).norm() < 1e-10);
        }
    }
}
