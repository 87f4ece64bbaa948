//! An edit of a running scene that fails in the middle is taken back.

use crate::prepare::PreparedObject;
use crate::scene::{Object, ObjectId, Scene};
use crate::sonify::SonifyError;
use crate::sonify::event_source::BodyState;

use super::LiveScene;
use super::edits::has_same_body;

/// What the objects that an edit changes or removes need to become again what they were.
pub(super) struct Rollback {
    objects: Vec<OldObject>,
    added: Vec<ObjectId>,
}

struct OldObject {
    object: Object,
    number: usize,
    prepared: PreparedObject,
    /// How it moves.
    state: Option<BodyState>,
}

impl LiveScene {
    /// Keeps what an edit from one description to another replaces.
    pub(super) fn rollback_of(&self, before: &Scene, after: &Scene) -> Rollback {
        let stays = |object: &Object| {
            after.index_of(object.id).is_some_and(|index| after.objects[index] == *object)
        };
        let old = before.objects.iter().filter(|object| !stays(object)).filter_map(|object| {
            let number = *self.edits.numbers.get(&object.id)?;
            let prepared = self.sonifier.objects.get(number)?.clone();
            let state = self.event_source.state_of(number);
            Some(OldObject { object: object.clone(), number, prepared, state })
        });
        let is_new = |object: &&Object| before.index_of(object.id).is_none();
        let added = after.objects.iter().filter(is_new).map(|object| object.id).collect();
        Rollback { objects: old.collect(), added }
    }

    /// Takes back a part of an edit. What rang on objects that had been changed already fades out. Every
    /// part is tried; the first failure is returned.
    pub(super) fn roll_back(
        &mut self,
        before: &Scene,
        after: &Scene,
        rollback: Rollback,
    ) -> Result<(), SonifyError> {
        let mut result = Ok(());
        for id in rollback.added {
            result = result.and(self.remove_added(id));
        }
        for old in rollback.objects {
            result = result.and(self.restore_object(after, old));
        }
        self.seconds = before.seconds;
        self.replace_scripted(before);
        if before.listener != after.listener {
            result = result.and(self.sonifier.set_listener(before.listener.clone()));
        }
        if before.hail.is_some() || after.hail.is_some() {
            self.sonifier.set_hail(before.hail);
            let replaced =
                self.event_source.replace_hail(&self.sonifier.scene, &self.sonifier.objects);
            result = result.and(replaced);
        }
        result
    }

    fn remove_added(&mut self, id: ObjectId) -> Result<(), SonifyError> {
        let Some(number) = self.edits.numbers.remove(&id) else { return Ok(()) };
        self.event_source.remove_object(number)?;
        if number < self.sonifier.objects.len() {
            self.sonifier.remove_object(number)?;
            self.edits.free.push(number);
        }
        Ok(())
    }

    fn restore_object(&mut self, after: &Scene, old: OldObject) -> Result<(), SonifyError> {
        let OldObject { object, number, prepared, state } = old;
        self.edits.free.retain(|free| *free != number);
        self.edits.numbers.insert(object.id, number);
        self.event_source.remove_object(number)?;
        let kept = after.index_of(object.id).map(|index| &after.objects[index]);
        if kept.is_some_and(|kept| has_same_body(kept, &object)) {
            self.sonifier.update_object(number, &object)?;
            // A body that moves reports its pose itself.
            if state.is_none() {
                self.sonifier.place_object(number, object.pose)?;
            }
        } else {
            self.sonifier.set_object(number, &object, &prepared)?;
        }
        self.event_source.add_object(number, &object, &prepared, state)
    }
}
