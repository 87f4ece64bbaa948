//! Strikes, collisions and sustained contacts, and the voices they need.

use foley_dsp::excitation::{
    Approach, DEFAULT_RESTITUTION, HertzPair, Impact, PATIENCE_S, Striker,
};
use foley_dsp::model::ModalModel;
use foley_dsp::resonator::{ContactBuffers, Route, Voice};
use glam::DVec3;
use std::sync::Arc;

use super::emitter_assignment::Change;
use super::synthesis::{PendingStrike, StrikeRecipe};
use super::{Engine, EngineError, Entry, ObjectHandle, QUEUE, finite};
use crate::force::Force;
use crate::message::Command;
use crate::{MetresPerSecond, NewtonSeconds, SurfacePoint, Time};

impl Engine {
    /// Strikes an object with a striker at a speed. Impulse, duration and spectrum follow from the contact of
    /// the striker with an object that gives way. A speed of 0 makes no sound.
    pub fn strike(
        &mut self,
        object: ObjectHandle,
        point: SurfacePoint,
        striker: &Striker,
        speed: MetresPerSecond,
        at: impl Into<Time>,
    ) -> Result<(), EngineError> {
        let model = Arc::clone(&self.entry(object)?.model);
        let gains = point.gains(&model)?;
        match model.strike(striker, &gains, speed.0, striker.contact_restitution(), PATIENCE_S)? {
            Some(solution) => self.strike_with_gains(object, &gains, solution.impact, at),
            None => Ok(()),
        }
    }

    /// Lets two objects collide at a point of the world, m: both sound. The impulse is that of two rigid bodies; it
    /// gives their speed. What they really exchange follows from the contact of bodies that give way.
    /// Where both are flat, an edge of one meets the other.
    pub fn collide(
        &mut self,
        a: ObjectHandle,
        b: ObjectHandle,
        point_m: [f64; 3],
        impulse: NewtonSeconds,
        at: impl Into<Time>,
    ) -> Result<(), EngineError> {
        let NewtonSeconds(impulse_ns) = impulse;
        let at_s = at.into().seconds(self.now_s())?;
        finite(&point_m, "point")?;
        if impulse_ns == 0.0 {
            return Ok(());
        }
        if !(impulse_ns > 0.0 && impulse_ns.is_finite()) {
            return Err(EngineError::Impulse(impulse_ns));
        }
        let gains = |object| {
            let entry = self.entry(object)?;
            let way = DVec3::from(point_m) - entry.motion.at(at_s).position_m;
            let point = SurfacePoint::At((entry.rotation.inverse() * way).to_array());
            point.gains(&entry.model)
        };
        // Both or none.
        let [gains_a, gains_b] = [gains(a)?, gains(b)?];
        let [model_a, model_b] = [&self.entry(a)?.model, &self.entry(b)?.model];
        let pair = HertzPair::of_bodies(&model_a.body, &model_b.body)?;
        let approach = Approach {
            pair,
            speed_m_s: impulse_ns / ((1.0 + DEFAULT_RESTITUTION) * pair.mass_kg()),
            contact_restitution: DEFAULT_RESTITUTION,
            bodies: [
                &model_a.mobility(&gains_a).with_mass(model_a.body.mass_kg),
                &model_b.mobility(&gains_b).with_mass(model_b.body.mass_kg),
            ],
            patience_s: PATIENCE_S,
        };
        let Some(collision) = approach.collide()? else { return Ok(()) };
        let impact = Impact::of_curve(collision.force)?;
        self.strike_with_gains(a, &gains_a, impact.clone(), at_s)?;
        self.strike_with_gains(b, &gains_b, impact, at_s)
    }

    /// Strikes an object with a given impact.
    pub fn strike_with(
        &mut self,
        object: ObjectHandle,
        point: SurfacePoint,
        impact: Impact,
        at: impl Into<Time>,
    ) -> Result<(), EngineError> {
        let gains = point.gains(&self.entry(object)?.model)?;
        self.strike_with_gains(object, &gains, impact, at)
    }

    /// Strikes an object with a given impact and given gains, one for each mode of the model.
    pub fn strike_with_gains(
        &mut self,
        object: ObjectHandle,
        gains: &[f32],
        impact: Impact,
        at: impl Into<Time>,
    ) -> Result<(), EngineError> {
        let at_s = at.into().seconds(self.now_s())?;
        let entry = self.entry(object)?;
        check_gains(&entry.model, gains)?;
        let start = at_s * f64::from(self.settings.sample_rate_hz);
        let modes = (&entry.model, entry.decays.clone());
        let recipe = StrikeRecipe::new(modes, gains, impact, start);
        self.struck += 1;
        let strike = recipe.strike(&self.entry(object)?.layout, self.struck);
        let key = (strike.first_sample(), self.struck);
        self.waiting.insert(key, PendingStrike { object, strike, recipe });
        self.update();
        Ok(())
    }

    /// Moves a sustained contact, with given gains, one for each mode of the model.
    pub fn set_contact_gains(
        &mut self,
        object: ObjectHandle,
        contact: usize,
        gains: &[f32],
    ) -> Result<(), EngineError> {
        let entry = self.contact_of(object, contact)?;
        check_gains(&entry.model, gains)?;
        let gains = entry.layout.gains(gains);
        let slot = self.voice_of(object)?;
        self.give_buffers(slot, contact)?;
        let entry = self.entry_mut(object)?;
        if entry.contacts.len() <= contact {
            entry.contacts.resize(contact + 1, None);
        }
        entry.contacts[contact] = Some(gains.clone());
        self.send(Command::MoveContact { slot, contact, gains })
    }

    /// Moves a sustained contact; its gains are interpolated over the next block.
    pub fn move_contact(
        &mut self,
        object: ObjectHandle,
        contact: usize,
        point: SurfacePoint,
    ) -> Result<(), EngineError> {
        let gains = point.gains(&self.contact_of(object, contact)?.model)?;
        self.set_contact_gains(object, contact, &gains)
    }

    /// Attaches a force to a contact until the force ends.
    pub fn attach_force(
        &mut self,
        object: ObjectHandle,
        contact: usize,
        force: impl Force + 'static,
    ) -> Result<(), EngineError> {
        self.contact_of(object, contact)?;
        let slot = self.voice_of(object)?;
        self.give_buffers(slot, contact)?;
        self.send(Command::Push { slot, contact, force: Box::new(force) })?;
        self.voices.get_mut(slot).into_iter().for_each(|voice| voice.forces += 1);
        Ok(())
    }

    fn give_buffers(&mut self, slot: usize, contact: usize) -> Result<(), EngineError> {
        let Some(voice) = self.voices.get_mut(slot) else { return Ok(()) };
        if !voice.has_buffers[contact] {
            let buffers = ContactBuffers::new(self.settings.block);
            self.send(Command::ContactBuffers { slot, contact, buffers })?;
            let voice = self.voices.get_mut(slot);
            voice.into_iter().for_each(|voice| voice.has_buffers[contact] = true);
        }
        Ok(())
    }

    /// Returns the slot of the voice of an object; makes a voice if it has none.
    pub(super) fn voice_of(&mut self, object: ObjectHandle) -> Result<usize, EngineError> {
        let entry = self.entry(object)?;
        if let Some(slot) = entry.voice {
            return Ok(slot);
        }
        // Emitter, voice, and gains and buffers of its contacts.
        if self.commands.slots() < 2 + 2 * self.settings.contacts {
            return Err(EngineError::Busy(QUEUE));
        }
        let (model, layout) = (Arc::clone(&entry.model), Arc::clone(&entry.layout));
        let (contacts, decays) = (entry.contacts.clone(), entry.decays.clone());
        let (motion, gain, channel) = (entry.motion, entry.gain, entry.channel);
        let slot = self
            .voices
            .take(object.index, Arc::clone(&model), decays, self.settings.contacts)
            .ok_or(EngineError::Busy(self.settings.voices()))?;
        let now_s = self.now_s();
        let mut route = Route { bus: channel, gain: gain as f32 };
        if let Some(spatial) = &mut self.spatial {
            let (begun, changes) = spatial.begin(slot, motion.at(now_s), gain);
            route = begun;
            for change in changes {
                if let Change::Place { emitter, position } = change {
                    self.send(Command::Place { emitter, position })?;
                }
            }
        }
        let mut voice = Voice::without_buffers(layout, self.settings.contacts, route.bus);
        voice.set_route(route);
        self.send(Command::Insert { slot, voice: Box::new(voice) })?;
        if let Some(entry) = &mut self.entries[object.index] {
            entry.voice = Some(slot);
        }
        for (contact, gains) in contacts.into_iter().enumerate() {
            if let Some(gains) = gains {
                self.give_buffers(slot, contact)?;
                self.send(Command::MoveContact { slot, contact, gains })?;
            }
        }
        Ok(slot)
    }

    fn contact_of(&self, object: ObjectHandle, contact: usize) -> Result<&Entry, EngineError> {
        let (entry, count) = (self.entry(object)?, self.settings.contacts);
        if contact < count {
            return Ok(entry);
        }
        Err(EngineError::NoSurfacePoint { what: "contact", index: contact, count })
    }
}

/// Checks that there is a finite gain for each mode.
fn check_gains(model: &ModalModel, gains: &[f32]) -> Result<(), EngineError> {
    let (given, modes) = (gains.len(), model.mode_count());
    if given != modes {
        return Err(EngineError::Gains { given, modes });
    }
    match gains.iter().all(|gain| gain.is_finite()) {
        true => Ok(()),
        false => Err(EngineError::NotFinite("gains")),
    }
}
