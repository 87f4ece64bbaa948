//! Reports impacts and sustained contacts after a step.

use super::World;
use crate::contact::impacts::{StepImpact, set_first_meeting, step_impacts};
use crate::contact::manifold::{Manifold, manifolds};
use crate::contact::points::{StepView, gather};
use crate::{Event, Impact};
use glam::DVec3;

/// Bodies that meet slower than their free-fall speed after this time only settle, s.
const SETTLING_S: f64 = 0.005;
/// The same limit without gravity, m/s.
const SLOWEST_M_S: f64 = 0.02;

/// Bodies closer than this plus the fall of one step are in contact, m.
const CLOSE_M: f64 = 1e-4;

impl World {
    /// Returns the approach speed below which contacts are not impacts, m/s.
    pub fn slowest_impact_m_s(&self) -> f64 {
        (DVec3::from(self.settings.gravity).length() * SETTLING_S).max(SLOWEST_M_S)
    }

    pub(super) fn report_contacts(&mut self) {
        let mut points = std::mem::take(&mut self.points);
        let gravity = DVec3::from(self.settings.gravity).length();
        gather(
            &StepView {
                bodies: &self.physics.bodies,
                colliders: &self.physics.colliders,
                contacts: &self.physics.narrow_phase,
                before: &self.before,
                surfaces: &self.surfaces,
                close_m: CLOSE_M + 0.5 * gravity * self.step_s().powi(2),
            },
            &mut points,
        );
        self.held.mark(&mut points);
        set_first_meeting(&mut points, self.span());
        let manifolds = manifolds(&points);
        let slowest = self.slowest_impact_m_s();
        let impacts: Vec<Vec<StepImpact>> =
            manifolds.iter().map(|manifold| step_impacts(manifold, self.span(), slowest)).collect();
        let bounced = self.correct_restitution(&manifolds, &impacts);
        let losses = self.losses(&manifolds, &impacts, &bounced);
        self.report_impacts(&manifolds, &impacts, &losses);
        self.report_sustained_contacts(&manifolds, &impacts, &bounced);
        self.held.remember(&points, self.step_s(), slowest);
        self.update_free_flight(&points);
        self.points = points;
    }

    fn report_impacts(
        &mut self,
        manifolds: &[Manifold],
        impacts: &[Vec<StepImpact>],
        losses: &[Vec<f64>],
    ) {
        let begin_s = (self.steps - 1) as f64 * self.step_s();
        for ((manifold, step_impacts), losses) in manifolds.iter().zip(impacts).zip(losses) {
            for (impact, lost_j) in step_impacts.iter().zip(losses) {
                self.events.push(Event::Impact(Impact {
                    at_s: begin_s + impact.after_s,
                    bodies: manifold.bodies,
                    places: impact.places.map(|place| place.to_array()),
                    normal: manifold.normal.to_array(),
                    impulse_ns: impact.impulse,
                    speed_m_s: impact.speed,
                    lost_j: Some(*lost_j),
                }));
            }
        }
        // Impacts predicted for after the step are reported in the next one.
        self.events.append(&mut self.predicted);
        let now_s = self.time_s();
        self.predicted.extend(self.events.extract_if(.., |event| event.at_s() > now_s));
        self.events.sort_by(|a, b| a.at_s().total_cmp(&b.at_s()));
    }

    fn report_sustained_contacts(
        &mut self,
        manifolds: &[Manifold],
        impacts: &[Vec<StepImpact>],
        bounced: &[bool],
    ) {
        let (at_s, step_s) = (self.time_s(), self.step_s());
        let slowest = self.slowest_impact_m_s();
        for ((manifold, step_impacts), bounced) in manifolds.iter().zip(impacts).zip(bounced) {
            if *bounced {
                continue;
            }
            let total: f64 = manifold.points.iter().map(|point| point.impulse).sum();
            let impact_sum: f64 = step_impacts.iter().map(|impact| impact.impulse).sum();
            let load_n = (total - impact_sum).max(0.0) / step_s;
            let stays_together = manifold.points.iter().any(|point| point.parting < slowest);
            self.sustained.load(manifold, load_n, at_s, step_s, stays_together);
        }
        let mut sustained = std::mem::take(&mut self.sustained);
        let mut events = std::mem::take(&mut self.events);
        sustained.report(
            at_s,
            step_s,
            |body| self.is_awake(body),
            |contact| {
                events.push(Event::SustainedContact(contact));
            },
        );
        (self.sustained, self.events) = (sustained, events);
    }
}
