//! Rollback of an edit of a running scene that fails in the middle: its objects become again what they
//! were.
//!
//! Only objects need it. Hail, listener and scripted events are replaced after the last step that can
//! fail.

use crate::prepare::PreparedObject;
use crate::scene::{Object, ObjectId, Pose};
use crate::sonify::SonifyError;
use crate::sonify::event_source::BodyState;

use super::LiveScene;
use super::edits::ObjectChange;

/// The objects that an edit has changed so far, in the order of the changes.
#[derive(Default)]
pub(super) struct Rollback {
    steps: Vec<Step>,
}

/// A step that was begun, whether or not it was finished.
enum Step {
    Added { id: ObjectId, number: usize },
    Changed(Box<OldObject>),
}

/// State of an object before a step.
pub(super) struct OldObject {
    object: Object,
    number: usize,
    change: ObjectChange,
    /// Whether the step moves or removes it.
    is_moved: bool,
    pose: Pose,
    /// State of motion; `None` for a fixed or kinematic object.
    state: Option<BodyState>,
    /// `None` if the step keeps body and model.
    prepared: Option<PreparedObject>,
}

impl Rollback {
    /// Records that an object is about to be added.
    pub(super) fn record_added(&mut self, id: ObjectId, number: usize) {
        self.steps.push(Step::Added { id, number });
    }

    /// Records what an object is before it is changed or removed.
    pub(super) fn record_changed(&mut self, old: OldObject) {
        self.steps.push(Step::Changed(Box::new(old)));
    }
}

impl LiveScene {
    /// Returns what is needed to restore an object after it was replaced, or removed.
    pub(super) fn old_object(
        &self,
        number: usize,
        object: &Object,
        new: Option<&Object>,
    ) -> OldObject {
        let change = new.map_or(ObjectChange::Body, |new| ObjectChange::between(object, new));
        let is_same_place = |new: &Object| new.pose == object.pose && new.motion == object.motion;
        let on_path = object.motion.pose_at(self.sonifier.engine.now_s());
        let prepared = self.sonifier.objects.get(number).filter(|_| change == ObjectChange::Body);
        OldObject {
            object: object.clone(),
            number,
            change,
            is_moved: !new.is_some_and(is_same_place),
            pose: on_path.or(self.sonifier.poses.of(number)).unwrap_or(object.pose),
            state: self.event_source.state_of(number),
            prepared: prepared.cloned(),
        }
    }

    /// Takes back the steps of an edit, the last one first: the scene then has no more objects at any
    /// time than it had during the edit, so there is room for each. What rang on objects whose body or
    /// model was replaced fades out. Every part is tried; the first failure is returned.
    pub(super) fn roll_back(&mut self, rollback: Rollback) -> Result<(), SonifyError> {
        let mut result = Ok(());
        let mut silenced = Vec::new();
        for step in rollback.steps.into_iter().rev() {
            result = result.and(match step {
                Step::Added { id, number } => self.remove_added(id, number),
                Step::Changed(old) => {
                    silenced.extend((old.change == ObjectChange::Body).then_some(old.number));
                    self.restore_object(*old)
                }
            });
        }
        self.event_source.repeat_strikes(&silenced, self.sonifier.engine.now_s());
        result
    }

    fn remove_added(&mut self, id: ObjectId, number: usize) -> Result<(), SonifyError> {
        self.edits.numbers.remove(&id);
        let mut result = self.event_source.remove_object(number);
        if number < self.sonifier.objects.len() {
            result = result.and(self.sonifier.remove_object(number));
            self.edits.free.push(number);
        }
        result
    }

    fn restore_object(&mut self, old: OldObject) -> Result<(), SonifyError> {
        let OldObject { object, number, change, is_moved, pose, state, prepared } = old;
        self.edits.free.retain(|free| *free != number);
        self.edits.numbers.insert(object.id, number);
        let mut result = match &prepared {
            Some(prepared) => self.sonifier.set_object(number, &object, prepared),
            None => self.sonifier.update_object(number, &object),
        };
        if change == ObjectChange::Gain {
            return result;
        }
        if is_moved {
            result = result.and(self.sonifier.place_object(number, pose));
        }
        if prepared.is_none() && state.is_none() {
            return result.and(self.event_source.place_object(number, &object.pose));
        }
        // A body that moves cannot be given its velocity again: a new one takes its place.
        result = result.and(self.event_source.remove_object(number));
        let Some(prepared) = prepared.as_ref().or(self.sonifier.objects.get(number)) else {
            return result;
        };
        result.and(self.event_source.add_object(number, &object, prepared, state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scene;
    use crate::edit::Edit;
    use crate::prepare::ModelCache;
    use crate::sonify::ImpactBackend;
    use foley_engine::Settings;
    use std::sync::Arc;

    const SCENE: &str = r#"
        [[object]]
        name = "a"
        shape = "bar:300x30x8mm"
        material = "steel"
        max_modes = 4
        [[object]]
        name = "b"
        shape = "bar:200x30x8mm"
        material = "glass"
        max_modes = 4
    "#;

    fn live() -> LiveScene {
        let scene = Arc::new(Scene::parse(SCENE).unwrap());
        let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
        let (backend, settings) = (ImpactBackend::default(), Settings::default());
        LiveScene::new(&scene, &prepared, settings, &backend).unwrap().0
    }

    /// A body that the simulation does not know cannot be removed; everything else is.
    #[test]
    fn an_added_object_whose_body_is_unknown_is_removed_from_all_other_lists() {
        let mut live = live();
        let id = live.scene().objects[1].id;
        let handle = live.sonifier.handle_of(1).unwrap();
        live.event_source.lose_body(1);
        assert!(live.remove_added(id, 1).is_err());
        assert!(live.sonifier.handle_of(1).is_none());
        assert!(live.sonifier.engine.set_gain_db(handle, 0.0).is_err(), "removed from the engine");
        assert_eq!(live.edits.free, [1]);
        assert!(!live.edits.numbers.contains_key(&id));
        assert!(live.event_source.remove_object(1).is_ok(), "its body is not looked for again");
    }

    /// The engine does not know the handle; the number is free nevertheless.
    #[test]
    fn the_number_of_an_added_object_is_free_although_the_engine_refuses_to_remove_it() {
        let mut live = live();
        let id = live.scene().objects[1].id;
        let handle = live.sonifier.handle_of(1).unwrap();
        live.sonifier.engine.remove(handle).unwrap();
        assert!(live.remove_added(id, 1).is_err());
        assert_eq!(live.edits.free, [1]);
    }

    /// An object is restored as far as possible, and those before it completely.
    #[test]
    fn objects_are_restored_although_the_body_of_one_is_unknown() {
        let mut live = live();
        let [a, b] = [0, 1].map(|number| live.scene().objects[number].clone());
        let mut rollback = Rollback::default();
        rollback.record_changed(live.old_object(0, &a, None));
        let other = Object { material: b.material.clone(), ..a.clone() };
        rollback.record_changed(live.old_object(1, &b, Some(&other)));
        live.edits.numbers.remove(&a.id);
        live.event_source.remove_object(0).unwrap();
        live.sonifier.remove_object(0).unwrap();
        live.edits.free.push(0);
        let prepared = live.sonifier.objects[1].clone();
        live.sonifier.set_object(1, &other, &prepared).unwrap();
        live.event_source.lose_body(1);

        assert!(live.roll_back(rollback).is_err());
        assert_eq!(live.sonifier.scene.objects, [a.clone(), b.clone()]);
        assert!(live.edits.free.is_empty() && live.edits.numbers[&a.id] == 0);
        assert!(live.sonifier.handle_of(0).is_some() && live.sonifier.handle_of(1).is_some());
        assert!([0, 1].map(|number| live.event_source.state_of(number).is_some()) == [true; 2]);
        live.apply(Edit::RemoveObject(b.id), &ModelCache::none()).unwrap();
    }
}
