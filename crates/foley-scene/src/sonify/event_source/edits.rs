//! Changes of a running scene: bodies, scripted events, hail.

use crate::prepare::{Prepared, PreparedObject};
use crate::scene::{Object, Pose, Scene, Scrape, Strike};
use foley_physics::PoseEvent;

use super::hail::HailEvents;
use super::rigid_bodies::body;
use super::{EventSource, PhysicsSource, set_at};
use crate::sonify::SonifyError;

/// The object number of a removed body: above those of objects, below those of the tips of scrapes.
const NO_OBJECT: u32 = 1 << 31;

/// State of motion that a replaced body keeps.
pub(crate) struct BodyState {
    pose: PoseEvent,
    spin: [f64; 3],
}

impl EventSource {
    /// Returns the time up to which events were asked for, s.
    pub(crate) fn reached_s(&self) -> f64 {
        self.reached_s
    }

    /// Adds the body of an object; with a given state it moves on from there.
    pub(crate) fn add_object(
        &mut self,
        number: usize,
        object: &Object,
        prepared: &PreparedObject,
        state: Option<BodyState>,
    ) -> Result<(), SonifyError> {
        let reached_s = self.reached_s;
        let PhysicsSource::Simulation { world, objects, names, delayed } = &mut self.source else {
            return Ok(());
        };
        self.is_edited = true;
        let Some(mut body) = body(object, prepared) else { return Ok(()) };
        while world.is_empty() && world.time_s() < reached_s {
            world.step();
        }
        if object.release_s > world.time_s() {
            delayed.push(object.release_s, number as u32, body);
            return Ok(());
        }
        if let Some(pose) = object.motion.pose_at(world.time_s()) {
            // The next step moves it on from there.
            body = body.at(pose.position_m).with_rotation(pose.rotation);
        }
        if let Some(BodyState { pose, spin }) = state {
            body = body.at(pose.position).with_rotation(pose.rotation);
            body = body.with_velocity(pose.velocity).with_angular_velocity(spin);
        }
        let index = world.add(&body)? as usize;
        set_at(objects, index, number as u32);
        set_at(names, index, body.name);
        Ok(())
    }

    /// Removes the body of an object.
    pub(crate) fn remove_object(&mut self, number: usize) -> Result<(), SonifyError> {
        let index = self.body_of(number);
        let PhysicsSource::Simulation { world, objects, delayed, .. } = &mut self.source else {
            return Ok(());
        };
        self.is_edited = true;
        delayed.remove(number as u32);
        if let Some(index) = index {
            objects[index] = NO_OBJECT;
            world.remove(index as u32)?;
        }
        Ok(())
    }

    /// Puts the body of an object elsewhere, at rest.
    pub(crate) fn place_object(&mut self, number: usize, pose: &Pose) -> Result<(), SonifyError> {
        let index = self.body_of(number);
        let PhysicsSource::Simulation { world, delayed, .. } = &mut self.source else {
            return Ok(());
        };
        delayed.place(number as u32, pose.position_m, pose.rotation);
        if let Some(index) = index {
            world.set_pose(index as u32, pose.position_m, pose.rotation)?;
        }
        Ok(())
    }

    /// Returns how the body of an object moves; `None` for a fixed or kinematic one.
    pub(crate) fn state_of(&self, number: usize) -> Option<BodyState> {
        let PhysicsSource::Simulation { world, .. } = &self.source else { return None };
        let index = self.body_of(number)? as u32;
        if !world.is_dynamic(index) {
            return None;
        }
        Some(BodyState { pose: world.pose(index).ok()?, spin: world.spin(index).ok()? })
    }

    /// Replaces the scripted events from now on. Strikes that are due before the time up to which events
    /// were asked for sound late; those on objects that are `gone` do not. Returns the contacts of scrapes that are no longer
    /// there, and all scrapes by the numbers of their tips.
    pub(crate) fn replace_scripted(
        &mut self,
        strikes: &[Strike],
        scrapes: &[Scrape],
        seconds: f64,
        now_s: f64,
        gone: &[usize],
    ) -> (Vec<u64>, Vec<Scrape>) {
        let times_s = [now_s, self.reached_s];
        let ended = self.scripted.replace(strikes, scrapes, seconds, times_s, gone);
        (ended, self.scripted.scrapes())
    }

    /// Returns the hail of a scene from the time on up to which events were asked for; `None` without
    /// hail or for a trace.
    pub(crate) fn hail_from_now(
        &self,
        scene: &Scene,
        objects: &[PreparedObject],
    ) -> Result<Option<HailEvents>, SonifyError> {
        if self.is_trace() {
            return Ok(None);
        }
        let prepared = Prepared { objects: objects.to_vec(), notes: Vec::new() };
        let mut hail = HailEvents::new(scene, &prepared, &self.hail_backend)?;
        while let Some(hail) = &mut hail
            && hail.next_before(self.reached_s)?.is_some()
        {}
        Ok(hail)
    }

    /// Replaces the hail.
    pub(crate) fn set_hail(&mut self, hail: Option<HailEvents>) {
        self.hail = hail;
    }

    /// Emits the strikes on these objects again that were emitted before they were due.
    pub(crate) fn repeat_strikes(&mut self, objects: &[usize], now_s: f64) {
        self.scripted.repeat_strikes(objects, [now_s, self.reached_s]);
    }

    /// Removes the body of an object from the simulation alone, so that it cannot be removed again.
    #[cfg(test)]
    pub(crate) fn lose_body(&mut self, number: usize) {
        let index = self.body_of(number);
        if let (PhysicsSource::Simulation { world, .. }, Some(index)) = (&mut self.source, index) {
            world.remove(index as u32).unwrap();
        }
    }

    /// Returns whether events come from a trace.
    pub(crate) fn is_trace(&self) -> bool {
        matches!(self.source, PhysicsSource::Trace { .. })
    }

    fn body_of(&self, number: usize) -> Option<usize> {
        let PhysicsSource::Simulation { objects, .. } = &self.source else { return None };
        objects.iter().position(|object| *object == number as u32)
    }
}
