//! Decay rates that change while an object rings: it begins or ends to touch something.

use foley_dsp::model::{MAX_DECAY, ModalModel};
use foley_dsp::resonator::{DecayChange, SlotMap};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::{Engine, EngineError, ObjectHandle, QUEUE};
use crate::Time;
use crate::message::Command;

/// A change of decay rates that is not due yet.
pub(super) struct PendingDecays {
    at_s: f64,
    pub(super) object: ObjectHandle,
    decays: Option<Arc<[f64]>>,
}

impl Engine {
    /// Changes the decay rates of the modes of an object at a time, 1/s, while it rings; `None` gives back those of its
    /// model. Amplitudes go on without a step, and decay otherwise from the block on in which the time lies; live from the next
    /// [`update`](Self::update) before that block is rendered.
    ///
    /// ```
    /// use foley_dsp::model::{ModalModel, ModalParts, ContactBody};
    /// use foley_engine::{Engine, Settings, Time};
    /// let (mut engine, _renderer) = Engine::new(Settings::default())?;
    /// let tine = ModalModel::new(ModalParts {
    ///     frequencies_hz: vec![440.0], decays: vec![3.0], points: vec![[0.0; 3]], gains: vec![1.0].into(),
    ///     body: ContactBody { mass_kg: 0.1, young_pa: 2e11, poisson: 0.3, radius_m: 1.0 },
    ///     ..ModalParts::default()
    /// }).unwrap();
    /// let tine = engine.add(tine)?;
    /// engine.set_decays(tine, Some(&[60.0]), 1.0)?; // A finger touches it after a second.
    /// engine.set_decays(tine, None, 1.5)?;
    /// assert!(engine.set_decays(tine, Some(&[60.0, 1.0]), Time::Now).is_err());
    /// # Ok::<(), foley_engine::EngineError>(())
    /// ```
    pub fn set_decays(
        &mut self,
        object: ObjectHandle,
        decays: Option<&[f64]>,
        at: impl Into<Time>,
    ) -> Result<(), EngineError> {
        let at_s = at.into().seconds(self.now_s())?;
        let modes = self.entry(object)?.model.mode_count();
        if let Some(decays) = decays {
            if decays.len() != modes {
                return Err(EngineError::Decays { given: decays.len(), modes });
            }
            let is_wrong = |d: &f64| !(0.0..=MAX_DECAY).contains(d);
            if let Some(mode) = decays.iter().position(is_wrong) {
                return Err(EngineError::DecayRate { mode, value: decays[mode], most: MAX_DECAY });
            }
        }
        let change = PendingDecays { at_s, object, decays: decays.map(Arc::from) };
        // Mostly in order of time: then this is the end.
        let at = self.decay_changes.partition_point(|waiting| waiting.at_s <= at_s);
        let same = self.decay_changes.range_mut(..at).rev().take_while(|last| last.at_s == at_s);
        match { same }.find(|last| last.object == object) {
            // The later of two changes at one time counts.
            Some(last) => *last = change,
            None => self.decay_changes.insert(at, change),
        }
        self.update();
        Ok(())
    }

    /// Sends the changes that are due in the next block. During a change of synthesis they wait: voices would have neither
    /// the old nor the new layout.
    pub(super) fn send_decay_changes(&mut self) {
        let rate = f64::from(self.settings.sample_rate_hz);
        let until = self.published.clock.load(Relaxed) + self.settings.block as u64;
        let is_due = |change: &PendingDecays| ((change.at_s * rate) as u64) < until;
        while !self.is_switching
            && self.commands.slots() > QUEUE / 4
            && self.decay_changes.front().is_some_and(is_due)
            && let Some(change) = self.decay_changes.pop_front()
        {
            // An object that was removed takes its changes with it.
            let _ = self.change_decays(change);
        }
    }

    fn change_decays(&mut self, change: PendingDecays) -> Result<(), EngineError> {
        let PendingDecays { object, decays, .. } = change;
        let entry = self.entry(object)?;
        if entry.decays.is_none() && decays.is_none() {
            return Ok(());
        }
        let model: Arc<ModalModel> = Arc::clone(&entry.model);
        let new = self.layout_of(&model, decays.as_deref());
        let entry = self.entry_mut(object)?;
        let old = std::mem::replace(&mut entry.layout, Arc::clone(&new));
        entry.decays = decays.clone();
        let slots = SlotMap::new(&old, &new);
        for gains in entry.contacts.iter_mut().flatten() {
            *gains = slots.gains(gains, &new);
        }
        let voice = entry.voice;
        for waiting in self.waiting.values_mut().filter(|waiting| waiting.object == object) {
            let Some(recipe) = &mut waiting.recipe else { continue };
            recipe.set_decays(decays.clone());
            waiting.strike = recipe.strike(&new, waiting.strike.id());
        }
        let Some(slot) = voice else { return Ok(()) };
        let mut strikes = Vec::new();
        for (id, (_, recipe)) in self.sent.iter_mut().filter(|(_, (of, _))| *of == object) {
            recipe.set_decays(decays.clone());
            strikes.push(recipe.strike(&new, *id));
        }
        let Some(voice) = self.voices.get_mut(slot) else { return Ok(()) };
        voice.decays = decays;
        let contacts = if voice.has_buffers.contains(&true) { voice.has_buffers.len() } else { 0 };
        let change = Box::new(DecayChange::new(&old, new, contacts, strikes));
        self.send(Command::Decays { slot, change })
    }
}
