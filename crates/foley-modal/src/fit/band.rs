//! Analytic band signals at a low rate.
//!
//! The bins of a band, tapered by raised cosines on either side, are transformed back
//! at a rate equal to the band's width: band-pass, shift to zero and decimation in one.
//! A mode `A e^{s m}` stays an exponential of the same amplitude A, but for the filter's
//! ringing at the ends, which is cut away.

use super::spectrum::Spectrum;
use realfft::num_complex::Complex64;
use rustfft::FftPlanner;
use std::f64::consts::PI;

/// A band on the grid of granules: the frequency g/q is g cycles per granule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Band {
    /// Lower edge of the flat part.
    pub(super) low: isize,
    /// Width of the flat part.
    pub(super) core: usize,
}

/// A band signal of one strike.
pub(super) struct Signal {
    pub(super) samples: Vec<Complex64>,
    /// Variance that white noise of unit variance has in this band.
    pub(super) noise_gain: f64,
}

impl Band {
    /// The width of each taper.
    pub(super) fn taper(self) -> usize {
        (self.core / 3).max(1)
    }

    /// Returns the full width: cycles per granule, and samples of a band signal per granule.
    pub(super) fn rate(self) -> usize {
        self.core + 2 * self.taper()
    }

    /// Returns the lowest frequency that passes; it becomes 0 in the band signal.
    pub(super) fn base(self) -> isize {
        self.low - self.taper() as isize
    }

    /// Samples lost at the start to the ringing of the tapers.
    pub(super) fn skipped(self) -> usize {
        (1.4 * self.rate() as f64 / self.taper() as f64).ceil() as usize
    }

    /// Returns the part of a strike in this band.
    pub(super) fn of(self, spectrum: &Spectrum, planner: &mut FftPlanner<f64>) -> Signal {
        let (m, taper) = (spectrum.m, self.taper() as f64);
        let count = self.rate() * m;
        let from = self.base() * m as isize;
        let weight = |b: usize| {
            let edge = b.min(count - b) as f64 / m as f64;
            if edge < taper { 0.5 - 0.5 * (PI * edge / taper).cos() } else { 1.0 }
        };
        let n = spectrum.n as f64;
        let mut samples: Vec<Complex64> =
            (0..count).map(|b| spectrum.bin(from + b as isize) * (weight(b) / n)).collect();
        planner.plan_fft_inverse(count).process(&mut samples);
        let noise_gain = (0..count).map(|b| weight(b).powi(2)).sum::<f64>() / n;
        let skipped = self.skipped().min(count / 4);
        samples.truncate(count - skipped);
        samples.drain(..skipped);
        Signal { samples, noise_gain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1000 Hz in the band 900 … 1200 Hz: the exponential comes out at the band's rate,
    /// and a loud one outside does not.
    #[test]
    fn a_mode_in_the_band_stays_an_exponential() {
        let (rate, q) = (48_000.0, 960);
        let s = Complex64::new(-20.0, 2.0 * PI * 1000.0) / rate;
        let far = Complex64::new(-10.0, 2.0 * PI * 4000.0) / rate;
        let y: Vec<f64> = (0..48_000)
            .map(|m| 2.0 * ((s * m as f64).exp() + 3.0 * (far * m as f64).exp()).re)
            .collect();
        let band = Band { low: 18, core: 6 };
        let signal = band.of(&Spectrum::new(&y, 50, q), &mut FftPlanner::new());
        let step = q as f64 / band.rate() as f64;
        let base = 2.0 * PI * band.base() as f64 / band.rate() as f64;
        for k in [5, 20, 100] {
            let m = (k + band.skipped()) as f64;
            let expected = (s * m * step).exp() * Complex64::cis(-base * m);
            let error = (signal.samples[k] - expected).norm() / expected.norm();
            assert!(error < 0.02, "{k}: {error}");
        }
    }
}
