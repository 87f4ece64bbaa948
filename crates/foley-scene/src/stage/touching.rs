//! Touches as they last: begun, steered, moved to other directions, ended.

use foley_dsp::excitation::Coupling;
use foley_dsp::excitation::{HertzPair, Striker};
use foley_dsp::model::ModalModel;
use foley_engine::EngineError;
use foley_physics::SustainedContact;
use std::sync::Arc;

use super::directions::direction_of;
use super::rubs::{OVER_S, Rub, Rubbing, SLOWEST_M_S, enhance, patch};
use super::{Performer, StageError};

/// Touches that sound at once, at most: the loudest.
const MOST_RUBS: usize = 64;

/// A touch has come to rest when it has not moved for so long, s.
const RESTS_S: f64 = 0.3;

/// Something else is left out for a touch that is this many times as loud.
const LOUDER: f64 = 2.0;

/// From one direction to another, sound glides within this, s.
const CROSSING_S: f64 = 0.01;

/// One side of a touch.
type Key = (u64, usize);

impl Performer {
    pub(super) fn touch(&mut self, touch: &SustainedContact) -> Result<(), StageError> {
        for side in 0..2 {
            let key = (touch.contact, side);
            if touch.over {
                self.release(key, touch.at_s);
                continue;
            }
            let moves = touch.slip_m_s.max(touch.roll_m_s) > SLOWEST_M_S && touch.force_n > 0.0;
            let rests = |rub: &Rub| !moves && touch.at_s > rub.moved_s + RESTS_S;
            if self.rubs.get(&key).is_some_and(rests) {
                // What has come to rest costs nothing; what hesitates goes on.
                self.release(key, touch.at_s);
            } else if moves || self.rubs.contains_key(&key) {
                match self.rub(touch, side) {
                    // The next word of this touch tries again.
                    Err(StageError::Engine(EngineError::Busy(_))) => self.heard.refused += 1,
                    done => done?,
                }
            }
        }
        Ok(())
    }

    fn release(&mut self, key: Key, at_s: f64) {
        let rate = f64::from(self.engine.settings().sample_rate_hz);
        if let Some(rub) = self.rubs.remove(&key) {
            self.voices.give_back(rub.number, rub.direction, rub.contact, at_s + OVER_S);
            rub.end(at_s, rate);
        }
    }

    fn rub(&mut self, touch: &SustainedContact, side: usize) -> Result<(), StageError> {
        let (object, other) = (touch.bodies[side] as usize, touch.bodies[1 - side] as usize);
        let Some(model) = self.model(object) else { return Ok(()) };
        let key = (touch.contact, side);
        let place = touch.places[side];
        let (distance_m, lateral) = self.seen(touch.at_s, self.scenery.place(object, place));
        let had = self.rubs.get(&key).map(|rub| rub.direction);
        let direction = direction_of(lateral, had);
        let crosses = had.is_some_and(|had| had != direction);
        let rubbing = self.rubbing(touch, &model, [object, other])?;
        let power = power(touch, rubbing.friction) / distance_m.max(0.1).powi(2);
        if crosses {
            self.release(key, touch.at_s);
        }
        if let Some(rub) = self.rubs.get_mut(&key) {
            rub.power = power;
            if touch.slip_m_s.max(touch.roll_m_s) > SLOWEST_M_S {
                rub.moved_s = touch.at_s;
            }
        } else if let Some(rub) = self.begin([object, direction], &model, power, touch.at_s)? {
            self.rubs.insert(key, rub);
            self.heard.rubs += u64::from(!crosses);
        }
        if !self.rubs.contains_key(&key) {
            return Ok(());
        }
        let mut gains = match touch.normal {
            [0.0, 0.0, 0.0] => model.gains_at(place),
            normal => model.gains_along(place, self.scenery.seen_by(object, normal)),
        };
        self.fade(object, &mut gains, distance_m);
        let Self { rubs, engine, step_s, .. } = self;
        let Some(rub) = rubs.get_mut(&key) else { return Ok(()) };
        let glide_s = if crosses { step_s.max(CROSSING_S) } else { *step_s };
        rub.go_on(engine, touch, &gains, &rubbing, glide_s)
    }

    /// Room for a touch of this power, if need be in place of a softer one.
    fn begin(
        &mut self,
        [object, direction]: [usize; 2],
        model: &Arc<ModalModel>,
        power: f64,
        at_s: f64,
    ) -> Result<Option<Rub>, StageError> {
        if self.rubs.len() >= MOST_RUBS {
            let Some(softest) = self.softer_than(power, |_| true) else { return Ok(None) };
            self.release(softest, at_s);
        }
        let voice = self.voices.get(&mut self.engine, object, direction, model)?;
        let Some(voice) = voice else { return Ok(None) };
        if let Some(contact) = self.voices.take_contact(object, direction, at_s) {
            return Ok(Some(Rub::new([object, direction, contact], voice, power, at_s)));
        }
        // What is released fades first; a later word of this touch finds its contact free.
        let here = |rub: &Rub| rub.number == object && rub.direction == direction;
        if !self.voices.has_fading(object, direction)
            && let Some(softest) = self.softer_than(power, here)
        {
            self.release(softest, at_s);
        }
        Ok(None)
    }

    /// The softest touch of a kind, if it is much softer than this.
    fn softer_than(&self, power: f64, kind: impl Fn(&Rub) -> bool) -> Option<Key> {
        let of_kind = self.rubs.iter().filter(|(_, rub)| kind(rub));
        // Of two that are equal, always the same one, in whatever order they are kept.
        let softest = of_kind.min_by(|a, b| a.1.power.total_cmp(&b.1.power).then(a.0.cmp(b.0)));
        softest.filter(|(_, rub)| LOUDER * rub.power < power).map(|(key, _)| *key)
    }

    fn rubbing<'a>(
        &mut self,
        touch: &SustainedContact,
        model: &'a ModalModel,
        objects: [usize; 2],
    ) -> Result<Rubbing<'a>, StageError> {
        let scene = Arc::clone(&self.scene);
        let profile = self.roughness.between(&scene, objects)?;
        let enhance = match self.enhancements.get(&objects[0]) {
            Some(known) => Arc::clone(known),
            None => {
                let made = Arc::new(enhance(model, profile.sample_rate_hz())?);
                self.enhancements.insert(objects[0], Arc::clone(&made));
                made
            }
        };
        let coefficient = |i: usize| scene.objects.get(i).map(|o| o.friction);
        let known: Vec<f64> = objects.into_iter().filter_map(coefficient).collect();
        let friction = known.iter().sum::<f64>() / known.len().max(1) as f64;
        let [a, b] = objects.map(|object| self.objects.get(object).map(|thing| thing.elastic));
        let striker = a.map(|a| Striker {
            mass_kg: a.mass_kg,
            radius_m: a.radius_m,
            young_pa: a.young_pa,
            poisson: a.poisson,
        });
        let pair = striker.zip(b).and_then(|(a, b)| HertzPair::new(&a, &b).ok());
        let seed = scene.seed ^ touch.contact.rotate_left(9);
        Ok(Rubbing { model, profile, enhance, friction, patch: patch(pair), seed })
    }
}

/// What is lost by sliding and rolling, W.
fn power(touch: &SustainedContact, friction: f64) -> f64 {
    let lost = friction * touch.slip_m_s + Coupling::rolling().loss * touch.roll_m_s;
    (lost * touch.force_n).min(f64::MAX)
}
