//! A change of synthesis while things ring, prepared on the caller's thread.

use foley_dsp::excitation::Impact;
use foley_dsp::model::ModalModel;
use foley_dsp::resonator::{Layout, SlotMap, Strike, Synthesis, SynthesisSwitch};
use std::collections::HashMap;
use std::sync::Arc;

use super::{Engine, ObjectHandle};
use crate::message::Command;

/// A strike that waits until it is nearly due.
pub(super) struct PendingStrike {
    pub(super) object: ObjectHandle,
    pub(super) strike: Strike,
    /// `None` for a burst, which has no layout.
    pub(super) recipe: Option<StrikeRecipe>,
}

/// What a strike was made from, to make it again for another layout.
pub(super) struct StrikeRecipe {
    model: Arc<ModalModel>,
    decays: Option<Arc<[f64]>>,
    gains: Box<[f32]>,
    impact: Impact,
    /// Samples.
    start: f64,
}

impl StrikeRecipe {
    pub(super) fn new(
        (model, decays): (&Arc<ModalModel>, Option<Arc<[f64]>>),
        gains: &[f32],
        impact: Impact,
        start: f64,
    ) -> Self {
        Self { model: Arc::clone(model), decays, gains: gains.into(), impact, start }
    }

    /// Takes over the decay rates that the object has now.
    pub(super) fn set_decays(&mut self, decays: Option<Arc<[f64]>>) {
        self.decays = decays;
    }

    pub(super) fn strike(&self, layout: &Layout, id: u64) -> Strike {
        Strike::new(layout, &self.gains, &self.impact, self.start).with_id(id)
    }

    /// Returns what takes the quasi-static offset of the modes away while this strike, a long pulse, pushes them.
    pub(super) fn without_offset(&self, strike: &Strike, sample_rate_hz: f64) -> Option<Strike> {
        let decays = self.decays.as_deref().unwrap_or(&self.model.decays);
        let modes = self.gains.iter().zip(&self.model.frequencies_hz).zip(decays);
        let modes = modes.map(|((gain, frequency_hz), decay)| (*gain, *frequency_hz, *decay));
        strike.without_offset(modes, &self.impact, sample_rate_hz)
    }
}

impl Engine {
    /// Changes which modes are computed, while things ring: all of them, what is audible, or those that
    /// the rule of 2004 keeps. What is heard goes on without a gap or a click; what the former
    /// synthesis left out fades in over a block. Large scenes are handed over in several blocks. A
    /// change during a change follows after it. The new voices are allocated on this thread.
    ///
    /// ```
    /// use foley_engine::{Engine, Listening, Settings, Synthesis};
    /// let (mut engine, _renderer) = Engine::new(Settings::default())?;
    /// engine.set_synthesis(Synthesis::Perceptual(Listening::default()));
    /// # Ok::<(), foley_engine::EngineError>(())
    /// ```
    pub fn set_synthesis(&mut self, synthesis: Synthesis) {
        self.wanted_synthesis = Some(synthesis);
        self.update();
    }

    /// Sends the change of synthesis that is wanted, once the last one is complete.
    pub(super) fn send_switch(&mut self) {
        if self.is_switching || self.commands.is_full() {
            return;
        }
        let Some(synthesis) = self.wanted_synthesis.take() else { return };
        self.settings.synthesis = synthesis;
        let synthesis = self.settings.calibrated();
        let mut switch = SynthesisSwitch::new(&self.bank, synthesis);
        let old = std::mem::replace(&mut self.bank.synthesis, synthesis);
        if switch.changes_layout() {
            let mut layouts = LayoutPairs { engine: self, old, pairs: HashMap::new() };
            layouts.replace_all(&mut switch);
        }
        self.is_switching = true;
        // The queue has room: checked above.
        let _ = self.send(Command::Switch(Box::new(switch)));
    }
}

/// The old and the new layout of each model, with each set of decay rates.
struct LayoutPairs<'a> {
    engine: &'a mut Engine,
    old: Synthesis,
    pairs: HashMap<[usize; 2], (SlotMap, Arc<Layout>)>,
}

impl LayoutPairs<'_> {
    fn of(
        &mut self,
        model: &Arc<ModalModel>,
        decays: &Option<Arc<[f64]>>,
    ) -> (SlotMap, Arc<Layout>) {
        let address = decays.as_ref().map_or(0, |decays| decays.as_ptr() as usize);
        let key = [Arc::as_ptr(model) as usize, address];
        if let Some(pair) = self.pairs.get(&key) {
            return pair.clone();
        }
        let rate = f64::from(self.engine.settings.sample_rate_hz);
        let block = self.engine.settings.block;
        let rates = decays.as_deref().unwrap_or(&model.decays);
        let old = self.old.layout(&model.frequencies_hz, rates, rate, block);
        let new = self.engine.layout_of(model, decays.as_deref());
        let pair = (SlotMap::new(&old, &new), new);
        self.pairs.insert(key, pair.clone());
        pair
    }

    fn replace_all(&mut self, switch: &mut SynthesisSwitch) {
        self.engine.layouts.clear();
        let voices: Vec<_> = (self.engine.voices.iter())
            .map(|(slot, voice)| {
                let contacts =
                    if voice.has_buffers.contains(&true) { voice.has_buffers.len() } else { 0 };
                (slot, Arc::clone(&voice.model), voice.decays.clone(), contacts)
            })
            .collect();
        for (slot, model, decays, contacts) in voices {
            let (slots, layout) = self.of(&model, &decays);
            switch.replace_voice(slot, slots, layout, contacts);
        }
        for index in 0..self.engine.entries.len() {
            let Some(entry) = &self.engine.entries[index] else { continue };
            let (model, decays) = (Arc::clone(&entry.model), entry.decays.clone());
            let (slots, layout) = self.of(&model, &decays);
            let Some(entry) = &mut self.engine.entries[index] else { continue };
            for gains in entry.contacts.iter_mut().flatten() {
                *gains = slots.gains(gains, &layout);
            }
            entry.layout = layout;
        }
        let mut waiting = std::mem::take(&mut self.engine.waiting);
        for PendingStrike { strike, recipe, .. } in waiting.values_mut() {
            if let Some(recipe) = recipe {
                *strike = recipe.strike(&self.of(&recipe.model, &recipe.decays).1, strike.id());
            }
        }
        self.engine.waiting = waiting;
        let sent = std::mem::take(&mut self.engine.sent);
        switch.replace_strikes(sent.iter().map(|(id, (_, recipe))| {
            recipe.strike(&self.of(&recipe.model, &recipe.decays).1, *id)
        }));
        self.engine.sent = sent;
    }
}
