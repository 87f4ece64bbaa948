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

use super::impacts::{StepImpact, meeting};
use super::manifold::Manifold;
use super::points::Point;
use super::source::{BodyId, ContactSource, Mobility, StepLength};
use super::step_bodies::StepBodies;
use std::collections::BTreeMap;

/// Energy created by the solver and not yet compensated.
#[derive(Default)]
pub(crate) struct EnergyDebts {
    debts_j: BTreeMap<BodyId, f64>,
}

/// A manifold of the present step with its impacts.
#[derive(Clone, Copy)]
pub(crate) struct Collision<'a> {
    pub(crate) manifold: &'a Manifold,
    pub(crate) impacts: &'a [StepImpact],
    /// Whether its bounce was corrected after the solver's step.
    pub(crate) bounced: bool,
}

impl EnergyDebts {
    /// Forgets bodies that do not exist any more.
    pub(crate) fn retain(&mut self, exists: impl Fn(BodyId) -> bool) {
        self.debts_j.retain(|&body, _| exists(body));
    }

    /// Returns the number of debts.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.debts_j.len()
    }

    /// Returns the energy lost by each impact, manifold by manifold.
    pub(crate) fn losses(
        &mut self,
        source: &impl ContactSource,
        bodies: &StepBodies,
        span: StepLength,
        collisions: &[Collision<'_>],
    ) -> Vec<Vec<f64>> {
        if collisions.is_empty() {
            return Vec::new();
        }
        let mut islands = Islands::new(bodies.len());
        let mut balances = vec![EnergyBalance::default(); bodies.len()];
        let mut seen = vec![false; bodies.len()];
        let pairs: Vec<[Participant; 2]> = collisions
            .iter()
            .map(|collision| {
                let [a, b] = collision.manifold.bodies;
                Some([Participant::of(bodies, a)?, Participant::of(bodies, b)?])
            })
            .collect::<Option<_>>()
            .unwrap_or_default();
        for [a, b] in pairs.iter().filter(|pair| pair.iter().all(|body| body.is_dynamic())) {
            islands.join(a.slot, b.slot);
        }
        let claimed: Vec<Vec<f64>> =
            collisions.iter().map(|collision| collision.claimed_losses(span)).collect();
        for (pair, claimed_losses) in pairs.iter().zip(&claimed) {
            for body in pair.iter().filter(|body| body.is_dynamic()) {
                let balance = &mut balances[islands.root(body.slot)];
                if !std::mem::replace(&mut seen[body.slot], true) {
                    let after_j = source.body(body.id).map_or(body.before_j, |s| s.energy_j());
                    balance.lost_j += body.before_j - after_j;
                    balance.energy_debt_j += self.debts_j.remove(&body.id).unwrap_or(0.0);
                }
            }
            let Some(side) = pair.iter().find(|body| body.is_dynamic()) else { continue };
            let balance = &mut balances[islands.root(side.slot)];
            balance.claimed_j += claimed_losses.iter().sum::<f64>();
            balance.driven |= pair.iter().any(|body| body.mobility == Mobility::Kinematic);
        }
        for (slot, balance) in balances.iter().enumerate().filter(|(_, b)| b.debt_j() > 0.0) {
            // One body carries the debt of its island, even if the island splits: only the sum
            // matters.
            if let Some(state) = bodies.before(slot) {
                *self.debts_j.entry(state.id).or_default() += balance.debt_j();
            }
        }
        pairs
            .iter()
            .zip(claimed)
            .map(|(pair, claimed_losses)| {
                let side = pair.iter().find(|body| body.is_dynamic());
                let share = side.map_or(0.0, |side| balances[islands.root(side.slot)].share());
                claimed_losses.into_iter().map(|claim| claim * share).collect()
            })
            .collect()
    }
}

/// A body of a manifold.
struct Participant {
    id: BodyId,
    slot: usize,
    mobility: Mobility,
    before_j: f64,
}

impl Participant {
    fn of(bodies: &StepBodies, id: BodyId) -> Option<Self> {
        let slot = bodies.slot(id)?;
        let before_j = bodies.before(slot)?.energy_j;
        Some(Self { id, slot, mobility: bodies.mobility(slot), before_j })
    }

    fn is_dynamic(&self) -> bool {
        self.mobility == Mobility::Dynamic
    }
}

impl Collision<'_> {
    /// Returns the losses of the impacts before they are bounded.
    fn claimed_losses(&self, span: StepLength) -> Vec<f64> {
        let lost = |point: &Point| {
            let speed = meeting(point, span).1;
            // A corrected bounce is faster by the difference between true and solver approach
            // speed, times e.
            let more = point.restitution * (speed - point.approach_seen);
            let parting = point.parting + if self.bounced { more } else { 0.0 };
            let solved = point.approach_seen + point.pull * span.step_s + point.parting;
            let ratio = (speed + parting).max(0.0) / solved;
            let impulse =
                if ratio.is_finite() && ratio > 0.0 { point.impulse * ratio } else { 0.0 };
            0.5 * impulse * (speed - parting)
        };
        let lost_j = self.manifold.points.iter().map(lost).sum::<f64>().max(0.0);
        let power = |impact: &StepImpact| impact.impulse * impact.speed;
        let all: f64 = self.impacts.iter().map(power).sum();
        self.impacts
            .iter()
            .map(|impact| if all > 0.0 { lost_j * power(impact) / all } else { 0.0 })
            .collect()
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
