//! What masks what: energies of cells, spread over their neighbours.
//!
//! Energies add (Green 1967): the masking of a cell is the sum of what all cells spread to
//! it, 12 dB less per Bark upwards, 25 dB less per Bark downwards, as two running sums.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use std::ops::Range;

use crate::perception::{bark_from_hz, hearing_threshold_db};
use crate::resonator::perceptual::bands::Cells;
use crate::simd::{LANES, Row, flat, flat_mut};

/// dB per Bark towards higher frequencies: the paper's slope for a masker of 50 dB.
const UPWARD_DB: f64 = 12.0;
/// dB per Bark towards lower ones.
const DOWNWARD_DB: f64 = 25.0;

/// Neighbouring cells whose least threshold is kept.
pub(crate) const GROUP: usize = 4;

/// Masking among the cells of one direction.
#[derive(Debug, Clone)]
pub(crate) struct Masks {
    /// The hearing threshold's energy, margin included; infinite where there is no cell.
    floor: Vec<Row>,
    /// What reaches a cell from the one below, and from the one above.
    upward: Vec<f32>,
    downward: Vec<f32>,
    /// What all cells spread to each.
    pub(crate) spread: Vec<Row>,
    /// Energies below this are not heard.
    pub(crate) threshold: Vec<Row>,
    /// The least threshold of every [`GROUP`] cells.
    least: Vec<f32>,
}

impl Masks {
    pub(crate) fn new(cells: &Cells, rows: usize, margin_db: f64) -> Self {
        let count = rows * LANES;
        let mut floor = vec![Row([f32::INFINITY; LANES]); rows];
        let (mut upward, mut downward) = (vec![0.0; count], vec![0.0; count]);
        let place = |c: usize| bark_from_hz(cells.centre_hz(c).max(20.0));
        let ratio = |db: f64| 10f64.powf(-db / 10.0) as f32;
        for c in 0..cells.len() {
            let hz = cells.centre_hz(c).max(20.0);
            flat_mut(&mut floor)[c] = ratio(margin_db - hearing_threshold_db(hz));
            if c > 0 {
                upward[c] = ratio(UPWARD_DB * (place(c) - place(c - 1)));
                downward[c - 1] = ratio(DOWNWARD_DB * (place(c) - place(c - 1)));
            }
        }
        let mut masks = Self {
            spread: vec![Row::default(); rows],
            threshold: floor.clone(),
            least: vec![0.0; count / GROUP],
            floor,
            upward,
            downward,
        };
        masks.note_least(Level::baseline());
        masks
    }

    /// Spreads the energies of this block, none outside of some rows (`gain` makes multiples of
    /// 0 dB SPL of them). What spreads beyond these rows finds nothing to mask.
    pub(crate) fn spread(&mut self, energy: &[Row], rows: Range<usize>, gain: f32) {
        self.spread.fill(Row::default());
        let (energy, spread) = (flat(&energy[rows.clone()]), &mut self.spread[rows.clone()]);
        let spread = flat_mut(spread);
        let cells = rows.start * LANES..rows.end * LANES;
        let (upward, downward) = (&self.upward[cells.clone()], &self.downward[cells]);
        let count = spread.len().min(energy.len()).min(upward.len()).min(downward.len());
        // Both running sums at once: each waits for its own last step only.
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

    /// Starts the thresholds from the hearing threshold.
    pub(crate) fn in_quiet(&mut self) {
        self.threshold.copy_from_slice(&self.floor);
    }

    /// Raises the thresholds by what another direction (or this one) spreads, times `weight`.
    pub(crate) fn masked_by(&mut self, level: Level, spread: &[Row], weight: f32) {
        dispatch!(level, simd => raise(simd, &mut self.threshold, spread, weight));
    }

    /// Notes the least threshold of each group.
    pub(crate) fn note_least(&mut self, level: Level) {
        dispatch!(level, simd => least_of_groups(simd, &self.threshold, &mut self.least));
    }

    /// The least threshold from one group to another, both included.
    pub(crate) fn least(&self, (low, high): (usize, usize)) -> f32 {
        let high = high.min(self.least.len().saturating_sub(1));
        self.least.get(low..=high).unwrap_or_default().iter().copied().fold(f32::INFINITY, f32::min)
    }
}

#[simd]
fn raise<S: Simd>(_: S, threshold: &mut [Row], spread: &[Row], weight: f32) {
    for (threshold, spread) in threshold.iter_mut().zip(spread) {
        for (t, s) in threshold.0.iter_mut().zip(spread.0) {
            let raised = weight * s;
            *t = if *t > raised { *t } else { raised };
        }
    }
}

#[simd]
fn least_of_groups<S: Simd>(_: S, threshold: &[Row], least: &mut [f32]) {
    let (groups, _) = flat(threshold).as_chunks::<GROUP>();
    for ([a, b, c, d], least) in groups.iter().zip(least) {
        // Thresholds are numbers: a plain comparison is a single instruction.
        let lower = |a: f32, b: f32| if a < b { a } else { b };
        *least = lower(lower(*a, *b), lower(*c, *d));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreading_is_the_sum_over_all_pairs() {
        let cells = Cells::new(48_000.0, 256, 1.0);
        let rows = (cells.len() + 1).div_ceil(LANES);
        let mut masks = Masks::new(&cells, rows, 20.0);
        let mut energy = vec![Row::default(); rows];
        for c in (3..cells.len()).step_by(7) {
            flat_mut(&mut energy)[c] = 1e-4 * ((c * 7919) % 101) as f32;
        }
        masks.spread(&energy, 0..rows, 2.0);
        let place = |c: usize| bark_from_hz(cells.centre_hz(c).max(20.0));
        for c in 0..cells.len() {
            let mut sum = 0.0;
            for m in (0..cells.len()).filter(|&m| m != c) {
                let apart = place(c) - place(m);
                let db = if apart > 0.0 { -12.0 * apart } else { 25.0 * apart };
                sum += 2.0 * f64::from(flat(&energy)[m]) * 10f64.powf(db / 10.0);
            }
            let got = f64::from(flat(&masks.spread)[c]);
            assert!((got - sum).abs() <= 1e-4 * sum + 1e-12, "{c}: {got} {sum}");
        }
    }

    #[test]
    fn the_least_threshold_of_a_run() {
        let cells = Cells::new(48_000.0, 128, 1.0);
        let rows = (cells.len() + 1).div_ceil(LANES);
        let masks = Masks::new(&cells, rows, 0.0);
        for low in 0..4 * rows {
            for high in low..4 * rows {
                let all = flat(&masks.threshold)[4 * low..4 * high + 4].iter();
                assert_eq!(masks.least((low, high)), all.fold(f32::INFINITY, |a, b| a.min(*b)));
            }
        }
        assert_eq!(masks.least((usize::MAX, 0)), f32::INFINITY);
    }
}
