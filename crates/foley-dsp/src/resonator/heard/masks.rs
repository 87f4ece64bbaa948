//! What masks what: energies of cells, spread over their neighbours.
//!
//! Energies add (Green 1967): the masking of a cell is the sum of what all cells spread to
//! it, 12 dB less per Bark upwards, 25 dB less per Bark downwards, as two running sums.

use std::ops::Range;

use super::cells::Cells;
use crate::perception::{bark_from_hz, hearing_threshold_db};
use crate::simd::{LANES, Row, flat, flat_mut};

/// dB per Bark towards higher frequencies: the paper's slope for a masker of 50 dB.
const UPWARD_DB: f64 = 12.0;
/// dB per Bark towards lower ones.
const DOWNWARD_DB: f64 = 25.0;
/// Whole Barks that thresholds are kept for.
pub(crate) const BARKS: usize = 32;

/// Masking among the cells of one direction.
#[derive(Debug, Clone)]
pub(crate) struct Masks {
    /// The hearing threshold's energy, margin included; infinite where there is no cell.
    floor: Vec<Row>,
    /// What reaches a cell from the one below, and from the one above.
    upward: Vec<f32>,
    downward: Vec<f32>,
    /// The cells of each Bark.
    barks: Vec<Range<usize>>,
    /// What all cells spread to each.
    pub(crate) spread: Vec<Row>,
    /// Energies below this are not heard.
    pub(crate) threshold: Vec<Row>,
    /// The least threshold of every run of 2^k Barks.
    least: [[f32; BARKS]; 6],
}

impl Masks {
    pub(crate) fn new(cells: &Cells, rows: usize, margin_db: f64) -> Self {
        let count = rows * LANES;
        let mut floor = vec![Row([f32::INFINITY; LANES]); rows];
        let (mut upward, mut downward) = (vec![0.0; count], vec![0.0; count]);
        let mut barks = vec![0..0; BARKS];
        let place = |c: usize| bark_from_hz(cells.centre_hz(c).max(20.0));
        let ratio = |db: f64| 10f64.powf(-db / 10.0) as f32;
        for c in 0..cells.len() {
            let hz = cells.centre_hz(c).max(20.0);
            flat_mut(&mut floor)[c] = ratio(margin_db - hearing_threshold_db(hz));
            let bark = &mut barks[(place(c) as usize).min(BARKS - 1)];
            *bark = if bark.end == 0 { c..c + 1 } else { bark.start..c + 1 };
            if c > 0 {
                upward[c] = ratio(UPWARD_DB * (place(c) - place(c - 1)));
                downward[c - 1] = ratio(DOWNWARD_DB * (place(c) - place(c - 1)));
            }
        }
        Self {
            spread: vec![Row::default(); rows],
            threshold: floor.clone(),
            least: [[0.0; BARKS]; 6],
            floor,
            upward,
            downward,
            barks,
        }
    }

    /// Spreads the energies of this block (`gain` makes multiples of 0 dB SPL of them).
    pub(crate) fn spread(&mut self, energy: &[Row], gain: f32) {
        let (energy, spread) = (flat(energy), flat_mut(&mut self.spread));
        let count = spread.len().min(energy.len());
        let (upward, downward) = (&self.upward[..count], &self.downward[..count]);
        let (spread, energy) = (&mut spread[..count], &energy[..count]);
        spread.fill(0.0);
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
    pub(crate) fn masked_by(&mut self, spread: &[Row], weight: f32) {
        for (threshold, spread) in self.threshold.iter_mut().zip(spread) {
            for (t, s) in threshold.0.iter_mut().zip(spread.0) {
                *t = t.max(weight * s);
            }
        }
    }

    /// Notes the least threshold of each run of Barks.
    pub(crate) fn note_least(&mut self) {
        let least = &mut self.least;
        least[0].fill(f32::INFINITY);
        for (least, cells) in least[0].iter_mut().zip(&self.barks) {
            let thresholds = flat(&self.threshold)[cells.clone()].iter();
            *least = thresholds.fold(f32::INFINITY, |least, t| least.min(*t));
        }
        for k in 1..least.len() {
            for i in 0..BARKS {
                let other = (i + (1 << (k - 1))).min(BARKS - 1);
                least[k][i] = least[k - 1][i].min(least[k - 1][other]);
            }
        }
    }

    /// The least threshold from one Bark to another, both included.
    pub(crate) fn least(&self, (low, high): (usize, usize)) -> f32 {
        let (low, high) = (low.min(BARKS - 1), high.min(BARKS - 1));
        if low > high {
            return f32::INFINITY;
        }
        let k = (high - low + 1).ilog2() as usize;
        self.least[k][low].min(self.least[k][high + 1 - (1 << k)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreading_is_the_sum_over_all_pairs() {
        let cells = Cells::new(48_000.0, 256);
        let rows = (cells.len() + 1).div_ceil(LANES);
        let mut masks = Masks::new(&cells, rows, 20.0);
        let mut energy = vec![Row::default(); rows];
        for c in (3..cells.len()).step_by(7) {
            flat_mut(&mut energy)[c] = 1e-4 * ((c * 7919) % 101) as f32;
        }
        masks.spread(&energy, 2.0);
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
        let cells = Cells::new(48_000.0, 128);
        let rows = (cells.len() + 1).div_ceil(LANES);
        let mut masks = Masks::new(&cells, rows, 0.0);
        masks.note_least();
        for low in 0..24 {
            for high in low..25 {
                let all = masks.barks[low..=high].iter().flat_map(Clone::clone);
                let all = all.map(|c| flat(&masks.threshold)[c]);
                assert_eq!(masks.least((low, high)), all.fold(f32::INFINITY, f32::min));
            }
        }
    }
}
