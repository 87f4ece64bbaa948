//! Noise level of a recording, by frequency.
//!
//! Short spectra are taken over the full recording. In each, the noise of a band is the
//! *median* of its bins, which narrow resonances hardly change; over time it is the 30th
//! percentile, which comes from before the onset and from the tail. The estimate is 1 to 2 dB
//! low. The median of an exponentially distributed power is ln 2 of its mean.

use realfft::RealFftPlanner;
use realfft::num_complex::Complex64;
use std::f64::consts::PI;

/// Lowest noise amplitude relative to the peak (−100 dB).
const FLOOR: f64 = 1e-5;

/// σ²(f): the variance per sample that white noise of the same density would have.
#[derive(Debug, Clone)]
pub(super) struct Noise {
    /// Middle of each band, Hz, ascending, and the logarithm of σ² there.
    bands: Vec<(f64, f64)>,
}

impl Noise {
    /// Estimates the noise of a recording without its mean, or of its residual; `peak` is the
    /// largest magnitude of the full recording in either case.
    pub(super) fn of(y: &[f64], rate_hz: f64, peak: f64) -> Self {
        let floor = (FLOOR * peak).powi(2).max(1e-300);
        let mut frame = ((0.085 * rate_hz) as usize).next_power_of_two();
        while frame > 64 && frame * 3 > y.len() {
            frame /= 2;
        }
        let edges = edges(frame, rate_hz);
        let mut levels = vec![Vec::new(); edges.len()];
        for spectrum in spectra(y, frame) {
            for (level, &(from, to)) in levels.iter_mut().zip(&edges) {
                let median = quantile(&mut spectrum[from..to].to_vec(), 0.5);
                level.push(median / std::f64::consts::LN_2);
            }
        }
        let bands = edges.iter().zip(&mut levels).map(|(&(from, to), level)| {
            // Digital silence around the strike is not its noise.
            level.retain(|v| *v > floor);
            let noise = if level.is_empty() { floor } else { quantile(level, 0.3) };
            (0.5 * (from + to) as f64 * rate_hz / frame as f64, noise.max(floor).ln())
        });
        Self { bands: bands.collect() }
    }

    /// σ² at a frequency.
    pub(super) fn variance(&self, hz: f64) -> f64 {
        let after = self.bands.partition_point(|b| b.0 < hz);
        if after == 0 || after == self.bands.len() {
            return self.bands[after.min(self.bands.len() - 1)].1.exp();
        }
        let ((f0, v0), (f1, v1)) = (self.bands[after - 1], self.bands[after]);
        (v0 + (v1 - v0) * (hz - f0) / (f1 - f0)).exp()
    }

    /// Takes what is quieter of two estimates, band by band.
    pub(super) fn lower(&mut self, other: &Self) {
        for (band, other) in self.bands.iter_mut().zip(&other.bands) {
            band.1 = band.1.min(other.1);
        }
    }

    /// σ² over all frequencies.
    pub(super) fn total(&self, rate_hz: f64) -> f64 {
        let steps = 200;
        let sum: f64 =
            (0..steps).map(|i| self.variance(0.5 * rate_hz * (i as f64 + 0.5) / 200.0)).sum();
        sum / steps as f64
    }
}

/// Third-octave bands of at least 12 bins, from 20 Hz up, as ranges of bins.
fn edges(frame: usize, rate_hz: f64) -> Vec<(usize, usize)> {
    let top = frame / 2;
    let mut from = ((20.0 * frame as f64 / rate_hz) as usize).clamp(2, top - 1);
    let mut edges = Vec::new();
    while from < top {
        let mut to = ((from as f64 * 1.26) as usize).max(from + 12);
        if to + 12 > top {
            to = top;
        }
        edges.push((from, to));
        from = to;
    }
    edges
}

/// Power spectra of half-overlapping Hann frames, scaled so that white noise of
/// variance σ² has the mean σ² in every bin.
fn spectra(y: &[f64], frame: usize) -> Vec<Vec<f64>> {
    let window: Vec<f64> = (0..frame)
        .map(|i| 0.5 - 0.5 * (2.0 * PI * (i as f64 + 0.5) / frame as f64).cos())
        .collect();
    let scale = 1.0 / window.iter().map(|w| w * w).sum::<f64>();
    let fft = RealFftPlanner::<f64>::new().plan_fft_forward(frame);
    let (mut input, mut output) = (fft.make_input_vec(), fft.make_output_vec());
    let power = |bins: &[Complex64]| bins.iter().map(|x| x.norm_sqr() * scale).collect();
    let count = (y.len().saturating_sub(frame) / (frame / 2)) + 1;
    (0..count)
        .map(|k| {
            let part = &y[(k * frame / 2).min(y.len())..];
            input.fill(0.0);
            for ((x, v), w) in input.iter_mut().zip(part).zip(&window) {
                *x = v * w;
            }
            // The lengths are the plan's own: this cannot fail.
            let _ = fft.process(&mut input, &mut output);
            power(&output)
        })
        .collect()
}

fn quantile(values: &mut [f64], part: f64) -> f64 {
    let at = ((values.len() - 1) as f64 * part) as usize;
    *values.select_nth_unstable_by(at, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_geometry::rng::SplitMix64;

    /// White noise under a loud decaying tone is measured within 3 dB.
    #[test]
    fn white_noise_has_its_own_variance() {
        let mut rng = SplitMix64::new(7);
        let y: Vec<f64> = (0..96_000)
            .map(|i| {
                let t = f64::from(i) / 48_000.0;
                0.01 * rng.normal_pair()[0] + (-5.0 * t).exp() * (2.0 * PI * 440.0 * t).sin()
            })
            .collect();
        let noise = Noise::of(&y, 48_000.0, 1.0);
        for hz in [30.0, 440.0, 3000.0, 20_000.0] {
            let db = 10.0 * (noise.variance(hz) / 1e-4).log10();
            assert!(db.abs() < 3.0, "{hz} Hz: {db} dB");
        }
    }
}
