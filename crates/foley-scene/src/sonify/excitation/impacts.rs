//! Impacts of bodies, hail impacts and strikes as excitations of voices.

use foley_dsp::excitation::PointMobility;
use foley_physics::{HailImpact, Impact};
use std::sync::Arc;

use super::impact_model::{
    ImpactExcitation, body_excitation, hail_excitation, strike_excitation, strike_gains,
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
        for (object, gains) in objects.into_iter().zip(gains) {
            let Some((gains, _)) = gains else { continue };
            self.excite(object, &gains, &excitation, impact.at_s)?;
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
        self.excite(object, &gains, &excitation, stone.at_s)?;
        self.stats.hail.sounded += self.stats.excitations - before;
        Ok(())
    }

    pub(crate) fn handle_strike(&mut self, number: usize) -> Result<(), SonifyError> {
        let scene = Arc::clone(&self.scene);
        let Some(strike) = scene.strikes.get(number) else { return Ok(()) };
        if !scene.is_present(strike.object, strike.at_s) {
            return Ok(());
        }
        let Some(model) = self.model(strike.object) else { return Ok(()) };
        let gains = strike_gains(strike, &model);
        let Some(excitation) = strike_excitation(strike, &model, &gains)? else { return Ok(()) };
        self.stats.lost_j += excitation.lost_j;
        self.excite(strike.object, &gains, &excitation, strike.at_s)
    }

    /// Excites one body, with gains for a distance of one metre.
    fn excite(
        &mut self,
        object: usize,
        gains: &[f32],
        excitation: &ImpactExcitation,
        at_s: f64,
    ) -> Result<(), SonifyError> {
        let handle = self.handle_of(object);
        let Some(handle) = handle.filter(|_| self.engine.waiting() < MAX_QUEUED_STRIKES) else {
            self.stats.refused += 1;
            return Ok(());
        };
        self.engine.strike_with_gains(handle, gains, excitation.impact.clone(), at_s)?;
        self.stats.excitations += 1;
        Ok(())
    }
}
