//! The spreading function: simultaneous masking among bands.
//!
//! Energies add (Green 1967): the masking of a band is the sum of the energies of all bands,
//! attenuated by 12 dB per Bark upwards and 25 dB per Bark downwards, computed as two running sums.

use fearless_simd::{Level, dispatch, f32x16, prelude::*};
use fearless_simd_macros::simd;
use std::ops::Range;

use super::Bands;
use crate::perception::{LOWER_SLOPE, bark_from_hz, hearing_threshold_db};
use crate::simd::{LANES, Row, flat, flat_mut};

/// Slope towards higher frequencies, dB per Bark: that of \[CS\] §4 for a masker of 50 dB.
const UPWARD_DB: f64 = 12.0;

/// Neighbouring bands that share one minimum of thresholds.
pub(crate) const BAND_GROUP: usize = 4;

/// Masking among the bands of one bus.
#[derive(Debug, Clone)]
pub(crate) struct BandMasking {
    /// Energy of the hearing threshold, margin included; infinite where there is no band.
    quiet: Vec<Row>,
    /// Attenuation from the band below, and from the band above.
    upward: Vec<f32>,
    downward: Vec<f32>,
    /// Spread energy that arrives at each band.
    pub(crate) spread: Vec<Row>,
    /// Energy of all buses in each band, as far as it comes from the direction of this bus.
    pub(crate) total: Vec<Row>,
    /// Bands with less energy are inaudible.
    pub(crate) threshold: Vec<Row>,
    /// Lowest threshold of every [`BAND_GROUP`] bands.
    min_threshold: Vec<f32>,
}

impl BandMasking {
    pub(crate) fn new(bands: &Bands, rows: usize, margin_db: f64) -> Self {
        let count = rows * LANES;
        let mut quiet = vec![Row([f32::INFINITY; LANES]); rows];
        let (mut upward, mut downward) = (vec![0.0; count], vec![0.0; count]);
        let bark = |c: usize| bark_from_hz(bands.centre_hz(c).max(20.0));
        let ratio = |db: f64| 10f64.powf(-db / 10.0) as f32;
        for c in 0..bands.len() {
            let hz = bands.centre_hz(c).max(20.0);
            flat_mut(&mut quiet)[c] = ratio(margin_db - hearing_threshold_db(hz));
            if c > 0 {
                upward[c] = ratio(UPWARD_DB * (bark(c) - bark(c - 1)));
                downward[c - 1] = ratio(LOWER_SLOPE * (bark(c) - bark(c - 1)));
            }
        }
        let mut masking = Self {
            spread: vec![Row::default(); rows],
            total: vec![Row::default(); rows],
            threshold: quiet.clone(),
            min_threshold: vec![0.0; count / BAND_GROUP],
            quiet,
            upward,
            downward,
        };
        masking.update_minima(Level::baseline());
        masking
    }

    /// Returns the energy of the hearing threshold of a band, margin included.
    pub(crate) fn quiet_of(&self, band: usize) -> f32 {
        flat(&self.quiet).get(band).copied().unwrap_or(f32::INFINITY)
    }

    /// Spreads the energies of some rows over those rows; the other rows have no energy, hence
    /// nothing to mask. `gain` converts energies to multiples of 0 dB SPL.
    pub(crate) fn spread(&mut self, energy: &[Row], rows: Range<usize>, gain: f32) {
        self.spread.fill(Row::default());
        let (energy, spread) = (flat(&energy[rows.clone()]), &mut self.spread[rows.clone()]);
        let spread = flat_mut(spread);
        let bands = rows.start * LANES..rows.end * LANES;
        let (upward, downward) = (&self.upward[bands.clone()], &self.downward[bands]);
        let count = spread.len().min(energy.len()).min(upward.len()).min(downward.len());
        // Both running sums in one loop: they do not depend on each other.
        let (mut from_below, mut from_above) = (0.0, 0.0);
        for (low, high) in (0..count).zip((0..count).rev()) {
            from_below *= upward[low];
            spread[low] += from_below * gain;
            from_below += energy[low];
            from_above *= downward[high];
            spread[high] += from_above * gain;
            from_above += energy[high];
        }
    }

    /// Sets the thresholds to the hearing threshold.
    pub(crate) fn reset_to_quiet(&mut self, level: Level) {
        self.threshold.copy_from_slice(&self.quiet);
        self.total.fill(Row::default());
        self.update_minima(level);
    }

    /// Raises the thresholds to the hearing threshold.
    pub(crate) fn raise_to_quiet(&mut self, level: Level) {
        dispatch!(level, simd => raise(simd, &mut self.threshold, &self.quiet));
    }

    /// Updates the lowest threshold of each group.
    pub(crate) fn update_minima(&mut self, level: Level) {
        dispatch!(level, simd => group_minima(simd, &self.threshold, &mut self.min_threshold));
    }

    /// Returns the lowest threshold from one group to another, both included.
    pub(crate) fn min_threshold(&self, (low, high): (usize, usize)) -> f32 {
        let high = high.min(self.min_threshold.len().saturating_sub(1));
        self.min_threshold
            .get(low..=high)
            .unwrap_or_default()
            .iter()
            .copied()
            .fold(f32::INFINITY, f32::min)
    }
}

/// Writes the sum of rows, each times its weight.
pub(crate) fn weighted_sum<'a>(
    level: Level,
    sum: &mut [Row],
    terms: impl Iterator<Item = (&'a [Row], f32)> + Clone,
) {
    dispatch!(level, simd => weighted_sum_simd(simd, sum, terms));
}

/// Rows that are summed at a time, in registers.
const TILE: usize = 4;

#[simd]
fn weighted_sum_simd<'a, S: Simd, T: Iterator<Item = (&'a [Row], f32)> + Clone>(
    simd: S,
    sum: &mut [Row],
    terms: T,
) {
    for (tile, sum) in sum.chunks_mut(TILE).enumerate() {
        let mut sums = [f32x16::splat(simd, 0.0); TILE];
        for (rows, weight) in terms.clone() {
            let rows = rows.get(tile * TILE..).unwrap_or_default();
            let weight = f32x16::splat(simd, weight);
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum = weight.mul_add(f32x16::from_slice(simd, &row.0), *sum);
            }
        }
        for (row, sum) in sum.iter_mut().zip(sums) {
            row.0 = sum.into();
        }
    }
}

#[simd]
fn raise<S: Simd>(_: S, threshold: &mut [Row], least: &[Row]) {
    for (threshold, least) in threshold.iter_mut().zip(least) {
        for (t, least) in threshold.0.iter_mut().zip(least.0) {
            *t = if *t > least { *t } else { least };
        }
    }
}

#[simd]
fn group_minima<S: Simd>(_: S, threshold: &[Row], min_threshold: &mut [f32]) {
    let (groups, _) = flat(threshold).as_chunks::<BAND_GROUP>();
    for ([a, b, c, d], min_threshold) in groups.iter().zip(min_threshold) {
        // Thresholds are never NaN: a plain comparison is a single instruction.
        let lower = |a: f32, b: f32| if a < b { a } else { b };
        *min_threshold = lower(lower(*a, *b), lower(*c, *d));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreading_is_the_sum_over_all_pairs() {
        let bands = Bands::new(48_000.0, 256, 1.0);
        let rows = (bands.len() + 1).div_ceil(LANES);
        let mut masking = BandMasking::new(&bands, rows, 20.0);
        let mut energy = vec![Row::default(); rows];
        for c in (3..bands.len()).step_by(7) {
            flat_mut(&mut energy)[c] = 1e-4 * ((c * 7919) % 101) as f32;
        }
        masking.spread(&energy, 0..rows, 2.0);
        let bark = |c: usize| bark_from_hz(bands.centre_hz(c).max(20.0));
        for c in 0..bands.len() {
            let mut sum = 0.0;
            for m in (0..bands.len()).filter(|&m| m != c) {
                let apart = bark(c) - bark(m);
                let db = if apart > 0.0 { -12.0 * apart } else { 25.0 * apart };
                sum += 2.0 * f64::from(flat(&energy)[m]) * 10f64.powf(db / 10.0);
            }
            let got = f64::from(flat(&masking.spread)[c]);
            assert!((got - sum).abs() <= 1e-4 * sum + 1e-12, "{c}: {got} {sum}");
        }
    }

    #[test]
    fn the_lowest_threshold_of_a_run() {
        let bands = Bands::new(48_000.0, 128, 1.0);
        let rows = (bands.len() + 1).div_ceil(LANES);
        let masking = BandMasking::new(&bands, rows, 0.0);
        for low in 0..4 * rows {
            for high in low..4 * rows {
                let all = flat(&masking.threshold)[4 * low..4 * high + 4].iter();
                assert_eq!(
                    masking.min_threshold((low, high)),
                    all.fold(f32::INFINITY, |a, b| a.min(*b))
                );
            }
        }
        assert_eq!(masking.min_threshold((usize::MAX, 0)), f32::INFINITY);
    }
}
