//! One voice of a perceptual bank: accumulated in bands, computed exactly, or skipped.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use super::bands::band_accumulators::BandAccumulator;
use super::masking_2004::mode_mask::ModeMask;
use super::modes::advance::{AdvanceStats, EnergyUpdate, ModesMut, add_start, advance};
use super::modes::lazy_decay::{LazyDecay, SILENT, advance_rows};
use super::modes::prepared_impulse::{BandImpulse, PreparedImpulse, sum_bands};
use super::partials::partial_bus::PartialBus;
use crate::resonator::contact::Shape;
use crate::resonator::layout::{Jump, Layout};
use crate::resonator::route::Tap;
use crate::resonator::scratch::Scratch;
use crate::resonator::strike::Kind;
use crate::resonator::voice::{Events, Voice};
use crate::simd::{LANES, Pair, Row};

/// How a voice was rendered last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LastRender {
    /// Not audible in the last block.
    #[default]
    Silent,
    /// In bands, in this block.
    Banded(u32),
    /// Exactly, in this block.
    Exact(u32),
    /// Left out by the budget.
    Skipped,
}

/// State of a voice besides its modes.
#[derive(Debug, Clone, Default)]
pub(crate) struct PerceptualState {
    pub(crate) decay: LazyDecay,
    /// Upper bound of its energy at the start of the next block.
    pub(crate) energy: f32,
    pub(crate) last_render: LastRender,
    /// Blocks waited for the budget, and the block until which it is served because it waited.
    pub(crate) waited: u32,
    pub(crate) served_until: u32,
    /// Energies of rows, to choose the loudest.
    row_order: Box<[(f32, u32)]>,
    /// Computed modes under [`Synthesis::Masking2004`](super::Synthesis).
    pub(crate) mode_mask: ModeMask,
}

impl PerceptualState {
    pub(crate) fn new(layout: &Layout) -> Self {
        let rows = if layout.band_layout.is_some() { layout.rows } else { 0 };
        Self {
            decay: LazyDecay::new(rows),
            row_order: vec![(0.0, 0); rows].into(),
            mode_mask: ModeMask::new(rows),
            ..Self::default()
        }
    }
}

/// The current block.
#[derive(Clone, Copy)]
pub(crate) struct BlockContext {
    pub(crate) now: u32,
    /// Whether energies are measured in this block.
    pub(crate) energy_update: EnergyUpdate,
    /// [`Listening::cut_log2`](super::Listening::cut_log2).
    pub(crate) cut_log2: f32,
}

impl Voice {
    /// Returns whether a mode was audible in the last block under
    /// [`Synthesis::Masking2004`](super::Synthesis). Other settings do not keep account of single modes.
    pub fn was_audible(&self, mode: usize) -> bool {
        let slot = self.layout.slots.get(mode).copied().flatten();
        let flag = slot
            .and_then(|s| Some(self.perceptual.mode_mask.previous.get(s / LANES)? >> (s % LANES)));
        self.awake && flag.is_some_and(|flag| flag & 1 == 1)
    }

    /// Returns the energy of the impulses of this block.
    pub(crate) fn impulse_energy(&self, events: Events<'_>) -> f32 {
        events
            .jumps
            .iter()
            .filter_map(|s| s.strike.prepared())
            .map(|prepared| prepared.energy)
            .sum()
    }

    /// Puts the voice to sleep when all modes are past their cut-off times. Returns whether it did.
    pub(crate) fn sleep_if_silent(&mut self, now: u32) -> bool {
        let decay = &mut self.perceptual.decay;
        if !(decay.cutoff_known && decay.last_cutoff <= now) {
            return false;
        }
        for row in 0..decay.valid_at.len() {
            decay.silence(&mut self.modes.state, row);
        }
        self.perceptual.energy = 0.0;
        self.perceptual.last_render = LastRender::Silent;
        self.awake = false;
        true
    }

    /// Advances all rows to the start of block `now`.
    pub(crate) fn catch_up(&mut self, now: u32) {
        let Some(modes) = self.modes_mut() else { return };
        for row in 0..modes.decay.valid_at.len() {
            modes.decay.catch_up(modes.constants, modes.state, row, now);
        }
    }

    /// Subtracts its amplitudes at the start of block `now` from the partials, before it is computed
    /// exactly from there on. What the partials left out fades in.
    pub(crate) fn leave_partials(&mut self, now: u32, buses: &mut [PartialBus]) {
        if self.perceptual.last_render == LastRender::Exact(now.wrapping_sub(1)) {
            return;
        }
        let routing = self.routing.clone();
        let Some(modes) = self.modes_mut() else { return };
        for tap in routing.taps() {
            let Some(bus) = buses.get_mut(tap.bus) else { continue };
            bus.wake();
            add_start(&modes, -tap.end, &mut bus.start);
        }
    }

    /// Continues as a voice that was computed exactly until the start of block `now`, where its state is.
    pub(crate) fn begin_after_exact(&mut self, now: u32, keeps_mask: bool) {
        let Some(modes) = self.modes_mut() else { return };
        modes.decay.valid_at.fill(now);
        modes.decay.invalidate_cutoffs();
        let total = modes.state.energy();
        let Self { layout, perceptual, .. } = self;
        perceptual.energy = total;
        perceptual.last_render = LastRender::Exact(now.wrapping_sub(1));
        (perceptual.waited, perceptual.served_until) = (0, 0);
        if let Some(band_layout) = layout.band_layout.as_ref().filter(|_| !keeps_mask) {
            perceptual.mode_mask.set_all_audible(band_layout);
            perceptual.mode_mask.end_block();
        }
    }

    /// Borrows the modes; `None` when they have no bands.
    pub(super) fn modes_mut(&mut self) -> Option<ModesMut<'_>> {
        ModesMut::new(&self.layout, &mut self.modes, &mut self.perceptual.decay)
    }

    /// Adds the modes to the bands of its buses for one block.
    pub(crate) fn accumulate(
        &mut self,
        scratch: &mut Scratch,
        events: Events<'_>,
        context: BlockContext,
        buses: &mut [PartialBus],
    ) -> AdvanceStats {
        let now = context.now;
        let before = now.wrapping_sub(1);
        if self.perceptual.last_render == LastRender::Exact(before) {
            self.add_starts(1.0, buses);
        }
        let was_banded = self.perceptual.last_render == LastRender::Banded(before);
        let Self { layout, modes, perceptual, routing, .. } = self;
        let Some(modes) = ModesMut::new(layout, modes, &mut perceptual.decay) else {
            return AdvanceStats::default();
        };
        let energy_kept = modes.band_layout.energy_kept;
        // The bands hold no measured energy of a voice that was not in them.
        let is_new = |tap: &Tap| !was_banded || tap.is_new;
        let energy_update = if routing.taps().iter().any(is_new) {
            EnergyUpdate::Measure
        } else {
            context.energy_update
        };
        let stats = match routing.taps() {
            [tap] => {
                let gains = [tap.end, tap.energy_gain()];
                let bands = &mut buses[tap.bus].bands;
                advance(scratch.level, energy_update, modes, now, gains, bands)
            }
            taps => {
                let bands = &mut scratch.bands;
                bands.clear();
                bands.resize(buses[taps[0].bus].bands.len(), BandAccumulator::default());
                let stats = advance(scratch.level, energy_update, modes, now, [1.0; 2], bands);
                for tap in taps {
                    let measured = context.energy_update == EnergyUpdate::Measure || is_new(tap);
                    for (sum, band) in buses[tap.bus].bands.iter_mut().zip(&*bands) {
                        sum.add_end(band, tap.end, tap.bend);
                        if measured {
                            sum.add_energy(band, tap.energy_gain());
                        }
                    }
                }
                stats
            }
        };
        if energy_update == EnergyUpdate::Measure {
            self.perceptual.energy = stats.energy;
        }
        self.perceptual.energy *= energy_kept;
        self.apply_impulses(scratch.level, events, context, Some(buses));
        self.perceptual.last_render = LastRender::Banded(now);
        stats
    }

    /// Adds `sign` times the amplitudes at the start of the block to the partials of its buses.
    fn add_starts(&mut self, sign: f32, buses: &mut [PartialBus]) {
        let Self { layout, modes, perceptual, routing, .. } = self;
        let Some(modes) = ModesMut::new(layout, modes, &mut perceptual.decay) else { return };
        for tap in routing.taps() {
            add_start(&modes, sign * tap.start, &mut buses[tap.bus].start);
        }
    }

    /// Skips all but the `wanted` loudest rows in this block.
    pub(crate) fn limit_rows(&mut self, wanted: usize) {
        let Self { modes, perceptual: PerceptualState { decay, row_order, .. }, .. } = self;
        let rows = row_order.len();
        decay.any_skipped = wanted < rows;
        if !decay.any_skipped {
            return;
        }
        for (row, row_order) in row_order.iter_mut().enumerate() {
            let (re, im) = (&modes.state.re[row].0, &modes.state.im[row].0);
            let energy: f32 = re.iter().zip(im).map(|(re, im)| re * re + im * im).sum();
            *row_order = (energy, row as u32);
        }
        row_order.select_nth_unstable_by(wanted, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (i, (_, row)) in row_order.iter().enumerate() {
            decay.left_out[*row as usize] = i >= wanted;
        }
    }

    /// Skips the voice for lack of time. Sound of the last block that was computed exactly fades
    /// out in the partials.
    pub(crate) fn skip_over_budget(
        &mut self,
        scratch: &Scratch,
        events: Events<'_>,
        context: BlockContext,
        buses: &mut [PartialBus],
    ) {
        if self.perceptual.last_render == LastRender::Exact(context.now.wrapping_sub(1)) {
            self.add_starts(1.0, buses);
        }
        self.skip(scratch, events, context);
        self.perceptual.last_render = LastRender::Skipped;
    }

    /// Skips an inaudible voice. Sound of the last block that was computed exactly fades out in the
    /// partials.
    pub(crate) fn cull(
        &mut self,
        scratch: &Scratch,
        events: Events<'_>,
        context: BlockContext,
        buses: &mut [PartialBus],
    ) {
        if self.perceptual.last_render == LastRender::Exact(context.now.wrapping_sub(1)) {
            self.routing.taps().iter().for_each(|tap| buses[tap.bus].wake());
            self.add_starts(1.0, buses);
        }
        self.skip(scratch, events, context);
    }

    /// Skips an inaudible voice: only impulses change its state.
    pub(crate) fn skip(&mut self, scratch: &Scratch, events: Events<'_>, context: BlockContext) {
        let energy_kept = self.layout.band_layout.as_ref().map_or(0.0, |g| g.energy_kept);
        self.perceptual.energy *= energy_kept;
        self.apply_impulses(scratch.level, events, context, None);
        self.perceptual.last_render = LastRender::Silent;
        let is_excited = !events.jumps.is_empty() || !events.bursts.is_empty();
        if self.perceptual.energy < 1e-30 && !is_excited {
            self.perceptual.energy = 0.0;
            self.awake = false;
        }
    }

    /// Computes every mode, sample by sample: while a force acts, and while the voice fades out.
    pub(crate) fn render_exact(
        &mut self,
        scratch: &mut Scratch,
        events: Events<'_>,
        context: BlockContext,
        buses: &mut [PartialBus],
        out: &mut [f32],
    ) {
        let now = context.now;
        let was_banded = self.perceptual.last_render == LastRender::Banded(now.wrapping_sub(1));
        let Some(modes) = self.modes_mut() else { return };
        for row in 0..modes.decay.valid_at.len() {
            modes.decay.catch_up(modes.constants, modes.state, row, now);
            modes.decay.valid_at[row] = now;
        }
        if was_banded {
            self.add_starts(-1.0, buses);
        }
        self.render_exact_modes(scratch, events, context, out);
    }

    /// Does the same for rows that have caught up, without touching the partials. `out` holds all
    /// buses.
    pub(super) fn render_exact_modes(
        &mut self,
        scratch: &mut Scratch,
        events: Events<'_>,
        context: BlockContext,
        out: &mut [f32],
    ) {
        let now = context.now;
        let was_skipped = self.perceptual.last_render == LastRender::Skipped;
        let mut sound = std::mem::take(&mut scratch.voice_buffer);
        sound.fill(0.0);
        match self.fade_position {
            Some(done) => self.fade(scratch, events, &mut sound, done),
            None => self.run_recurrence(scratch, events, &mut sound, 0..self.layout.rows),
        }
        if was_skipped && self.fade_position.is_none() {
            Shape::FadingIn.apply(&sound, &mut scratch.x[0]);
            sound.copy_from_slice(&scratch.x[0]);
        }
        self.routing.taps().iter().for_each(|tap| tap.mix(&sound, out));
        scratch.voice_buffer = sound;
        let Some(modes) = self.modes_mut() else { return };
        modes.decay.valid_at.fill(now + 1);
        modes.decay.invalidate_cutoffs();
        let total = modes.state.energy();
        let BlockContext { cut_log2, .. } = context;
        modes.decay.predict_cutoffs(
            scratch.level,
            modes.band_layout,
            modes.state,
            scratch.block,
            now + 1,
            cut_log2,
        );
        self.perceptual.energy = total;
        self.perceptual.last_render = LastRender::Exact(now);
        self.awake = total > 0.0 || !events.bursts.is_empty();
    }

    /// Advances all modes by a block without rendering them.
    pub(super) fn advance_silently(
        &mut self,
        scratch: &Scratch,
        events: Events<'_>,
        context: BlockContext,
    ) {
        let Some(modes) = self.modes_mut() else { return };
        let energy_kept = modes.band_layout.energy_kept;
        advance_rows(scratch.level, modes, context.now);
        self.perceptual.energy *= energy_kept;
        self.apply_impulses(scratch.level, events, context, None);
        self.perceptual.mode_mask.end_block();
    }

    /// Applies the impulses of this block to the state, and to the bands of the bus when the voice
    /// is in them.
    pub(super) fn apply_impulses(
        &mut self,
        level: Level,
        events: Events<'_>,
        context: BlockContext,
        mut buses: Option<&mut [PartialBus]>,
    ) {
        for strike in events.jumps {
            let Kind::Jump { jump, prepared: Some(prepared), late, .. } = &strike.strike.kind
            else {
                continue;
            };
            self.perceptual.energy += prepared.energy;
            let routing = self.routing.clone();
            if *late {
                self.apply_late_impulse(level, jump, context.now, |band| {
                    for tap in routing.taps() {
                        let bus = buses.as_mut().and_then(|buses| buses.get_mut(tap.bus));
                        bus.into_iter().for_each(|bus| bus.add_late_impulse(band, tap));
                    }
                });
                continue;
            }
            self.apply_impulse(level, prepared, context.now);
            for tap in routing.taps() {
                let Some(bus) = buses.as_mut().and_then(|buses| buses.get_mut(tap.bus)) else {
                    continue;
                };
                for band in &prepared.bands {
                    bus.add_impulse_energy(band, tap.energy_gain());
                }
            }
        }
        self.update_cutoffs(level, events, context);
    }

    /// Predicts cut-off times again once impulses have stopped, or every 16 blocks.
    fn update_cutoffs(&mut self, level: Level, events: Events<'_>, context: BlockContext) {
        let block = self.layout.block;
        let Some(ModesMut { band_layout, state, decay, .. }) = self.modes_mut() else {
            return;
        };
        if !events.jumps.is_empty() {
            decay.invalidate_cutoffs();
        }
        let due = events.jumps.is_empty() || context.now.is_multiple_of(16);
        if due && !decay.cutoff_known {
            decay.predict_cutoffs(
                level,
                band_layout,
                state,
                block,
                context.now + 1,
                context.cut_log2,
            );
        }
    }

    /// Adds the contribution of an impulse to the state at the end of the block.
    fn apply_impulse(&mut self, level: Level, prepared: &PreparedImpulse, now: u32) {
        let Some(modes) = self.modes_mut() else { return };
        add_after(level, modes, (&prepared.after.re, &prepared.after.im), now);
    }

    /// Does the same for a late impulse, which acts on the first sample of the block.
    fn apply_late_impulse(
        &mut self,
        level: Level,
        jump: &Jump,
        now: u32,
        each: impl FnMut(&BandImpulse),
    ) {
        let mut each = each;
        let mut after = std::mem::take(&mut self.spare);
        multiply_by_step(&self.layout.constants.step, jump, &mut after);
        let (jump, rows) = ((&*jump.re, &*jump.im), (&*after.re, &*after.im));
        sum_bands(level, &self.layout, jump, rows, |band| each(&band));
        if let Some(modes) = self.modes_mut() {
            add_after(level, modes, (&after.re, &after.im), now);
        }
        self.spare = after;
    }
}

fn add_after(level: Level, modes: ModesMut<'_>, after: (&[Row], &[Row]), now: u32) {
    dispatch!(level, simd => add_rows_after(simd, modes, after, now));
}

#[simd]
fn add_rows_after<S: Simd>(_: S, modes: ModesMut<'_>, (re, im): (&[Row], &[Row]), now: u32) {
    let ModesMut { constants, state, decay, .. } = modes;
    for row in 0..decay.valid_at.len() {
        decay.catch_up(constants, state, row, now + 1);
        if decay.valid_at[row] == SILENT {
            decay.valid_at[row] = now + 1;
        }
        decay.cutoff[row] = u32::MAX;
        for (sum, more) in [(&mut state.re[row], &re[row]), (&mut state.im[row], &im[row])] {
            sum.0.iter_mut().zip(more.0).for_each(|(s, m)| *s += m);
        }
    }
}

/// `after = z^B jump`.
fn multiply_by_step(step: &Pair, jump: &Jump, after: &mut Pair) {
    for row in 0..jump.re.len() {
        for l in 0..jump.re[row].0.len() {
            let (sr, si) = (step.re[row].0[l], step.im[row].0[l]);
            let (jr, ji) = (jump.re[row].0[l], jump.im[row].0[l]);
            after.re[row].0[l] = sr * jr - si * ji;
            after.im[row].0[l] = sr * ji + si * jr;
        }
    }
}
