//! Surfaces as the audio thread reads them.
//!
//! In the order of the work: a `surface` is described, its `spectrum` is drawn, `levels` of
//! finer and coarser tables are made of it, `loudness` knows how much of it can be heard at
//! each speed, and a `needle` reads it.

mod mipmap;
mod loudness_compensation;
mod profile_reader;
mod spectrum;
mod surface;

pub(super) use profile_reader::{ProfileReader, STEP};
pub use surface::{RibShape, Surface, Texture};

use fearless_simd::Level;

use super::{ContactPatch, ForceError, sample_rate, within};
use crate::simd::Cpu;
use loudness_compensation::LoudnessCompensation;
use mipmap::Mipmap;

/// A surface tabulated for one sample rate. Made off the audio thread; many contacts may
/// share one. A fractal surface takes 4 MiB and does not repeat itself.
#[derive(Debug, Clone)]
pub struct Profile {
    levels: Mipmap,
    loudness: LoudnessCompensation,
    sample_rate_hz: f64,
    spacing_m: f64,
    rms_height_m: f64,
    /// Of a surface that goes on at random, instead of repeating.
    tiles: Option<u64>,
    fastest: f64,
    cpu: Level,
}

/// Entries read per sample at the highest speed, with tiles and without: the tiles must
/// change slowly; a plain table must come to the level in which nothing is left.
const MAX_ENTRIES_PER_SAMPLE: [f64; 2] = [1024.0, 4095.0];

impl Profile {
    /// Tabulates a surface. Two profiles of one fractal surface with different seeds are
    /// different tracks on it.
    pub fn new(surface: &Surface, sample_rate_hz: f64, seed: u64) -> Result<Self, ForceError> {
        Self::tabulate(surface, sample_rate_hz, seed, None)
    }

    /// The surface as a tip feels that is drawn over it with a force: without what is finer than
    /// its contact, by the low-pass of [`ContactPatch`]. That only takes away: a soft, blunt tip is duller
    /// and softer than a hard, sharp one.
    pub fn through_tip(
        surface: &Surface,
        sample_rate_hz: f64,
        seed: u64,
        tip: ContactPatch,
        normal_force_n: f64,
    ) -> Result<Self, ForceError> {
        tip.validate()?;
        within("normal_force_n", normal_force_n, 0.0..=1e9, "between 0 and 1e9")?;
        Self::tabulate(surface, sample_rate_hz, seed, Some((tip, normal_force_n)))
    }

    fn tabulate(
        surface: &Surface,
        sample_rate_hz: f64,
        seed: u64,
        tip: Option<(ContactPatch, f64)>,
    ) -> Result<Self, ForceError> {
        let sample_rate_hz = sample_rate(sample_rate_hz)?;
        let mut spectrum = spectrum::of(surface, seed);
        let rms_height_m = spectrum.normalise();
        // The loudness is that of the whole surface: what is not felt is not made up for.
        let loudness = LoudnessCompensation::new(&spectrum, sample_rate_hz);
        if let Some((tip, normal_force_n)) = tip {
            spectrum.smooth(tip.length_m(normal_force_n, rms_height_m));
        }
        Ok(Self {
            levels: Mipmap::new(&spectrum),
            loudness,
            sample_rate_hz,
            spacing_m: spectrum.spacing_m,
            rms_height_m,
            tiles: spectrum.aperiodic.then_some(seed),
            fastest: MAX_ENTRIES_PER_SAMPLE[usize::from(!spectrum.aperiodic)],
            cpu: Cpu::Best.level(),
        })
    }

    /// Samples per second it was made for.
    pub fn sample_rate_hz(&self) -> f64 {
        self.sample_rate_hz
    }

    /// The distance between two entries of its finest table, m.
    pub fn spacing_m(&self) -> f64 {
        self.spacing_m
    }

    /// RMS of all heights, m.
    pub fn rms_height_m(&self) -> f64 {
        self.rms_height_m
    }

    /// The highest speed that makes a difference, m/s.
    pub fn max_speed_m_s(&self) -> f64 {
        self.fastest * self.spacing_m * self.sample_rate_hz
    }

    /// Entries of the finest table per sample at a speed, signed and bounded.
    fn entries_per_sample(&self, speed_m_s: f64) -> f64 {
        let entries = speed_m_s / (self.spacing_m * self.sample_rate_hz);
        if entries.is_nan() { 0.0 } else { entries.clamp(-self.fastest, self.fastest) }
    }

    /// By what the unit profile is to be multiplied at a speed, so that what can be heard
    /// of it has an RMS of (nearly, and never above) one.
    pub(super) fn loudness_gain(&self, speed_m_s: f64) -> f64 {
        self.loudness.gain(self.entries_per_sample(speed_m_s).abs())
    }
}
