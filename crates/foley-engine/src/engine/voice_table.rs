//! The voices of the audio thread, as the caller's thread knows them.
//!
//! An object gets a voice when it is first excited. The audio thread reports when a voice is silent;
//! if nothing has been sent to it since, it is released, and its slot is free once it has come
//! back.

use foley_dsp::model::ModalModel;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A voice on the audio thread.
#[derive(Debug, Clone)]
pub(crate) struct VoiceEntry {
    /// The index of its object.
    pub(crate) object: usize,
    pub(crate) model: Arc<ModalModel>,
    /// Decay rates, if they are not those of the model.
    pub(crate) decays: Option<Arc<[f64]>>,
    /// Strikes sent to it.
    pub(crate) strikes: u64,
    /// Forces attached to it.
    pub(crate) forces: usize,
    /// Whether each contact has buffers.
    pub(crate) has_buffers: Vec<bool>,
    /// Whether it was released.
    pub(crate) is_leaving: bool,
}

/// All slots of the audio thread.
#[derive(Debug)]
pub(crate) struct VoiceTable {
    slots: Vec<Option<VoiceEntry>>,
    free: BTreeSet<usize>,
}

impl VoiceTable {
    pub(crate) fn new(slots: usize) -> Self {
        Self { slots: vec![None; slots], free: (0..slots).collect() }
    }

    /// Takes the first free slot for an object.
    pub(crate) fn take(
        &mut self,
        object: usize,
        model: Arc<ModalModel>,
        decays: Option<Arc<[f64]>>,
        contacts: usize,
    ) -> Option<usize> {
        let slot = self.free.pop_first()?;
        self.slots[slot] = Some(VoiceEntry {
            object,
            model,
            decays,
            strikes: 0,
            forces: 0,
            has_buffers: vec![false; contacts],
            is_leaving: false,
        });
        Some(slot)
    }

    /// Frees a slot whose voice has come back.
    pub(crate) fn give_back(&mut self, slot: usize) {
        if self.slots.get_mut(slot).and_then(Option::take).is_some() {
            self.free.insert(slot);
        }
    }

    pub(crate) fn get(&self, slot: usize) -> Option<&VoiceEntry> {
        self.slots.get(slot)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, slot: usize) -> Option<&mut VoiceEntry> {
        self.slots.get_mut(slot)?.as_mut()
    }

    /// Returns all voices in use, with their slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &VoiceEntry)> {
        self.slots.iter().enumerate().filter_map(|(slot, voice)| Some((slot, voice.as_ref()?)))
    }

    /// Returns the number of voices in use.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
