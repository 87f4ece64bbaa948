//! Objects as the engine knows them: one for each direction they were heard from.

use foley::{Engine, EngineError, Object};
use foley_dsp::model::ModalModel;
use std::collections::HashMap;
use std::sync::Arc;

/// Lasting contacts an object can have in one direction.
pub(super) const CONTACTS: usize = 4;

/// What rings on where it was struck, though the object moves on.
#[derive(Debug, Default)]
pub(super) struct Voices {
    known: HashMap<(usize, usize), Voice>,
}

#[derive(Debug, Clone, Copy)]
struct Voice {
    object: Object,
    /// Contacts in use.
    taken: [bool; CONTACTS],
}

impl Voices {
    /// An object in a direction; `None` when the engine has no room for more.
    pub(super) fn get(
        &mut self,
        engine: &mut Engine,
        number: usize,
        direction: usize,
        model: &Arc<ModalModel>,
    ) -> Result<Option<Object>, EngineError> {
        if let Some(voice) = self.known.get(&(number, direction)) {
            return Ok(Some(voice.object));
        }
        match engine.add_with(Arc::clone(model), direction, CONTACTS) {
            Ok(object) => {
                let voice = Voice { object, taken: [false; CONTACTS] };
                self.known.insert((number, direction), voice);
                Ok(Some(object))
            }
            Err(EngineError::TooManyObjects(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A free contact of an object.
    pub(super) fn take_contact(&mut self, number: usize, direction: usize) -> Option<usize> {
        let voice = self.known.get_mut(&(number, direction))?;
        let free = voice.taken.iter().position(|taken| !taken)?;
        voice.taken[free] = true;
        Some(free)
    }

    pub(super) fn give_back(&mut self, number: usize, direction: usize, contact: usize) {
        if let Some(voice) = self.known.get_mut(&(number, direction)) {
            voice.taken[contact] = false;
        }
    }
}
