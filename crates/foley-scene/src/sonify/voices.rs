//! Voices of the engine: one for each object and direction that it was heard from.

use foley_dsp::model::ModalModel;
use foley_engine::{Engine, EngineError, ObjectHandle};
use std::collections::HashMap;
use std::sync::Arc;

/// Sustained contacts of a voice at a time.
pub(super) const CONTACTS: usize = 4;

/// The voices in use. A voice keeps ringing in the direction in which it was struck, even if its
/// object moves on.
#[derive(Debug, Default)]
pub(super) struct Voices {
    known: HashMap<(usize, usize), Voice>,
}

#[derive(Debug, Clone, Copy)]
struct Voice {
    object: ObjectHandle,
    /// Time from which each contact is free, s; infinite while it is in use.
    free_s: [f64; CONTACTS],
}

impl Voices {
    /// Returns the voice of an object in a direction; `None` if the engine has no room for another.
    pub(super) fn get(
        &mut self,
        engine: &mut Engine,
        number: usize,
        direction: usize,
        model: &Arc<ModalModel>,
    ) -> Result<Option<ObjectHandle>, EngineError> {
        if let Some(voice) = self.known.get(&(number, direction)) {
            return Ok(Some(voice.object));
        }
        match engine.add_with(Arc::clone(model), direction, CONTACTS) {
            Ok(object) => {
                let voice = Voice { object, free_s: [0.0; CONTACTS] };
                self.known.insert((number, direction), voice);
                Ok(Some(object))
            }
            Err(EngineError::TooManyObjects(_) | EngineError::Busy(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reserves a free contact of a voice.
    pub(super) fn take_contact(
        &mut self,
        number: usize,
        direction: usize,
        at_s: f64,
    ) -> Option<usize> {
        let voice = self.known.get_mut(&(number, direction))?;
        let free = voice.free_s.iter().position(|free_s| *free_s <= at_s)?;
        voice.free_s[free] = f64::INFINITY;
        Some(free)
    }

    /// Returns whether a contact of a voice is free or fading out.
    pub(super) fn has_fading(&self, number: usize, direction: usize) -> bool {
        let voice = self.known.get(&(number, direction));
        voice.is_some_and(|voice| voice.free_s.iter().any(|free_s| free_s.is_finite()))
    }

    /// Frees a contact from a time on.
    pub(super) fn give_back(
        &mut self,
        number: usize,
        direction: usize,
        contact: usize,
        free_s: f64,
    ) {
        if let Some(voice) = self.known.get_mut(&(number, direction)) {
            voice.free_s[contact] = free_s;
        }
    }
}
