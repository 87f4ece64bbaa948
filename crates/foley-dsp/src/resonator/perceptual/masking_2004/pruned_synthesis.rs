//! The sound of the modes that survive, without clicks where others join or leave.
//!
//! A mode that joins fades in over the block, one that leaves fades out. Only what was ringing
//! at the block's start fades: an impulse on a mode that joins is heard in full, one on a mode
//! that leaves not at all. What is far below the hearing threshold need not fade.

use crate::resonator::perceptual::masking_2004::mode_batch::{Crowd, Struck};
use crate::resonator::perceptual::masking_2004::mode_mask::slots;
use crate::resonator::scratch::Work;
use crate::resonator::voice::{Acts, Voice};
use crate::simd::{LANES, flat};

/// What is this much weaker than the hearing threshold may begin at once (−20 dB).
const FAINT: f32 = 0.01;

/// How many modes of an object were computed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Count {
    /// In full, or fading in.
    pub(crate) on: usize,
    /// Fading out.
    pub(crate) leaving: usize,
}

/// Modes that sound in a block of one bus. Made once; real-time.
#[derive(Debug)]
pub(crate) struct Survivors {
    /// What turns energy into multiples of 0 dB SPL.
    gain: f32,
    steady: Crowd,
    struck: Struck,
    rising: Crowd,
    falling: Crowd,
    /// The sound of those that rise and of those that fall, before the ramp.
    up: Vec<f32>,
    down: Vec<f32>,
}

impl Survivors {
    pub(crate) fn new(block: usize, gain: f32) -> Self {
        Self {
            gain,
            steady: Crowd::new(),
            struck: Struck::new(),
            rising: Crowd::new(),
            falling: Crowd::new(),
            up: vec![0.0; block],
            down: vec![0.0; block],
        }
    }

    /// Adds the modes of an object whose flags are set; before its state moves on.
    pub(crate) fn add(
        &mut self,
        voice: &Voice,
        acts: Acts<'_>,
        work: &mut Work,
        out: &mut [f32],
    ) -> Count {
        let (flags, constants) = (&voice.member.flags, &*voice.layout.constants);
        let struck = !acts.jumps.is_empty();
        let mut count = Count::default();
        for (row, (&on, &was)) in flags.on.iter().zip(&flags.was).enumerate() {
            count.on += on.count_ones() as usize;
            count.leaving += (was & !on).count_ones() as usize;
            for slot in slots(row, on) {
                let mut amplitude = amplitude(voice, slot);
                let joins = !was & (1 << (slot % LANES)) != 0;
                if joins && !self.is_faint(voice, slot) {
                    self.rising.push(constants, slot, amplitude);
                    if self.rising.is_full() {
                        self.rising.sing(work.level, &mut work.walk, &mut self.up);
                    }
                    amplitude = [0.0; 2];
                }
                if struck {
                    self.struck.push(constants, slot, amplitude);
                    if self.struck.crowd.is_full() {
                        self.struck.sing(work.level, &mut work.walk, acts, out);
                    }
                } else if amplitude != [0.0; 2] {
                    self.steady.push(constants, slot, amplitude);
                    if self.steady.is_full() {
                        self.steady.sing(work.level, &mut work.walk, out);
                    }
                }
            }
            for slot in slots(row, was & !on) {
                self.fall(voice, slot, 1.0, work);
            }
        }
        if struck {
            self.struck.sing(work.level, &mut work.walk, acts, out);
        }
        count
    }

    /// Before an object walks alone: fades in those of its flagged modes that were off, by
    /// taking away what the walk has too much of.
    pub(crate) fn ease(&mut self, voice: &Voice, work: &mut Work) {
        let flags = &voice.member.flags;
        for (row, (&on, &was)) in flags.on.iter().zip(&flags.was).enumerate() {
            for slot in slots(row, on & !was) {
                if !self.is_faint(voice, slot) {
                    self.fall(voice, slot, -1.0, work);
                }
            }
        }
    }

    /// All objects of the bus have come: the rest of its sound.
    pub(crate) fn finish(&mut self, work: &mut Work, out: &mut [f32]) {
        let Self { steady, rising, falling, up, down, .. } = self;
        steady.sing(work.level, &mut work.walk, out);
        rising.sing(work.level, &mut work.walk, up);
        falling.sing(work.level, &mut work.walk, down);
        let share = 1.0 / out.len() as f32;
        for (n, (out, (up, down))) in out.iter_mut().zip(up.iter().zip(&*down)).enumerate() {
            // Smooth at both ends: the corners of a straight ramp would be sharper than the
            // bends of a low tone.
            let t = n as f32 * share;
            let ramp = t * t * (3.0 - 2.0 * t);
            *out += ramp * up + (1.0 - ramp) * down;
        }
        up.fill(0.0);
        down.fill(0.0);
    }

    fn fall(&mut self, voice: &Voice, slot: usize, sign: f32, work: &mut Work) {
        let amplitude = amplitude(voice, slot).map(|x| sign * x);
        self.falling.push(&voice.layout.constants, slot, amplitude);
        if self.falling.is_full() {
            self.falling.sing(work.level, &mut work.walk, &mut self.down);
        }
    }

    fn is_faint(&self, voice: &Voice, slot: usize) -> bool {
        let [re, im] = amplitude(voice, slot);
        let hears = voice.layout.gathering.as_ref().map_or(0.0, |g| flat(&g.hears)[slot]);
        (re * re + im * im) * self.gain < FAINT * hears
    }
}

/// The complex amplitude at the start of the block.
fn amplitude(voice: &Voice, slot: usize) -> [f32; 2] {
    let state = &voice.modes.state;
    [flat(&state.re)[slot], flat(&state.im)[slot]]
}
