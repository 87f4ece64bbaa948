//! Surface profiles, tabulated for the audio thread.
//!
//! In the order of the data: a `surface` gives a `spectrum`, the spectrum gives a `mipmap` of
//! tables and the `loudness_compensation` over speed, and a `profile_reader` reads the tables.

mod surface;
mod spectrum;
mod mipmap;
mod loudness_compensation;
mod profile_reader;

pub(super) use profile_reader::{ProfileReader, STEP};
pub use surface::{RibShape, Surface, Texture};

use fearless_simd::Level;

use super::{ContactPatch, ForceError, sample_rate, within};
use crate::simd::Cpu;
use loudness_compensation::LoudnessCompensation;
use mipmap::Mipmap;

/// A surface tabulated for one sample rate. Made off the audio thread and shared by many contacts.
/// A fractal surface takes 4 MiB and does not repeat.
#[derive(Debug, Clone)]
pub struct Profile {
    levels: Mipmap,
    loudness: LoudnessCompensation,
    sample_rate_hz: f64,
    spacing_m: f64,
    rms_height_m: f64,
    /// Seed of the tiles of an aperiodic surface.
    tiles: Option<u64>,
    fastest: f64,
    cpu: Level,
}

/// Entries per sample at the highest speed, with and without tiles: tiles must change slowly; a
/// periodic table must reach the level at which no wave is left.
const MAX_ENTRIES_PER_SAMPLE: [f64; 2] = [1024.0, 4095.0];

impl Profile {
    /// Tabulates a surface. Different seeds give different tracks on a fractal surface.
    pub fn new(surface: &Surface, sample_rate_hz: f64, seed: u64) -> Result<Self, ForceError> {
        Self::tabulate(surface, sample_rate_hz, seed, None)
    }

    /// Tabulates a surface as a tip feels it under a normal force: filtered by the low-pass of the
    /// [`ContactPatch`]. The filter only attenuates: a soft, blunt tip sounds duller and quieter
    /// than a hard, sharp one.
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
        // Compensates the unfiltered surface: the attenuation by the tip stays.
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

    /// Returns the sample rate, Hz.
    pub fn sample_rate_hz(&self) -> f64 {
        self.sample_rate_hz
    }

    /// Returns the distance between entries of the finest table, m.
    pub fn spacing_m(&self) -> f64 {
        self.spacing_m
    }

    /// Returns the RMS height, m.
    pub fn rms_height_m(&self) -> f64 {
        self.rms_height_m
    }

    /// Returns the speed above which speeds are clamped, m/s.
    pub fn max_speed_m_s(&self) -> f64 {
        self.fastest * self.spacing_m * self.sample_rate_hz
    }

    /// Returns entries of the finest table per sample at a speed, signed and clamped.
    fn entries_per_sample(&self, speed_m_s: f64) -> f64 {
        let entries = speed_m_s / (self.spacing_m * self.sample_rate_hz);
        if entries.is_nan() { 0.0 } else { entries.clamp(-self.fastest, self.fastest) }
    }

    /// Returns the gain at which the audible part of the unit profile has an RMS of nearly, and
    /// never above, one.
    pub(super) fn loudness_gain(&self, speed_m_s: f64) -> f64 {
        self.loudness.gain(self.entries_per_sample(speed_m_s).abs())
    }
}
