//! How a world works, and how Rapier is told.

use crate::PhysicsError;
use foley_geometry::constants::GRAVITY_M_S2;
use rapier3d::prelude::{FrictionModel, IntegrationParameters};

/// The size of things: Rapier looks for neighbours within a twelfth of it.
pub(super) const UNIT_M: f32 = 0.05;
/// Bodies of which no point is faster than this for half a second fall asleep.
pub(super) const SLEEPY_M_S: f32 = 0.01;
/// How fast bodies that overlap are pushed apart at most.
const PUSHED_OUT_M_S: f32 = 1.0;
/// Contacts whose bodies moved less than this against each other are not sought anew.
const KEPT_WITHIN_M: f32 = 2e-4;
/// Substeps of the solver per second, whatever the rate.
const SUBSTEPS_HZ: f64 = 960.0;
/// How stiff contacts are between bodies that move; twice that against bodies that do not.
const STIFFNESS_HZ: f32 = 150.0;

/// How a world works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// In m/s².
    pub gravity: [f64; 3],
    /// Steps per second, 60 to 480.
    pub rate_hz: f64,
    /// Bodies farther than this from the origin are lost.
    pub max_distance_m: f64,
    /// Bodies faster than this are lost.
    pub max_speed_m_s: f64,
}

impl Default for Settings {
    /// The earth, at 240 Hz, a kilometre wide.
    fn default() -> Self {
        Self {
            gravity: [0.0, -GRAVITY_M_S2, 0.0],
            rate_hz: 240.0,
            max_distance_m: 1000.0,
            max_speed_m_s: 300.0,
        }
    }
}

impl Settings {
    pub(super) fn validate(&self) -> Result<(), PhysicsError> {
        let wrong = |what, value, must| Err(PhysicsError::Setting { what, value, must });
        if let Some(&value) = self.gravity.iter().find(|g| !(g.abs() <= 1000.0)) {
            return wrong("gravity", value, "a number up to 1000 m/s²");
        }
        if !(60.0..=480.0).contains(&self.rate_hz) {
            return wrong("physics rate", self.rate_hz, "from 60 to 480 Hz");
        }
        if !(1.0..=1e5).contains(&self.max_distance_m) {
            return wrong("width of the world", self.max_distance_m, "from 1 m to 100 km");
        }
        if !(1.0..=400.0).contains(&self.max_speed_m_s) {
            return wrong("highest speed", self.max_speed_m_s, "from 1 to 400 m/s");
        }
        Ok(())
    }

    /// Rapier's own parameters.
    pub(super) fn tune(&self, parameters: &mut IntegrationParameters) {
        parameters.dt = (1.0 / self.rate_hz) as f32;
        // Friction per contact plane: Rapier's other model, per point, lets a box slide on 12 % too
        // little friction (it turns the force of points beside the middle). Slip is heard from
        // velocities, so its silence about tangential impulses does not matter.
        parameters.friction_model = FrictionModel::Simplified;
        // The same millisecond for the solver at every rate, and contacts as stiff as that allows:
        // softer ones let a stack of fifty sink by a seventh, lean and fall.
        parameters.num_solver_iterations = (SUBSTEPS_HZ / self.rate_hz).ceil() as usize;
        parameters.contact_softness.natural_frequency = STIFFNESS_HZ;
        parameters.static_contact_softness.natural_frequency = 2.0 * STIFFNESS_HZ;
        // Contacts are foreseen as far as bodies fly. Sweeping them too would stop what glides over
        // a surface for the rest of a step whenever it dips by a hair.
        parameters.max_ccd_substeps = 0;
        parameters.length_unit = UNIT_M;
        // Points are kept while they are as good as fresh: it helps tall stacks to stand.
        parameters.normalized_contact_recycle_distance = KEPT_WITHIN_M / UNIT_M;
        parameters.normalized_prediction_distance =
            (super::free_flight::PREDICTED_M_S / self.rate_hz) as f32 / UNIT_M;
        parameters.normalized_max_linear_velocity = 400.0 / UNIT_M;
        parameters.normalized_max_corrective_velocity = PUSHED_OUT_M_S / UNIT_M;
    }
}
