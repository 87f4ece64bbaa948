//! All gathered objects of one direction: cells, partials, sound.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use std::ops::Range;

use crate::resonator::perceptual::bands::Cells;
use crate::resonator::perceptual::bands::band_accumulators::{
    Cell, END, ENERGY, LOSS, SPREAD, TILT,
};
use crate::resonator::perceptual::bands::band_carriers::{Middles, Sums};
use crate::resonator::perceptual::bands::spreading::Masks;
use crate::resonator::perceptual::modes::advance::Pass;
use crate::resonator::perceptual::modes::prepared_impulse::CellJump;
use crate::resonator::perceptual::partials::compaction::{ENDS, Packing, SINGS};
use crate::resonator::perceptual::partials::oscillators::{AT_ONCE, Blow, Partials, sing};
use crate::resonator::perceptual::settings::Ear;
use crate::simd::{LANES, Pair, Row, flat, flat_mut};

/// The partials of one bus. Continuous by construction: each block begins where the last one
/// ended, whoever joined or left in between.
#[derive(Debug)]
pub(crate) struct Choir {
    /// What the objects of this block add up to; see [`sums`](super::sums). Energies are those
    /// when cells were last weighed, and of impulses since: never less than what there is.
    pub(crate) cells: Vec<Cell>,
    /// The amplitude of each cell at the start of the block.
    pub(crate) start: Pair,
    pub(crate) masks: Masks,
    middles: Middles,
    sums: Sums,
    /// The partial each cell would be, what it does, and how loud it is over its threshold.
    plan: Partials,
    does: Vec<Row>,
    loudness: Vec<Row>,
    packing: Packing,
    blows: Vec<Blow>,
    lanes: Vec<Row>,
}

impl Choir {
    pub(crate) fn new(sample_rate_hz: f64, block: usize, ear: &Ear) -> Self {
        let cells = Cells::new(sample_rate_hz, block, ear.detail);
        let rows = (cells.len() + 1).div_ceil(LANES);
        let blow = Blow { at: 0, at_once: Pair::zeros(rows), at_end: Pair::zeros(rows) };
        Self {
            cells: vec![Cell::default(); rows * LANES],
            start: Pair::zeros(rows),
            masks: Masks::new(&cells, rows, ear.margin_db),
            middles: Middles::new(&cells, rows, sample_rate_hz, block),
            sums: Sums::new(rows),
            plan: Partials::new(rows),
            does: vec![Row::default(); rows],
            loudness: vec![Row::default(); rows],
            packing: Packing::new(rows),
            blows: vec![blow; AT_ONCE],
            lanes: vec![Row::default(); block],
        }
    }

    /// Rows of cells.
    pub(crate) fn rows(&self) -> usize {
        self.does.len()
    }

    /// Counts the energy an impulse will bring in this block.
    pub(crate) fn announce(&mut self, jump: &CellJump) {
        let Some(Cell(cell)) = self.cells.get_mut(jump.cell as usize) else { return };
        cell[ENERGY] += jump.energy;
        cell[TILT] += jump.tilt;
        cell[SPREAD] += jump.spread;
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

    /// Gets ready for a block; cells that are weighed anew forget what they weighed.
    pub(crate) fn begin(&mut self, pass: Pass) {
        match pass {
            Pass::Weighing => self.cells.fill(Cell::default()),
            Pass::Lean => self.cells.iter_mut().for_each(|Cell(cell)| {
                (cell[END], cell[END + 1]) = (0.0, 0.0);
            }),
        }
    }

    /// When all objects have been gathered: carriers.
    pub(crate) fn find(&mut self, level: Level, block: usize) {
        let Self { middles, cells, sums, plan, .. } = self;
        middles.find(level, block, cells, sums, plan);
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
        dispatch!(level, simd => prepare_rows(simd, self, block, gain));
        self.packing.pack(&self.does, &self.plan)
    }

    /// There is time for so many rows only: the others fade at once, the softest first.
    /// Returns how many rows are left.
    pub(crate) fn limit(&mut self, most: usize) -> usize {
        let rows = self.packing.rows();
        if rows > most {
            self.packing.limit(most, &self.loudness, &mut self.start);
        }
        rows.min(most)
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
            let Self { blows, packing, sums, start, .. } = &mut *self;
            blows[waiting].fill((at, cells), packing, &sums.back, start);
            waiting += 1;
        }
        if first || waiting > 0 {
            self.pass(level, waiting, out);
        }
    }

    fn pass(&mut self, level: Level, blows: usize, out: &mut [f32]) {
        sing(level, &self.packing.partials, &self.blows[..blows], &mut self.lanes, out);
        self.packing.hush();
    }

    /// Forgets everything, after something not finite came by.
    pub(crate) fn clear(&mut self) {
        self.cells.fill(Cell::default());
        self.start.re.fill(Row::default());
        self.start.im.fill(Row::default());
    }
}

impl Blow {
    /// Spreads an impulse over the partials that are heard, and turns what it leaves back to
    /// their carriers; the next block starts with it.
    fn fill(
        &mut self,
        (at, cells): (usize, &[CellJump]),
        packing: &Packing,
        back: &Pair,
        start: &mut Pair,
    ) {
        self.at = at;
        let rows = packing.rows();
        let Self { at_once, at_end, .. } = self;
        let [once_re, once_im, end_re, end_im] =
            [&mut at_once.re, &mut at_once.im, &mut at_end.re, &mut at_end.im].map(|rows_of| {
                rows_of[..rows].fill(Row::default());
                flat_mut(rows_of)
            });
        let (back_re, back_im) = (flat(&back.re), flat(&back.im));
        let (start_re, start_im) = (flat_mut(&mut start.re), flat_mut(&mut start.im));
        for jump in cells {
            let cell = jump.cell as usize;
            let Some(partial) = packing.of(cell) else { continue };
            let ([r, i], hr, hi) = (jump.at_end, back_re[cell], back_im[cell]);
            start_re[cell] += r;
            start_im[cell] += i;
            once_re[partial] += jump.at_once[0];
            once_im[partial] += jump.at_once[1];
            end_re[partial] += hr * r - hi * i;
            end_im[partial] += hr * i + hi * r;
        }
    }
}

#[simd]
fn prepare_rows<S: Simd>(simd: S, choir: &mut Choir, block: usize, gain: f32) {
    let width = S::f32s::LEN;
    let [zero, one, ends, sings, share] =
        [0.0, 1.0, ENDS, SINGS, 1.0 / block as f32].map(|x| S::f32s::splat(simd, x));
    let Choir { start, masks, sums, plan, does, loudness, .. } = choir;
    for row in 0..does.len() {
        for lane in (0..LANES).step_by(width) {
            let part = lane..lane + width;
            let load = |rows: &[Row]| S::f32s::from_slice(simd, &rows[row].0[part.clone()]);
            let store = |v: S::f32s, rows: &mut [Row]| {
                v.store_slice(&mut rows[row].0[part.clone()]);
            };
            let (energy, threshold) = (load(&sums.energy) * gain, load(&masks.threshold));
            let on = energy.simd_ge(threshold);
            store(energy / threshold, loudness);
            let (er, ei) =
                (on.select(load(&sums.end.re), zero), on.select(load(&sums.end.im), zero));
            let (hr, hi) = (load(&sums.back.re), load(&sums.back.im));
            let (sr, si) = (load(&start.re), load(&start.im));
            store(sr, &mut plan.amplitude.re);
            store(si, &mut plan.amplitude.im);
            // By way of the middle of the two ends, swollen to what their modes have there.
            let (tr, ti) = (hr.mul_sub(er, hi * ei) + sr, hr.mul_add(ei, hi * er) + si);
            let swell = load(&sums.swell);
            store((tr * swell - (sr + sr)) * share, &mut plan.slope.re);
            store((ti * swell - (si + si)) * share, &mut plan.slope.im);
            let bend = (one - swell) * (share + share);
            store(tr * bend, &mut plan.bend.re);
            store(ti * bend, &mut plan.bend.im);
            store(er, &mut start.re);
            store(ei, &mut start.im);
            let was = sr.abs().max(si.abs()).simd_gt(zero);
            store(on.select(sings, was.select(ends, zero)), does);
        }
    }
}
