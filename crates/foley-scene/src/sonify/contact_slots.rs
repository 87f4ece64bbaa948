//! The contacts of each object that sustained forces act on.

use std::collections::HashMap;

/// Sustained contacts of an object at a time.
pub(super) const CONTACTS: usize = 4;

/// The time from which each contact of an object is free, s; infinite while it is in use.
#[derive(Debug, Default)]
pub(super) struct ContactSlots {
    free_s: HashMap<usize, [f64; CONTACTS]>,
}

impl ContactSlots {
    /// Reserves a free contact of an object.
    pub(super) fn take(&mut self, object: usize, at_s: f64) -> Option<usize> {
        let free_s = self.free_s.entry(object).or_insert([0.0; CONTACTS]);
        let free = free_s.iter().position(|free_s| *free_s <= at_s)?;
        free_s[free] = f64::INFINITY;
        Some(free)
    }

    /// Returns whether a contact of an object is free or fading out.
    pub(super) fn has_fading(&self, object: usize) -> bool {
        let free_s = self.free_s.get(&object);
        free_s.is_none_or(|free_s| free_s.iter().any(|free_s| free_s.is_finite()))
    }

    /// Frees a contact from a time on.
    pub(super) fn give_back(&mut self, object: usize, contact: usize, free_s: f64) {
        if let Some(slots) = self.free_s.get_mut(&object) {
            slots[contact] = free_s;
        }
    }
}
