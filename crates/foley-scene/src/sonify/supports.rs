//! Supports: what a dynamic object lies on or leans against damps it while they touch; when it leaps, it rings.
//!
//! Sustained contacts say what touches ([`Contacts`]), [`contact_points`] where, [`damping`] how much it takes. Decays change
//! only when the contacts have changed much: by another body, a turn, a shift or a multiple of the load
//! ([`Contacts::of`], [`Lying::is_like`]). They follow from events alone, not from when events are handled, so that a scene
//! played, rendered or read from its trace sounds the same.

mod contact_points;
mod contacts;
mod damping;

pub(super) use contacts::Contacts;
pub(super) use damping::DampingCache;

use crate::scene::Motion;
use contacts::RestingContact;
use foley_geometry::vector::bounds;
use foley_physics::{PoseEvent, SustainedContact};
use glam::DVec3;
use std::collections::HashMap;

use super::{Sonifier, SonifyError};

/// Time for which a body lies before it is damped, s: solvers chatter until bodies have settled.
const SETTLE_S: f64 = 0.03;
/// Shortest time between two changes of a body that stays in contact, s.
const HOLD_S: f64 = 0.05;
/// Least load that damps, over the weight of the body.
const LEAST_LOAD: f64 = 0.01;

/// Contacts are alike if normals differ by less than 15° (cosine), …
const SAME_NORMAL: f64 = 0.966;
/// … places by less than this part of the size of the body, …
const SAME_PLACE: f64 = 0.1;
/// … and forces by less than this factor, of which the stiffness of a contact grows with the third root.
const SAME_FORCE: f64 = 4.0;

/// What touches each object, and how that damps it.
#[derive(Default)]
pub(super) struct Supports {
    contacts: Contacts,
    lying: HashMap<usize, Lying>,
    cache: DampingCache,
}

/// A body with the contacts that last decided its decays.
#[derive(Default)]
struct Lying {
    resting: Vec<RestingContact>,
    /// Size of the body, m; `None` before the first contact.
    size_m: Option<f64>,
    /// Time at which its decays change last, s; `None` before the first change.
    due_s: Option<f64>,
}

impl Supports {
    /// Forgets the decays of an object that was replaced or removed.
    pub(super) fn forget(&mut self, object: usize) {
        self.lying.remove(&object);
        self.cache.clear();
    }
}

impl Lying {
    /// Returns whether the present contacts are nearly those that decided the decays; `size_m` is that of the body.
    fn is_like(&self, now: &[RestingContact], size_m: f64) -> bool {
        let is_same = |(a, b): (&RestingContact, &RestingContact)| {
            let distance_m = DVec3::from(a.place).distance(b.place.into());
            a.other == b.other
                && DVec3::from(a.up).dot(b.up.into()) > SAME_NORMAL
                && distance_m < SAME_PLACE * size_m
                && a.force_n.max(b.force_n) < SAME_FORCE * a.force_n.min(b.force_n)
        };
        self.resting.len() == now.len() && self.resting.iter().zip(now).all(is_same)
    }

    /// Returns when a change that is decided at `at_s` takes effect. One that is not due yet is replaced.
    fn due_s(&self, at_s: f64, settle_s: f64) -> f64 {
        match self.due_s {
            Some(due_s) if at_s < due_s => due_s,
            Some(due_s) => (at_s + settle_s).max(due_s + HOLD_S),
            None => at_s + settle_s,
        }
    }
}

impl Sonifier {
    /// Follows a sustained contact.
    pub(super) fn follow_contact(&mut self, contact: &SustainedContact) -> Result<(), SonifyError> {
        if !self.scene.support_damping {
            return Ok(());
        }
        let objects = contact.bodies.map(|body| body as usize);
        let are_known = objects.iter().all(|object| *object < self.objects.len());
        let is_directed = contact.normal != [0.0; 3];
        let changed = match contact.over || (are_known && is_directed) {
            true => {
                let Self { supports, poses, .. } = self;
                let to_object =
                    |side: usize, way: [f64; 3]| poses.direction_to_object(objects[side], way);
                supports.contacts.update(contact, &to_object)
            }
            // The tip of a scrape holds nothing.
            false => return Ok(()),
        };
        changed.into_iter().flatten().try_for_each(|object| self.damp(object, contact.at_s))
    }

    /// Follows a body that moves: what it lay on when it was last simulated no longer counts, unless it touches it again.
    pub(super) fn follow_motion(&mut self, pose: &PoseEvent) -> Result<(), SonifyError> {
        let ended = self.supports.contacts.woken(pose.body as usize, pose.at_s);
        ended.into_iter().flatten().try_for_each(|object| self.damp(object, pose.at_s))
    }

    /// Changes the decays of an object if its contacts have changed.
    fn damp(&mut self, object: usize, at_s: f64) -> Result<(), SonifyError> {
        let (Some(model), Some(handle)) = (self.model(object), self.handle_of(object)) else {
            return Ok(());
        };
        let Some(described) = self.scene.objects.get(object) else { return Ok(()) };
        let is_free = model.vibration.as_ref().is_some_and(|vibration| vibration.free);
        if described.motion != Motion::Dynamic || described.held.is_some() || !is_free {
            return Ok(());
        }
        let gravity = DVec3::from(self.scene.gravity_m_s2).length();
        let least_n = (LEAST_LOAD * model.body.mass_kg * gravity).max(f64::MIN_POSITIVE);
        let now = self.supports.contacts.of(object, least_n);
        let lying = self.supports.lying.entry(object).or_default();
        let size_m = *lying.size_m.get_or_insert_with(|| {
            let bounds = bounds(model.points.iter().map(|p| (*p).into()));
            bounds.map_or(0.0, |[low, high]| low.distance(high))
        });
        if lying.is_like(&now, size_m) {
            return Ok(());
        }
        // What lies on something when the scene begins has settled before.
        let settle_s = if at_s <= 2.0 * self.step_s { 0.0 } else { SETTLE_S };
        let due_s = lying.due_s(at_s, settle_s);
        (lying.resting, lying.due_s) = (now.clone(), Some(due_s));
        self.stats.damping_changes += 1;
        if now.is_empty() {
            // At once: the contact has ended a while ago.
            self.engine.set_decays(handle, None, at_s)?;
        }
        let decays = self.decays_on(object, &model, size_m, &now);
        Ok(self.engine.set_decays(handle, decays.as_deref(), due_s)?)
    }
}
