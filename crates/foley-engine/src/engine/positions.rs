//! Positions, gains and rotations of objects, and the listener.

use foley_dsp::propagation::{Motion, Position};
use foley_dsp::resonator::Route;
use glam::DQuat;

use super::spatial::Spatial;
use super::{Engine, EngineError, ObjectHandle, PendingMove, PendingTurn, check_time, finite};
use crate::Listener;
use crate::message::Command;

/// Largest coordinate, m: beyond, single precision and squares would overflow.
const MAX_COORDINATE_M: f64 = 1e9;

/// How far ahead the listener's position may be given, s: earlier ones would wait for it.
const MAX_LISTENER_AHEAD_S: f64 = 10.0;

impl Engine {
    /// Puts an object at a position, m, without a movement: what rings is cross-faded.
    pub fn place(&mut self, object: ObjectHandle, position_m: [f64; 3]) -> Result<(), EngineError> {
        self.check_spatial()?;
        check_place(&position_m)?;
        let now_s = self.frame_s();
        let entry = self.entry_mut(object)?;
        entry.is_placed = true;
        entry.motion = Motion::at_rest_since(now_s, position_m.into());
        if !std::mem::replace(&mut entry.has_jumped, true) {
            self.jumped.push(object.index);
        }
        self.moves.retain(|waiting| waiting.object != object);
        Ok(())
    }

    /// Moves an object from its last position to this one, m, now; call it once a frame. Its velocity,
    /// for the Doppler effect, is that since the last position.
    pub fn move_to(
        &mut self,
        object: ObjectHandle,
        position_m: [f64; 3],
    ) -> Result<(), EngineError> {
        self.check_spatial()?;
        check_place(&position_m)?;
        let now_s = self.frame_s();
        let entry = self.entry_mut(object)?;
        if !entry.is_placed {
            return self.place(object, position_m);
        }
        entry.motion.push(now_s, position_m.into());
        Ok(())
    }

    /// Moves an object to a position, m, that it has `at_s` seconds from the beginning. Without a given
    /// velocity it is that since the last position. Positions of one object must be given in order of
    /// time.
    pub fn move_at(
        &mut self,
        object: ObjectHandle,
        position_m: [f64; 3],
        velocity_m_s: Option<[f64; 3]>,
        at_s: f64,
    ) -> Result<(), EngineError> {
        self.check_spatial()?;
        check_time(at_s)?;
        check_place(&position_m)?;
        finite(&velocity_m_s.unwrap_or_default(), "velocity")?;
        self.entry(object)?;
        let due = PendingMove { at_s, object, position_m, velocity_m_s };
        // A move within the next tick is applied at once: the tick would apply it before it reads
        // positions.
        let tick = self.spatial.as_ref().map_or(0, Spatial::tick);
        let ahead_s = tick as f64 / f64::from(self.settings.sample_rate_hz);
        if self.moves.front().is_none_or(|next| at_s <= next.at_s) && at_s <= self.now_s() + ahead_s
        {
            self.apply_move(due);
        } else {
            // Mostly in order of time: then this is the end.
            let at = self.moves.partition_point(|waiting| waiting.at_s <= at_s);
            self.moves.insert(at, due);
        }
        Ok(())
    }

    /// Sets the gain of an object, dB; what rings changes smoothly.
    pub fn set_gain_db(&mut self, object: ObjectHandle, gain_db: f64) -> Result<(), EngineError> {
        if gain_db.is_nan() || gain_db >= 100.0 {
            return Err(EngineError::Gain(gain_db));
        }
        let entry = self.entry_mut(object)?;
        entry.gain = 10f64.powf(gain_db / 20.0);
        let (voice, bus, gain) = (entry.voice, entry.channel, entry.gain as f32);
        match voice {
            // With positions, the next snapshot brings the new gain.
            Some(slot) if self.spatial.is_none() => {
                self.send(Command::Route { slot, route: Route { bus, gain } })
            }
            _ => Ok(()),
        }
    }

    /// Moves and turns the listener; call it once a frame.
    pub fn set_listener(&mut self, listener: Listener) -> Result<(), EngineError> {
        let at_s = self.frame_s();
        self.change_listener(listener, at_s, false)
    }

    /// Moves the listener to where it is `at_s` seconds from the beginning, not before the last position.
    pub fn set_listener_at(&mut self, listener: Listener, at_s: f64) -> Result<(), EngineError> {
        check_time(at_s)?;
        let ahead_s = at_s - self.now_s();
        if ahead_s > MAX_LISTENER_AHEAD_S {
            return Err(EngineError::Ahead(ahead_s));
        }
        self.change_listener(listener, at_s, false)
    }

    /// Puts the listener elsewhere, without a movement: what rings is cross-faded.
    pub fn place_listener(&mut self, listener: Listener) -> Result<(), EngineError> {
        let at_s = self.frame_s();
        self.change_listener(listener, at_s, true)
    }

    fn change_listener(
        &mut self,
        listener: Listener,
        at_s: f64,
        jumps: bool,
    ) -> Result<(), EngineError> {
        if !listener.is_finite() {
            return Err(EngineError::NotFinite("position and the directions of the listener"));
        }
        check_place(&listener.position_m)?;
        let spatial = self.spatial.as_mut().ok_or(EngineError::NotSpatial)?;
        spatial.set_listener(listener, at_s, jumps);
        Ok(())
    }

    /// Turns directivity on or off; what rings changes smoothly. [`Settings::directivity`](crate::Settings) is how it begins.
    pub fn set_directivity(&mut self, is_on: bool) -> Result<(), EngineError> {
        let spatial = self.spatial.as_mut().ok_or(EngineError::NotSpatial)?;
        spatial.directivity.is_on = is_on;
        self.settings.directivity = is_on;
        Ok(())
    }

    /// Sets the rotation of an object, a unit quaternion x, y, z, w from its coordinates to the world.
    pub fn set_rotation(
        &mut self,
        object: ObjectHandle,
        rotation: [f64; 4],
    ) -> Result<(), EngineError> {
        self.entry_mut(object)?.rotation = unit(rotation)?;
        self.turns.retain(|waiting| waiting.object != object);
        Ok(())
    }

    /// Sets the rotation that an object has `at_s` seconds from the beginning. Rotations of one object must be given in order of
    /// time.
    pub fn set_rotation_at(
        &mut self,
        object: ObjectHandle,
        rotation: [f64; 4],
        at_s: f64,
    ) -> Result<(), EngineError> {
        self.check_spatial()?;
        check_time(at_s)?;
        self.entry(object)?;
        let due = PendingTurn { at_s, object, rotation: unit(rotation)? };
        let at = self.turns.partition_point(|waiting| waiting.at_s <= at_s);
        self.turns.insert(at, due);
        Ok(())
    }

    fn apply_move(&mut self, PendingMove { at_s, object, position_m, velocity_m_s }: PendingMove) {
        let Ok(entry) = self.entry_mut(object) else { return };
        let position_m = position_m.into();
        if !std::mem::replace(&mut entry.is_placed, true) {
            entry.motion = Motion::at_rest_since(at_s, position_m);
        }
        match velocity_m_s {
            Some(v) => {
                let position = Position { position_m, velocity_m_s: v.into() };
                entry.motion.push_with_velocity(at_s, position);
            }
            None => entry.motion.push(at_s, position_m),
        }
    }

    /// Sends the positions of the tick that is due.
    pub(super) fn send_positions(&mut self, clock: u64) {
        let Some(at) = self.spatial.as_ref().and_then(|spatial| spatial.due(clock)) else { return };
        if self.commands.is_full() {
            return;
        }
        let at_s = at as f64 / f64::from(self.settings.sample_rate_hz);
        while let Some(due) = self.moves.pop_front_if(|next| next.at_s <= at_s) {
            self.apply_move(due);
        }
        while let Some(due) = self.turns.pop_front_if(|next| next.at_s <= at_s) {
            let entry = self.entry_mut(due.object);
            entry.into_iter().for_each(|entry| entry.rotation = due.rotation);
        }
        let Self { spatial: Some(spatial), voices, entries, .. } = self else { return };
        let place_of = |slot: usize| {
            let voice = voices.get(slot)?;
            let entry = entries[voice.object].as_ref().filter(|entry| entry.voice == Some(slot))?;
            Some((entry.motion.at(at_s), entry.has_jumped, entry.gain))
        };
        let orientation_of = |slot: usize| {
            let voice = voices.get(slot)?;
            let entry = entries[voice.object].as_ref().filter(|entry| entry.voice == Some(slot))?;
            Some(voice.model.directivity.as_ref().map(|map| (map, entry.rotation)))
        };
        let snapshot = spatial.snapshot(at, place_of, orientation_of);
        for index in self.jumped.drain(..) {
            self.entries[index].iter_mut().for_each(|entry| entry.has_jumped = false);
        }
        // The queue has room: checked above.
        let _ = self.commands.push(Command::Snapshot(snapshot));
    }

    fn check_spatial(&self) -> Result<(), EngineError> {
        if self.spatial.is_some() { Ok(()) } else { Err(EngineError::NotSpatial) }
    }
}

fn unit(rotation: [f64; 4]) -> Result<DQuat, EngineError> {
    let rotation = DQuat::from_array(rotation);
    match (1e-9..1e9).contains(&rotation.length()) {
        true => Ok(rotation.normalize()),
        false => Err(EngineError::NotFinite("rotation, a quaternion that is not zero,")),
    }
}

fn check_place(position_m: &[f64; 3]) -> Result<(), EngineError> {
    let all = position_m.iter().all(|x| x.abs() <= MAX_COORDINATE_M);
    if all { Ok(()) } else { Err(EngineError::NotFinite("position within 1e9 m")) }
}
