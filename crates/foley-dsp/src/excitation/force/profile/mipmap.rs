//! Mipmap of a profile: twelve resolutions, so that no speed aliases.
//!
//! Level l has N/2^l entries and wavelengths of at least five entries. Read at up to 2.5 entries
//! per sample it stays below the Nyquist frequency. The entries are coefficients of cubic B-splines:
//! tables are made from spectra, so the spline's response `(2 + cos ω)/3` is divided out exactly,
//! and interpolation costs four products. Spline images are 48 dB down at the shortest wavelength,
//! (f/(1 − f))⁴ at f waves per entry.

use num_complex::Complex64;
use realfft::RealFftPlanner;
use std::f64::consts::TAU;

use super::profile_reader::STEP;
use super::spectrum::Spectrum;

/// Levels, each with half the resolution of the previous.
pub(super) const LEVELS: usize = 12;
/// Entries of the shortest wavelength.
pub(super) const FINEST: usize = 5;

#[derive(Debug, Clone)]
pub(super) struct Mipmap {
    /// Periodic coefficients, padded with one entry before and two after.
    tables: Vec<Vec<f32>>,
    /// log₂ N.
    pub(super) bits: u32,
}

impl Mipmap {
    pub(super) fn new(spectrum: &Spectrum) -> Self {
        let mut planner = RealFftPlanner::<f64>::new();
        let table = |level: usize| {
            let count = spectrum.entries >> level;
            let plan = planner.plan_fft_inverse(count);
            let mut waves = plan.make_input_vec();
            for (m, (wave, c)) in waves.iter_mut().zip(&spectrum.waves).enumerate() {
                let spline = (2.0 + (TAU * m as f64 / count as f64).cos()) / 3.0;
                *wave =
                    if contains(level, m, spectrum.entries) { c / spline } else { Complex64::ZERO };
            }
            let mut heights = plan.make_output_vec();
            // The lengths are the plan's own and the first wave is real: cannot fail.
            let _ = plan.process(&mut waves, &mut heights);
            let last = heights.last().copied();
            let drum = last.into_iter().chain(heights.iter().copied());
            drum.chain(heights.iter().copied().cycle().take(2)).map(|h| h as f32).collect()
        };
        Self { tables: (0..LEVELS).map(table).collect(), bits: spectrum.entries.trailing_zeros() }
    }

    /// Adds the height at each shifted position times the gain of each sample. Positions are
    /// 32.32 bit fixed point, in entries of level 0.
    #[inline(always)]
    pub(super) fn add(
        &self,
        level: usize,
        at: &[u64; STEP],
        shift: u64,
        gain: impl Fn(usize) -> f32,
        y: &mut [f32],
    ) {
        let Some(table) = self.tables.get(level) else { return };
        let (l, mask) = (level as u32, (1u32 << (self.bits - level as u32)) - 1);
        // Vectorised weights first, then the table look-ups.
        let (mut entry, mut splines) = ([0u32; STEP], [[0.0f32; STEP]; 4]);
        for n in 0..STEP {
            let at = at[n].wrapping_add(shift) >> l;
            entry[n] = (at >> 32) as u32 & mask;
            let t = ((at >> 8) & 0xff_ffff) as i32 as f32 * (1.0 / (1 << 24) as f32);
            let (u, tt) = (1.0 - t, t * t);
            splines[0][n] = (1.0 / 6.0) * u * u * u;
            splines[1][n] = 2.0 / 3.0 - tt * (1.0 - 0.5 * t);
            splines[2][n] = 2.0 / 3.0 - u * u * (1.0 - 0.5 * u);
            splines[3][n] = (1.0 / 6.0) * tt * t;
        }
        for (n, y) in y.iter_mut().enumerate().take(STEP) {
            let i = entry[n] as usize;
            let Some(&[a, b, c, d]) = table.get(i..i + 4).and_then(|c| c.first_chunk()) else {
                return;
            };
            let height =
                (a * splines[0][n] + b * splines[1][n]) + (c * splines[2][n] + d * splines[3][n]);
            *y += gain(n) * height;
        }
    }
}

/// Returns whether a level contains wave m of a table of N entries.
pub(super) fn contains(level: usize, m: usize, entries: usize) -> bool {
    FINEST * m <= entries >> level
}

/// Returns the weight of each level at a speed in entries per sample (≥ 0): one level, or two
/// during a crossfade, which ends before any wave reaches the Nyquist frequency.
pub(super) fn level_weights(entries_per_sample: f64) -> [f32; LEVELS] {
    let mut weights = [0.0; LEVELS];
    let most = FINEST as f64 / 2.0;
    let octave = (entries_per_sample / (most / 2.0)).max(1.0).log2().floor();
    let level = (octave as usize).min(LEVELS - 1);
    let per_sample = entries_per_sample / (1u64 << level) as f64;
    let next = (4.0 * per_sample / most - 3.0).clamp(0.0, 1.0) as f32;
    weights[level] = 1.0 - next;
    // Beyond the coarsest level the output is zero.
    if let Some(weight) = weights.get_mut(level + 1) {
        *weight = next;
    }
    weights
}
