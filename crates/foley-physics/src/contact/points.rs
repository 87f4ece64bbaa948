//! Contact points that were loaded in the last step or are close to contact.

use super::curvature::{Curvature, curvature, rolling, travel};
use crate::world::convert::Frame;
use foley_geometry::Collider;
use glam::DVec3;
use rapier3d::prelude::*;

/// State of a body before a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PreStep {
    pub(crate) frame: Frame,
    pub(crate) centre: DVec3,
    /// True velocity, and the part of it that Rapier does not store (see `world::free_flight`).
    pub(crate) velocity: DVec3,
    pub(crate) stagger: DVec3,
    pub(crate) spin: DVec3,
    /// Acceleration in free fall.
    pub(crate) fall: DVec3,
    pub(crate) awake: bool,
    /// Kinetic plus potential energy.
    pub(crate) energy_j: f64,
}

/// A contact point of two bodies during a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    /// The smaller index first.
    pub(crate) bodies: [u32; 2],
    /// Unit normal from the first to the second body.
    pub(crate) normal: DVec3,
    /// Position in each body's frame.
    pub(crate) places: [DVec3; 2],
    pub(crate) impulse: f64,
    pub(crate) restitution: f64,
    /// Before the step: gap, true approach speed, approach speed as Rapier saw it, and relative
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

/// Curved surface of a collider and its bounding radius.
#[derive(Clone, Debug)]
pub(crate) struct ColliderSurface {
    /// The shape; a half-space for every polyhedron, which is as flat.
    pub(crate) shape: Collider,
    pub(crate) reach_m: f64,
}

/// The parts of a world that the contact analysis reads.
pub(crate) struct StepView<'a> {
    pub(crate) bodies: &'a RigidBodySet,
    pub(crate) colliders: &'a ColliderSet,
    pub(crate) contacts: &'a NarrowPhase,
    pub(crate) before: &'a [PreStep],
    pub(crate) surfaces: &'a [ColliderSurface],
    /// Points closer than this are in contact, loaded or not, m.
    pub(crate) close_m: f64,
}

/// Writes all loaded or close points of awake pairs to `points`, sorted by pair.
pub(crate) fn gather(view: &StepView<'_>, points: &mut Vec<Point>) {
    points.clear();
    for pair in view.contacts.contact_pairs() {
        of_pair(view, pair, points);
    }
    // Stable: the order within a pair is Rapier's, which is deterministic.
    points.sort_by_key(|point| point.bodies);
}

fn of_pair(view: &StepView<'_>, pair: &ContactPair, points: &mut Vec<Point>) -> Option<()> {
    // Most pairs are neighbours without contact.
    if !pair.has_any_active_contact() {
        return None;
    }
    let sides = [Side::of(view, pair.collider1)?, Side::of(view, pair.collider2)?];
    if !sides.iter().any(|side| side.before.awake) {
        return None;
    }
    for manifold in pair.solver_manifolds() {
        let normal = manifold.data.normal.as_dvec3();
        for contact in &manifold.data.solver_contacts {
            let [id] = contact.contact_indices();
            let impulse = f64::from(manifold.points.get(id as usize)?.data.impulse);
            let normal_is_unit = (normal.length_squared() - 1.0).abs() < 1e-3;
            if !(impulse >= 0.0 && impulse.is_finite() && normal_is_unit) {
                continue;
            }
            let (p1, p2) = manifold.data.solver_contact_world_points(contact, view.bodies);
            let spot = FacingPoints::of(&sides, [p1.as_dvec3(), p2.as_dvec3()], normal);
            if (impulse > 0.0 || spot.gap < view.close_m) && spot.gap.is_finite() {
                let restitution = f64::from(manifold.data.restitution);
                points.push(measure(&sides, &spot, normal, impulse, restitution));
            }
        }
    }
    Some(())
}

/// One body of a pair.
struct Side<'a> {
    number: u32,
    before: &'a PreStep,
    body: &'a RigidBody,
    /// Frame of its collider before the step.
    collider: Frame,
    surface: &'a ColliderSurface,
}

impl<'a> Side<'a> {
    fn of(view: &StepView<'a>, handle: ColliderHandle) -> Option<Self> {
        let collider = view.colliders.get(handle)?;
        let body = view.bodies.get(collider.parent()?)?;
        let number = body.user_data as u32;
        let before = view.before.get(number as usize)?;
        let surface = view.surfaces.get(collider.user_data as usize)?;
        let part = Frame::of(collider.position_wrt_parent()?);
        Some(Self { number, before, body, collider: before.frame.then(part), surface })
    }

    fn frame(&self) -> Frame {
        Frame::of(self.body.position())
    }

    /// Returns the velocity of the material at a world point before the step.
    fn velocity_before(&self, point: DVec3) -> DVec3 {
        // Kinematic bodies get their velocity within the step.
        if self.body.is_kinematic() {
            return self.velocity_after(point);
        }
        self.before.velocity + self.before.spin.cross(point - self.before.centre)
    }

    /// Returns the same after the step, at the same offset from the centre: not that of the
    /// material, which has turned away.
    fn velocity_after(&self, point: DVec3) -> DVec3 {
        let arm = point - self.before.centre;
        self.body.linvel().as_dvec3() + self.body.angvel().as_dvec3().cross(arm)
    }

    fn bend(&self, point: DVec3, outward: DVec3) -> Curvature {
        let turn = self.collider.rotation;
        let place = self.collider.to_local(point);
        let bend = curvature(&self.surface.shape, place, turn.inverse() * outward);
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
    /// Converts Rapier's points, which move with the bodies and are given after the step.
    fn of(sides: &[Side<'_>; 2], after: [DVec3; 2], normal: DVec3) -> Self {
        let [a, b] = sides;
        let places = [a.frame().to_local(after[0]), b.frame().to_local(after[1])];
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
    let stagger = (a.before.stagger - b.before.stagger).dot(normal);
    let (v_a, v_b) = (a.velocity_after(on_a), b.velocity_after(on_b));
    let slip = (v_a - v_b).reject_from_normalized(normal);
    let spin = a.body.angvel().as_dvec3() - b.body.angvel().as_dvec3();
    // The rolling speed is bounded by the speed of the smaller body's farthest point.
    let fastest = spin.length() * a.surface.reach_m.min(b.surface.reach_m);
    let [c_a, c_b] = travel(normal, slip, spin, a.bend(on_a, normal), b.bend(on_b, -normal));
    let roll = rolling([c_a, c_b]).min(fastest);
    let mut point = Point {
        bodies: [a.number, b.number],
        normal,
        places: spot.places,
        impulse,
        restitution,
        gap: spot.gap,
        approach,
        approach_seen: approach - stagger,
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
    if a.number > b.number {
        point.bodies.reverse();
        point.places.reverse();
        point.normal = -normal;
    }
    point
}
