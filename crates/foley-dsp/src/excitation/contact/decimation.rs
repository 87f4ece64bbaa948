//! Decimation: from fine steps to samples, band-limited.

use std::sync::OnceLock;

use crate::windowed_sinc::windowed_sinc;

/// Half the length of the kernel, samples.
pub(super) const REACH: usize = 16;
/// Edge (−6 dB) over the sample rate, and β of the Kaiser window: flat within 0.02 dB to 0.42 of the sample rate, 53 dB down
/// from 0.52 on.
const EDGE: f64 = 0.47;
const BETA: f64 = 5.0;
/// Fine steps per sample, log₂.
const FACTORS: [u32; 3] = [4, 5, 6];
/// Sums side by side.
const LANES: usize = 8;

/// A sinc under a Kaiser window, at fine steps.
pub(super) struct Decimator {
    factor: usize,
    /// 2 · [`REACH`] · factor + 1 values, the middle one at 0.
    kernel: Box<[f32]>,
}

impl Decimator {
    /// Returns the decimator with steps of at most this many samples, or the finest there is.
    pub(super) fn of_step(samples: f64) -> &'static Self {
        static ALL: [OnceLock<Decimator>; FACTORS.len()] = [const { OnceLock::new() }; 3];
        let fits = |log2: &u32| f64::from(1 << log2) * samples >= 1.0;
        let index = FACTORS.iter().position(fits).unwrap_or(FACTORS.len() - 1);
        ALL[index].get_or_init(|| Self::new(1 << FACTORS[index]))
    }

    fn new(factor: usize) -> Self {
        let half = REACH * factor;
        let at = |k: usize| {
            windowed_sinc((k as f64 - half as f64) / factor as f64, EDGE, BETA, REACH as f64)
        };
        let kernel: Vec<f64> = (0..2 * half + 1).map(at).collect();
        let sum: f64 = kernel.iter().sum();
        Self { factor, kernel: kernel.iter().map(|x| (x / sum) as f32).collect() }
    }

    /// Fine steps per sample.
    pub(super) fn factor(&self) -> usize {
        self.factor
    }

    /// Returns the samples of `fine`; the first is [`REACH`] samples before it begins.
    pub(super) fn decimate(&self, fine: &[f32]) -> Vec<f32> {
        let half = REACH * self.factor;
        let count = fine.len() / self.factor + 2 * REACH + 1;
        let sample = |n: usize| {
            // The kernel is centred on step (n − REACH) · factor.
            let centre = n * self.factor;
            let from = centre.saturating_sub(2 * half);
            let to = (centre + 1).min(fine.len());
            match from < to {
                true => dot(&fine[from..to], &self.kernel[from + 2 * half - centre..]),
                false => 0.0,
            }
        };
        (0..count).map(sample).collect()
    }
}

/// Returns Σ a b over the length of `a`.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (mut sums, b) = ([0f32; LANES], &b[..a.len()]);
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = a.remainder().iter().zip(b.remainder()).map(|(x, y)| x * y).sum();
    for (a, b) in a.zip(b) {
        for ((sum, x), y) in sums.iter_mut().zip(a).zip(b) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f32>() + rest
}
