//! Decays of a body that touches others: of its own modes, and of what its supports take ([`support_decays`]).
//!
//! They follow from rounded places, directions and loads, and are kept, so that equal bodies that lie alike are computed once.

use crate::scene::Motion;
use foley_dsp::excitation::PointMobility;
use foley_dsp::model::ModalModel;
use foley_geometry::Pose;
use foley_modal::support::{
    ContactSpring, Foundation, Support, SupportContact, loss_factor, support_decays,
};
use glam::DVec3;
use std::collections::HashMap;
use std::sync::Arc;

use super::contact_points::contact_points;
use super::contacts::RestingContact;
use crate::sonify::Sonifier;

/// Most points at which a body is damped: those with the largest loads.
const MAX_POINTS: usize = 12;
/// Most modes times squared points: the work grows with it. Bodies of very many modes are damped at fewer points.
const MAX_WORK: f64 = 4e4;
/// Most results that are kept.
const MAX_KEPT: usize = 4096;
/// Steps of places over the size of the body, and of the components of directions.
const PLACE_STEPS: f64 = 64.0;
const WAY_STEPS: f64 = 32.0;
/// Steps of loads in a doubling.
const LOAD_STEPS: f64 = 2.0;

/// A point of contact, rounded.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct RoundedPoint {
    place: [i32; 3],
    up: [i32; 3],
    load: i32,
    other: usize,
    place_on_other: [i32; 3],
    up_on_other: [i32; 3],
}

/// The model of a body, by its address, and the points at which it is touched.
type Touched = (usize, Vec<RoundedPoint>);

/// Decay rates, kept; `None` where a body is not damped.
#[derive(Default)]
pub(in crate::sonify) struct DampingCache {
    known: HashMap<Touched, Option<Arc<[f64]>>>,
}

impl DampingCache {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}

fn rounded(value: [f64; 3], steps: f64) -> [i32; 3] {
    value.map(|x| (x * steps).round() as i32)
}

fn exact(value: [i32; 3], steps: f64) -> [f64; 3] {
    value.map(|x| f64::from(x) / steps)
}

impl Sonifier {
    /// Returns the decay rates of an object with these contacts, 1/s; `None` where they are those of its model.
    pub(super) fn decays_on(
        &mut self,
        object: usize,
        model: &Arc<ModalModel>,
        size_m: f64,
        contacts: &[RestingContact],
    ) -> Option<Arc<[f64]>> {
        if contacts.is_empty() || !(size_m > 0.0) {
            return None;
        }
        let mut points: Vec<RoundedPoint> = contacts
            .iter()
            .flat_map(|contact| self.points(object, model, size_m, contact))
            .collect();
        points.sort_by_key(|point| -point.load);
        let others = contacts.iter().filter_map(|contact| self.model(contact.other));
        let modes = others.map(|other| other.mode_count()).fold(model.mode_count(), usize::max);
        points.truncate(((MAX_WORK / modes as f64).sqrt() as usize).clamp(1, MAX_POINTS));
        let key = (Arc::as_ptr(model) as usize, points);
        if let Some(known) = self.supports.cache.known.get(&key) {
            return known.clone();
        }
        let contacts: Vec<SupportContact> =
            key.1.iter().filter_map(|point| self.contact(object, model, size_m, point)).collect();
        let added = support_decays(model, &contacts);
        let is_damped = added.iter().any(|more| *more > 0.0);
        let decays =
            is_damped.then(|| model.decays.iter().zip(added).map(|(d, more)| d + more).collect());
        let cache = &mut self.supports.cache;
        if cache.known.len() >= MAX_KEPT {
            cache.clear();
        }
        cache.known.insert(key, decays.clone());
        decays
    }

    /// Returns the points of a contact; they share its load.
    fn points(
        &self,
        object: usize,
        model: &ModalModel,
        size_m: f64,
        contact: &RestingContact,
    ) -> Vec<RoundedPoint> {
        let (Some(own), Some(other)) = (self.poses.of(object), self.poses.of(contact.other)) else {
            return Vec::new();
        };
        let collider = self.objects.get(contact.other).and_then(|other| other.collider.as_ref());
        let bounds = collider.and_then(|collider| collider.bounds());
        let other_from_body = relative(&other, &own);
        let found = contact_points(&model.points, size_m, contact, &other_from_body, bounds);
        let load_n = contact.force_n / found.len().max(1) as f64;
        let point = |place: [f64; 3]| RoundedPoint {
            place: rounded(place.map(|x| x / size_m), PLACE_STEPS),
            up: rounded(contact.up, WAY_STEPS),
            load: (LOAD_STEPS * load_n.log2()).round() as i32,
            other: contact.other,
            place_on_other: rounded(other_from_body.apply(place).map(|x| x / size_m), PLACE_STEPS),
            up_on_other: rounded(contact.up_on_other, WAY_STEPS),
        };
        found.into_iter().map(point).collect()
    }

    /// Returns the contact of a body at a rounded point: the spring of the contact and the other body behind it.
    fn contact(
        &self,
        object: usize,
        model: &ModalModel,
        size_m: f64,
        point: &RoundedPoint,
    ) -> Option<SupportContact> {
        let (own, other) = (self.scene.objects.get(object)?, self.scene.objects.get(point.other)?);
        let on = self.objects.get(point.other)?;
        let place = exact(point.place_on_other, PLACE_STEPS / size_m);
        let moves = other.motion == Motion::Dynamic;
        let mass_kg = if moves { on.mass.mass_kg } else { f64::INFINITY };
        let vibrates = on.model.as_ref().filter(|model| model.vibration.is_some());
        let support = match vibrates {
            Some(model) => {
                let gains = model.gains_along(place, exact(point.up_on_other, WAY_STEPS));
                Support::Body(model.mobility(&gains).with_mass(mass_kg))
            }
            None if moves => Support::Body(PointMobility::rigid(mass_kg)),
            None => Support::Immovable,
        };
        let foundation = Foundation {
            body: on.contact_body,
            loss_factor: loss_factor(&other.material),
            support: support.clone(),
        };
        let load_n = (f64::from(point.load) / LOAD_STEPS).exp2();
        let loss = loss_factor(&own.material);
        // Bodies beyond what a contact can be computed for are not damped.
        let spring = ContactSpring::new(&model.body, loss, &foundation, load_n).ok()?;
        let at_m = exact(point.place, PLACE_STEPS / size_m);
        let direction = exact(point.up, WAY_STEPS);
        Some(SupportContact { at_m, direction, spring: Some(spring), support })
    }
}

/// Returns the pose of one body in the coordinates of another.
fn relative(other: &Pose, own: &Pose) -> Pose {
    let apart = DVec3::from(own.position_m) - DVec3::from(other.position_m);
    let [a, b] = [other.rotation, own.rotation].map(glam::DQuat::from_array);
    Pose {
        position_m: other.rotate_back(apart.to_array()),
        rotation: (a.conjugate() * b).to_array(),
    }
}
