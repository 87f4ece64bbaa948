//! Spatial spectrum of a surface, from which the tables are made.

use num_complex::Complex64;
use realfft::RealFftPlanner;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::mipmap::FINEST;
use super::surface::{RibShape, Surface, Texture};
use foley_geometry::rng::SplitMix64;

/// Entries of a fractal table and their spacing: two metres of track with wavelengths from 20 µm to
/// a quarter of a metre. Slow scraping needs the short ones, fast rolling the long ones; longer
/// waves would not survive the crossfades between tiles.
const FRACTAL_ENTRIES: usize = 1 << 19;
const FRACTAL_SPACING_M: f64 = 4e-6;
const FRACTAL_LONGEST: usize = 8;
/// Longest wavelength of roughness (λc = 0.8 mm of ISO 4287), m.
const ROUGHNESS_M: f64 = 0.8e-3;
/// Entries over one rib.
const RIB_ENTRIES: usize = 1 << 12;

/// `h_j = Σ_m 2 Re c_m e^{2πi m j/N}`, m = 1 … N/5: oversampled 2.5 times, so that a short
/// interpolation kernel is accurate.
pub(super) struct Spectrum {
    /// N, a power of two.
    pub(super) entries: usize,
    pub(super) spacing_m: f64,
    /// c_m for m = 0 … N/5; c_0 = 0.
    pub(super) waves: Vec<Complex64>,
    /// Whether the table is a section of a random track rather than one period.
    pub(super) aperiodic: bool,
}

impl Spectrum {
    /// Returns Σ 2|c_m|², the mean square height.
    pub(super) fn power(&self) -> f64 {
        self.waves.iter().map(|c| 2.0 * c.norm_sqr()).sum()
    }

    fn scale(&mut self, factor: f64) {
        self.waves.iter_mut().for_each(|c| *c *= factor);
    }

    /// Applies the low-pass of a contact patch of length ℓ: `1 / (1 + (kℓ)²)` at the wave number k,
    /// which equals two first-order low-passes at the frequency v / 2πℓ for a speed v.
    pub(super) fn smooth(&mut self, length_m: f64) {
        let step = TAU / (self.entries as f64 * self.spacing_m);
        for (m, c) in self.waves.iter_mut().enumerate() {
            *c /= 1.0 + (m as f64 * step * length_m).powi(2);
        }
    }

    /// Scales the RMS to one; returns the previous RMS.
    pub(super) fn normalise(&mut self) -> f64 {
        let rms = self.power().sqrt();
        if rms > 0.0 {
            self.scale(1.0 / rms);
        }
        rms
    }
}

pub(super) fn of(surface: &Surface, seed: u64) -> Spectrum {
    match surface.texture() {
        Texture::Fractal { beta, roughness_m, reson_wavelength_m, reson_bandwidth } => {
            let reson = reson_wavelength_m.zip(*reson_bandwidth);
            fractal(*beta, *roughness_m, reson, seed)
        }
        Texture::Recorded { samples, metres_per_sample } => recorded(samples, *metres_per_sample),
        Texture::Ribbed { period_m, depth_m, shape, duty } => {
            ribbed(*period_m, *depth_m, *shape, *duty)
        }
    }
}

/// Draws independent normal waves of variance `k^β |H(k)|²`.
fn fractal(beta: f64, roughness_m: f64, reson: Option<(f64, f64)>, seed: u64) -> Spectrum {
    let mut rng = SplitMix64::new(seed);
    let length_m = FRACTAL_ENTRIES as f64 * FRACTAL_SPACING_M;
    let wave = |m: usize| {
        let [re, im] = rng.normal_pair();
        let k = m as f64 / length_m;
        let power = k.powf(beta) * reson.map_or(1.0, |(wavelength, b)| peak(k * wavelength, b));
        if m < FRACTAL_LONGEST { Complex64::ZERO } else { Complex64::new(re, im) * power.sqrt() }
    };
    let mut spectrum = Spectrum {
        entries: FRACTAL_ENTRIES,
        spacing_m: FRACTAL_SPACING_M,
        waves: (0..=FRACTAL_ENTRIES / FINEST).map(wave).collect(),
        aperiodic: true,
    };
    let first = (length_m / ROUGHNESS_M).ceil() as usize;
    let fine: f64 = spectrum.waves[first..].iter().map(|c| 2.0 * c.norm_sqr()).sum();
    spectrum.scale(roughness_m / fine.sqrt());
    spectrum
}

/// Returns |H|² of the reson at x = k/k_r.
fn peak(x: f64, b: f64) -> f64 {
    1.0 / ((1.0 - x * x).powi(2) + (b * x).powi(2))
}

/// Returns the Fourier series of the track, made periodic.
fn recorded(samples: &[f32], metres_per_sample: f64) -> Spectrum {
    let mut looped = closed(samples);
    let count = looped.len();
    let entries = (FINEST * count / 2 + 1).next_power_of_two().max(RIB_ENTRIES);
    let forward = RealFftPlanner::<f64>::new().plan_fft_forward(count);
    let mut waves = forward.make_output_vec();
    // The lengths are the plan's own: cannot fail.
    let _ = forward.process(&mut looped, &mut waves);
    waves.iter_mut().for_each(|c| *c /= count as f64);
    if count.is_multiple_of(2) {
        // The wave at the Nyquist frequency has no conjugate.
        if let Some(last) = waves.last_mut() {
            *last /= 2.0;
        }
    }
    waves[0] = Complex64::ZERO;
    waves.resize(entries / FINEST + 1, Complex64::ZERO);
    let spacing_m = metres_per_sample * count as f64 / entries as f64;
    Spectrum { entries, spacing_m, waves, aperiodic: false }
}

/// Removes the mean and crossfades the last tenth into the beginning.
fn closed(samples: &[f32]) -> Vec<f64> {
    let mean = samples.iter().map(|h| f64::from(*h)).sum::<f64>() / samples.len() as f64;
    let fade = samples.len() / 10;
    let count = samples.len() - fade;
    let at = |j: usize| f64::from(samples[j]) - mean;
    let one = |j: usize| match j < fade {
        true => {
            // Equal-power crossfade: the two ends are uncorrelated.
            let turn = FRAC_PI_2 * (j as f64 + 0.5) / fade as f64;
            at(j) * turn.sin() + at(count + j) * turn.cos()
        }
        false => at(j),
    };
    (0..count).map(one).collect()
}

/// Returns the Fourier series of one rib.
fn ribbed(period_m: f64, depth_m: f64, shape: RibShape, duty: f64) -> Spectrum {
    let wave = |m: usize| match m {
        0 => Complex64::ZERO,
        m => rib(shape, duty, m as f64) * depth_m,
    };
    Spectrum {
        entries: RIB_ENTRIES,
        spacing_m: period_m / RIB_ENTRIES as f64,
        waves: (0..=RIB_ENTRIES / FINEST).map(wave).collect(),
        aperiodic: false,
    }
}

/// Returns `c_m = ∫₀¹ h(x) e^{−2πi m x} dx` of a rib of unit height; symmetric ribs are centred.
fn rib(shape: RibShape, d: f64, m: f64) -> Complex64 {
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
    match shape {
        RibShape::Square => Complex64::from(d * sinc(m * d)),
        RibShape::Triangle => Complex64::from(0.5 * d * sinc(0.5 * m * d).powi(2)),
        // (1 + cos 2πx/d)/2 over |x| < d/2.
        RibShape::Round => {
            let side = |s: f64| 0.5 * sinc(m * d + s);
            Complex64::from(0.5 * d * (sinc(m * d) + side(1.0) + side(-1.0)))
        }
        // Slopes 1/d up and 1/(1 − d) down: the second derivative is two impulses.
        RibShape::Saw => {
            let turn = Complex64::from_polar(1.0, -TAU * m * d);
            (turn - 1.0) / (d * (1.0 - d) * (TAU * m).powi(2))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The series sums to the intended rib.
    #[test]
    fn ribs_have_their_shape() {
        let d = 0.3;
        let height = |shape, x: f64| {
            let term = |m: usize| {
                2.0 * (rib(shape, d, m as f64) * Complex64::from_polar(1.0, TAU * m as f64 * x)).re
            };
            (1..20_000).map(term).sum::<f64>()
        };
        let tops = [
            (RibShape::Square, 0.0, 0.5, 1.0),
            (RibShape::Triangle, 0.0, 0.5, 1.0),
            (RibShape::Triangle, 0.075, 0.5, 0.5),
            (RibShape::Round, 0.0, 0.5, 1.0),
            (RibShape::Round, 0.075, 0.5, 0.5),
            (RibShape::Saw, 0.3, 0.0, 1.0),
            (RibShape::Saw, 0.15, 0.0, 0.5),
            (RibShape::Saw, 0.65, 0.0, 0.5),
        ];
        for (shape, x, ground, high) in tops {
            let found = height(shape, x) - height(shape, ground);
            assert!((found - high).abs() < 1e-3, "{shape:?} at {x}: {found} for {high}");
        }
    }

    #[test]
    fn roughness_is_the_rms_height_of_short_waves() {
        let spectrum = fractal(-2.0, 3e-6, Some((1e-4, 0.2)), 5);
        let first = (2.097_152f64 / 0.8e-3).ceil() as usize;
        let fine: f64 = spectrum.waves[first..].iter().map(|c| 2.0 * c.norm_sqr()).sum();
        assert!((fine.sqrt() / 3e-6 - 1.0).abs() < 1e-12);
    }
}
