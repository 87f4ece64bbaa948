//! The mean power spectrum of the loud part of a recording (Welch's method).

use realfft::RealFftPlanner;
use std::f64::consts::TAU;

use super::{Recording, SurfaceOptions};
use crate::fit::FitError;

/// A window, s: long enough for 40 Hz, short enough for many of them.
const WINDOW_S: f64 = 0.1;
/// Windows below this part of the loudest are skipped (−20 dB in power).
const QUIET: f64 = 1e-2;
/// Bins less than this above the quietest part of the spectrum are noise of the recorder (10 dB
/// in power).
const CLEAR: f64 = 10.0;
/// Fewest bins of a spectrum.
const FEWEST: usize = 24;

/// Frequencies and powers within the band.
pub(super) struct PowerSpectrum {
    pub(super) hz: Vec<f64>,
    pub(super) power: Vec<f64>,
    /// Equivalent number of independent windows in the mean.
    pub(super) windows: f64,
    pub(super) seconds: f64,
}

impl PowerSpectrum {
    pub(super) fn of(recording: &Recording, options: &SurfaceOptions) -> Result<Self, FitError> {
        let rate = recording.sample_rate_hz;
        let mut window = ((WINDOW_S * rate) as usize).next_power_of_two();
        while window > 64 && 4 * window > recording.samples.len() {
            window /= 2;
        }
        let spectra = spectra(&recording.samples, window);
        let loudness: Vec<f64> = spectra.iter().map(|s| s.iter().sum()).collect();
        let loudest = loudness.iter().copied().fold(0.0, f64::max);
        let loud = |(s, l): (&Vec<f64>, &f64)| (*l >= QUIET * loudest).then(|| s.clone());
        let loud: Vec<Vec<f64>> = spectra.iter().zip(&loudness).filter_map(loud).collect();
        let count = loud.len();
        let mean = |m: usize| loud.iter().map(|s| s[m]).sum::<f64>() / count as f64;
        let power: Vec<f64> = (0..=window / 2).map(mean).collect();
        let bin = rate / window as f64;
        let first = ((options.min_hz / bin).ceil() as usize).max(3);
        let last = last_clear(&power, first, (options.max_hz / bin) as usize);
        if last < first + FEWEST {
            return Err(FitError::NoScrape);
        }
        Ok(Self {
            hz: (first..=last).map(|m| m as f64 * bin).collect(),
            power: power[first..=last].to_vec(),
            // Hann windows that overlap by half share a sixth of their noise.
            windows: (count as f64 / 1.06).max(1.0),
            seconds: (count as f64 + 1.0) * 0.5 * window as f64 / rate,
        })
    }

    pub(super) fn band_hz(&self) -> [f64; 2] {
        [self.hz[0], self.hz[self.hz.len() - 1]]
    }
}

/// Power spectra of Hann windows that overlap by half, without the mean.
fn spectra(y: &[f32], window: usize) -> Vec<Vec<f64>> {
    let plan = RealFftPlanner::<f64>::new().plan_fft_forward(window);
    let (mut x, mut waves) = (plan.make_input_vec(), plan.make_output_vec());
    let hann: Vec<f64> =
        (0..window).map(|n| 0.5 - 0.5 * (TAU * n as f64 / window as f64).cos()).collect();
    let mut spectra = Vec::new();
    for part in y.windows(window).step_by(window / 2) {
        let mean = part.iter().map(|y| f64::from(*y)).sum::<f64>() / window as f64;
        for ((x, y), h) in x.iter_mut().zip(part).zip(&hann) {
            *x = (f64::from(*y) - mean) * h;
        }
        // The lengths are the plan's own: this cannot fail.
        let _ = plan.process(&mut x, &mut waves);
        spectra.push(waves.iter().map(|w| w.norm_sqr()).collect());
    }
    spectra
}

/// Returns the last bin before the spectrum first falls to the recorder's noise.
fn last_clear(power: &[f64], first: usize, last: usize) -> usize {
    let last = last.min(power.len() * 9 / 10);
    let smooth = |m: usize| {
        let (from, to) = (m.saturating_sub(4), (m + 5).min(power.len()));
        power[from..to].iter().sum::<f64>() / (to - from) as f64
    };
    let floor = (first..power.len()).map(smooth).fold(f64::MAX, f64::min);
    (first..=last).find(|m| smooth(*m) < CLEAR * floor).map_or(last, |m| m - 1)
}
