//! Changes of a running scene: objects, scripted events, hail and listener of the sonifier.

use crate::prepare::PreparedObject;
use crate::scene::{Hail, Listener, Object, Pose, Scrape, Strike};
use std::sync::Arc;

use super::sonifier::{listener_on, voice_model};
use super::{Sonifier, SonifyError};

impl Sonifier {
    /// Adds an object under this number, or replaces the one that has it.
    pub(super) fn set_object(
        &mut self,
        number: usize,
        object: &Object,
        prepared: &PreparedObject,
    ) -> Result<(), SonifyError> {
        let at_s = self.engine.now_s();
        self.stop_sustained_of(number, at_s);
        let scene = Arc::make_mut(&mut self.scene);
        let is_new = number >= scene.objects.len();
        let old = scene.objects.get(number);
        let is_moved = self.handles.get(number).is_none_or(Option::is_none)
            || old.is_some_and(|old| old.pose != object.pose || old.motion != object.motion);
        match is_new {
            true => {
                scene.objects.push(object.clone());
                self.objects.push(prepared.clone());
                self.handles.push(None);
            }
            false => {
                scene.objects[number] = object.clone();
                self.objects[number] = prepared.clone();
            }
        }
        if is_new || is_moved {
            let pose = object.motion.pose_at(at_s).unwrap_or(object.pose);
            self.poses.set(number, pose);
        }
        self.coupling_filters.remove(&number);
        match (self.handles[number], voice_model(&self.scene, number, prepared)) {
            (Some(handle), Some(model)) => {
                self.engine.set_model(handle, model)?;
                if is_moved {
                    let place_m = self.poses.point_to_world(number, prepared.mass.centre_m);
                    self.engine.place(handle, place_m)?;
                    self.turn_object(number)?;
                }
            }
            (Some(handle), None) => {
                self.engine.remove(handle)?;
                self.handles[number] = None;
            }
            (None, Some(model)) => {
                let place_m = self.poses.point_to_world(number, prepared.mass.centre_m);
                self.handles[number] = Some(self.engine.add_at(model, place_m)?);
                self.turn_object(number)?;
            }
            (None, None) => {}
        }
        self.update_gain(number)
    }

    /// Removes an object; its number can be used again.
    pub(super) fn remove_object(&mut self, number: usize) -> Result<(), SonifyError> {
        self.stop_sustained_of(number, self.engine.now_s());
        self.objects[number].model = None;
        self.objects[number].collider = None;
        self.objects[number].rigid = None;
        match self.handles[number].take() {
            Some(handle) => Ok(self.engine.remove(handle)?),
            None => Ok(()),
        }
    }

    /// Takes over name and gain of an object.
    pub(super) fn update_object(
        &mut self,
        number: usize,
        object: &Object,
    ) -> Result<(), SonifyError> {
        Arc::make_mut(&mut self.scene).objects[number] = object.clone();
        self.update_gain(number)
    }

    /// Sets the gain of an object in the engine.
    pub(super) fn update_gain(&mut self, number: usize) -> Result<(), SonifyError> {
        match (self.handle_of(number), self.scene.objects.get(number)) {
            (Some(handle), Some(object)) => Ok(self.engine.set_gain_db(handle, object.gain_db)?),
            _ => Ok(()),
        }
    }

    /// Puts an object elsewhere.
    pub(super) fn place_object(&mut self, number: usize, pose: Pose) -> Result<(), SonifyError> {
        self.poses.set(number, pose);
        if let Some(handle) = self.handle_of(number) {
            self.engine.place(handle, pose.apply(self.objects[number].mass.centre_m))?;
        }
        self.turn_object(number)
    }

    /// Gives an object in the engine its rotation.
    fn turn_object(&mut self, number: usize) -> Result<(), SonifyError> {
        match (self.handle_of(number), self.poses.of(number)) {
            (Some(handle), Some(pose)) => Ok(self.engine.set_rotation(handle, pose.rotation)?),
            _ => Ok(()),
        }
    }

    /// Puts the listener on another path, or changes nothing.
    pub(super) fn set_listener(&mut self, path: &Listener) -> Result<(), SonifyError> {
        let listener = listener_on(path, self.engine.next_tick_s());
        self.engine.place_listener(listener)?;
        Arc::make_mut(&mut self.scene).listener = path.clone();
        self.is_listener_free = false;
        Ok(())
    }

    /// Sets the hail.
    pub(super) fn set_hail(&mut self, hail: Option<Hail>) {
        Arc::make_mut(&mut self.scene).hail = hail;
    }

    /// Replaces the scripted events and ends the contacts of scrapes that are no longer there.
    pub(super) fn set_scripted(
        &mut self,
        strikes: Vec<Strike>,
        scrapes: Vec<Scrape>,
        ended: &[u64],
        at_s: f64,
    ) {
        let scene = Arc::make_mut(&mut self.scene);
        (scene.strikes, scene.scrapes) = (strikes, scrapes);
        let keys = ended.iter().flat_map(|contact| [(*contact, 0), (*contact, 1)]);
        keys.for_each(|key| self.stop_sustained(key, at_s));
    }

    fn stop_sustained_of(&mut self, number: usize, at_s: f64) {
        let of = self.sustained.iter().filter(|(_, active)| active.number == number);
        let keys: Vec<_> = of.map(|(key, _)| *key).collect();
        keys.into_iter().for_each(|key| self.stop_sustained(key, at_s));
    }
}
