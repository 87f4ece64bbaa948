//! Restitution correction: bounces at their true time instead of the end of the step.
//!
//! Rapier holds a bouncing body at the surface until the end of the step and then returns e times
//! the speed v' it had *before* the step. In truth it bounces at the time t within the step with
//! its speed v at that time, and flies for the remaining τ = Δt − t:
//!
//! > gap at the end = e v τ − ½ a τ²,  separation speed at the end = e v − a τ,
//!
//! with the relative gravitational acceleration a. (An impact predicted for shortly after the step
//! has a negative τ: the body is placed below the surface, so that it arrives there in time.) Where
//! the solver's result is a simple bounce (neither body has another load in this step, and it does
//! not fall back within it), pose and velocity are corrected: by an impulse at the contact for the
//! changed impact, by gravity where the surface suspended it. Times and speeds of bounces then do
//! not depend on the step rate.

use super::World;
use super::convert::pose;
use crate::contact::impacts::{StepImpact, meeting};
use crate::contact::manifold::Manifold;
use crate::contact::points::Point;
use crate::contact::source::BodyId;
use crate::contact::tracker::StepContacts;
use crate::frame::Frame;
use glam::{DQuat, DVec3};

/// Correction of a body's state.
struct Change {
    shift: DVec3,
    turn: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

impl World {
    /// Corrects bounces and returns which manifolds bounced. All other loaded bodies leave free
    /// flight.
    pub(super) fn correct_restitution(&mut self, contacts: &StepContacts) -> Vec<bool> {
        let StepContacts { manifolds, impacts, .. } = contacts;
        let mut loads = vec![0_u32; self.bodies.len()];
        for body in manifolds.iter().flat_map(|manifold| manifold.bodies) {
            loads[body.number as usize] += 1;
        }
        let bounced: Vec<bool> = manifolds
            .iter()
            .zip(impacts)
            .map(|(manifold, step_impacts)| {
                let alone = |body: BodyId| {
                    loads[body.number as usize] == 1 || !self.is_dynamic(body.number)
                };
                step_impacts.len() == 1
                    && manifold.bodies.into_iter().all(alone)
                    && self.correct(manifold, &step_impacts[0])
            })
            .collect();
        for (manifold, bounced) in manifolds.iter().zip(&bounced) {
            for body in manifold.bodies {
                let body = body.number;
                self.bodies[body as usize].is_staggered = *bounced && self.is_dynamic(body);
            }
        }
        bounced
    }

    /// Returns whether the manifold bounced and was corrected.
    fn correct(&mut self, manifold: &Manifold, impact: &StepImpact) -> bool {
        let span = self.step_length();
        let total: f64 = manifold.points.iter().map(|point| point.impulse).sum();
        let mean = |of: &dyn Fn(&Point) -> f64| {
            manifold.points.iter().map(|point| of(point) * point.impulse).sum::<f64>() / total
        };
        let (e, a) = (mean(&|p| p.restitution), mean(&|p| p.pull));
        let seen = mean(&|p| p.approach_seen);
        let slowest_point =
            manifold.points.iter().map(|p| meeting(p, span).1).fold(f64::INFINITY, f64::min);
        let rest_s = span.step_s - impact.after_s;
        let parting = e * impact.speed - a * rest_s;
        let gap = e * impact.speed * rest_s - 0.5 * a * rest_s * rest_s;
        let solved = (1.0 + e) * seen + a * span.step_s;
        if !(slowest_point > 0.0 && parting > 0.0 && solved > 0.0) || (rest_s > 0.0 && gap <= 0.0) {
            return false;
        }
        // Impulse per speed in the solver: the effective mass at the contact.
        let mass = total / solved;
        let faster = mass * e * (impact.speed - seen);
        // A body that was stopped early still has v |τ| − ½ a τ² to travel to the surface.
        let early = rest_s < 0.0;
        let farther = mass * (if early { 1.0 + e } else { e }) * impact.speed * rest_s;
        let held_s = rest_s.max(0.0);
        let mut changes = Vec::with_capacity(2);
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let body = manifold.bodies[side];
            let number = body.number;
            if !self.is_dynamic(number) {
                continue;
            }
            let push = manifold.normal * sign;
            let Some(unit) = self.response(number, impact.places[side], push) else {
                return false;
            };
            // Along the normal the surface cancelled gravity since the impact and removed the
            // velocity offset; in other directions the offset remains.
            let along = |v: DVec3| manifold.normal * v.dot(manifold.normal);
            let known = self.tracker.before(body).map_or(DVec3::ZERO, |before| before.leapfrog);
            let missing = self.leapfrog() - known;
            let (pull, behind) = if a == 0.0 {
                (DVec3::ZERO, missing)
            } else {
                let gravity = DVec3::from(self.settings.gravity);
                (along(gravity), missing - along(missing) + along(self.leapfrog()))
            };
            changes.push((
                number,
                Change {
                    shift: unit.0 * farther + pull * (0.5 * held_s * held_s),
                    turn: unit.1 * farther,
                    velocity: unit.0 * faster + pull * rest_s - behind,
                    spin: unit.1 * faster,
                },
            ));
        }
        for (number, change) in changes {
            self.change(number, &change);
        }
        true
    }

    /// Returns the change of velocity and spin by a unit impulse at a point of a body.
    fn response(&self, number: u32, place: DVec3, impulse: DVec3) -> Option<(DVec3, DVec3)> {
        let body = self.physics.bodies.get(self.bodies.get(number as usize)?.handle)?;
        let properties = body.mass_properties();
        let arm = Frame::of(body.position()).to_world(place) - body.center_of_mass().as_dvec3();
        let torque = arm.cross(impulse).as_vec3();
        let spin = properties.effective_world_inv_inertia * torque;
        Some((properties.effective_inv_mass.as_dvec3() * impulse, spin.as_dvec3()))
    }

    fn change(&mut self, number: u32, change: &Change) {
        let Some(record) = self.bodies.get(number as usize) else { return };
        let Some(body) = self.physics.bodies.get_mut(record.handle) else { return };
        let frame = Frame::of(body.position());
        let centre = body.center_of_mass().as_dvec3();
        let turn = DQuat::from_scaled_axis(change.turn);
        let position = centre + change.shift + turn * (frame.position - centre);
        let rotation = (turn * frame.rotation).normalize();
        let velocity = body.linvel().as_dvec3() + change.velocity;
        let spin = body.angvel().as_dvec3() + change.spin;
        if position.is_finite() && rotation.is_finite() && velocity.is_finite() && spin.is_finite()
        {
            body.set_position(pose(position.to_array(), rotation.to_array()), false);
            body.set_linvel(velocity.as_vec3(), false);
            body.set_angvel(spin.as_vec3(), false);
        }
    }
}
