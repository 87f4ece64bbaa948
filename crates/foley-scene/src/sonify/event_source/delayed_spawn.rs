//! Delayed spawn: bodies that join the simulation at their release time.
//!
//! A body is added at the first step after its release, at the position that free flight has
//! brought it to by then, so that its fall begins at the release time and not at a step.

use foley_physics::Body;
use glam::{DQuat, DVec3};
use std::collections::VecDeque;

/// Bodies that are not released yet.
#[derive(Debug)]
pub(crate) struct DelayedSpawns {
    gravity_m_s2: [f64; 3],
    /// Release time, object number and body, in order of time.
    waiting: VecDeque<(f64, u32, Body)>,
}

impl DelayedSpawns {
    pub(crate) fn new(gravity_m_s2: [f64; 3]) -> Self {
        Self { gravity_m_s2, waiting: VecDeque::new() }
    }

    /// Adds a body. Bodies with equal release times keep the order of insertion.
    pub(crate) fn push(&mut self, release_s: f64, number: u32, body: Body) {
        let place = self.waiting.partition_point(|spawn| spawn.0 <= release_s);
        self.waiting.insert(place, (release_s, number, body));
    }

    /// Removes the body of an object.
    pub(crate) fn remove(&mut self, number: u32) {
        self.waiting.retain(|spawn| spawn.1 != number);
    }

    /// Puts the body of an object elsewhere.
    pub(crate) fn place(&mut self, number: u32, position_m: [f64; 3], rotation: [f64; 4]) {
        for (_, _, body) in self.waiting.iter_mut().filter(|spawn| spawn.1 == number) {
            (body.position, body.rotation) = (position_m, rotation);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Removes and returns the next body released until `now_s`, advanced by free flight.
    pub(crate) fn pop_due(&mut self, now_s: f64) -> Option<(u32, Body)> {
        let (release_s, number, body) = self.waiting.pop_front_if(|spawn| spawn.0 <= now_s)?;
        Some((number, after_free_flight(body, now_s - release_s, self.gravity_m_s2)))
    }
}

/// Advances a body by free flight: its centre of mass moves on a parabola, and it turns about that.
fn after_free_flight(mut body: Body, time_s: f64, gravity_m_s2: [f64; 3]) -> Body {
    let centre = DVec3::from(body.mass.centre_m().unwrap_or_default());
    let before = DQuat::from_array(body.rotation);
    for (axis, pull) in gravity_m_s2.into_iter().enumerate() {
        body.position[axis] += (body.velocity[axis] + 0.5 * pull * time_s) * time_s;
        body.velocity[axis] += pull * time_s;
    }
    let spin = DVec3::from(body.spin);
    let speed = spin.length();
    if speed > 0.0 {
        let (sin, cos) = (0.5 * speed * time_s).sin_cos();
        let turn = DQuat::from_vec4((sin * spin / speed).extend(cos));
        let after = turn * before;
        let origin = DVec3::from(body.position) + before * centre - after * centre;
        (body.position, body.rotation) = (origin.to_array(), after.to_array());
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_geometry::{Collider, MassProperties};
    use foley_physics::Mass;

    #[test]
    fn a_body_released_between_two_steps_has_fallen_when_it_joins() {
        let ball = Body::dynamic("ball", Collider::ball(0.01), Mass::Kilograms(0.1));
        let thrown = ball.at([0.0, 0.0, 1.0]).with_velocity([2.0, 0.0, 0.0]);
        let mut delayed = DelayedSpawns::new([0.0, 0.0, -10.0]);
        delayed.push(0.5, 7, thrown);
        assert!(delayed.pop_due(0.49).is_none());
        let (number, body) = delayed.pop_due(0.6).unwrap();
        assert_eq!(number, 7);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(body.position[0], 0.2) && near(body.position[2], 0.95));
        assert!(near(body.velocity[2], -1.0));
        assert!(delayed.is_empty());
    }

    #[test]
    fn a_body_that_spins_before_it_joins_turns_about_its_centre_of_mass() {
        let mass = MassProperties {
            centre_m: [0.0, 0.1, 0.0],
            ..MassProperties::centred(1.0, [1.0, 1.0, 1.0])
        };
        let body = Body::dynamic("pan", Collider::ball(0.3), Mass::Properties(mass));
        // Half a turn about z in half a second, from there the origin is on the other side.
        let spin = [0.0, 0.0, 2.0 * std::f64::consts::PI];
        let mut delayed = DelayedSpawns::new([0.0; 3]);
        delayed.push(0.0, 0, body.with_angular_velocity(spin));
        let (_, body) = delayed.pop_due(0.5).unwrap();
        let [x, y, z] = body.position;
        assert!(x.abs() < 1e-12 && (y - 0.2).abs() < 1e-12 && z == 0.0, "{:?}", body.position);
    }

    #[test]
    fn bodies_join_in_order_of_time() {
        let body = |name: &str| Body::dynamic(name, Collider::ball(0.01), Mass::Kilograms(0.1));
        let mut delayed = DelayedSpawns::new([0.0; 3]);
        for (at_s, number) in [(2.0, 0), (1.0, 1), (2.0, 2)] {
            delayed.push(at_s, number, body("ball"));
        }
        let order: Vec<u32> =
            std::iter::from_fn(|| delayed.pop_due(3.0)).map(|due| due.0).collect();
        assert_eq!(order, [1, 0, 2]);
    }
}
