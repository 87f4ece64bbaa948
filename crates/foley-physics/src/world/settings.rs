//! Settings of a world and parameters of Rapier.

use crate::PhysicsError;
use derive_setters::Setters;
use foley_geometry::constants::GRAVITY_M_S2;
use rapier3d::prelude::{FrictionModel, IntegrationParameters};

/// Rapier's length unit: it searches neighbours within a twelfth of it, m.
pub(super) const UNIT_M: f32 = 0.05;
/// Bodies whose points are all slower than this for half a second fall asleep, m/s.
pub(super) const SLEEPY_M_S: f32 = 0.01;
/// Largest speed at which overlapping bodies are pushed apart, m/s.
const PUSHED_OUT_M_S: f32 = 1.0;
/// Contacts are reused while their bodies moved less than this relative to each other, m.
const KEPT_WITHIN_M: f32 = 2e-4;
/// Solver substeps per second at every step rate.
const SUBSTEPS_HZ: f64 = 960.0;
/// Natural frequency of contacts between dynamic bodies; twice that against fixed bodies, Hz.
const STIFFNESS_HZ: f32 = 150.0;

/// Settings of a world.
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Settings {
    /// Gravity, m/s².
    pub gravity: [f64; 3],
    /// Steps per second, 60 to 480.
    pub rate_hz: f64,
    /// Bodies farther from the origin are lost, m.
    pub max_distance_m: f64,
    /// Faster bodies are lost, m/s.
    pub max_speed_m_s: f64,
}

impl Default for Settings {
    /// Returns Earth's gravity along −z at 240 Hz within one kilometre.
    fn default() -> Self {
        Self {
            gravity: [0.0, 0.0, -GRAVITY_M_S2],
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

    /// Sets Rapier's parameters.
    pub(super) fn tune(&self, parameters: &mut IntegrationParameters) {
        parameters.dt = (1.0 / self.rate_hz) as f32;
        // Friction per contact plane: Rapier's per-point model gives a box 12 % too little
        // friction, because it rotates the force of points off the centre. Slip is measured from
        // velocities, so the missing tangential impulses do not matter.
        parameters.friction_model = FrictionModel::Simplified;
        // About one millisecond per substep at every rate, and the stiffest contacts that allows:
        // with softer ones a stack of fifty boxes sinks by a seventh, leans and falls.
        parameters.num_solver_iterations = (SUBSTEPS_HZ / self.rate_hz).ceil() as usize;
        parameters.contact_softness.natural_frequency = STIFFNESS_HZ;
        parameters.static_contact_softness.natural_frequency = 2.0 * STIFFNESS_HZ;
        // Contacts are predicted along the flight. Sweeping as well would stop a gliding body for
        // the remaining step at every slight penetration.
        parameters.max_ccd_substeps = 0;
        parameters.length_unit = UNIT_M;
        // Reused contact points keep tall stacks stable.
        parameters.normalized_contact_recycle_distance = KEPT_WITHIN_M / UNIT_M;
        parameters.normalized_prediction_distance =
            (super::free_flight::PREDICTED_M_S / self.rate_hz) as f32 / UNIT_M;
        parameters.normalized_max_linear_velocity = 400.0 / UNIT_M;
        parameters.normalized_max_corrective_velocity = PUSHED_OUT_M_S / UNIT_M;
    }
}
