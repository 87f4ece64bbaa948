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
use crate::contact::gather::Point;
use crate::contact::patch::Patch;
use crate::contact::strike::{Strike, meeting};
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
        let member = self.bodies.get(body as usize).ok_or(PhysicsError::NoBody(body))?;
        let behind = if member.staggered { self.stagger() } else { DVec3::ZERO };
        let body = self.physics.bodies.get(member.handle);
        Ok(body.map_or(0.0, |body| energy_j(body, behind, DVec3::from(self.settings.gravity))))
    }

    /// What each blow lost, patch by patch.
    pub(super) fn losses(
        &mut self,
        patches: &[Patch],
        struck: &[Vec<Strike>],
        bounced: &[bool],
    ) -> Vec<Vec<f64>> {
        let mut groups = Groups::new(self.bodies.len());
        for patch in patches {
            let [a, b] = patch.bodies.map(|body| body as usize);
            if self.is_dynamic(patch.bodies[0]) && self.is_dynamic(patch.bodies[1]) {
                groups.join(a, b);
            }
        }
        let claimed: Vec<Vec<f64>> = patches
            .iter()
            .zip(struck)
            .zip(bounced)
            .map(|((patch, strikes), bounced)| self.claims(patch, strikes, *bounced))
            .collect();
        let mut accounts = vec![Account::default(); self.bodies.len()];
        let mut seen = vec![false; self.bodies.len()];
        for (patch, claims) in patches.iter().zip(&claimed) {
            for body in patch.bodies {
                let account = &mut accounts[groups.root(body as usize)];
                if !self.is_dynamic(body) {
                    continue;
                }
                if !std::mem::replace(&mut seen[body as usize], true) {
                    let before = self.before[body as usize].energy_j;
                    account.lost_j += before - self.energy_j(body).unwrap_or(before);
                    account.owed_j += std::mem::take(&mut self.bodies[body as usize].owed_j);
                }
            }
            let side = patch.bodies.into_iter().find(|body| self.is_dynamic(*body));
            let Some(side) = side else { continue };
            let account = &mut accounts[groups.root(side as usize)];
            account.claimed_j += claims.iter().sum::<f64>();
            account.driven |= patch.bodies.into_iter().any(|body| self.is_led(body));
        }
        for (root, account) in accounts.iter().enumerate() {
            // One of them owes for all, even when they part: the sum is what counts.
            self.bodies[root].owed_j += account.debt_j();
        }
        patches
            .iter()
            .zip(claimed)
            .map(|(patch, claims)| {
                let side = patch.bodies.into_iter().find(|body| self.is_dynamic(*body));
                let share = side.map_or(0.0, |side| accounts[groups.root(side as usize)].share());
                claims.into_iter().map(|claim| claim * share).collect()
            })
            .collect()
    }

    /// What the blows of a patch claim to have lost.
    fn claims(&self, patch: &Patch, strikes: &[Strike], bounced: bool) -> Vec<f64> {
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
        let lost_j = patch.points.iter().map(lost).sum::<f64>().max(0.0);
        let power = |strike: &Strike| strike.impulse * strike.speed;
        let all: f64 = strikes.iter().map(power).sum();
        strikes
            .iter()
            .map(|strike| if all > 0.0 { lost_j * power(strike) / all } else { 0.0 })
            .collect()
    }

    fn is_led(&self, body: u32) -> bool {
        self.bodies.get(body as usize).is_some_and(|member| !member.way.is_empty())
    }
}

/// What bodies that hang together lost in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    lost_j: f64,
    owed_j: f64,
    claimed_j: f64,
    driven: bool,
}

impl Account {
    /// What they owe from now on.
    fn debt_j(&self) -> f64 {
        if self.driven { 0.0 } else { (self.owed_j - self.lost_j).max(0.0) }
    }

    /// How much of what is claimed was lost.
    fn share(&self) -> f64 {
        let left_j = (self.lost_j - self.owed_j).max(0.0);
        if self.driven || self.claimed_j <= left_j { 1.0 } else { left_j / self.claimed_j }
    }
}

/// Which bodies hang together.
struct Groups(Vec<usize>);

impl Groups {
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
