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
pub(super) const FORESEEN_M_S: f64 = 2.0;

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
    /// Not those that touch something: Rapier then passes over what gravity alone brings closer.
    pub(super) fn foresee(&mut self) {
        let gravity = DVec3::from(self.settings.gravity).length();
        let step_s = self.step_s();
        for member in &mut self.bodies {
            let Some(body) = self.physics.bodies.get(member.handle) else { continue };
            if body.is_fixed() || body.is_sleeping() {
                continue;
            }
            let speed = precise(body.linvel()).length() + gravity * step_s;
            // Some way between the two borders, so that it is not switched at every step.
            let border = if member.foreseeing { 0.4 } else { 0.8 };
            let foreseeing = !member.touching && speed > border * FORESEEN_M_S;
            if foreseeing != member.foreseeing {
                member.foreseeing = foreseeing;
                let farthest = if foreseeing { self.settings.fast_m_s * step_s } else { 0.0 };
                if let Some(body) = self.physics.bodies.get_mut(member.handle) {
                    body.set_soft_ccd_prediction(farthest as f32);
                }
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
                awake: !body.is_fixed() && !body.is_sleeping() && !member.lost,
            });
        }
    }
}
