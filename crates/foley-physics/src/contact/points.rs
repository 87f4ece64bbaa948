//! Contact points that were loaded in the last step or are close to contact.

use super::checked_source::all_valid;
use super::curvature::{Curvature, curvature, rolling, travel};
use super::source::{BodyId, ContactSide, ContactSource, Mobility, SolverContact};
use super::step_bodies::{StepBodies, StepState};
use crate::frame::Frame;
use glam::DVec3;

/// A contact point of two bodies during a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    /// The smaller number first.
    pub(crate) bodies: [BodyId; 2],
    /// Unit normal from the first to the second body.
    pub(crate) normal: DVec3,
    /// Position in each body's frame.
    pub(crate) places: [DVec3; 2],
    pub(crate) impulse: f64,
    pub(crate) restitution: f64,
    /// Before the step: gap, true approach speed, approach speed as the solver saw it, and relative
    /// acceleration in free fall along the normal.
    pub(crate) gap: f64,
    pub(crate) approach: f64,
    pub(crate) approach_seen: f64,
    pub(crate) pull: f64,
    /// After the step: slip speed, rolling speed, and separation speed along the normal.
    pub(crate) slip: f64,
    pub(crate) roll: f64,
    pub(crate) parting: f64,
    /// World position before the step, possible velocities of the point, acceleration at which the
    /// surfaces turn away from it (m/s²), time at which the first point of its pair meets, and
    /// whether it, or a point of the same pair, is persistent.
    pub(crate) world: DVec3,
    pub(crate) drifts: [DVec3; 3],
    pub(crate) turning: f64,
    pub(crate) first_s: f64,
    pub(crate) held: bool,
    pub(crate) beside_held: bool,
}

impl Point {
    /// Returns whether nothing has overflowed: valid values of a source may be very large.
    fn is_valid(&self) -> bool {
        let mut vectors = [self.world].into_iter().chain(self.drifts);
        all_valid(&[self.gap, self.approach, self.approach_seen, self.pull])
            && all_valid(&[self.slip, self.roll, self.parting, self.turning])
            && vectors.all(|vector| all_valid(&vector.to_array()))
    }
}

/// Writes all contact points of awake pairs that are loaded, or closer than `close_m`, to `points`,
/// sorted by pair.
pub(crate) fn gather(
    source: &impl ContactSource,
    bodies: &StepBodies,
    close_m: f64,
    points: &mut Vec<Point>,
) {
    points.clear();
    source.contacts(&|pair| bodies.any_awake(pair), &mut |contact| {
        points.extend(of_contact(source, bodies, close_m, &contact));
    });
    // Stable: the order within a pair is that of the source, which is deterministic.
    points.sort_by_key(|point| point.bodies);
}

fn of_contact(
    source: &impl ContactSource,
    bodies: &StepBodies,
    close_m: f64,
    contact: &SolverContact,
) -> Option<Point> {
    let [a, b] = &contact.sides;
    let pair = [a.body, b.body];
    if pair[0] == pair[1] || !bodies.any_awake(pair) {
        return None;
    }
    let sides = [Side::of(source, bodies, a)?, Side::of(source, bodies, b)?];
    let (normal, impulse) = (DVec3::from(contact.normal), contact.impulse_ns);
    let normal_is_unit = (normal.length_squared() - 1.0).abs() < 1e-3;
    if !(impulse >= 0.0 && normal_is_unit) {
        return None;
    }
    let spot = FacingPoints::of(&sides, normal);
    let is_contact = impulse > 0.0 || spot.gap < close_m;
    is_contact
        .then(|| measure(&sides, &spot, normal, impulse, contact.restitution))
        .filter(Point::is_valid)
}

/// One body of a contact point.
struct Side<'a> {
    id: BodyId,
    before: &'a StepState,
    after: &'a StepState,
    /// Frame of its shape before the step.
    shape: Frame,
    contact: &'a ContactSide,
}

impl<'a> Side<'a> {
    fn of(
        source: &impl ContactSource,
        bodies: &'a StepBodies,
        contact: &'a ContactSide,
    ) -> Option<Self> {
        let slot = bodies.slot(contact.body)?;
        let (before, after) = (bodies.before(slot)?, bodies.after(slot, source)?);
        let shape = before.frame.then(contact.surface.pose.into());
        Some(Self { id: before.id, before, after, shape, contact })
    }

    /// Returns the velocity of the material at a world point before the step.
    fn velocity_before(&self, point: DVec3) -> DVec3 {
        // Kinematic bodies get their velocity within the step.
        if self.after.mobility == Mobility::Kinematic {
            return self.velocity_after(point);
        }
        self.before.velocity() + self.before.spin.cross(point - self.before.centre)
    }

    /// Returns the same after the step, at the same offset from the centre: not that of the
    /// material, which has turned away.
    fn velocity_after(&self, point: DVec3) -> DVec3 {
        let arm = point - self.before.centre;
        self.after.stored + self.after.spin.cross(arm)
    }

    fn bend(&self, point: DVec3, outward: DVec3) -> Curvature {
        let turn = self.shape.rotation;
        let place = self.shape.to_local(point);
        let bend = curvature(&self.contact.surface.shape, place, turn.inverse() * outward);
        Curvature { line: turn * bend.line, ..bend }
    }
}

/// Closest points of the two surfaces.
struct FacingPoints {
    /// In the frames of the bodies.
    places: [DVec3; 2],
    /// In the world, before the step.
    worlds: [DVec3; 2],
    gap: f64,
}

impl FacingPoints {
    fn of(sides: &[Side<'_>; 2], normal: DVec3) -> Self {
        let [a, b] = sides;
        let places = [a, b].map(|side| DVec3::from(side.contact.place_m));
        let worlds = [a.before.frame.to_world(places[0]), b.before.frame.to_world(places[1])];
        Self { places, worlds, gap: (worlds[1] - worlds[0]).dot(normal) }
    }
}

fn measure(
    sides: &[Side<'_>; 2],
    spot: &FacingPoints,
    normal: DVec3,
    impulse: f64,
    restitution: f64,
) -> Point {
    let [a, b] = sides;
    let [on_a, on_b] = spot.worlds;
    let approach = (a.velocity_before(on_a) - b.velocity_before(on_b)).dot(normal);
    let unseen = (a.before.leapfrog - b.before.leapfrog).dot(normal);
    let (v_a, v_b) = (a.velocity_after(on_a), b.velocity_after(on_b));
    let slip = (v_a - v_b).reject_from_normalized(normal);
    let spin = a.after.spin - b.after.spin;
    // The rolling speed is bounded by the speed of the smaller body's farthest point.
    let fastest = spin.length() * a.contact.surface.reach_m.min(b.contact.surface.reach_m);
    let [c_a, c_b] = travel(normal, slip, spin, a.bend(on_a, normal), b.bend(on_b, -normal));
    let roll = rolling([c_a, c_b]).min(fastest);
    let mut point = Point {
        bodies: [a.id, b.id],
        normal,
        places: spot.places,
        impulse,
        restitution,
        gap: spot.gap,
        approach,
        approach_seen: approach - unseen,
        pull: (a.before.fall - b.before.fall).dot(normal),
        slip: slip.length(),
        roll,
        parting: (v_b - v_a).dot(normal),
        world: (on_a + on_b) / 2.0,
        drifts: [v_a, v_b, v_b + c_b.clamp_length_max(fastest + slip.length())],
        turning: roll * spin.length(),
        first_s: f64::INFINITY,
        held: false,
        beside_held: false,
    };
    if a.id > b.id {
        point.bodies.reverse();
        point.places.reverse();
        point.normal = -normal;
    }
    point
}
