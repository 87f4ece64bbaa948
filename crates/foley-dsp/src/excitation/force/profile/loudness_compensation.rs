//! Loudness compensation: the gain that keeps the audible power of a profile at one.
//!
//! Slow motion puts long waves below the audible range, fast motion puts short ones above it. The
//! loudness law of \[FA\] §4.2 concerns the audible part, so that part is scaled to one. With the
//! power S_m of wave m and the power response h of the high-pass, both at the frequency that
//! follows from the speed:
//!
//! ```text
//! P₁ = Σ S h,  P₂ = Σ S h²,  gain² = P₂ / P₁²
//! ```
//!
//! The resulting power is P₂/P₁ ≤ 1, and close to one while audible waves exist. Waves that the
//! high-pass attenuates are not amplified again: for a single wave the gain is one.

use super::super::high_pass;
use super::mipmap::{self, LEVELS};
use super::spectrum::Spectrum;

const PER_OCTAVE: usize = 8;
/// Tabulated range of entries per sample, as powers of two.
const OCTAVES: [i32; 2] = [-20, 12];
/// Upper limit of the gain.
const MAX_GAIN: f64 = 1000.0;
/// Relative width within which neighbouring waves form one band.
const BAND_WIDTH: f64 = 1.0 / 64.0;

#[derive(Debug, Clone)]
pub(super) struct LoudnessCompensation(Vec<f32>);

/// Neighbouring waves.
struct Band {
    /// Waves per entry.
    frequency: f64,
    power: f64,
    /// The last level that contains them.
    last: usize,
}

impl LoudnessCompensation {
    pub(super) fn new(spectrum: &Spectrum, sample_rate_hz: f64) -> Self {
        let bands = bands(spectrum);
        let count = (OCTAVES[1] - OCTAVES[0]) as usize * PER_OCTAVE + 1;
        let gain = |i: usize| {
            let entries = (f64::from(OCTAVES[0]) + i as f64 / PER_OCTAVE as f64).exp2();
            let weights = mipmap::level_weights(entries);
            let (mut p1, mut p2) = (0.0, 0.0);
            for band in &bands {
                let h = high_pass::power(band.frequency * entries * sample_rate_hz);
                let w: f32 = weights[..=band.last].iter().sum();
                let power = band.power * f64::from(w).powi(2) * h;
                p1 += power;
                p2 += power * h;
            }
            if p1 > 1e-30 { (p2.sqrt() / p1).min(MAX_GAIN) as f32 } else { 1.0 }
        };
        Self((0..count).map(gain).collect())
    }

    /// Returns the gain at a speed in entries per sample (≥ 0).
    pub(super) fn gain(&self, entries_per_sample: f64) -> f64 {
        let octaves = entries_per_sample.max(1e-30).log2() - f64::from(OCTAVES[0]);
        let at = (octaves * PER_OCTAVE as f64).clamp(0.0, self.0.len() as f64 - 1.0);
        let one = |i: usize| f64::from(self.0.get(i).copied().unwrap_or(1.0));
        let (i, along) = (at as usize, at.fract());
        if along == 0.0 { one(i) } else { one(i) + (one(i + 1) - one(i)) * along }
    }
}

/// Groups the waves into bands that do not cross levels.
fn bands(spectrum: &Spectrum) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::new();
    let mut began = 0;
    for (m, c) in spectrum.waves.iter().enumerate().skip(1) {
        let power = 2.0 * c.norm_sqr();
        if power == 0.0 {
            continue;
        }
        let frequency = m as f64 / spectrum.entries as f64;
        let holds = |level: &usize| mipmap::contains(*level, m, spectrum.entries);
        let last = (0..LEVELS).rev().find(holds).unwrap_or(0);
        match bands.last_mut() {
            Some(band) if band.last == last && ((m - began) as f64) < BAND_WIDTH * began as f64 => {
                band.power += power;
            }
            _ => {
                began = m;
                bands.push(Band { frequency, power, last });
            }
        }
    }
    bands
}
