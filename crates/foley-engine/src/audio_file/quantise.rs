//! From float to integer samples, with dither.
//!
//! Rounding alone makes an error that follows the signal and is heard as distortion in quiet
//! tails. Adding triangular noise of two quantisation steps' width before rounding makes the
//! mean and the power of the error independent of the signal (Lipshitz, Wannamaker, Vanderkooy,
//! "Quantization and dither: a theoretical survey", JAES 40(5), 1992): the tail fades into an
//! even noise of √(1/12 + 1/6) = ½ step rms.

use foley_geometry::rng::SplitMix64;

/// The dither is part of the file: the same source must give the same bytes.
const DITHER_SEED: u64 = 0x00f0_1e70_0d17_4e12;

/// Rounds finite samples to integers of a given width.
#[derive(Debug)]
pub(super) struct Quantiser {
    scale: f64,
    noise: SplitMix64,
    clipped: u64,
}

impl Quantiser {
    pub(super) fn new(bits: u16) -> Self {
        let scale = (1_u64 << (bits - 1)) as f64;
        Self { scale, noise: SplitMix64::new(DITHER_SEED), clipped: 0 }
    }

    /// The integer for `x`, where ±1 is full scale.
    pub(super) fn quantise(&mut self, x: f32) -> i32 {
        // The difference of two uniform numbers has the triangular density on (−1, 1).
        let dither = self.noise.unit() - self.noise.unit();
        if x.abs() > 1.0 {
            self.clipped += 1;
        }
        (f64::from(x) * self.scale + dither).round().clamp(-self.scale, self.scale - 1.0) as i32
    }

    /// Samples that were beyond full scale.
    pub(super) fn clipped(&self) -> u64 {
        self.clipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Error statistics, in steps, of a constant input of `level` steps.
    fn error_of_constant(level: f64) -> (f64, f64) {
        let mut quantiser = Quantiser::new(16);
        let n = 200_000;
        let (mut sum, mut sum_sq) = (0.0, 0.0);
        for _ in 0..n {
            let error = f64::from(quantiser.quantise((level / 32_768.0) as f32)) - level;
            sum += error;
            sum_sq += error * error;
        }
        (sum / f64::from(n), (sum_sq / f64::from(n)).sqrt())
    }

    #[test]
    fn dither_makes_the_error_independent_of_the_signal() {
        for level in [0.0, 0.25, 0.5, 0.7, 100.3] {
            let (mean, rms) = error_of_constant(level);
            assert!(mean.abs() < 0.01, "level {level}: mean error {mean} steps");
            assert!((rms - 0.5).abs() < 0.01, "level {level}: rms error {rms} steps");
        }
    }

    #[test]
    fn full_scale_is_limited_not_wrapped() {
        let mut quantiser = Quantiser::new(24);
        assert_eq!(quantiser.quantise(3.0), (1 << 23) - 1);
        assert_eq!(quantiser.quantise(-3.0), -(1 << 23));
        assert_eq!(quantiser.clipped(), 2);
    }
}
