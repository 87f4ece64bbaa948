//! The audio thread's side of a [`SynthesisSwitch`].
//!
//! A limited number of modes is handed over in a block, so that a switch of a million modes takes a few
//! blocks instead of one that is too long. Until then the old synthesis renders its voices beside the
//! new one. Nothing is masked across the two: a few partials too many are computed.
//!
//! Voices that are struck or whose contacts move are handed over at once, because strikes and gains
//! have the new layout. Their number is not limited; what they cost is subtracted from the limit of the
//! coming block.

use super::{Replacement, SynthesisSwitch};
use crate::resonator::bank::{Bank, BankReport, Retired};
use crate::resonator::layout::modes::SILENCE;
use crate::resonator::perceptual::{Budget, PerceptualScheduler, Synthesis};
use crate::resonator::voice::Voice;

/// Modes handed over per sample of a block, without those of struck and moved voices. Handing them over takes about 10 % of the block's time.
const MODES_PER_SAMPLE: usize = 128;

/// Handing over a mode of [`Synthesis::Masking2004`] costs as much as this number of others: it may
/// have to fade in.
const MASKED_COST: usize = 8;

/// Least share of the budget of a synthesis during a switch, for what fades.
const LEAST_SHARE: f64 = 0.25;

impl Bank {
    /// Begins to change the synthesis. Voices are handed over in the coming blocks, a limited number of
    /// modes in each; those that are struck or moved, without limit, at once. Returns the switch when
    /// another one is under way or it was made for another bank.
    pub fn switch_synthesis(
        &mut self,
        mut switch: Box<SynthesisSwitch>,
    ) -> Result<(), Box<SynthesisSwitch>> {
        let (new, now) = (&switch.settings, &self.settings);
        let fits = (new.block, new.buses) == (now.block, now.buses)
            && new.sample_rate_hz == now.sample_rate_hz
            && switch.changes_layout != now.synthesis.has_layout_of(&new.synthesis);
        if self.switch.is_some() || !fits {
            return Err(switch);
        }
        self.settings.synthesis = switch.settings.synthesis;
        std::mem::swap(&mut self.scheduler, &mut switch.scheduler);
        if let (Some(new), Some(old)) = (&mut self.scheduler, &switch.scheduler) {
            new.set_load(old.load());
        }
        std::mem::swap(&mut self.voices, &mut self.leaving);
        if switch.changes_layout {
            self.generation = self.generation.wrapping_add(1);
            std::mem::swap(&mut self.replacements, &mut switch.strikes);
        }
        self.switch = Some(switch);
        Ok(())
    }

    /// Returns whether voices are being handed over to another synthesis.
    pub fn is_switching(&self) -> bool {
        self.switch.is_some()
    }

    /// Hands over voices of this block.
    pub(crate) fn advance_switch(&mut self) {
        let Some(switch) = &mut self.switch else { return };
        let mut slot = switch.next;
        let mut left = (MODES_PER_SAMPLE * self.settings.block)
            .saturating_sub(std::mem::take(&mut switch.spent));
        while slot < self.extent && left > 0 {
            left = left.saturating_sub(self.hand_over(slot));
            if self.leaving.get(slot).is_some_and(Option::is_some) {
                // There is no room for what it leaves: the next block tries again.
                break;
            }
            slot += 1;
        }
        let share = if slot < self.extent { slot as f64 / self.extent as f64 } else { 1.0 };
        let Some(switch) = &mut self.switch else { return };
        switch.next = slot;
        let budget = self.settings.budget;
        let part = |share: f64| budget.map(|b| Budget { micros: b.micros * share, ..b });
        self.scheduler.iter_mut().for_each(|new| new.set_budget(part(share.max(LEAST_SHARE))));
        switch
            .scheduler
            .iter_mut()
            .for_each(|old| old.set_budget(part((1.0 - share).max(LEAST_SHARE))));
    }

    /// Hands over the voice in a slot between two blocks, before it is struck or moved. Strikes of a
    /// voice that ends are retired with it: its slot can be used again before the next block.
    pub(crate) fn hand_over_early(&mut self, slot: usize) {
        let cost = self.hand_over(slot);
        let Some(switch) = self.switch.as_deref_mut().filter(|_| cost > 0) else { return };
        switch.spent = switch.spent.saturating_add(cost);
        if self.is_gone(slot) {
            self.retire_waiting();
            self.retire_strikes(self.clock());
        }
    }

    /// Hands over the voice in a slot, if the old synthesis still renders it. A voice without a
    /// replacement ends; as long as there is no room for it and its strikes in the list of retired items,
    /// the old synthesis renders it on. Returns what it cost.
    fn hand_over(&mut self, slot: usize) -> usize {
        let (now, pending) = (self.block_number(), self.pending());
        let Some(switch) = self.switch.as_deref_mut() else { return 0 };
        let replacement = switch.voices.get_mut(slot).and_then(Option::as_mut);
        let ends = switch.changes_layout && replacement.is_none();
        if ends && self.retired.len() + pending >= self.retired.capacity() {
            return 0;
        }
        let Some(mut voice) = self.leaving.get_mut(slot).and_then(Option::take) else { return 0 };
        voice.catch_up(now);
        let old = switch.scheduler.as_mut();
        let was_masked = old.as_ref().is_some_and(|old| old.is_masking_2004());
        old.into_iter().for_each(|old| old.remove_voice(&mut voice, now));
        let mut cost = 1 + voice.layout.mode_count();
        if ends {
            self.retired.push(Retired::Voice(slot, voice));
            return cost;
        }
        let keeps_mask = was_masked && replacement.is_none();
        if let Some(replacement) = replacement {
            replacement.take_over(&mut voice);
            std::mem::swap(&mut replacement.voice, &mut voice);
        }
        if was_masked
            && voice.awake
            && !matches!(switch.settings.synthesis, Synthesis::Masking2004(..))
        {
            cost *= MASKED_COST;
            self.fading_in.push(slot);
        }
        voice.begin_after_exact(now, keeps_mask);
        self.voices[slot] = Some(voice);
        cost
    }

    /// Exchanges the active strikes of voices that have been handed over.
    pub(crate) fn exchange_strikes(&mut self) {
        if self.strikes.iter().all(|s| s.generation == self.generation) {
            return;
        }
        for i in (0..self.strikes.len()).rev() {
            let active = &mut self.strikes[i];
            let Some(voice) = self.voices.get_mut(active.voice).and_then(Option::as_mut) else {
                continue;
            };
            if active.generation == self.generation {
                continue;
            }
            active.generation = self.generation;
            // A burst has no layout.
            if active.strike.sound().is_some() {
                continue;
            }
            let id = active.strike.id();
            let found = self.replacements.binary_search_by_key(&id, |s| s.id());
            if let Ok(found) = found {
                let first = active.strike.first_sample();
                std::mem::swap(&mut active.strike, &mut self.replacements[found]);
                active.strike.delay_to(first);
            }
            if found.is_err() || !active.strike.fits(&voice.layout) {
                voice.pending -= 1;
                // Voices are only retired while there is room for every strike.
                self.retired.push(Retired::Strike(self.strikes.swap_remove(i).strike));
            }
        }
    }

    /// Renders the voices that the old synthesis still has, and ends the switch after the last.
    pub(crate) fn render_leaving(&mut self, out: &mut [f32]) -> BankReport {
        let Some(mut switch) = self.switch.take() else { return BankReport::default() };
        for slot in self.fading_in.drain(..) {
            let replaced = switch.voices.get_mut(slot).and_then(Option::as_mut);
            let voice = replaced.map(|r| &mut r.voice).or(self.voices[slot].as_mut());
            if let (Some(old), Some(voice)) = (&mut switch.scheduler, voice) {
                old.fade_in_masked(voice, &mut self.scratch, out);
            }
        }
        let mut swap = |bank: &mut Self| {
            std::mem::swap(&mut bank.voices, &mut bank.leaving);
            std::mem::swap(&mut bank.scheduler, &mut switch.scheduler);
        };
        swap(self);
        self.render_voices(out);
        swap(self);
        let report = self.report;
        let is_over = switch.next >= self.extent && self.leaving.iter().all(Option::is_none);
        if is_over && self.finished_switch.is_none() {
            self.finished_switch = Some(switch);
        } else {
            self.switch = Some(switch);
        }
        report
    }
}

impl Replacement {
    /// Takes over state, contacts and routing of a voice whose state is that of the coming block.
    pub(crate) fn take_over(&mut self, old: &mut Voice) {
        let Self { voice: new, slots, gains } = self;
        for &(from, to) in slots.0.iter() {
            let (from, to) = (from as usize, to as usize);
            let start = old.modes.state.get(from) * old.layout.constants.to_start.get(from);
            if start.re.abs().max(start.im.abs()) >= f64::from(SILENCE) {
                new.modes.state.set(to, start * new.layout.constants.to_middle.get(to));
            }
        }
        std::mem::swap(&mut old.contacts, &mut new.contacts);
        let mut room = gains.iter_mut();
        for contact in &mut new.contacts {
            contact.response_known = false;
            for entry in [&mut contact.gains, &mut contact.next] {
                let Some(gains) = entry else { continue };
                match room.next() {
                    Some(room) => {
                        slots.move_gains(gains, room);
                        std::mem::swap(gains, room);
                    }
                    // Prepared for fewer contacts: leaking is better than freeing here.
                    None => std::mem::forget(entry.take()),
                }
            }
        }
        new.routing = old.routing.clone();
        (new.awake, new.fade_position) = (old.awake, old.fade_position);
        (new.strikes, new.pending) = (old.strikes, old.pending);
        (new.is_reported, new.contacts_changed) = (old.is_reported, old.contacts_changed);
    }
}

impl PerceptualScheduler {
    /// Removes a voice from the partials, in which it begins the coming block.
    fn remove_voice(&mut self, voice: &mut Voice, now: u32) {
        if !self.is_masking_2004() && voice.awake {
            voice.leave_partials(now, self.partial_buses_mut());
        }
    }
}
