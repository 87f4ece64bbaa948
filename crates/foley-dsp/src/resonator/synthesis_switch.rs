//! A change of the [`Synthesis`] of a bank that sounds.
//!
//! The state of every mode is exact at the edges of blocks, whatever computes its sound. A voice is
//! therefore handed over at the start of a block: its amplitudes move to the slots of the new layout,
//! and what the old synthesis did not compute fades in over that block ([`hand_over`]). Everything that
//! needs memory is prepared off the audio thread: the scheduler, silent voices with the new layout, and
//! the strikes that are not over.

pub(crate) mod hand_over;

use std::sync::Arc;

use crate::resonator::bank::BankSettings;
use crate::resonator::layout::{Gains, Layout};
use crate::resonator::perceptual::{PerceptualScheduler, Synthesis};
use crate::resonator::strike::Strike;
use crate::resonator::voice::Voice;
use crate::simd::Row;

/// What a bank needs to change its synthesis while it sounds. Made off the audio thread, returned by
/// the bank as [`Retired::Switch`](super::Retired) when all voices have been handed over.
pub struct SynthesisSwitch {
    pub(crate) settings: BankSettings,
    /// The new scheduler, and during the switch the old one.
    pub(crate) scheduler: Option<PerceptualScheduler>,
    /// The voices in the new layout by slot, and after their hand-over the old ones.
    pub(crate) voices: Vec<Option<Replacement>>,
    /// The strikes in the new layout, sorted by id.
    pub(crate) strikes: Vec<Strike>,
    pub(crate) changes_layout: bool,
    /// All slots before this one have been handed over.
    pub(crate) next: usize,
    /// Cost of the voices that were handed over since the last block because they were struck or moved.
    pub(crate) spent: usize,
}

/// A silent voice with the new layout.
pub(crate) struct Replacement {
    pub(crate) voice: Box<Voice>,
    pub(crate) slots: SlotMap,
    /// Room for the gains of contacts.
    pub(crate) gains: Box<[Gains]>,
}

impl Replacement {
    /// Prepares a voice with up to this number of contacts.
    pub(crate) fn new(slots: SlotMap, layout: Arc<Layout>, contacts: usize) -> Self {
        let room = || Gains(vec![Row::default(); layout.rows].into());
        let gains = (0..2 * contacts).map(|_| room()).collect();
        Self { voice: Box::new(Voice::new(layout, 0, 0)), slots, gains }
    }
}

/// Old and new slot of each sounding mode of a model.
#[derive(Debug, Clone)]
pub struct SlotMap(pub(crate) Arc<[(u32, u32)]>);

impl SlotMap {
    /// Maps the slots of one layout to those of another one of the same model.
    pub fn new(old: &Layout, new: &Layout) -> Self {
        let both = old.slots.iter().zip(&new.slots);
        Self(both.filter_map(|(old, new)| Some(((*old)? as u32, (*new)? as u32))).collect())
    }

    /// Returns gains of the old layout in the rows of the new one.
    pub fn gains(&self, old: &Gains, new: &Layout) -> Gains {
        let mut gains = Gains(vec![Row::default(); new.rows].into());
        self.move_gains(old, &mut gains);
        gains
    }

    pub(crate) fn move_gains(&self, old: &Gains, new: &mut Gains) {
        let (old, new) = (crate::simd::flat(&old.0), crate::simd::flat_mut(&mut new.0));
        self.0.iter().for_each(|&(from, to)| new[to as usize] = old[from as usize]);
    }
}

impl SynthesisSwitch {
    /// Prepares the switch of a bank with these settings to another synthesis.
    pub fn new(settings: &BankSettings, synthesis: Synthesis) -> Self {
        let changes_layout = !settings.synthesis.has_layout_of(&synthesis);
        let settings = BankSettings { synthesis, ..*settings };
        Self {
            scheduler: PerceptualScheduler::new(&settings),
            voices: Vec::new(),
            strikes: Vec::new(),
            changes_layout,
            next: 0,
            spent: 0,
            settings,
        }
    }

    /// Returns whether voices and strikes need new layouts.
    pub fn changes_layout(&self) -> bool {
        self.changes_layout
    }

    /// Prepares the voice in a slot, with the layout it will have and up to this number of contacts.
    /// When layouts change, voices without a replacement end at once.
    pub fn replace_voice(
        &mut self,
        slot: usize,
        slots: SlotMap,
        layout: Arc<Layout>,
        contacts: usize,
    ) {
        if self.voices.len() <= slot {
            self.voices.resize_with(slot + 1, || None);
        }
        self.voices[slot] = Some(Replacement::new(slots, layout, contacts));
    }

    /// Adds a strike, prepared for the new layout, that replaces the one with the same id
    /// ([`Strike::with_id`]). When layouts change, strikes without a replacement are dropped.
    pub fn replace_strikes(&mut self, strikes: impl IntoIterator<Item = Strike>) {
        self.strikes.extend(strikes);
        self.strikes.sort_by_key(Strike::id);
    }
}

impl std::fmt::Debug for SynthesisSwitch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let synthesis = &self.settings.synthesis;
        f.debug_struct("SynthesisSwitch").field("synthesis", synthesis).finish_non_exhaustive()
    }
}
