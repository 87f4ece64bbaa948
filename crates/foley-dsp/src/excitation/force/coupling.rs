//! How many newtons a profile makes.
//!
//! Friction takes the power `μ F_n v` out of the motion; rolling takes `c_rr F_n v`. A
//! share η of it shakes the bodies, the rest is heat. A force F on a body that answers with
//! the velocity F/Z hands it the power F²/Z. So the audio-force is
//!
//! ```text
//! F_rms = √(η μ Z · v F_n)
//! ```
//!
//! which is the loudness ∝ √(v F_n) of FoleyAutomatic §4.2 with its constant. Z is what the
//! body resists a force at the contact with, kg/s: `8 √(D ρ h)` for a plate of bending
//! stiffness D and mass ρh per area, and the mean over the modes of any body.
//!
//! **What is promised.** Averaged over the profile's length, the force at constant motion
//! has at most this RMS. A body whose mobility Re Y(f) nowhere exceeds 1/Z therefore never
//! receives more than η of the power lost, whatever the surface. A body of many modes whose
//! *mean* mobility is 1/Z receives that on average over its modes, if the surface's
//! spectrum does not single out some of them. With η ≪ 1 there is room for those that are.
//!
//! The needle also has a spring: a contact of stiffness k on heights of RMS h can push with
//! no more than k h. Where that is less, it counts. A polished surface is silent.

use super::{ForceError, Profile, within};

/// What of the energy lost in a contact becomes sound, and against which resistance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coupling {
    /// μ of sliding friction, or c_rr of rolling: force lost per normal force.
    pub loss: f64,
    /// η, the share of the lost power that shakes the bodies, at most 1.
    pub efficiency: f64,
    /// Z, the resistance of the body to a force at the contact, kg/s.
    pub impedance_kg_s: f64,
    /// k of the contact, N/m; infinite where the energy alone decides.
    pub stiffness_n_m: f64,
}

impl Default for Coupling {
    /// Dry friction on something like a 1 mm steel sheet, a hundredth of it sound: the
    /// share is a choice, not a measurement.
    fn default() -> Self {
        Self { loss: 0.3, efficiency: 0.01, impedance_kg_s: 100.0, stiffness_n_m: f64::INFINITY }
    }
}

impl Coupling {
    /// Rolling instead of sliding: a loss of 0.002, as of hard balls on hard ground.
    pub fn rolling() -> Self {
        Self { loss: 0.002, ..Self::default() }
    }

    pub(super) fn validate(&self) -> Result<(), ForceError> {
        within("loss", self.loss, 0.0..=10.0, "between 0 and 10")?;
        within("efficiency", self.efficiency, 0.0..=1.0, "between 0 and 1")?;
        within("impedance_kg_s", self.impedance_kg_s, 0.0..=1e9, "between 0 and 1e9")?;
        let must = "0 or positive (infinite where it does not matter)";
        within("stiffness_n_m", self.stiffness_n_m, 0.0..=f64::INFINITY, must)?;
        Ok(())
    }

    /// The largest RMS force at constant motion, N.
    pub fn rms_force_n(&self, speed_m_s: f64, normal_force_n: f64) -> f64 {
        let lost_w = self.loss * speed_m_s.abs() * normal_force_n.max(0.0);
        (self.efficiency * self.impedance_kg_s * lost_w).sqrt()
    }

    /// By what the unit profile is to be multiplied, N.
    pub(super) fn amplitude_n(&self, profile: &Profile, speed_m_s: f64, force_n: f64) -> f64 {
        let energy = self.rms_force_n(speed_m_s, force_n) * profile.loudness_gain(speed_m_s);
        let amplitude = energy.min(self.stiffness_n_m * profile.rms_height_m());
        if amplitude.is_finite() { amplitude.min(MAX_FORCE_N) } else { 0.0 }
    }
}

/// No contact sounds with more than this, N.
const MAX_FORCE_N: f64 = 1e12;
