//! Impacts of bodies, hail impacts and strikes as excitations of voices.

use crate::scene::Motion;
use foley_dsp::excitation::{AcceleratedBody, PointMobility, RigidRadiation};
use foley_engine::SurfacePoint;
use foley_physics::{HailImpact, Impact};
use std::sync::Arc;

use super::impact_model::{
    ImpactExcitation, body_excitation, hail_excitation, strike_excitation, strike_gains,
    strike_of_rigid_body,
};
use crate::sonify::{Sonifier, SonifyError};

/// Largest number of strikes that wait to be sent to the audio thread.
const MAX_QUEUED_STRIKES: usize = 16_384;

impl Sonifier {
    pub(crate) fn handle_impact(&mut self, impact: &Impact) -> Result<(), SonifyError> {
        self.stats.impacts += 1;
        let objects = impact.bodies.map(|body| body as usize);
        let coefficient = |i: usize| self.scene.objects.get(i).map_or(0.5, |o| o.restitution);
        let restitution = objects.map(coefficient).iter().sum::<f64>() / 2.0;
        let gains = [0, 1].map(|side: usize| {
            let model = self.model(objects[side])?;
            let normal = self.poses.direction_to_object(objects[side], impact.normal);
            Some((model.gains_along(impact.places[side], normal), model))
        });
        let mobility = |side: usize| match &gains[side] {
            Some((gains, model)) => model.mobility(gains),
            None => PointMobility::rigid(f64::INFINITY),
        };
        let mobilities = [mobility(0), mobility(1)];
        let pair = objects.map(|object| self.objects.get(object));
        let (impulse_ns, speed_m_s) = (impact.impulse_ns, impact.speed_m_s);
        let excitation = body_excitation(pair, mobilities, impulse_ns, speed_m_s, restitution);
        let Ok(excitation) = excitation else {
            self.stats.refused += 1;
            return Ok(());
        };
        let Some(excitation) = excitation else { return Ok(()) };
        // The simulation reports the lost energy; a trace from elsewhere may not.
        self.stats.lost_j += impact.lost_j.unwrap_or(excitation.lost_j);
        let [first, second] = objects.map(|object| self.accelerated_body(object, impact.normal));
        let second = second.map(|body| self.engine.opposed(body, first.as_ref()));
        for ((object, gains), body) in objects.into_iter().zip(gains).zip([first, second]) {
            let gains = gains.map(|(gains, _)| gains).unwrap_or_default();
            self.excite(object, &gains, body.as_slice(), &excitation, impact.at_s)?;
        }
        Ok(())
    }

    pub(crate) fn handle_hail_impact(&mut self, stone: &HailImpact) -> Result<(), SonifyError> {
        let object = stone.body as usize;
        let Some(model) = self.model(object) else { return Ok(()) };
        let inwards = self.poses.direction_to_object(object, stone.normal.map(|x| -x));
        let gains = model.gains_along(stone.place, inwards);
        let Ok(excitation) = hail_excitation(stone, &model, &gains) else {
            self.stats.refused += 1;
            return Ok(());
        };
        let Some(excitation) = excitation else { return Ok(()) };
        self.stats.lost_j += excitation.lost_j;
        let before = self.stats.excitations;
        // What hail strikes is fixed: the stone clicks, at the place of what it strikes.
        let body = AcceleratedBody::new(RigidRadiation::sphere(stone.radius_m), stone.mass_kg);
        self.excite(object, &gains, &[body.striking(None)], &excitation, stone.at_s)?;
        self.stats.hail.sounded += self.stats.excitations - before;
        Ok(())
    }

    pub(crate) fn handle_strike(&mut self, number: usize) -> Result<(), SonifyError> {
        let scene = Arc::clone(&self.scene);
        let Some(strike) = scene.strikes.get(number) else { return Ok(()) };
        if !scene.is_present(strike.object, strike.at_s) {
            return Ok(());
        }
        let model = self.model(strike.object);
        let (gains, excitation, normal) = match &model {
            Some(model) => {
                let gains = strike_gains(strike, model);
                let excitation = strike_excitation(strike, model, &gains)?;
                let place = strike.place.unwrap_or_else(|| SurfacePoint::default_of(model));
                (gains, excitation, model.normal_at(place.position(model)).to_array())
            }
            // It has no modes, but may click.
            None => {
                let Some(object) = self.objects.get(strike.object) else { return Ok(()) };
                let moves = scene.objects[strike.object].motion == Motion::Dynamic;
                let mass_kg = if moves { object.mass.mass_kg } else { f64::INFINITY };
                let excitation = strike_of_rigid_body(strike, &object.contact_body, mass_kg)?;
                (Vec::new(), excitation, [0.0; 3])
            }
        };
        let Some(excitation) = excitation else { return Ok(()) };
        let struck = self.accelerated_along(strike.object, strike.direction.unwrap_or(normal));
        let striking = strike.with.accelerated_body();
        let striking = striking.map(|body| body.striking(struck.as_ref()));
        let bodies: Vec<_> = struck.into_iter().chain(striking).collect();
        // What is fixed and without modes has no voice.
        if model.is_some() || self.handle_of(strike.object).is_some() {
            self.stats.lost_j += excitation.lost_j;
            self.excite(strike.object, &gains, &bodies, &excitation, strike.at_s)?;
        }
        Ok(())
    }

    /// Returns how an object clicks that is pushed along a direction of the world; `None` where it does not move freely.
    fn accelerated_body(&self, object: usize, direction: [f64; 3]) -> Option<AcceleratedBody> {
        self.accelerated_along(object, self.poses.direction_to_object(object, direction))
    }

    /// Returns the same for a direction of the object.
    fn accelerated_along(&self, object: usize, direction: [f64; 3]) -> Option<AcceleratedBody> {
        let prepared = self.objects.get(object)?;
        let vibration = prepared.model.as_ref().and_then(|model| model.vibration.as_ref());
        let moves = self.scene.objects.get(object)?.motion == Motion::Dynamic
            && vibration.is_none_or(|vibration| vibration.free);
        let axes = prepared.rigid.filter(|_| moves)?;
        let radiation = RigidRadiation::along(&axes, direction);
        Some(AcceleratedBody::new(radiation, prepared.mass.mass_kg))
    }

    /// Excites one body, with gains for a distance of one metre, and lets bodies click at its place. Without gains only they
    /// are heard.
    fn excite(
        &mut self,
        object: usize,
        gains: &[f32],
        bodies: &[AcceleratedBody],
        excitation: &ImpactExcitation,
        at_s: f64,
    ) -> Result<(), SonifyError> {
        let bodies = if self.scene.acceleration_noise { bodies } else { &[] };
        if gains.is_empty() && bodies.is_empty() {
            return Ok(());
        }
        let handle = self.handle_of(object);
        let Some(handle) = handle.filter(|_| self.engine.waiting() < MAX_QUEUED_STRIKES) else {
            self.stats.refused += 1;
            return Ok(());
        };
        let impact = excitation.impact.clone();
        self.engine.strike_and_radiate(handle, gains, impact, bodies, at_s)?;
        self.stats.excitations += u64::from(!gains.is_empty());
        Ok(())
    }
}
