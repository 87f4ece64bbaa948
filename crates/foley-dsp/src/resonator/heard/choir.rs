//! All gathered objects of one direction: cells, partials, sound.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use std::ops::Range;

use super::carriers::{Middles, Sums};
use super::cells::Cells;
use super::ear::Ear;
use super::landing::CellJump;
use super::masks::Masks;
use super::sing::{AT_ONCE, BRIEF, Blow, Partials, Span, sing};
use super::sums::{Cell, END, ENERGY, LOSS, TILT};
use crate::simd::{LANES, Pair, Row, flat_mut};

/// The partials of one bus. Continuous by construction: each block begins where the last one
/// ended, whoever joined or left in between.
#[derive(Debug)]
pub(crate) struct Choir {
    /// What the objects of this block add up to; see [`sums`](super::sums).
    pub(crate) cells: Vec<Cell>,
    /// The amplitude of each cell at the start of the block.
    pub(crate) start: Pair,
    pub(crate) masks: Masks,
    middles: Middles,
    sums: Sums,
    partials: Partials,
    blows: Vec<Blow>,
    /// 1 where a cell is heard in this block, 0 elsewhere.
    heard: Vec<Row>,
    /// The loudest cell of each row over its threshold, and rows in that order.
    loudness: Vec<f32>,
    order: Vec<(f32, usize)>,
    lanes: Vec<Row>,
}

impl Choir {
    pub(crate) fn new(sample_rate_hz: f64, block: usize, ear: &Ear) -> Self {
        let cells = Cells::new(sample_rate_hz, block);
        let rows = (cells.len() + 1).div_ceil(LANES);
        let blow = Blow { at: 0, at_once: Pair::zeros(rows), at_end: Pair::zeros(rows) };
        Self {
            cells: vec![Cell::default(); rows * LANES],
            start: Pair::zeros(rows),
            masks: Masks::new(&cells, rows, ear.margin_db),
            middles: Middles::new(&cells, rows, sample_rate_hz, block),
            sums: Sums::new(rows),
            partials: Partials::new(rows),
            blows: vec![blow; AT_ONCE],
            heard: vec![Row::default(); rows],
            loudness: vec![0.0; rows],
            order: vec![(0.0, 0); rows],
            lanes: vec![Row::default(); block],
        }
    }

    /// Rows of cells.
    pub(crate) fn rows(&self) -> usize {
        self.heard.len()
    }

    /// Counts the energy an impulse will bring in this block.
    pub(crate) fn announce(&mut self, jump: &CellJump) {
        let Some(Cell(cell)) = self.cells.get_mut(jump.cell as usize) else { return };
        cell[ENERGY] += jump.energy;
        cell[TILT] += jump.tilt;
        cell[LOSS] += jump.loss;
    }

    /// An impulse at the very start of the block: the partials begin and end with it.
    pub(crate) fn begin_with(&mut self, jump: &CellJump) {
        self.announce(jump);
        let (row, lane) = (jump.cell as usize / LANES, jump.cell as usize % LANES);
        let Some(Cell(cell)) = self.cells.get_mut(jump.cell as usize) else { return };
        cell[END] += jump.at_end[0];
        cell[END + 1] += jump.at_end[1];
        self.start.re[row].0[lane] += jump.at_once[0];
        self.start.im[row].0[lane] += jump.at_once[1];
    }

    /// When all objects have been gathered: carriers.
    pub(crate) fn find(&mut self, level: Level, block: usize) {
        let Self { middles, cells, sums, partials, .. } = self;
        middles.find(level, block, cells, sums, partials);
    }

    /// What this bus spreads to its neighbours, a row beyond its own cells: farther off,
    /// nothing is masked.
    pub(crate) fn spread(&mut self, gain: f32) {
        let Range { start, end } = self.sums.rows.clone();
        let rows = if start < end { start.saturating_sub(1)..end + 1 } else { 0..0 };
        let rows = rows.start..rows.end.min(self.rows());
        self.masks.spread(&self.sums.energy, rows, gain);
    }

    /// When thresholds are known: what is heard, and the partials' way through the block.
    /// Returns how many partials there are.
    pub(crate) fn prepare(&mut self, level: Level, block: usize, gain: f32) -> usize {
        dispatch!(level, simd => prepare_rows(simd, self, block, gain))
    }

    /// There is time for so many rows only: the others fade at once, the softest first.
    /// Returns how many rows are left.
    pub(crate) fn limit(&mut self, most: usize) -> usize {
        let Self { order, loudness, partials, start, heard, .. } = self;
        let sounding = partials.spans.iter().filter(|s| **s == Span::Whole).count();
        if sounding <= most {
            return sounding;
        }
        for (row, order) in order.iter_mut().enumerate() {
            let sounds = partials.spans[row] == Span::Whole;
            *order = (if sounds { loudness[row] } else { -1.0 }, row);
        }
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, row) in order[..sounding].iter().skip(most).copied() {
            let (share, Partials { amplitude, slope, .. }) = (-1.0 / BRIEF as f32, &mut *partials);
            slope.re[row] = Row(amplitude.re[row].0.map(|a| share * a));
            slope.im[row] = Row(amplitude.im[row].0.map(|a| share * a));
            start.re[row] = Row::default();
            start.im[row] = Row::default();
            heard[row] = Row::default();
            partials.spans[row] = Span::Brief;
        }
        most
    }

    /// Sings the block: the partials, and the impulses that fall into it, in order of time.
    pub(crate) fn sing<'a>(
        &mut self,
        level: Level,
        blows: impl Iterator<Item = (usize, &'a [CellJump])>,
        out: &mut [f32],
    ) {
        let mut waiting = 0;
        let mut first = true;
        for (at, cells) in blows {
            if waiting == AT_ONCE {
                self.pass(level, waiting, out);
                (waiting, first) = (0, false);
            }
            let Self { blows, heard, sums, start, .. } = &mut *self;
            blows[waiting].fill(level, (at, cells), heard, &sums.back, start);
            waiting += 1;
        }
        if first || waiting > 0 {
            self.pass(level, waiting, out);
        }
    }

    fn pass(&mut self, level: Level, blows: usize, out: &mut [f32]) {
        sing(level, &self.partials, &self.blows[..blows], &mut self.lanes, out);
        for pair in [&mut self.partials.amplitude, &mut self.partials.slope] {
            pair.re.fill(Row::default());
            pair.im.fill(Row::default());
        }
    }

    /// Forgets everything, after something not finite came by.
    pub(crate) fn clear(&mut self) {
        self.cells.fill(Cell::default());
        self.start.re.fill(Row::default());
        self.start.im.fill(Row::default());
    }
}

impl Blow {
    /// Spreads an impulse over the cells; the next block starts with what it leaves.
    fn fill(
        &mut self,
        level: Level,
        (at, cells): (usize, &[CellJump]),
        heard: &[Row],
        back: &Pair,
        start: &mut Pair,
    ) {
        self.at = at;
        for pair in [&mut self.at_once, &mut self.at_end] {
            pair.re.fill(Row::default());
            pair.im.fill(Row::default());
        }
        let (once_re, once_im) = (flat_mut(&mut self.at_once.re), flat_mut(&mut self.at_once.im));
        let (end_re, end_im) = (flat_mut(&mut self.at_end.re), flat_mut(&mut self.at_end.im));
        for jump in cells {
            let cell = jump.cell as usize;
            if cell < once_re.len() {
                once_re[cell] += jump.at_once[0];
                once_im[cell] += jump.at_once[1];
                end_re[cell] += jump.at_end[0];
                end_im[cell] += jump.at_end[1];
            }
        }
        dispatch!(level, simd => turn_back(simd, self, heard, back, start));
    }
}

/// Silences an impulse where nobody hears it, and turns what it leaves back to the carriers.
#[simd]
fn turn_back<S: Simd>(_: S, blow: &mut Blow, heard: &[Row], back: &Pair, start: &mut Pair) {
    let Blow { at_once, at_end, .. } = blow;
    for (row, Row(on)) in heard.iter().enumerate() {
        let (or, oi) = (&mut at_once.re[row].0, &mut at_once.im[row].0);
        let (er, ei) = (&mut at_end.re[row].0, &mut at_end.im[row].0);
        let (sr, si) = (&mut start.re[row].0, &mut start.im[row].0);
        let (hr, hi) = (&back.re[row].0, &back.im[row].0);
        for lane in 0..LANES {
            or[lane] *= on[lane];
            oi[lane] *= on[lane];
            let (r, i) = (on[lane] * er[lane], on[lane] * ei[lane]);
            sr[lane] += r;
            si[lane] += i;
            er[lane] = hr[lane] * r - hi[lane] * i;
            ei[lane] = hr[lane] * i + hi[lane] * r;
        }
    }
}

#[simd]
fn prepare_rows<S: Simd>(simd: S, choir: &mut Choir, block: usize, gain: f32) -> usize {
    let width = S::f32s::LEN;
    let zero = S::f32s::splat(simd, 0.0);
    let one = S::f32s::splat(simd, 1.0);
    let share = S::f32s::splat(simd, 1.0 / block as f32);
    let mut total = 0.0;
    let Choir { start, masks, sums, partials, heard, loudness, .. } = choir;
    for (row, heard) in heard.iter_mut().enumerate() {
        let (mut sounding, mut loudest) = (zero, zero);
        for lane in (0..LANES).step_by(width) {
            let part = lane..lane + width;
            let load = |rows: &[Row]| S::f32s::from_slice(simd, &rows[row].0[part.clone()]);
            let store = |v: S::f32s, rows: &mut [Row]| {
                v.store_slice(&mut rows[row].0[part.clone()]);
            };
            let (energy, threshold) = (load(&sums.energy) * gain, load(&masks.threshold));
            let on = energy.simd_ge(threshold);
            loudest = loudest.max(energy / threshold);
            on.select(one, zero).store_slice(&mut heard.0[part.clone()]);
            let (er, ei) =
                (on.select(load(&sums.end.re), zero), on.select(load(&sums.end.im), zero));
            let (hr, hi) = (load(&sums.back.re), load(&sums.back.im));
            let (sr, si) = (load(&start.re), load(&start.im));
            store(sr, &mut partials.amplitude.re);
            store(si, &mut partials.amplitude.im);
            store((hr.mul_sub(er, hi * ei) - sr) * share, &mut partials.slope.re);
            store((hr.mul_add(ei, hi * er) - si) * share, &mut partials.slope.im);
            store(er, &mut start.re);
            store(ei, &mut start.im);
            let was = sr.abs().max(si.abs()).simd_gt(zero);
            sounding += on.select(one, was.select(one, zero));
        }
        let sounding = sounding.reduce_sum();
        partials.spans[row] = if sounding > 0.0 { Span::Whole } else { Span::Nothing };
        loudness[row] = loudest.reduce_max();
        total += sounding;
    }
    total as usize
}
