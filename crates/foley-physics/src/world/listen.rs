//! After a step: impacts, bounces and touches.

use super::World;
use crate::contact::gather::{Sight, gather};
use crate::contact::patch::{Patch, patches};
use crate::contact::strike::{Strike, note_first, strikes};
use crate::{Event, Impact};
use glam::DVec3;

/// Bodies that meet slower than they fall in this time only settle.
const SETTLING_S: f64 = 0.005;
/// The same where there is little gravity.
const SLOWEST_M_S: f64 = 0.02;

/// Bodies closer than this, and than gravity brings them in a step, touch.
const CLOSE_M: f64 = 1e-4;

impl World {
    /// Approaches slower than this are no impacts.
    pub fn slowest_impact_m_s(&self) -> f64 {
        (DVec3::from(self.settings.gravity).length() * SETTLING_S).max(SLOWEST_M_S)
    }

    pub(super) fn listen(&mut self) {
        let mut points = std::mem::take(&mut self.points);
        let gravity = DVec3::from(self.settings.gravity).length();
        gather(
            &Sight {
                bodies: &self.physics.bodies,
                colliders: &self.physics.colliders,
                contacts: &self.physics.narrow_phase,
                before: &self.before,
                skins: &self.skins,
                close_m: CLOSE_M + 0.5 * gravity * self.step_s().powi(2),
            },
            &mut points,
        );
        self.held.mark(&mut points);
        note_first(&mut points, self.span());
        let patches = patches(&points);
        let slowest = self.slowest_impact_m_s();
        let struck: Vec<Vec<Strike>> =
            patches.iter().map(|patch| strikes(patch, self.span(), slowest)).collect();
        let bounced = self.bounce(&patches, &struck);
        let losses = self.losses(&patches, &struck, &bounced);
        self.tell_impacts(&patches, &struck, &losses);
        self.tell_touches(&patches, &struck, &bounced);
        self.held.remember(&points, self.step_s(), slowest);
        self.note_free(&points);
        self.points = points;
    }

    fn tell_impacts(&mut self, patches: &[Patch], struck: &[Vec<Strike>], losses: &[Vec<f64>]) {
        let begin_s = (self.steps - 1) as f64 * self.step_s();
        for ((patch, strikes), losses) in patches.iter().zip(struck).zip(losses) {
            for (strike, lost_j) in strikes.iter().zip(losses) {
                self.events.push(Event::Impact(Impact {
                    at_s: begin_s + strike.after_s,
                    bodies: patch.bodies,
                    places: strike.places.map(|place| place.to_array()),
                    normal: patch.normal.to_array(),
                    impulse_ns: strike.impulse,
                    speed_m_s: strike.speed,
                    lost_j: Some(*lost_j),
                }));
            }
        }
        // What is foreseen for after the step is told in the next.
        self.events.append(&mut self.foreseen);
        let now_s = self.time_s();
        self.foreseen.extend(self.events.extract_if(.., |event| event.at_s() > now_s));
        self.events.sort_by(|a, b| a.at_s().total_cmp(&b.at_s()));
    }

    fn tell_touches(&mut self, patches: &[Patch], struck: &[Vec<Strike>], bounced: &[bool]) {
        let (at_s, step_s) = (self.time_s(), self.step_s());
        let slowest = self.slowest_impact_m_s();
        for ((patch, strikes), bounced) in patches.iter().zip(struck).zip(bounced) {
            if *bounced {
                continue;
            }
            let total: f64 = patch.points.iter().map(|point| point.impulse).sum();
            let blows: f64 = strikes.iter().map(|strike| strike.impulse).sum();
            let load_n = (total - blows).max(0.0) / step_s;
            let stays = patch.points.iter().any(|point| point.parting < slowest);
            self.touches.load(patch, load_n, at_s, step_s, stays);
        }
        let mut touches = std::mem::take(&mut self.touches);
        let mut events = std::mem::take(&mut self.events);
        touches.tell(
            at_s,
            step_s,
            |body| self.is_awake(body),
            |touch| {
                events.push(Event::Touch(touch));
            },
        );
        (self.touches, self.events) = (touches, events);
    }
}
