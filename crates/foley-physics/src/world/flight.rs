//! Free flight that does not depend on the rate.
//!
//! Rapier's substeps (h long) kick and then drift: v ← v + g h, x ← x + v h. Falling from rest that
//! runs ahead of ½ g t² by ½ g h t: two milliseconds at 60 Hz, twice that after each bounce. The
//! same kick and drift is exact for constant gravity when the velocity it is given belongs to half
//! a substep earlier (leapfrog). So bodies that touch nothing are given v − ½ g h, here called
//! staggered, and their true velocity is ½ g h more. A load ends that: the solver's velocities are
//! what they are.

use super::convert::{precise, vector};
use super::{Frame, World};
use crate::contact::gather::{Before, Point};
use crate::contact::strike::Span;
use glam::DVec3;

/// Contacts are sought as far ahead as a body of this speed flies in a step; farther for bodies
/// that are faster.
pub(super) const FORESEEN_M_S: f64 = 1.0;

/// Looking ahead, Rapier passes over neighbours towards which a body does not move, and knows
/// nothing of gravity. What glides over a surface is given this speed downwards, so that it does
/// not lose what carries it.
const SINKING_M_S: f64 = 1e-4;

impl World {
    /// Lengths of a step and of Rapier's substeps.
    pub(super) fn span(&self) -> Span {
        let step_s = self.step_s();
        let substeps = self.physics.integration_parameters.num_solver_iterations;
        Span { step_s, substep_s: step_s / substeps as f64 }
    }

    /// What the true velocity of a staggered body has more than the stored.
    pub(super) fn stagger(&self) -> DVec3 {
        DVec3::from(self.settings.gravity) * (0.5 * self.span().substep_s)
    }

    /// Notes which bodies touch something, and staggers those that begin to fly.
    pub(super) fn note_free(&mut self, points: &[Point]) {
        let stagger = self.stagger();
        self.bodies.iter_mut().for_each(|member| member.touching = false);
        for body in points.iter().flat_map(|point| point.bodies) {
            self.bodies[body as usize].touching = true;
        }
        for member in self.bodies.iter_mut().filter(|member| !member.touching && !member.staggered)
        {
            let Some(body) = self.physics.bodies.get(member.handle) else { continue };
            if body.is_dynamic() && body.is_enabled() && !body.is_sleeping() {
                let stored = precise(body.linvel()) - stagger;
                if let Some(body) = self.physics.bodies.get_mut(member.handle) {
                    body.set_linvel(vector(stored.to_array()), false);
                    member.staggered = true;
                }
            }
        }
    }

    /// Lets fast bodies look for contacts as far as they will fly, so that none is met unforeseen.
    pub(super) fn foresee(&mut self) {
        let gravity = DVec3::from(self.settings.gravity);
        let (down, step_s) = (gravity.normalize_or_zero(), self.step_s());
        let farthest = (self.settings.fast_m_s * step_s) as f32;
        let slowest = self.slowest_impact_m_s();
        for member in &mut self.bodies {
            let Some(body) = self.physics.bodies.get(member.handle) else { continue };
            if body.is_fixed() || body.is_sleeping() {
                continue;
            }
            let velocity = precise(body.linvel());
            let speed = velocity.length() + gravity.length() * step_s;
            // Some way between the two borders, so that it is not switched at every step.
            let border = if member.foreseeing { 0.4 } else { 0.8 };
            let foreseeing = speed > border * FORESEEN_M_S;
            let sinking = velocity.dot(down);
            let hovers = member.touching && (-slowest..SINKING_M_S).contains(&sinking);
            let pressed = foreseeing && hovers && body.is_dynamic();
            if foreseeing == member.foreseeing && !pressed {
                continue;
            }
            member.foreseeing = foreseeing;
            let Some(body) = self.physics.bodies.get_mut(member.handle) else { continue };
            body.set_soft_ccd_prediction(if foreseeing { farthest } else { 0.0 });
            if pressed {
                let velocity = velocity + down * (SINKING_M_S - sinking);
                body.set_linvel(vector(velocity.to_array()), false);
            }
        }
    }

    /// Remembers all bodies as they are before a step.
    pub(super) fn note_before(&mut self) {
        let gravity = DVec3::from(self.settings.gravity);
        let stagger = self.stagger();
        self.before.clear();
        for member in &self.bodies {
            let Some(body) = self.physics.bodies.get(member.handle) else { continue };
            let dynamic = body.is_dynamic();
            let stagger = if member.staggered { stagger } else { DVec3::ZERO };
            self.before.push(Before {
                frame: Frame::of(body.position()),
                centre: precise(body.center_of_mass()),
                velocity: precise(body.linvel()) + stagger,
                stagger,
                spin: precise(body.angvel()),
                fall: if dynamic { gravity } else { DVec3::ZERO },
                energy_j: super::ledger::energy_j(body, stagger, gravity),
                awake: !body.is_fixed() && !body.is_sleeping() && !member.lost,
            });
        }
    }
}
