//! Blows as they are sounded: of bodies, of stones, and by hand.

use crate::scene::Place;
use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair};
use foley_dsp::model::ModalModel;
use foley_physics::{HailImpact, Impact};
use std::sync::Arc;

use super::directions::direction_of;
use super::hits::{Blow, blow, stone_blow};
use super::{Performer, StageError};

/// Strikes that may wait to be sent; more than the engine ever needs to keep up.
const MOST_WAITING: usize = 16_384;

impl Performer {
    pub(super) fn impact(&mut self, impact: &Impact) -> Result<(), StageError> {
        self.heard.impacts += 1;
        let objects = impact.bodies.map(|body| body as usize);
        let coefficient = |i: usize| self.scene.objects.get(i).map_or(0.5, |o| o.restitution);
        let restitution = objects.map(coefficient).iter().sum::<f64>() / 2.0;
        let pair = objects.map(|object| self.objects.get(object));
        let blow = blow(pair, impact.impulse_ns, impact.speed_m_s, restitution);
        let Ok(blow) = blow else {
            self.heard.refused += 1;
            return Ok(());
        };
        let Some(mut blow) = blow else { return Ok(()) };
        // A simulation knows what was lost; a trace from elsewhere may not.
        blow.lost_j = impact.lost_j.unwrap_or(blow.lost_j);
        self.heard.lost_j += blow.lost_j;
        for (side, object) in objects.into_iter().enumerate() {
            let Some(model) = self.model(object) else { continue };
            let normal = self.scenery.seen_by(object, impact.normal);
            let gains = model.gains_along(impact.places[side], normal);
            self.blow(object, &model, gains, impact.places[side], &blow, impact.at_s)?;
        }
        Ok(())
    }

    pub(super) fn stone(&mut self, stone: &HailImpact) -> Result<(), StageError> {
        let object = stone.body as usize;
        let Some(model) = self.model(object) else { return Ok(()) };
        let Ok(blow) = stone_blow(stone, &model.body) else {
            self.heard.refused += 1;
            return Ok(());
        };
        let Some(blow) = blow else { return Ok(()) };
        self.heard.lost_j += blow.lost_j;
        let inwards = self.scenery.seen_by(object, stone.normal.map(|x| -x));
        let gains = model.gains_along(stone.place, inwards);
        let before = self.heard.blows;
        self.blow(object, &model, gains, stone.place, &blow, stone.at_s)?;
        self.heard.stones.heard += self.heard.blows - before;
        Ok(())
    }

    pub(super) fn strike(&mut self, number: usize) -> Result<(), StageError> {
        let scene = Arc::clone(&self.scene);
        let Some(strike) = scene.strikes.get(number) else { return Ok(()) };
        let Some(model) = self.model(strike.object) else { return Ok(()) };
        let pair = HertzPair::new(&strike.with, &model.body)?;
        let Some(impact) = pair.impact(strike.speed_m_s, DEFAULT_RESTITUTION)? else {
            return Ok(());
        };
        let lost_j = 0.5
            * pair.mass_kg()
            * strike.speed_m_s.powi(2)
            * (1.0 - DEFAULT_RESTITUTION * DEFAULT_RESTITUTION);
        self.heard.lost_j += lost_j;
        let place = match strike.place {
            Some(Place::At(place)) => place,
            Some(Place::Point(point)) => model.points.get(point).copied().unwrap_or_default(),
            None => usual_place(&model),
        };
        let gains = match strike.direction {
            Some(direction) => model.gains_along(place, direction),
            None => model.gains_at(place),
        };
        self.blow(
            strike.object,
            &model,
            gains,
            place,
            &Blow { impact, lost_j, once: false },
            strike.at_s,
        )
    }

    /// A blow on one body, with gains of one metre.
    fn blow(
        &mut self,
        object: usize,
        model: &Arc<ModalModel>,
        mut gains: Vec<f32>,
        place: [f64; 3],
        blow: &Blow,
        at_s: f64,
    ) -> Result<(), StageError> {
        let (distance_m, lateral) = self.seen(at_s, self.scenery.place(object, place));
        let allowed = blow.allowed(model, &gains, 0.5) as f32;
        gains.iter_mut().for_each(|gain| *gain *= allowed);
        self.fade(object, &mut gains, distance_m);
        let direction = direction_of(lateral, None);
        let voice = self.voices.get(&mut self.engine, object, direction, model)?;
        let Some(voice) = voice.filter(|_| self.engine.waiting() < MOST_WAITING) else {
            self.heard.refused += 1;
            return Ok(());
        };
        if blow.once {
            self.engine.strike_by(voice, &gains, blow.impact, at_s)?;
            self.heard.blows += 1;
            return Ok(());
        }
        let seed = self.scene.seed ^ at_s.to_bits().rotate_left(17) ^ object as u64;
        for micro in blow.burst(model, seed).impacts() {
            self.engine.strike_by(voice, &gains, micro.impact, at_s + micro.delay_s)?;
        }
        self.heard.blows += 1;
        Ok(())
    }
}

/// Off every centre line, 37 % of the way out from the middle: all modes answer there. On a model
/// without a surface, the first of its places.
fn usual_place(model: &ModalModel) -> [f64; 3] {
    let first = model.points.first().copied().unwrap_or_default();
    if model.triangles.is_empty() {
        return first;
    }
    let (mut low, mut high) = (first, first);
    for point in &model.points {
        low = std::array::from_fn(|k| low[k].min(point[k]));
        high = std::array::from_fn(|k| high[k].max(point[k]));
    }
    // Not on a diagonal either.
    let part = [0.685, 0.635, 0.5];
    std::array::from_fn(|k| low[k] + part[k] * (high[k] - low[k]))
}
