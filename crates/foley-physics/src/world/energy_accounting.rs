//! Energy accounting: losses of impacts, bounded by what the bodies lost in the step.
//!
//! An impact of several points loses ½ Σ Jᵢ (vᵢ − uᵢ), with impulse, approach speed and separation
//! speed of each point: the work of simultaneous impulses, exact for frictionless rigid bodies.
//! Where points share a body, uᵢ differs from e vᵢ, so it is measured.
//!
//! The solver also creates energy where it pushes overlapping bodies apart or bounces them late. So
//! the energy of each island (bodies connected by contacts) is measured before and after each step:
//! energy gained is recorded as a debt, debts are compensated first, and the reported losses never
//! exceed the remainder. Islands with a kinematic body are exempt, since it may supply energy.

use super::World;
use crate::PhysicsError;
use crate::contact::impacts::{StepImpact, meeting};
use crate::contact::manifold::Manifold;
use crate::contact::points::Point;
use glam::DVec3;
use rapier3d::prelude::RigidBody;

/// Returns the kinetic energy (with rotation) and potential energy relative to the origin of a
/// dynamic body whose true velocity exceeds the stored one by `behind`.
pub(super) fn energy_j(body: &RigidBody, behind: DVec3, gravity: DVec3) -> f64 {
    if !body.is_dynamic() {
        return 0.0;
    }
    let mass_kg = f64::from(body.mass());
    let stored = body.linvel().as_dvec3();
    let turning = f64::from(body.kinetic_energy()) - 0.5 * mass_kg * stored.length_squared();
    let height = -gravity.dot(body.center_of_mass().as_dvec3());
    mass_kg * (0.5 * (stored + behind).length_squared() + height) + turning.max(0.0)
}

impl World {
    /// Returns kinetic plus potential energy of a dynamic body, J, relative to the origin; 0 for
    /// fixed and kinematic bodies.
    pub fn energy_j(&self, body: u32) -> Result<f64, PhysicsError> {
        let record = self.bodies.get(body as usize).ok_or(PhysicsError::NoBody(body))?;
        let behind = if record.is_staggered { self.stagger() } else { DVec3::ZERO };
        let body = self.physics.bodies.get(record.handle);
        Ok(body.map_or(0.0, |body| energy_j(body, behind, DVec3::from(self.settings.gravity))))
    }

    /// Returns the energy lost by each impact, manifold by manifold.
    pub(super) fn losses(
        &mut self,
        manifolds: &[Manifold],
        impacts: &[Vec<StepImpact>],
        bounced: &[bool],
    ) -> Vec<Vec<f64>> {
        let mut islands = Islands::new(self.bodies.len());
        for manifold in manifolds {
            let [a, b] = manifold.bodies.map(|body| body as usize);
            if self.is_dynamic(manifold.bodies[0]) && self.is_dynamic(manifold.bodies[1]) {
                islands.join(a, b);
            }
        }
        let claimed: Vec<Vec<f64>> = manifolds
            .iter()
            .zip(impacts)
            .zip(bounced)
            .map(|((manifold, step_impacts), bounced)| {
                self.claimed_losses(manifold, step_impacts, *bounced)
            })
            .collect();
        let mut balances = vec![EnergyBalance::default(); self.bodies.len()];
        let mut seen = vec![false; self.bodies.len()];
        for (manifold, claimed_losses) in manifolds.iter().zip(&claimed) {
            for body in manifold.bodies {
                let balance = &mut balances[islands.root(body as usize)];
                if !self.is_dynamic(body) {
                    continue;
                }
                if !std::mem::replace(&mut seen[body as usize], true) {
                    let before = self.before[body as usize].energy_j;
                    balance.lost_j += before - self.energy_j(body).unwrap_or(before);
                    balance.energy_debt_j +=
                        std::mem::take(&mut self.bodies[body as usize].energy_debt_j);
                }
            }
            let side = manifold.bodies.into_iter().find(|body| self.is_dynamic(*body));
            let Some(side) = side else { continue };
            let balance = &mut balances[islands.root(side as usize)];
            balance.claimed_j += claimed_losses.iter().sum::<f64>();
            balance.driven |= manifold.bodies.into_iter().any(|body| self.is_kinematic(body));
        }
        for (root, balance) in balances.iter().enumerate() {
            // One body carries the debt of its island, even if the island splits: only the sum
            // matters.
            self.bodies[root].energy_debt_j += balance.debt_j();
        }
        manifolds
            .iter()
            .zip(claimed)
            .map(|(manifold, claimed_losses)| {
                let side = manifold.bodies.into_iter().find(|body| self.is_dynamic(*body));
                let share = side.map_or(0.0, |side| balances[islands.root(side as usize)].share());
                claimed_losses.into_iter().map(|claim| claim * share).collect()
            })
            .collect()
    }

    /// Returns the losses of a manifold's impacts before they are bounded.
    fn claimed_losses(
        &self,
        manifold: &Manifold,
        step_impacts: &[StepImpact],
        bounced: bool,
    ) -> Vec<f64> {
        let span = self.span();
        let lost = |point: &Point| {
            let speed = meeting(point, span).1;
            // A corrected bounce is faster by the difference between true and solver approach
            // speed, times e.
            let more = point.restitution * (speed - point.approach_seen);
            let parting = point.parting + if bounced { more } else { 0.0 };
            let solved = point.approach_seen + point.pull * span.step_s + point.parting;
            let ratio = (speed + parting).max(0.0) / solved;
            let impulse =
                if ratio.is_finite() && ratio > 0.0 { point.impulse * ratio } else { 0.0 };
            0.5 * impulse * (speed - parting)
        };
        let lost_j = manifold.points.iter().map(lost).sum::<f64>().max(0.0);
        let power = |impact: &StepImpact| impact.impulse * impact.speed;
        let all: f64 = step_impacts.iter().map(power).sum();
        step_impacts
            .iter()
            .map(|impact| if all > 0.0 { lost_j * power(impact) / all } else { 0.0 })
            .collect()
    }

    fn is_kinematic(&self, body: u32) -> bool {
        self.bodies.get(body as usize).is_some_and(|record| !record.waypoints.is_empty())
    }
}

/// Energy balance of an island in one step.
#[derive(Clone, Copy, Debug, Default)]
struct EnergyBalance {
    lost_j: f64,
    energy_debt_j: f64,
    claimed_j: f64,
    driven: bool,
}

impl EnergyBalance {
    /// Returns the remaining debt, J.
    fn debt_j(&self) -> f64 {
        if self.driven { 0.0 } else { (self.energy_debt_j - self.lost_j).max(0.0) }
    }

    /// Returns the factor that bounds the claimed losses.
    fn share(&self) -> f64 {
        let left_j = (self.lost_j - self.energy_debt_j).max(0.0);
        if self.driven || self.claimed_j <= left_j { 1.0 } else { left_j / self.claimed_j }
    }
}

/// Islands of bodies connected by contacts: a union-find.
struct Islands(Vec<usize>);

impl Islands {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut body: usize) -> usize {
        while self.0[body] != body {
            self.0[body] = self.0[self.0[body]];
            body = self.0[body];
        }
        body
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[b] = a;
    }
}
