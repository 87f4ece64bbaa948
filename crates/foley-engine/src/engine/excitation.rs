//! Strikes, collisions and sustained contacts, and the voices they need.

use foley_dsp::excitation::{
    AcceleratedBody, Approach, DEFAULT_RESTITUTION, HertzPair, Impact, PATIENCE_S, Striker,
};
use foley_dsp::model::ModalModel;
use foley_dsp::resonator::{ContactBuffers, Route, Strike, Voice};
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
    /// the striker with an object that gives way. Both click as the force accelerates them, the object if it is free. A
    /// speed of 0 makes no sound.
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
            Some(solution) => {
                let struck = model.accelerated_body(point.direction(&model)?.to_array());
                let striking = striker.accelerated_body();
                let striking = striking.map(|body| body.striking(struck.as_ref()));
                let bodies: Vec<_> = struck.into_iter().chain(striking).collect();
                self.strike_and_radiate(object, &gains, solution.impact, &bodies, at)
            }
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
        let struck = |object| {
            let entry = self.entry(object)?;
            let way = DVec3::from(point_m) - entry.motion.at(at_s).position_m;
            let point = SurfacePoint::At((entry.rotation.inverse() * way).to_array());
            let body = entry.model.accelerated_body(point.direction(&entry.model)?.to_array());
            Ok::<_, EngineError>((point.gains(&entry.model)?, body))
        };
        // Both or none.
        let [(gains_a, body_a), (gains_b, body_b)] = [struck(a)?, struck(b)?];
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
        let body_b = body_b.map(|body| self.opposed(body, body_a.as_ref()));
        self.strike_and_radiate(a, &gains_a, impact.clone(), body_a.as_slice(), at_s)?;
        self.strike_and_radiate(b, &gains_b, impact, body_b.as_slice(), at_s)
    }

    /// Returns the radiation of a body that collides with another one, both at their own places. Where both may be heard
    /// from one place, without positions or with fewer emitters than objects, the sound of one is delayed
    /// ([`AcceleratedBody::striking`]); otherwise both are delayed by their own distances to the listener.
    pub fn opposed(
        &self,
        body: AcceleratedBody,
        other: Option<&AcceleratedBody>,
    ) -> AcceleratedBody {
        let emitters = self.settings.spatial.map_or(0, |spatial| spatial.emitters);
        let is_apart = emitters >= self.entries.len() - self.free.len();
        body.striking(other.filter(|_| !is_apart))
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
        self.strike_and_radiate(object, gains, impact, &[], at)
    }

    /// Strikes an object with a given impact and given gains, one for each mode of the model, and lets bodies that the same
    /// force accelerates as a whole click at its place, unless [`Settings::acceleration_noise`](crate::Settings) is off.
    /// Without gains only they are heard.
    pub fn strike_and_radiate(
        &mut self,
        object: ObjectHandle,
        gains: &[f32],
        impact: Impact,
        bodies: &[AcceleratedBody],
        at: impl Into<Time>,
    ) -> Result<(), EngineError> {
        let at_s = at.into().seconds(self.now_s())?;
        let rate_hz = f64::from(self.settings.sample_rate_hz);
        let start = at_s * rate_hz;
        let entry = self.entry(object)?;
        let is_heard = self.settings.acceleration_noise && !bodies.is_empty();
        if bodies.is_empty() || !gains.is_empty() {
            check_gains(&entry.model, gains)?;
        }
        let burst = is_heard.then(|| impact.acceleration_noise(bodies, rate_hz, start)).flatten();
        if !gains.is_empty() {
            let (modes, layout) = ((&entry.model, entry.decays.clone()), Arc::clone(&entry.layout));
            let recipe = StrikeRecipe::new(modes, gains, impact, start);
            let strike = recipe.strike(&layout, self.struck + 1);
            let correction = recipe.without_offset(&strike, rate_hz);
            self.wait_for(object, strike, Some(recipe));
            if let Some(correction) = correction {
                self.wait_for(object, correction.with_id(self.struck + 1), None);
            }
        }
        if let Some(burst) = burst {
            self.wait_for(object, Strike::burst(burst).with_id(self.struck + 1), None);
        }
        self.update();
        Ok(())
    }

    /// Keeps a strike until it is nearly due.
    fn wait_for(&mut self, object: ObjectHandle, strike: Strike, recipe: Option<StrikeRecipe>) {
        self.struck += 1;
        let key = (strike.first_sample(), self.struck);
        self.waiting.insert(key, PendingStrike { object, strike, recipe });
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
        // Emitter, its weights, voice, and gains and buffers of its contacts.
        if self.commands.slots() < 3 + 2 * self.settings.contacts {
            return Err(EngineError::Busy(QUEUE));
        }
        let (model, layout) = (Arc::clone(&entry.model), Arc::clone(&entry.layout));
        let (contacts, decays) = (entry.contacts.clone(), entry.decays.clone());
        let (motion, gain, channel) = (entry.motion, entry.gain, entry.channel);
        let rotation = entry.rotation;
        let slot = self
            .voices
            .take(object.index, Arc::clone(&model), decays, self.settings.contacts)
            .ok_or(EngineError::Busy(self.settings.voices()))?;
        let now_s = self.now_s();
        let mut route = Route { bus: channel, gain: gain as f32 };
        if let Some(spatial) = &mut self.spatial {
            let orientation = model.directivity.as_ref().map(|map| (map, rotation));
            let (begun, changes, weights) =
                spatial.begin(slot, motion.at(now_s), gain, orientation);
            route = begun;
            for change in changes {
                if let Change::Place { emitter, position } = change {
                    self.send(Command::Place { emitter, position })?;
                }
            }
            if let Some(weights) = weights.map(Box::new) {
                self.send(Command::Equalize { emitter: route.bus, weights })?;
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
