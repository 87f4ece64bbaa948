//! Bodies that are led along a way.

use super::World;
use super::convert::{pose, precise};
use crate::Waypoint;
use glam::{DQuat, DVec3};
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::{Aabb, PhysicsWorld, QueryFilter, RigidBodyHandle};

/// Led bodies slower than this wake nobody.
const CREEPS_M_S: f64 = 1e-3;

impl World {
    /// Tells led bodies where they will be at the end of the coming step.
    pub(super) fn drive_kinematic_bodies(&mut self) {
        let then_s = (self.steps + 1) as f64 * self.step_s();
        for record in self.bodies.iter().filter(|record| !record.way.is_empty() && !record.lost) {
            let (position, rotation) = place_on(&record.way, then_s);
            if let Some(body) = self.physics.bodies.get_mut(record.handle) {
                body.set_next_kinematic_position(pose(position, rotation));
            }
            wake_neighbours(&mut self.physics, record.handle);
        }
    }
}

/// Wakes all that a led body comes close to in two steps: Rapier would let it arrive first.
fn wake_neighbours(physics: &mut PhysicsWorld, led: RigidBodyHandle) -> Option<()> {
    let body = physics.bodies.get(led)?;
    if precise(body.linvel()).length() + precise(body.angvel()).length() < CREEPS_M_S {
        return None;
    }
    let way = body.linvel() * (2.0 * physics.integration_parameters.dt);
    let mut sleepers = Vec::new();
    for &collider in body.colliders() {
        let here = physics.colliders.get(collider)?.compute_aabb();
        let swept = here.merged(&Aabb::new(here.mins + way, here.maxs + way));
        for (_, other) in physics.intersect_aabb_conservative(swept, QueryFilter::default()) {
            let other = other.parent()?;
            if physics.bodies.get(other)?.is_sleeping() {
                sleepers.push(other);
            }
        }
    }
    sleepers.into_iter().for_each(|sleeper| physics.wake_up(sleeper, true));
    Some(())
}

/// Straight from place to place, turning evenly.
fn place_on(way: &[Waypoint], at_s: f64) -> ([f64; 3], [f64; 4]) {
    let next = way.partition_point(|place| place.at_s <= at_s);
    let (from, to) = (way[next.saturating_sub(1)], way[next.min(way.len() - 1)]);
    let span = to.at_s - from.at_s;
    let share = if span > 0.0 { ((at_s - from.at_s) / span).clamp(0.0, 1.0) } else { 0.0 };
    let position = DVec3::from(from.position).lerp(DVec3::from(to.position), share);
    let turn = |place: Waypoint| DQuat::from_array(place.rotation).normalize();
    let rotation = turn(from).slerp(turn(to), share);
    (position.to_array(), rotation.to_array())
}
