//! Energy coupling: the amplitude of a sustained force from the power lost in the contact.
//!
//! Friction takes the power `μ F_n v` out of the motion; rolling takes `c_rr F_n v`. A share η of
//! it becomes vibration, the rest heat. A force F on a body of mechanical impedance Z delivers the
//! power F²/Z. So the audio-force is
//!
//! ```text
//! F_rms = √(η μ Z · v F_n)
//! ```
//!
//! which is the loudness ∝ √(v F_n) of \[FA\] §4.2 with its constant. Z is the driving-point
//! impedance at the contact, kg/s: `8 √(D ρ h)` for a plate of bending stiffness D and mass ρh per
//! area, and the mean over the modes of any body.
//!
//! **Bound.** Averaged over the profile's length, the force at constant motion has at most this
//! RMS. A body whose mobility Re Y(f) nowhere exceeds 1/Z therefore never receives more than η of
//! the power lost, whatever the surface. A body of many modes whose *mean* mobility is 1/Z receives
//! that on average over its modes, unless the surface's spectrum favours some of them. With η ≪ 1
//! there is headroom for those.
//!
//! The contact is also a spring: stiffness k on heights of RMS h gives a force of at most k h. The
//! smaller of both limits applies, so a polished surface is silent.

use super::{ForceError, Profile, within};

/// Loss, radiated share, impedance and stiffness of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coupling {
    /// μ of sliding friction, or c_rr of rolling: force lost per normal force.
    pub loss: f64,
    /// η, the share of the lost power that becomes vibration, at most 1.
    pub efficiency: f64,
    /// Z, the driving-point impedance of the body at the contact, kg/s.
    pub impedance_kg_s: f64,
    /// k of the contact, N/m; infinite where only the energy limits the force.
    pub stiffness_n_m: f64,
}

impl Default for Coupling {
    /// Returns dry friction on something like a 1 mm steel sheet. The share of 1 % is a choice, not
    /// a measurement.
    fn default() -> Self {
        Self { loss: 0.3, efficiency: 0.01, impedance_kg_s: 100.0, stiffness_n_m: f64::INFINITY }
    }
}

impl Coupling {
    /// Returns rolling instead of sliding: a loss of 0.002, as of hard balls on hard ground.
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

    /// Returns the largest RMS force at constant motion, N.
    pub fn rms_force_n(&self, speed_m_s: f64, normal_force_n: f64) -> f64 {
        let lost_w = self.loss * speed_m_s.abs() * normal_force_n.max(0.0);
        (self.efficiency * self.impedance_kg_s * lost_w).sqrt()
    }

    /// Returns the factor for the unit profile, N.
    pub(super) fn amplitude_n(&self, profile: &Profile, speed_m_s: f64, force_n: f64) -> f64 {
        let energy = self.rms_force_n(speed_m_s, force_n) * profile.loudness_gain(speed_m_s);
        let amplitude = energy.min(self.stiffness_n_m * profile.rms_height_m());
        if amplitude.is_finite() { amplitude.min(MAX_FORCE_N) } else { 0.0 }
    }
}

/// Upper limit of the amplitude, N.
const MAX_FORCE_N: f64 = 1e12;
