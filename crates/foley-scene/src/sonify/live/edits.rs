//! Edits of a scene while it plays.
//!
//! An edit first changes the description of the scene, which checks it. The running scene then follows
//! the differences between the two descriptions: objects are added, removed, moved and get other
//! models, scripted events that are still due are replaced, the listener is put elsewhere. What
//! rings is cross-faded. An edit is applied completely or not at all: steps that can fail come first, and if
//! one fails, the objects that were changed are restored, and description and history stay as they were.
//!
//! An edit takes effect within the look-ahead of the scene. Air, gravity, levels, rates and the trace
//! take effect when the scene starts again.

use crate::edit::{Edit, EditError, EditHistory};
use crate::prepare::{ModelCache, Prepared, PreparedObject, Step};
use crate::scene::{Motion, Object, ObjectId, Scene};
use std::collections::HashMap;

use super::LiveScene;
use super::rollback::Rollback;
use crate::sonify::SonifyError;

/// The description of a running scene, and the numbers of its objects in the simulation.
pub(super) struct EditState {
    /// The scene as it is written back.
    description: Scene,
    history: EditHistory,
    pub(super) numbers: HashMap<ObjectId, usize>,
    /// Numbers of removed objects.
    pub(super) free: Vec<usize>,
}

impl EditState {
    pub(super) fn new(scene: &Scene) -> Self {
        let ids = scene.objects.iter().enumerate();
        Self {
            numbers: ids.map(|(number, object)| (object.id, number)).collect(),
            description: scene.clone(),
            history: EditHistory::default(),
            free: Vec::new(),
        }
    }
}

/// The modes of objects that an edit adds or changes. They are computed on any thread, so that the
/// running scene need not wait.
#[derive(Debug, Clone, Default)]
pub struct PreparedEdit {
    objects: Vec<(Object, PreparedObject)>,
}

impl PreparedEdit {
    /// Computes what an edit of a scene needs. If `progress` returns false, it is cancelled.
    pub fn new(
        scene: &Scene,
        edit: &Edit,
        cache: &ModelCache,
        progress: &mut dyn FnMut(Step<'_>) -> bool,
    ) -> Result<Self, SonifyError> {
        let mut after = scene.clone();
        after.apply(edit.clone())?;
        Self::between(scene, &after, cache, progress)
    }

    fn between(
        before: &Scene,
        after: &Scene,
        cache: &ModelCache,
        progress: &mut dyn FnMut(Step<'_>) -> bool,
    ) -> Result<Self, SonifyError> {
        let is_known = |object: &&Object| {
            let old = before.objects.iter().find(|old| old.id == object.id);
            old.is_some_and(|old| has_same_body(old, object))
        };
        let objects: Vec<Object> =
            after.objects.iter().filter(|object| !is_known(object)).cloned().collect();
        if objects.is_empty() {
            return Ok(Self::default());
        }
        let changed = Scene {
            objects: objects.clone(),
            strikes: Vec::new(),
            scrapes: Vec::new(),
            hail: None,
            ..after.clone()
        };
        let Prepared { objects: prepared, .. } = changed.prepare(cache, progress)?;
        Ok(Self { objects: objects.into_iter().zip(prepared).collect() })
    }

    fn of(&self, object: &Object) -> Option<&PreparedObject> {
        self.objects.iter().find(|(known, _)| has_same_body(known, object)).map(|found| &found.1)
    }
}

/// Returns whether two objects differ at most in place, name and gain.
fn has_same_body(a: &Object, b: &Object) -> bool {
    let (id, pose, gain_db, name) = (b.id, b.pose, b.gain_db, b.name.clone());
    Object { id, pose, gain_db, name, ..a.clone() } == *b
}

/// The parts of a running object that an edit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectChange {
    /// At most name and gain: its body goes on.
    Gain,
    /// Its place, and perhaps name and gain.
    Pose,
    /// Its body or its model.
    Body,
}

impl ObjectChange {
    pub(super) fn between(old: &Object, new: &Object) -> Self {
        match has_same_body(old, new) {
            false => Self::Body,
            // Keyframes give the pose of a kinematic object.
            true if old.pose == new.pose || matches!(new.motion, Motion::Path(_)) => Self::Gain,
            true => Self::Pose,
        }
    }
}

impl LiveScene {
    /// Returns the scene with all edits, to be looked at or written back.
    pub fn scene(&self) -> &Scene {
        &self.edits.description
    }

    /// Applies an edit to the running scene. Computes the modes of new objects and materials first, which
    /// may take seconds: [`PreparedEdit`] does it elsewhere. How many bodies start inside each other is not checked, as
    /// it is when a scene starts: a thousand bodies that edits put at one place take long to simulate.
    pub fn apply(&mut self, edit: Edit, cache: &ModelCache) -> Result<(), SonifyError> {
        let prepared = PreparedEdit::new(self.scene(), &edit, cache, &mut |_| true)?;
        self.apply_prepared(edit, &prepared)
    }

    /// Applies an edit whose modes are computed already.
    pub fn apply_prepared(
        &mut self,
        edit: Edit,
        prepared: &PreparedEdit,
    ) -> Result<(), SonifyError> {
        let mut description = self.edits.description.clone();
        let inverse = description.apply(edit)?;
        self.follow(description, prepared)?;
        self.edits.history.record(inverse);
        Ok(())
    }

    /// Undoes the last edit. Returns false if there is none.
    pub fn undo(&mut self, cache: &ModelCache) -> Result<bool, SonifyError> {
        self.step_history(cache, EditHistory::undo)
    }

    /// Applies again what was undone last. Returns false if there is nothing.
    pub fn redo(&mut self, cache: &ModelCache) -> Result<bool, SonifyError> {
        self.step_history(cache, EditHistory::redo)
    }

    fn step_history(
        &mut self,
        cache: &ModelCache,
        step: fn(&mut EditHistory, &mut Scene) -> Result<Option<Edit>, EditError>,
    ) -> Result<bool, SonifyError> {
        let (mut description, mut history) =
            (self.edits.description.clone(), self.edits.history.clone());
        if step(&mut history, &mut description)?.is_none() {
            return Ok(false);
        }
        let before = &self.edits.description;
        let prepared = PreparedEdit::between(before, &description, cache, &mut |_| true)?;
        self.follow(description, &prepared)?;
        self.edits.history = history;
        Ok(true)
    }

    /// Follows the differences between the present description and another, which replaces it; or
    /// changes nothing.
    fn follow(&mut self, after: Scene, prepared: &PreparedEdit) -> Result<(), SonifyError> {
        self.handle_all()?;
        let before = std::mem::replace(&mut self.edits.description, after.clone());
        let mut rollback = Rollback::default();
        let followed = self.follow_differences(&before, &after, prepared, &mut rollback);
        if followed.is_err() {
            // The error that is reported is the first.
            let _ = self.roll_back(rollback);
            self.edits.description = before;
        }
        followed
    }

    /// Follows the differences between two descriptions. What objects were is kept in `rollback`; the
    /// other steps replace nothing before all have succeeded.
    fn follow_differences(
        &mut self,
        before: &Scene,
        after: &Scene,
        prepared: &PreparedEdit,
        rollback: &mut Rollback,
    ) -> Result<(), SonifyError> {
        let numbers_of = |is_chosen: &dyn Fn(&Object) -> bool| -> Vec<usize> {
            let chosen = before.objects.iter().filter(|object| is_chosen(object));
            chosen.filter_map(|object| self.edits.numbers.get(&object.id).copied()).collect()
        };
        let new = |object: &Object| after.objects.iter().find(|new| new.id == object.id);
        let gone = numbers_of(&|object| new(object).is_none());
        let rebuilt = numbers_of(&|object| {
            new(object).is_some_and(|new| ObjectChange::between(object, new) == ObjectChange::Body)
        });
        let is_target_changed = self.follow_objects(before, after, prepared, rollback)?;
        let is_hail_changed = before.hail != after.hail
            || (is_target_changed && (before.hail.is_some() || after.hail.is_some()));
        let hail = match is_hail_changed {
            true => {
                let scene = Scene { hail: after.hail, ..Scene::clone(&self.sonifier.scene) };
                Some(self.event_source.hail_from_now(&scene, &self.sonifier.objects)?)
            }
            false => None,
        };
        if before.listener != after.listener {
            self.sonifier.set_listener(&after.listener)?;
        }
        // Nothing fails from here on.
        if let Some(hail) = hail {
            self.sonifier.set_hail(after.hail);
            self.event_source.set_hail(hail);
        }
        // Strikes and scrapes name objects by their order.
        let ids = |scene: &Scene| scene.objects.iter().map(|object| object.id).collect::<Vec<_>>();
        if before.strikes != after.strikes
            || before.scrapes != after.scrapes
            || before.seconds != after.seconds
            || ids(before) != ids(after)
        {
            self.replace_scripted(after, &gone);
        }
        // The strikes on them that were emitted ended with their old modes.
        self.event_source.repeat_strikes(&rebuilt, self.sonifier.engine.now_s());
        self.seconds = after.seconds;
        Ok(())
    }

    /// Removes, changes and adds objects. Returns whether hail strikes one of them differently.
    fn follow_objects(
        &mut self,
        before: &Scene,
        after: &Scene,
        prepared: &PreparedEdit,
        rollback: &mut Rollback,
    ) -> Result<bool, SonifyError> {
        let old: HashMap<ObjectId, &Object> = before.objects.iter().map(|o| (o.id, o)).collect();
        let mut is_target_changed = false;
        for object in &before.objects {
            if after.index_of(object.id).is_none()
                && let Some(&number) = self.edits.numbers.get(&object.id)
            {
                rollback.record_changed(self.old_object(number, object, None));
                self.edits.numbers.remove(&object.id);
                self.event_source.remove_object(number)?;
                self.sonifier.remove_object(number)?;
                self.edits.free.push(number);
                is_target_changed = true;
            }
        }
        for object in &after.objects {
            match old.get(&object.id) {
                Some(old) if *old == object => {}
                Some(old) => {
                    is_target_changed |= self.change_object(old, object, prepared, rollback)?;
                }
                None => {
                    let made = prepared
                        .of(object)
                        .ok_or_else(|| SonifyError::NotPrepared(object.name.clone()))?;
                    let count = self.sonifier.scene.objects.len();
                    // A trace goes on to name the objects that it was recorded from.
                    let free = match self.event_source.is_trace() {
                        true => None,
                        false => self.edits.free.pop(),
                    };
                    let number = free.unwrap_or(count);
                    self.edits.numbers.insert(object.id, number);
                    rollback.record_added(object.id, number);
                    self.sonifier.set_object(number, object, made)?;
                    self.event_source.add_object(number, object, made, None)?;
                    is_target_changed = true;
                }
            }
        }
        Ok(is_target_changed)
    }

    /// Changes one object. Returns whether hail strikes it differently.
    fn change_object(
        &mut self,
        old: &Object,
        object: &Object,
        prepared: &PreparedEdit,
        rollback: &mut Rollback,
    ) -> Result<bool, SonifyError> {
        let Some(&number) = self.edits.numbers.get(&object.id) else { return Ok(false) };
        let change = ObjectChange::between(old, object);
        let made = prepared.of(object);
        if change == ObjectChange::Body && made.is_none() {
            return Err(SonifyError::NotPrepared(object.name.clone()));
        }
        rollback.record_changed(self.old_object(number, old, Some(object)));
        if let (ObjectChange::Body, Some(made)) = (change, made) {
            // A body keeps its motion, unless the edit moves it.
            let state = (old.pose == object.pose && old.motion == object.motion)
                .then(|| self.event_source.state_of(number))
                .flatten();
            self.event_source.remove_object(number)?;
            self.sonifier.set_object(number, object, made)?;
            self.event_source.add_object(number, object, made, state)?;
            return Ok(true);
        }
        self.sonifier.update_object(number, object)?;
        if change == ObjectChange::Pose {
            self.event_source.place_object(number, &object.pose)?;
            self.sonifier.place_object(number, object.pose)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Replaces the scripted events that are still due, and ends scrapes that are no longer there.
    fn replace_scripted(&mut self, after: &Scene, gone: &[usize]) {
        let numbers = &self.edits.numbers;
        let number = |index: usize| {
            let id = after.objects.get(index).map(|object| object.id)?;
            numbers.get(&id).copied()
        };
        let strikes = after.strikes.iter().filter_map(|strike| {
            let mut strike = strike.clone();
            strike.object = number(strike.object)?;
            Some(strike)
        });
        let scrapes = after.scrapes.iter().filter_map(|scrape| {
            let mut scrape = scrape.clone();
            scrape.object = number(scrape.object)?;
            Some(scrape)
        });
        let (strikes, scrapes): (Vec<_>, Vec<_>) = (strikes.collect(), scrapes.collect());
        let now_s = self.sonifier.engine.now_s();
        let (ended, scrapes) =
            self.event_source.replace_scripted(&strikes, &scrapes, after.seconds, now_s, gone);
        self.sonifier.set_scripted(strikes, scrapes, &ended, self.event_source.reached_s());
    }
}
