//! Free flight independent of the step rate.
//!
//! Rapier's substeps (length h) kick and then drift: v ← v + g h, x ← x + v h. A fall from rest
//! then runs ahead of ½ g t² by ½ g h t: two milliseconds at 60 Hz, twice that after each bounce.
//! The same scheme is exact for constant gravity if the velocity belongs to half a substep earlier
//! (leapfrog). So bodies without contacts are given v − ½ g h, here called staggered; their true
//! velocity is ½ g h more. A load ends this: then the solver's velocities are used as they are.

use super::World;
use crate::contact::points::Point;
use crate::contact::source::StepLength;
use glam::DVec3;

/// Contacts are predicted as far as a body of this speed flies in a step, and farther for faster
/// bodies, m/s.
pub(super) const PREDICTED_M_S: f64 = 1.0;

/// Rapier's prediction skips neighbours that a body does not approach and ignores gravity. A body
/// that glides over a surface gets this downward speed, so that it does not lose its support, m/s.
const SINKING_M_S: f64 = 1e-4;

impl World {
    /// Returns the lengths of a step and of Rapier's substeps.
    pub(super) fn step_length(&self) -> StepLength {
        let step_s = self.step_s();
        let substeps = self.physics.integration_parameters.num_solver_iterations;
        StepLength { step_s, substep_s: step_s / substeps as f64 }
    }

    /// Returns the true minus the stored velocity of a staggered body.
    pub(super) fn leapfrog(&self) -> DVec3 {
        DVec3::from(self.settings.gravity) * (0.5 * self.step_length().substep_s)
    }

    /// Updates which bodies have contacts, and staggers those that begin to fly.
    pub(super) fn update_free_flight(&mut self, points: &[Point]) {
        let leapfrog = self.leapfrog();
        self.bodies.iter_mut().for_each(|record| record.touching = false);
        for body in points.iter().flat_map(|point| point.bodies) {
            self.bodies[body.number as usize].touching = true;
        }
        for record in
            self.bodies.iter_mut().filter(|record| !record.touching && !record.is_staggered)
        {
            let Some(body) = self.physics.bodies.get(record.handle) else { continue };
            if body.is_dynamic() && body.is_enabled() && !body.is_sleeping() {
                let stored = body.linvel().as_dvec3() - leapfrog;
                if let Some(body) = self.physics.bodies.get_mut(record.handle) {
                    body.set_linvel(stored.as_vec3(), false);
                    record.is_staggered = true;
                }
            }
        }
    }

    /// Sets the prediction distance of fast bodies to the length of their flight in a step.
    pub(super) fn predict_contacts(&mut self) {
        let gravity = DVec3::from(self.settings.gravity);
        let (down, step_s) = (gravity.normalize_or_zero(), self.step_s());
        let farthest = (self.settings.max_speed_m_s * step_s) as f32;
        let slowest = self.slowest_impact_m_s();
        for record in &mut self.bodies {
            let Some(body) = self.physics.bodies.get(record.handle) else { continue };
            if body.is_fixed() || body.is_sleeping() {
                continue;
            }
            let velocity = body.linvel().as_dvec3();
            let speed = velocity.length() + gravity.length() * step_s;
            // Hysteresis, so that prediction is not switched at every step.
            let border = if record.predicts_contacts { 0.4 } else { 0.8 };
            let predicts_contacts = speed > border * PREDICTED_M_S;
            let sinking = velocity.dot(down);
            let hovers = record.touching && (-slowest..SINKING_M_S).contains(&sinking);
            let pressed = predicts_contacts && hovers && body.is_dynamic();
            if predicts_contacts == record.predicts_contacts && !pressed {
                continue;
            }
            record.predicts_contacts = predicts_contacts;
            let Some(body) = self.physics.bodies.get_mut(record.handle) else { continue };
            body.set_soft_ccd_prediction(if predicts_contacts { farthest } else { 0.0 });
            if pressed {
                let velocity = velocity + down * (SINKING_M_S - sinking);
                body.set_linvel(velocity.as_vec3(), false);
            }
        }
    }
}
