//! Stable identifiers of objects.

use super::Scene;
use std::collections::HashSet;
use std::fmt;

/// Identifier of an object: unique in its scene, kept by edits and never reused in that scene.
///
/// A scene that is read has the ids 0, 1, 2, … in the order of its objects; files have no ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u64);

/// Largest number of an id that is given, and as many more for those that follow it: all are exact also as
/// floating-point numbers.
const MAX_GIVEN_ID: u64 = 1 << 52;
const MAX_ID: u64 = 1 << 53;

impl ObjectId {
    /// The id of an object that is not part of a scene yet.
    pub const UNASSIGNED: Self = Self(u64::MAX);

    /// Returns the id of this number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// Returns the number.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Returns whether objects of a scene may have it.
    pub(crate) fn is_valid(self) -> bool {
        self.0 <= MAX_ID
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UNASSIGNED => f.write_str("(unassigned)"),
            Self(number) => number.fmt(f),
        }
    }
}

/// The ids that a scene has given away. Two of them are always equal: ids of objects that were
/// removed are not part of a scene's description.
#[derive(Debug, Clone, Default)]
pub struct ObjectIds {
    next: u64,
}

impl PartialEq for ObjectIds {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl ObjectIds {
    /// Returns whether an object may be added with an id: one that the scene gave away, or a small one.
    pub(crate) fn may_be_given(&self, id: ObjectId) -> bool {
        id.is_valid() && id.0 < self.next.max(MAX_GIVEN_ID + 1)
    }

    /// Returns an id that was never given away.
    pub(crate) fn fresh(&mut self) -> ObjectId {
        let id = ObjectId(self.next);
        self.next += 1;
        id
    }

    /// Marks an id as given away.
    pub(crate) fn reserve(&mut self, id: ObjectId) {
        if id.is_valid() {
            self.next = self.next.max(id.0 + 1);
        }
    }
}

impl Scene {
    /// Returns the position of an object in `objects`.
    pub fn index_of(&self, id: ObjectId) -> Option<usize> {
        // Objects are in order of their ids until somebody changes the order.
        let sorted = self.objects.binary_search_by_key(&id, |object| object.id).ok();
        let index = sorted.or_else(|| self.objects.iter().position(|object| object.id == id))?;
        (id != ObjectId::UNASSIGNED).then_some(index)
    }

    /// Gives an id to each object that has none, or that of an object before it.
    ///
    /// Scenes that are read and objects that are added by edits have ids. A program that fills
    /// `objects` itself calls this before the first edit.
    pub fn assign_ids(&mut self) {
        self.objects.iter().for_each(|object| self.ids.reserve(object.id));
        let mut taken = HashSet::with_capacity(self.objects.len());
        for object in &mut self.objects {
            if !object.id.is_valid() || !taken.insert(object.id) {
                object.id = self.ids.fresh();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BodySource, Object};
    use foley_modal::Material;

    #[test]
    fn each_object_gets_an_id_of_its_own_and_keeps_a_unique_one() {
        let steel = Material::named("steel").unwrap();
        let object = |id| Object { id, ..Object::new("a", BodySource::Ground, steel.clone()) };
        let ids = [ObjectId::UNASSIGNED, ObjectId(4), ObjectId(4), ObjectId(u64::MAX - 1)];
        let mut scene = Scene { objects: ids.map(object).into(), ..Scene::default() };
        scene.assign_ids();
        let found: Vec<u64> = scene.objects.iter().map(|object| object.id.0).collect();
        assert_eq!(found, [5, 4, 6, 7]);
        for (index, id) in found.into_iter().enumerate() {
            assert_eq!(scene.index_of(ObjectId(id)), Some(index));
        }
        assert_eq!(scene.index_of(ObjectId(0)), None);
        assert_eq!(scene.index_of(ObjectId::UNASSIGNED), None);
    }
}
