//! Tracks sustained contacts: starts, updates, ends.

use foley_dsp::excitation::{Coupling, HertzPair};
use foley_dsp::model::ModalModel;
use foley_engine::EngineError;
use foley_physics::SustainedContact;
use std::sync::Arc;

use super::sustained::{
    MIN_SPEED_M_S, RELEASE_S, SurfaceContact, SustainedExcitation, coupling_filter, patch,
};
use crate::sonify::{Sonifier, SonifyError};

/// Largest number of sustained excitations at a time: the loudest.
const MAX_SUSTAINED: usize = 256;

/// A contact that has not moved for this time has stopped, s.
const STOPPED_S: f64 = 0.3;

/// A contact replaces another one if its power is this many times as large.
const REPLACE_RATIO: f64 = 2.0;

/// Contact number and side.
type Key = (u64, usize);

impl Sonifier {
    pub(crate) fn handle_sustained(
        &mut self,
        contact: &SustainedContact,
    ) -> Result<(), SonifyError> {
        let is_early = |body: u32| !self.scene.is_present(body as usize, contact.at_s);
        if !contact.over && contact.bodies.into_iter().any(is_early) {
            return Ok(());
        }
        for side in 0..2 {
            let key = (contact.contact, side);
            if contact.over {
                self.left_out.remove(&key);
                self.stop_sustained(key, contact.at_s);
                continue;
            }
            let moves =
                contact.slip_m_s.max(contact.roll_m_s) > MIN_SPEED_M_S && contact.force_n > 0.0;
            let stopped =
                |active: &SustainedExcitation| !moves && contact.at_s > active.moved_s + STOPPED_S;
            if self.sustained.get(&key).is_some_and(stopped) {
                // A stopped contact costs nothing; a short halt does not end it.
                self.stop_sustained(key, contact.at_s);
            } else if moves || self.sustained.contains_key(&key) {
                match self.update_sustained(contact, side) {
                    // The next event of this contact tries again.
                    Err(SonifyError::Engine(EngineError::Busy(_))) => self.stats.refused += 1,
                    done => done?,
                }
            }
        }
        Ok(())
    }

    pub(crate) fn stop_sustained(&mut self, key: Key, at_s: f64) {
        let rate = f64::from(self.engine.settings().sample_rate_hz);
        if let Some(active) = self.sustained.remove(&key) {
            self.contact_slots.give_back(active.number, active.contact, at_s + RELEASE_S);
            active.end(at_s, rate);
        }
    }

    fn update_sustained(
        &mut self,
        contact: &SustainedContact,
        side: usize,
    ) -> Result<(), SonifyError> {
        let (object, other) = (contact.bodies[side] as usize, contact.bodies[1 - side] as usize);
        let Some(model) = self.model(object) else { return Ok(()) };
        let key = (contact.contact, side);
        let place = contact.places[side];
        let distance_m = self.distance_m(contact.at_s, self.poses.point_to_world(object, place));
        let surface = self.surface_contact(contact, &model, [object, other])?;
        let power = power(contact, surface.friction) / distance_m.max(0.1).powi(2);
        if let Some(active) = self.sustained.get_mut(&key) {
            active.power = power;
            if contact.slip_m_s.max(contact.roll_m_s) > MIN_SPEED_M_S {
                active.moved_s = contact.at_s;
            }
        } else if let Some(active) = self.start_sustained(object, power, contact.at_s) {
            self.sustained.insert(key, active);
            self.stats.sustained += 1;
        } else if self.left_out.insert(key) {
            self.stats.sustained_left_out += 1;
        }
        if !self.sustained.contains_key(&key) {
            return Ok(());
        }
        let gains = match contact.normal {
            [0.0, 0.0, 0.0] => model.gains_at(place),
            normal => model.gains_along(place, self.poses.direction_to_object(object, normal)),
        };
        let Self { sustained, engine, step_s, .. } = self;
        let Some(active) = sustained.get_mut(&key) else { return Ok(()) };
        active.update(engine, contact, &gains, &surface, *step_s)
    }

    /// Reserves a contact of an object for one of this power, if necessary in place of a quieter one.
    fn start_sustained(
        &mut self,
        object: usize,
        power: f64,
        at_s: f64,
    ) -> Option<SustainedExcitation> {
        if self.sustained.len() >= MAX_SUSTAINED {
            let quietest = self.quietest_below(power, |_| true)?;
            self.stop_sustained(quietest, at_s);
        }
        let handle = self.handle_of(object)?;
        if let Some(contact) = self.contact_slots.take(object, at_s) {
            return Some(SustainedExcitation::new([object, contact], handle, power, at_s));
        }
        // The stopped one fades out first; a later event of this contact finds its place free.
        if !self.contact_slots.has_fading(object)
            && let Some(quietest) = self.quietest_below(power, |active| active.number == object)
        {
            self.stop_sustained(quietest, at_s);
        }
        None
    }

    /// Returns the quietest excitation of a kind if it is much quieter than `power`.
    fn quietest_below(
        &self,
        power: f64,
        kind: impl Fn(&SustainedExcitation) -> bool,
    ) -> Option<Key> {
        let of_kind = self.sustained.iter().filter(|(_, active)| kind(active));
        // Ties are broken by the key, so that the result does not depend on the map's order.
        let quietest = of_kind.min_by(|a, b| a.1.power.total_cmp(&b.1.power).then(a.0.cmp(b.0)));
        quietest.filter(|(_, active)| REPLACE_RATIO * active.power < power).map(|(key, _)| *key)
    }

    fn surface_contact<'a>(
        &mut self,
        contact: &SustainedContact,
        model: &'a ModalModel,
        objects: [usize; 2],
    ) -> Result<SurfaceContact<'a>, SonifyError> {
        let scene = Arc::clone(&self.scene);
        let profile = self.surfaces.between(&scene, objects)?;
        let filter = match self.coupling_filters.get(&objects[0]) {
            Some(known) => Arc::clone(known),
            None => {
                let made = Arc::new(coupling_filter(model, profile.sample_rate_hz())?);
                self.coupling_filters.insert(objects[0], Arc::clone(&made));
                made
            }
        };
        let coefficient = |i: usize| scene.objects.get(i).map(|o| o.friction);
        let known: Vec<f64> = objects.into_iter().filter_map(coefficient).collect();
        let friction = known.iter().sum::<f64>() / known.len().max(1) as f64;
        let [a, b] = objects.map(|object| self.objects.get(object).map(|o| o.contact_body));
        let pair = a.zip(b).and_then(|(a, b)| HertzPair::new(&a, &b).ok());
        let seed = scene.seed ^ contact.contact.rotate_left(9);
        Ok(SurfaceContact { model, profile, filter, friction, patch: patch(pair), seed })
    }
}

/// Returns the power that sliding and rolling dissipate, W.
fn power(contact: &SustainedContact, friction: f64) -> f64 {
    let lost = friction * contact.slip_m_s + Coupling::rolling().loss * contact.roll_m_s;
    (lost * contact.force_n).min(f64::MAX)
}
