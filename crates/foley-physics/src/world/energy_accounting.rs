//! What blows lose, booked so that it never exceeds what the bodies lost.
//!
//! A blow of several points loses ½ Σ Jᵢ (vᵢ − uᵢ), with the impulse, the speed of meeting and the
//! speed of parting of each point: the work of impulses that act at once, exact for rigid bodies
//! without friction. Where points share a body, uᵢ is not e vᵢ, so it is measured.
//!
//! A solver also makes energy, where it pushes bodies out of each other or bounces them late. So the
//! energy of all bodies that hang together by contacts is read before and after each step: what they
//! gained by themselves is owed, debts are paid first, and no blow is told with more than is left.
//! What touches a led body is not watched, since that may be driven.

use super::World;
use super::convert::precise;
use crate::PhysicsError;
use crate::contact::impacts::{StepImpact, meeting};
use crate::contact::manifold::Manifold;
use crate::contact::points::Point;
use glam::DVec3;
use rapier3d::prelude::RigidBody;

/// Kinetic energy, turning included, and energy of height above the origin, of a dynamic body whose
/// velocity is `behind` more than the stored.
pub(super) fn energy_j(body: &RigidBody, behind: DVec3, gravity: DVec3) -> f64 {
    if !body.is_dynamic() {
        return 0.0;
    }
    let mass_kg = f64::from(body.mass());
    let stored = precise(body.linvel());
    let turning = f64::from(body.kinetic_energy()) - 0.5 * mass_kg * stored.length_squared();
    let height = -gravity.dot(precise(body.center_of_mass()));
    mass_kg * (0.5 * (stored + behind).length_squared() + height) + turning.max(0.0)
}

impl World {
    /// Energy of a dynamic body that moves and weighs, in joules: kinetic, turning included, and of
    /// its height above the origin. Bodies that are fixed or led have none.
    pub fn energy_j(&self, body: u32) -> Result<f64, PhysicsError> {
        let record = self.bodies.get(body as usize).ok_or(PhysicsError::NoBody(body))?;
        let behind = if record.is_staggered { self.stagger() } else { DVec3::ZERO };
        let body = self.physics.bodies.get(record.handle);
        Ok(body.map_or(0.0, |body| energy_j(body, behind, DVec3::from(self.settings.gravity))))
    }

    /// What each blow lost, patch by patch.
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
            // One of them owes for all, even when they part: the sum is what counts.
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

    /// What the blows of a patch claim to have lost.
    fn claimed_losses(
        &self,
        manifold: &Manifold,
        step_impacts: &[StepImpact],
        bounced: bool,
    ) -> Vec<f64> {
        let span = self.span();
        let lost = |point: &Point| {
            let speed = meeting(point, span).1;
            // Set right, a bounce is as much faster as the blow was faster than the solver saw.
            let more = point.restitution * (speed - point.approach_seen);
            let parting = point.parting + if bounced { more } else { 0.0 };
            let solved = point.approach_seen + point.pull * span.step_s + point.parting;
            let blow = (speed + parting).max(0.0) / solved;
            let impulse = if blow.is_finite() && blow > 0.0 { point.impulse * blow } else { 0.0 };
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
        self.bodies.get(body as usize).is_some_and(|record| !record.way.is_empty())
    }
}

/// What bodies that hang together lost in a step.
#[derive(Clone, Copy, Debug, Default)]
struct EnergyBalance {
    lost_j: f64,
    energy_debt_j: f64,
    claimed_j: f64,
    driven: bool,
}

impl EnergyBalance {
    /// What they owe from now on.
    fn debt_j(&self) -> f64 {
        if self.driven { 0.0 } else { (self.energy_debt_j - self.lost_j).max(0.0) }
    }

    /// How much of what is claimed was lost.
    fn share(&self) -> f64 {
        let left_j = (self.lost_j - self.energy_debt_j).max(0.0);
        if self.driven || self.claimed_j <= left_j { 1.0 } else { left_j / self.claimed_j }
    }
}

/// Which bodies hang together.
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
