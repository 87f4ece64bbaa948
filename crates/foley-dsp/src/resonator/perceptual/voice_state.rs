//! One object in the choir.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use crate::resonator::contact::Shape;
use crate::resonator::layout::{Jump, Layout};
use crate::resonator::perceptual::masking_2004::mode_mask::Flags;
use crate::resonator::perceptual::modes::advance::{Found, Herd, Pass, add_start, advance};
use crate::resonator::perceptual::modes::lazy_decay::{DEAD, Rest, step};
use crate::resonator::perceptual::modes::prepared_impulse::{CellJump, Landing, sum_cells};
use crate::resonator::perceptual::partials::partial_bus::Choir;
use crate::resonator::scratch::Work;
use crate::resonator::strike::Kind;
use crate::resonator::voice::{Acts, Voice};
use crate::simd::{LANES, Pair, Row};

/// How an object was heard last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Last {
    /// Not at all, or not lately.
    #[default]
    Silent,
    /// With the others, in this block.
    Sang(u32),
    /// By itself, in this block.
    Walked(u32),
    /// There was no time for it.
    LeftOut,
}

/// What an object of a hearing bank remembers beside its modes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Member {
    pub(crate) rest: Rest,
    /// At most this much energy is in it at the start of the coming block.
    pub(crate) energy: f32,
    pub(crate) last: Last,
    /// Blocks it has waited for its turn, and the block until which it has it.
    pub(crate) waited: u32,
    pub(crate) turn: u32,
    /// Loudness of rows, to choose among them.
    order: Box<[(f32, u32)]>,
    /// Who sounds under the paper's rule.
    pub(crate) flags: Flags,
}

impl Member {
    pub(crate) fn new(layout: &Layout) -> Self {
        let rows = if layout.gathering.is_some() { layout.rows } else { 0 };
        Self {
            rest: Rest::new(rows),
            order: vec![(0.0, 0); rows].into(),
            flags: Flags::new(rows),
            ..Self::default()
        }
    }
}

/// The block at hand.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) now: u32,
    /// Whether energies are weighed anew.
    pub(crate) pass: Pass,
    /// log2 of what turns the energy of a mode that just matters into the hearing threshold's.
    pub(crate) cut_log2: f32,
}

impl Voice {
    /// Whether a mode survived the paper's rule in the last block; false in a bank that
    /// hears otherwise.
    pub fn survived(&self, mode: usize) -> bool {
        let slot = self.layout.slots.get(mode).copied().flatten();
        let flag = slot.and_then(|s| Some(self.member.flags.was.get(s / LANES)? >> (s % LANES)));
        self.awake && flag.is_some_and(|flag| flag & 1 == 1)
    }

    /// The energy of impulses that fall into this block.
    pub(crate) fn expected(&self, acts: Acts<'_>) -> f32 {
        acts.jumps.iter().filter_map(|s| s.strike.landing()).map(|landing| landing.energy).sum()
    }

    /// Falls asleep when all modes are past their cut-off times. Returns whether it did.
    pub(crate) fn falls_asleep(&mut self, now: u32) -> bool {
        let rest = &mut self.member.rest;
        if !(rest.foreseen && rest.end <= now) {
            return false;
        }
        for row in 0..rest.since.len() {
            rest.kill(&mut self.modes.state, row);
        }
        self.member.energy = 0.0;
        self.member.last = Last::Silent;
        self.awake = false;
        true
    }

    pub(super) fn herd(&mut self) -> Option<Herd<'_>> {
        let Self { layout, modes, member, .. } = self;
        let gathering = layout.gathering.as_ref()?;
        let (constants, state) = (&*layout.constants, &mut modes.state);
        Some(Herd { constants, gathering, state, rest: &mut member.rest })
    }

    /// Adds the object to the choir of its bus for one block.
    pub(crate) fn join(
        &mut self,
        work: &Work,
        acts: Acts<'_>,
        moment: Moment,
        choir: &mut Choir,
    ) -> Found {
        let now = moment.now;
        let before = now.wrapping_sub(1);
        let walked = self.member.last == Last::Walked(before);
        let sang = self.member.last == Last::Sang(before);
        let Some(herd) = self.herd() else { return Found::default() };
        if walked {
            add_start(&herd, 1.0, &mut choir.start);
        }
        let keeps = herd.gathering.keeps;
        // Who did not sing with the others was not weighed with them.
        let pass = if sang { moment.pass } else { Pass::Weighing };
        let found = advance(work.level, pass, herd, now, &mut choir.cells);
        if pass == Pass::Weighing {
            self.member.energy = found.energy;
        }
        self.member.energy *= keeps;
        self.land_all(work.level, acts, moment, Some(choir));
        self.member.last = Last::Sang(now);
        found
    }

    /// Leaves out all but the `wanted` loudest rows of this block.
    pub(crate) fn thin(&mut self, wanted: usize) {
        let Self { modes, member: Member { rest, order, .. }, .. } = self;
        let rows = order.len();
        rest.thinned = wanted < rows;
        if !rest.thinned {
            return;
        }
        for (row, order) in order.iter_mut().enumerate() {
            let (re, im) = (&modes.state.re[row].0, &modes.state.im[row].0);
            let energy: f32 = re.iter().zip(im).map(|(re, im)| re * re + im * im).sum();
            *order = (energy, row as u32);
        }
        order.select_nth_unstable_by(wanted, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (i, (_, row)) in order.iter().enumerate() {
            rest.left_out[*row as usize] = i >= wanted;
        }
    }

    /// There is no time for the object in this block; what sounded alone fades with the choir.
    pub(crate) fn leave_out(
        &mut self,
        work: &Work,
        acts: Acts<'_>,
        moment: Moment,
        choir: &mut Choir,
    ) {
        if self.member.last == Last::Walked(moment.now.wrapping_sub(1))
            && let Some(herd) = self.herd()
        {
            add_start(&herd, 1.0, &mut choir.start);
        }
        self.pass_by(work, acts, moment);
        self.member.last = Last::LeftOut;
    }

    /// Nobody hears the object in this block: only impulses change its state.
    pub(crate) fn pass_by(&mut self, work: &Work, acts: Acts<'_>, moment: Moment) {
        let keeps = self.layout.gathering.as_ref().map_or(0.0, |g| g.keeps);
        self.member.energy *= keeps;
        self.land_all(work.level, acts, moment, None);
        self.member.last = Last::Silent;
        if self.member.energy < 1e-30 && acts.jumps.is_empty() {
            self.member.energy = 0.0;
            self.awake = false;
        }
    }

    /// The object by itself, mode by mode and sample by sample: while a force acts, and when
    /// it fades away.
    pub(crate) fn walk_alone(
        &mut self,
        work: &mut Work,
        acts: Acts<'_>,
        moment: Moment,
        choir: &mut Choir,
        out: &mut [f32],
    ) {
        let now = moment.now;
        let sang = self.member.last == Last::Sang(now.wrapping_sub(1));
        let Some(herd) = self.herd() else { return };
        for row in 0..herd.rest.since.len() {
            herd.rest.wake(herd.constants, herd.state, row, now);
            herd.rest.since[row] = now;
        }
        if sang {
            add_start(&herd, -1.0, &mut choir.start);
        }
        self.walk(work, acts, moment, out);
    }

    /// The same when all rows are awake and the choir knows.
    pub(super) fn walk(
        &mut self,
        work: &mut Work,
        acts: Acts<'_>,
        moment: Moment,
        out: &mut [f32],
    ) {
        let now = moment.now;
        let returns = self.member.last == Last::LeftOut;
        match self.faded {
            Some(done) => self.fade(work, acts, out, done),
            None if returns => {
                let mut risen = std::mem::take(&mut work.dying);
                risen.fill(0.0);
                self.run_walk(work, acts, &mut risen, 0..self.layout.rows);
                Shape::FadingIn.apply(&risen, &mut work.x[0]);
                out.iter_mut().zip(&work.x[0]).for_each(|(out, y)| *out += y);
                work.dying = risen;
            }
            None => self.run_walk(work, acts, out, 0..self.layout.rows),
        }
        let Some(herd) = self.herd() else { return };
        herd.rest.since.fill(now + 1);
        herd.rest.forget();
        let energy = |rows: &[Row]| rows.iter().flat_map(|r| r.0).map(|x| x * x).sum::<f32>();
        let total = energy(&herd.state.re) + energy(&herd.state.im);
        let Moment { cut_log2, .. } = moment;
        herd.rest.foresee(work.level, herd.gathering, herd.state, work.block, now + 1, cut_log2);
        self.member.energy = total;
        self.member.last = Last::Walked(now);
        self.awake = total > 0.0;
    }

    /// Moves all modes, heard or not, from the start of the block to its end.
    pub(super) fn move_on(&mut self, work: &Work, acts: Acts<'_>, moment: Moment) {
        let Some(herd) = self.herd() else { return };
        let keeps = herd.gathering.keeps;
        step(work.level, herd, moment.now);
        self.member.energy *= keeps;
        self.land_all(work.level, acts, moment, None);
        self.member.flags.settle();
    }

    /// Lets the impulses of this block land; a choir that the object sings in hears them.
    pub(super) fn land_all(
        &mut self,
        level: Level,
        acts: Acts<'_>,
        moment: Moment,
        mut choir: Option<&mut Choir>,
    ) {
        for strike in acts.jumps {
            let Kind::Jump { jump, landing: Some(landing), late, .. } = &strike.strike.0 else {
                continue;
            };
            self.member.energy += landing.energy;
            if *late {
                self.land_late(level, jump, moment.now, |cell| {
                    choir.iter_mut().for_each(|choir| choir.begin_with(cell));
                });
                continue;
            }
            self.land(level, landing, moment.now);
            if let Some(choir) = &mut choir {
                landing.cells.iter().for_each(|cell| choir.announce(cell));
            }
        }
        self.settle(level, acts, moment);
    }

    /// After impulses, cut-off times are new: they are computed when no more fall, or now and
    /// then.
    fn settle(&mut self, level: Level, acts: Acts<'_>, moment: Moment) {
        let block = self.layout.block;
        let Some(Herd { gathering, state, rest, .. }) = self.herd() else { return };
        if !acts.jumps.is_empty() {
            rest.forget();
        }
        let due = acts.jumps.is_empty() || moment.now.is_multiple_of(16);
        if due && !rest.foreseen {
            rest.foresee(level, gathering, state, block, moment.now + 1, moment.cut_log2);
        }
    }

    /// Adds what an impulse leaves to the state at the end of the block.
    fn land(&mut self, level: Level, landing: &Landing, now: u32) {
        let Some(herd) = self.herd() else { return };
        add_after(level, herd, (&landing.after.re, &landing.after.im), now);
    }

    /// The same for an impulse that comes late and so falls on the block's first sample.
    fn land_late(&mut self, level: Level, jump: &Jump, now: u32, each: impl FnMut(&CellJump)) {
        let mut each = each;
        let mut after = std::mem::take(&mut self.side);
        turn(&self.layout.constants.step, jump, &mut after);
        let (jump, rows) = ((&*jump.re, &*jump.im), (&*after.re, &*after.im));
        sum_cells(level, &self.layout, jump, rows, |cell| each(&cell));
        if let Some(herd) = self.herd() {
            add_after(level, herd, (&after.re, &after.im), now);
        }
        self.side = after;
    }
}

fn add_after(level: Level, herd: Herd<'_>, after: (&[Row], &[Row]), now: u32) {
    dispatch!(level, simd => add_rows_after(simd, herd, after, now));
}

#[simd]
fn add_rows_after<S: Simd>(_: S, herd: Herd<'_>, (re, im): (&[Row], &[Row]), now: u32) {
    let Herd { constants, state, rest, .. } = herd;
    for row in 0..rest.since.len() {
        rest.wake(constants, state, row, now + 1);
        if rest.since[row] == DEAD {
            rest.since[row] = now + 1;
        }
        rest.until[row] = u32::MAX;
        for (sum, more) in [(&mut state.re[row], &re[row]), (&mut state.im[row], &im[row])] {
            sum.0.iter_mut().zip(more.0).for_each(|(s, m)| *s += m);
        }
    }
}

/// `after = z^B jump`.
fn turn(step: &Pair, jump: &Jump, after: &mut Pair) {
    for row in 0..jump.re.len() {
        for l in 0..jump.re[row].0.len() {
            let (sr, si) = (step.re[row].0[l], step.im[row].0[l]);
            let (jr, ji) = (jump.re[row].0[l], jump.im[row].0[l]);
            after.re[row].0[l] = sr * jr - si * ji;
            after.im[row].0[l] = sr * ji + si * jr;
        }
    }
}
