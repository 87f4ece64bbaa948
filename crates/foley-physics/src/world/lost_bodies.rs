//! Removal of bodies that fly away or become numerically invalid; the simulation continues.

use super::{LostBody, World};
use crate::rapier_view::body_id;

impl World {
    pub(super) fn disable_lost_bodies(&mut self) {
        let at_s = self.time_s();
        let (far, fast) = (self.settings.max_distance_m, self.settings.max_speed_m_s);
        for (number, record) in self.bodies.iter_mut().enumerate() {
            if record.lost {
                continue;
            }
            let Some(body) = self.physics.bodies.get(record.handle) else { continue };
            let (place, speed) = (body.translation().as_dvec3(), body.linvel().as_dvec3());
            // Comparisons with NaN are false. Rapier itself disables bodies with NaN states.
            let valid = body.is_enabled()
                && place.length() <= far
                && speed.length() <= fast
                && body.rotation().is_finite()
                && body.angvel().is_finite();
            if valid {
                continue;
            }
            record.lost = true;
            self.lost.push(LostBody { at_s, body: number as u32 });
            let before = self.tracker.before(body_id(record.handle, number as u32));
            if let Some(body) = self.physics.bodies.get_mut(record.handle) {
                // Restores the last valid pose. The tracker knows none of a body that was invalid
                // before the step.
                if let Some(before) = before {
                    let rotation = before.frame.rotation.to_array();
                    let position = before.frame.position.to_array();
                    body.set_position(super::convert::pose(position, rotation), false);
                }
                body.set_linvel(Default::default(), false);
                body.set_angvel(Default::default(), false);
                body.set_enabled(false);
            }
        }
    }
}
