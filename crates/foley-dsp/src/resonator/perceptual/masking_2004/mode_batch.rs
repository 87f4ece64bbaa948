//! Modes of many voices packed side by side, computed sample by sample.

use fearless_simd::Level;

use crate::resonator::kernels::per_sample::{self, Pass, Rotation, RowBuffer};
use crate::resonator::layout::modes::Constants;
use crate::resonator::strike::TimedJump;
use crate::resonator::voice::{Events, JUMPS};
use crate::simd::{LANES, Pair, Row, flat, flat_mut};

/// Rows of a batch: few enough for the L1 cache, many enough for a pass to pay off.
const ROWS: usize = 64;

/// Modes that are computed together. Allocated once; real-time.
#[derive(Debug)]
pub(crate) struct ModeBatch {
    state: Pair,
    pole: Pair,
    anchor: Pair,
    count: usize,
}

impl ModeBatch {
    pub(crate) fn new() -> Self {
        let zeros = || Pair::zeros(ROWS);
        Self { state: zeros(), pole: zeros(), anchor: zeros(), count: 0 }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.count == ROWS * LANES
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn rows(&self) -> usize {
        self.count.div_ceil(LANES)
    }

    /// Adds the mode of a slot that starts the block with `amplitude`. The batch must not be full.
    pub(crate) fn push(&mut self, constants: &Constants, slot: usize, amplitude: [f32; 2]) {
        let n = self.count;
        let Self { state, pole, anchor, .. } = self;
        for (to, from) in [(pole, &constants.pole), (anchor, &constants.anchor)] {
            flat_mut(&mut to.re)[n] = flat(&from.re)[slot];
            flat_mut(&mut to.im)[n] = flat(&from.im)[slot];
        }
        [flat_mut(&mut state.re)[n], flat_mut(&mut state.im)[n]] = amplitude;
        self.count += 1;
    }

    /// Adds a block of sound to `out` and empties the batch.
    pub(crate) fn render(&mut self, level: Level, buffer: &mut RowBuffer, out: &mut [f32]) {
        if !self.is_empty() {
            self.render_pass(level, buffer, &[], out);
            self.count = 0;
        }
    }

    fn render_pass(
        &mut self,
        level: Level,
        buffer: &mut RowBuffer,
        jumps: &[TimedJump<'_>],
        out: &mut [f32],
    ) {
        let (count, rows) = (self.count, self.rows());
        for numbers in [&mut self.state.re, &mut self.state.im] {
            flat_mut(numbers)[count..rows * LANES].fill(0.0);
        }
        let rotation = Rotation { pole: &self.pole, anchor: &self.anchor };
        let recurrence = &mut self.state;
        per_sample::run(
            level,
            buffer,
            Pass { rotation, rows: 0..rows, recurrence, forces: &[], jumps, out },
        );
    }
}

/// Modes of one voice, and its impulses in this block.
#[derive(Debug)]
pub(crate) struct ExcitedBatch {
    pub(crate) batch: ModeBatch,
    /// The slot of each mode.
    slots: Vec<usize>,
    jumps: Vec<Pair>,
}

impl ExcitedBatch {
    pub(crate) fn new() -> Self {
        Self {
            batch: ModeBatch::new(),
            slots: Vec::with_capacity(ROWS * LANES),
            jumps: vec![Pair::zeros(ROWS); JUMPS],
        }
    }

    /// See [`ModeBatch::push`].
    pub(crate) fn push(&mut self, constants: &Constants, slot: usize, amplitude: [f32; 2]) {
        self.batch.push(constants, slot, amplitude);
        self.slots.push(slot);
    }

    /// See [`ModeBatch::render`]. Impulses beyond the limit of a pass are rendered in further
    /// passes, from zero state.
    pub(crate) fn render(
        &mut self,
        level: Level,
        buffer: &mut RowBuffer,
        events: Events<'_>,
        out: &mut [f32],
    ) {
        let mut jumps = events.jumps.iter().filter_map(|s| s.jump(events.start)).peekable();
        let rows = self.batch.rows();
        while rows > 0 && jumps.peek().is_some() {
            let mut due = [TimedJump::NONE; JUMPS];
            let mut count = 0;
            for ((pair, due), jump) in self.jumps.iter_mut().zip(&mut due).zip(&mut jumps) {
                gather(&self.slots, jump.re, &mut pair.re[..rows]);
                gather(&self.slots, jump.im, &mut pair.im[..rows]);
                *due = TimedJump { at: jump.at, re: &pair.re, im: &pair.im };
                count += 1;
            }
            self.batch.render_pass(level, buffer, &due[..count], out);
            self.batch.state.re[..rows].fill(Row::default());
            self.batch.state.im[..rows].fill(Row::default());
        }
        self.batch.count = 0;
        self.slots.clear();
    }
}

fn gather(slots: &[usize], from: &[Row], to: &mut [Row]) {
    let (from, to) = (flat(from), flat_mut(to));
    to.iter_mut().zip(slots).for_each(|(to, slot)| *to = from[*slot]);
    to[slots.len()..].fill(0.0);
}
