//! A change of the decay rates of one voice while it rings: it begins or ends to touch something.
//!
//! The amplitude of every mode is exact at the edges of blocks. At the start of a block it moves to the slot that the mode
//! has among the new decays, so that the sound goes on without a step and decays otherwise from there on: the exact
//! solution of a system whose losses change at that time. Frequencies stay, and with them the band of each mode
//! ([`BandLayout`](super::perceptual)), so partials begin the block with the same sums. Everything that needs memory is
//! prepared off the audio thread: the voice, and the strikes that are not over.

use std::sync::Arc;

use crate::resonator::bank::{Bank, Retired};
use crate::resonator::layout::Layout;
use crate::resonator::strike::{Scheduled, Strike};
use crate::resonator::synthesis_switch::{Replacement, SlotMap};
use crate::simd::LANES;

/// What a bank needs to change the decay rates of a voice. Made off the audio thread; the bank returns it with what
/// is no longer needed.
pub struct DecayChange {
    replacement: Replacement,
    /// The strikes in the new layout, sorted by id.
    strikes: Vec<Strike>,
}

impl DecayChange {
    /// Prepares the change of a voice with up to this number of contacts from one layout of a model to another with the
    /// same frequencies. `strikes` are those that may not be over, prepared for the new layout, with their ids.
    pub fn new(
        old: &Layout,
        new: Arc<Layout>,
        contacts: usize,
        strikes: impl IntoIterator<Item = Strike>,
    ) -> Self {
        let replacement = Replacement::new(SlotMap::new(old, &new), new, contacts);
        let mut strikes: Vec<Strike> = strikes.into_iter().collect();
        strikes.sort_unstable_by_key(Strike::id);
        Self { replacement, strikes }
    }
}

impl Bank {
    /// Changes the decay rates of the voice in a slot from the next block on. Returns the change, with what is no longer
    /// needed, to be freed off the audio thread. Without a voice, while the synthesis changes, and for a change that was made
    /// for other modes, nothing happens and the result is an error.
    pub fn change_decays(
        &mut self,
        slot: usize,
        mut change: Box<DecayChange>,
    ) -> Result<Box<DecayChange>, Box<DecayChange>> {
        let now = self.block_number();
        let is_switching = self.switch.is_some();
        let Some(voice) = self.voices.get_mut(slot).and_then(Option::as_mut) else {
            return Err(change);
        };
        let (old, new) = (&voice.layout, &change.replacement.voice.layout);
        let detail = |layout: &Layout| layout.band_layout.as_ref().map(|bands| bands.detail);
        let fits = old.block == new.block
            && old.sample_rate_hz == new.sample_rate_hz
            && old.mode_count() == new.mode_count()
            && detail(old) == detail(new);
        if is_switching || !fits {
            return Err(change);
        }
        voice.catch_up(now);
        let DecayChange { replacement, strikes } = &mut *change;
        replacement.take_over(voice);
        replacement.continue_perceptual(voice, now);
        std::mem::swap(&mut replacement.voice, voice);
        let layout = Arc::clone(&voice.layout);
        let mut exchange = |scheduled: &mut Scheduled| {
            // A burst has no layout.
            if scheduled.strike.sound().is_some() {
                return true;
            }
            let found = strikes.binary_search_by_key(&scheduled.strike.id(), Strike::id);
            if let Ok(found) = found {
                let first = scheduled.strike.first_sample();
                std::mem::swap(&mut scheduled.strike, &mut strikes[found]);
                scheduled.strike.delay_to(first);
            }
            found.is_ok() && scheduled.strike.fits(&layout)
        };
        self.retain_strikes_of(slot, &mut exchange);
        Ok(change)
    }

    /// Keeps the strikes of a voice for which `keep` is true and retires the others.
    fn retain_strikes_of(&mut self, slot: usize, keep: &mut impl FnMut(&mut Scheduled) -> bool) {
        for i in (0..self.strikes.len()).rev() {
            if self.strikes[i].voice == slot && !keep(&mut self.strikes[i]) {
                let strike = self.strikes.swap_remove(i).strike;
                self.drop_strike_of(slot, strike);
            }
        }
        for i in (0..self.waiting.len()).rev() {
            if self.waiting[i].voice == slot
                && !keep(&mut self.waiting[i])
                && let Some(dropped) = self.waiting.remove(i)
            {
                self.drop_strike_of(slot, dropped.strike);
            }
        }
    }

    /// Retires a strike that does not act: there is room for every strike in the list.
    fn drop_strike_of(&mut self, slot: usize, strike: Strike) {
        if let Some(voice) = self.voices.get_mut(slot).and_then(Option::as_mut) {
            voice.pending = voice.pending.saturating_sub(1);
        }
        self.retired.push(Retired::Strike(strike));
    }
}

impl Replacement {
    /// Continues the perceptual state of a voice whose modes are those of the coming block `now`.
    fn continue_perceptual(&mut self, old: &crate::resonator::voice::Voice, now: u32) {
        let Self { voice: new, slots, .. } = self;
        let (from, to) = (&old.perceptual, &mut new.perceptual);
        (to.energy, to.last_render) = (from.energy, from.last_render);
        (to.waited, to.served_until) = (from.waited, from.served_until);
        if new.layout.band_layout.is_none() {
            return;
        }
        to.decay.valid_at.fill(now);
        to.decay.invalidate_cutoffs();
        let masks = [
            (&from.mode_mask.active, &mut to.mode_mask.active),
            (&from.mode_mask.previous, &mut to.mode_mask.previous),
        ];
        for (from, to) in masks {
            for &(old, new) in slots.0.iter() {
                let (old, new) = (old as usize, new as usize);
                let bit = from.get(old / LANES).map_or(0, |row| row >> (old % LANES) & 1);
                if let Some(row) = to.get_mut(new / LANES) {
                    *row |= bit << (new % LANES);
                }
            }
        }
    }
}
