//! Surfaces as the audio thread reads them.
//!
//! In the order of the work: a `surface` is described, its `spectrum` is drawn, `levels` of
//! finer and coarser tables are made of it, `loudness` knows how much of it can be heard at
//! each speed, and a `needle` reads it.

mod levels;
mod loudness;
mod needle;
mod spectrum;
mod surface;

pub(super) use needle::{Needle, STEP};
pub use surface::{RibShape, Surface, Texture};

use fearless_simd::Level;

use super::{ForceError, sample_rate};
use crate::simd::Cpu;
use levels::Levels;
use loudness::Loudness;

/// A surface tabulated for one sample rate. Made off the audio thread; many contacts may
/// share one. A fractal surface takes 4 MiB and does not repeat itself.
#[derive(Debug, Clone)]
pub struct Profile {
    levels: Levels,
    loudness: Loudness,
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
const FASTEST: [f64; 2] = [1024.0, 4095.0];

impl Profile {
    /// Tabulates a surface. Two profiles of one fractal surface with different seeds are
    /// different tracks on it.
    pub fn new(surface: &Surface, sample_rate_hz: f64, seed: u64) -> Result<Self, ForceError> {
        let sample_rate_hz = sample_rate(sample_rate_hz)?;
        let mut spectrum = spectrum::of(surface, seed);
        let rms_height_m = spectrum.normalise();
        Ok(Self {
            levels: Levels::new(&spectrum),
            loudness: Loudness::new(&spectrum, sample_rate_hz),
            sample_rate_hz,
            spacing_m: spectrum.spacing_m,
            rms_height_m,
            tiles: spectrum.goes_on.then_some(seed),
            fastest: FASTEST[usize::from(!spectrum.goes_on)],
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
    pub fn fastest_m_s(&self) -> f64 {
        self.fastest * self.spacing_m * self.sample_rate_hz
    }

    /// Entries of the finest table per sample at a speed, signed and bounded.
    fn entries_per_sample(&self, speed_m_s: f64) -> f64 {
        let entries = speed_m_s / (self.spacing_m * self.sample_rate_hz);
        if entries.is_nan() { 0.0 } else { entries.clamp(-self.fastest, self.fastest) }
    }

    /// By what the unit profile is to be multiplied at a speed, so that what can be heard
    /// of it has an RMS of (nearly, and never above) one.
    pub(super) fn levelling(&self, speed_m_s: f64) -> f64 {
        self.loudness.gain(self.entries_per_sample(speed_m_s).abs())
    }
}
