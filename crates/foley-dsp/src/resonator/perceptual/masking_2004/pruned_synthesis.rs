//! Renders the unmasked modes, without clicks where the set of modes changes.
//!
//! A mode that becomes audible fades in over the block, one that becomes masked fades out. Only the
//! ringing at the start of the block is faded: an impulse on a new mode is rendered in full, one on
//! a masked mode not at all. Modes far below the hearing threshold are not faded.

use super::mode_batch::{ExcitedBatch, ModeBatch};
use super::mode_mask::slots_of;
use crate::resonator::scratch::Scratch;
use crate::resonator::voice::{Events, Voice};
use crate::simd::{LANES, flat};

/// Energy relative to the hearing threshold below which a mode may start without a fade (−20 dB).
const FAINT: f32 = 0.01;

/// Number of modes of a voice that were computed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ModeCount {
    /// In full, or fading in.
    pub(crate) active: usize,
    pub(crate) fading_out: usize,
}

/// Modes that sound in a block of one bus. Allocated once; real-time.
#[derive(Debug)]
pub(crate) struct PrunedSynthesis {
    /// Factor from energy to multiples of 0 dB SPL.
    gain: f32,
    steady: ModeBatch,
    excited: ExcitedBatch,
    rising: ModeBatch,
    falling: ModeBatch,
    /// Sound of the modes that fade in and of those that fade out, before the ramp.
    up: Vec<f32>,
    down: Vec<f32>,
    /// Whether there is any such sound.
    is_fading: bool,
}

impl PrunedSynthesis {
    pub(crate) fn new(block: usize, gain: f32) -> Self {
        Self {
            gain,
            steady: ModeBatch::new(),
            excited: ExcitedBatch::new(),
            rising: ModeBatch::new(),
            falling: ModeBatch::new(),
            up: vec![0.0; block],
            down: vec![0.0; block],
            is_fading: false,
        }
    }

    /// Adds the active modes of a voice, before its state is advanced.
    pub(crate) fn add(
        &mut self,
        voice: &Voice,
        events: Events<'_>,
        scratch: &mut Scratch,
        out: &mut [f32],
    ) -> ModeCount {
        let (mode_mask, constants) = (&voice.perceptual.mode_mask, &*voice.layout.constants);
        let excited = !events.jumps.is_empty();
        let mut count = ModeCount::default();
        for (row, (&active, &previous)) in
            mode_mask.active.iter().zip(&mode_mask.previous).enumerate()
        {
            count.active += active.count_ones() as usize;
            count.fading_out += (previous & !active).count_ones() as usize;
            for slot in slots_of(row, active) {
                let mut amplitude = amplitude(voice, slot);
                let is_new = !previous & (1 << (slot % LANES)) != 0;
                if is_new && !self.is_faint(voice, slot) {
                    self.rising.push(constants, slot, amplitude);
                    self.is_fading = true;
                    if self.rising.is_full() {
                        self.rising.render(scratch.level, &mut scratch.row_buffer, &mut self.up);
                    }
                    amplitude = [0.0; 2];
                }
                if excited {
                    self.excited.push(constants, slot, amplitude);
                    if self.excited.batch.is_full() {
                        self.excited.render(scratch.level, &mut scratch.row_buffer, events, out);
                    }
                } else if amplitude != [0.0; 2] {
                    self.steady.push(constants, slot, amplitude);
                    if self.steady.is_full() {
                        self.steady.render(scratch.level, &mut scratch.row_buffer, out);
                    }
                }
            }
            for slot in slots_of(row, previous & !active) {
                self.fade_out(voice, slot, 1.0, scratch);
            }
        }
        if excited {
            self.excited.render(scratch.level, &mut scratch.row_buffer, events, out);
        }
        count
    }

    /// Fades in the newly active modes of a voice that will be computed exactly, by adding their
    /// negative with a fade-out.
    pub(crate) fn cancel_new_modes(&mut self, voice: &Voice, scratch: &mut Scratch) {
        let mode_mask = &voice.perceptual.mode_mask;
        for (row, (&active, &previous)) in
            mode_mask.active.iter().zip(&mode_mask.previous).enumerate()
        {
            for slot in slots_of(row, active & !previous) {
                if !self.is_faint(voice, slot) {
                    self.fade_out(voice, slot, -1.0, scratch);
                }
            }
        }
    }

    /// Renders the rest of the bus, after all its voices.
    pub(crate) fn finish(&mut self, scratch: &mut Scratch, out: &mut [f32]) {
        let Self { steady, rising, falling, up, down, .. } = self;
        steady.render(scratch.level, &mut scratch.row_buffer, out);
        if !std::mem::take(&mut self.is_fading) {
            return;
        }
        rising.render(scratch.level, &mut scratch.row_buffer, up);
        falling.render(scratch.level, &mut scratch.row_buffer, down);
        let share = 1.0 / out.len() as f32;
        for (n, (out, (up, down))) in out.iter_mut().zip(up.iter().zip(&*down)).enumerate() {
            // Smooth at both ends: the corners of a linear ramp would be sharper than the waveform
            // of a low tone.
            let t = n as f32 * share;
            let ramp = t * t * (3.0 - 2.0 * t);
            *out += ramp * up + (1.0 - ramp) * down;
        }
        up.fill(0.0);
        down.fill(0.0);
    }

    fn fade_out(&mut self, voice: &Voice, slot: usize, sign: f32, scratch: &mut Scratch) {
        let amplitude = amplitude(voice, slot).map(|x| sign * x);
        self.falling.push(&voice.layout.constants, slot, amplitude);
        self.is_fading = true;
        if self.falling.is_full() {
            self.falling.render(scratch.level, &mut scratch.row_buffer, &mut self.down);
        }
    }

    fn is_faint(&self, voice: &Voice, slot: usize) -> bool {
        let [re, im] = amplitude(voice, slot);
        let audible_energy =
            voice.layout.band_layout.as_ref().map_or(0.0, |g| flat(&g.audible_energy)[slot]);
        (re * re + im * im) * self.gain < FAINT * audible_energy
    }
}

/// Returns the complex amplitude at the start of the block.
fn amplitude(voice: &Voice, slot: usize) -> [f32; 2] {
    let state = &voice.modes.state;
    [flat(&state.re)[slot], flat(&state.im)[slot]]
}
