//! Kinematic bodies, which follow waypoints.

use super::World;
use super::convert::pose;
use crate::Waypoint;
use glam::{DQuat, DVec3};
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::{Aabb, PhysicsWorld, QueryFilter, RigidBodyHandle};

/// Slower kinematic bodies do not wake their neighbours, m/s.
const SLOW_M_S: f64 = 1e-3;

impl World {
    /// Sets the poses of kinematic bodies at the end of the coming step.
    pub(super) fn drive_kinematic_bodies(&mut self) {
        let then_s = (self.steps + 1) as f64 * self.step_s();
        for record in
            self.bodies.iter().filter(|record| !record.waypoints.is_empty() && !record.lost)
        {
            let (position, rotation) = pose_at(&record.waypoints, then_s);
            if let Some(body) = self.physics.bodies.get_mut(record.handle) {
                body.set_next_kinematic_position(pose(position, rotation));
            }
            wake_neighbours(&mut self.physics, record.handle);
        }
    }
}

/// Wakes the bodies that a kinematic body approaches within two steps: Rapier would wake them only
/// after contact.
fn wake_neighbours(physics: &mut PhysicsWorld, kinematic: RigidBodyHandle) -> Option<()> {
    let body = physics.bodies.get(kinematic)?;
    if body.linvel().as_dvec3().length() + body.angvel().as_dvec3().length() < SLOW_M_S {
        return None;
    }
    let displacement = body.linvel() * (2.0 * physics.integration_parameters.dt);
    let mut sleepers = Vec::new();
    for &collider in body.colliders() {
        let here = physics.colliders.get(collider)?.compute_aabb();
        let swept = here.merged(&Aabb::new(here.mins + displacement, here.maxs + displacement));
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

/// Interpolates linearly in position and spherically in rotation.
fn pose_at(waypoints: &[Waypoint], at_s: f64) -> ([f64; 3], [f64; 4]) {
    let next = waypoints.partition_point(|waypoint| waypoint.at_s <= at_s);
    let (from, to) = (waypoints[next.saturating_sub(1)], waypoints[next.min(waypoints.len() - 1)]);
    let span = to.at_s - from.at_s;
    let share = if span > 0.0 { ((at_s - from.at_s) / span).clamp(0.0, 1.0) } else { 0.0 };
    let position = DVec3::from(from.position).lerp(DVec3::from(to.position), share);
    let turn = |waypoint: Waypoint| DQuat::from_array(waypoint.rotation).normalize();
    let rotation = turn(from).slerp(turn(to), share);
    (position.to_array(), rotation.to_array())
}
