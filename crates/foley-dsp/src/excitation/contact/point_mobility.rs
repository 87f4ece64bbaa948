//! Point mobility of a body at a contact: how far it gives way to a force along the normal.
//!
//! The velocity that a unit impulse leaves at the point where it acts is
//!
//! ```text
//! Y(t) = 1/m + Σ_n w_n e^{−d_n t} cos ω_n t,   w_n = (u_n·e)²
//! ```
//!
//! with the rigid-body motion (1/m at the point, in the direction of the force) and the
//! mass-normalised mode shapes u_n. A model ends at some frequency; a sheet goes on. Above its last
//! mode the mean weight per rad/s continues, `Σ w_n / Δω = 2Y/π` with Y = 1/(8 √(D ρh)) for a
//! thin plate (Zener, *Phys. Rev.* 59, 669 (1941); Cremer, Heckl & Petersson, *Structure-Borne Sound*,
//! §5.2). The contact sees these modes as it sees the others, so nothing is counted twice.

use num_complex::Complex64;
use std::f64::consts::PI;

/// A mode as a contact sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MobilityMode {
    /// ω, rad/s.
    pub omega: f64,
    /// d, 1/s.
    pub decay: f64,
    /// w = (u·e)², 1/kg.
    pub weight: f64,
}

/// The point mobility of a body, along the normal of a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct PointMobility {
    /// Velocity of the rigid body per unit impulse, 1/kg.
    pub(super) inverse_mass: f64,
    /// In order of frequency.
    pub(super) modes: Vec<MobilityMode>,
    /// Weight per rad/s of the modes above the last.
    pub(super) weight_above: f64,
    /// Where they begin, rad/s.
    pub(super) above: f64,
}

/// Nearest distance from the edge of the modes above the last, relative to it: there their sum has a pole.
const EDGE: f64 = 0.05;

/// Modes, at least, from which the weight above them is estimated.
const MIN_MODES: usize = 6;

impl PointMobility {
    /// Returns the mobility of a rigid body.
    pub fn rigid(mass_kg: f64) -> Self {
        let inverse_mass = if mass_kg > 0.0 { 1.0 / mass_kg } else { 0.0 };
        Self { inverse_mass, modes: vec![], weight_above: 0.0, above: f64::INFINITY }
    }

    /// Returns the mobility of an infinite thin plate, 1/(8 √(D ρh)) in m/(N s), with nothing else.
    pub fn infinite_plate(mobility: f64) -> Self {
        let weight_above = 2.0 * mobility / PI;
        Self { inverse_mass: 0.0, modes: vec![], weight_above, above: 0.0 }
    }

    /// Returns the mobility with another mass of the rigid body, kg; infinite when it cannot move.
    pub fn with_mass(mut self, mass_kg: f64) -> Self {
        self.inverse_mass = Self::rigid(mass_kg).inverse_mass;
        self
    }

    /// Adds modes, in order of frequency. Above them the mean weight of their upper half continues.
    pub fn with_modes(mut self, modes: impl IntoIterator<Item = MobilityMode>) -> Self {
        let usable = |m: &MobilityMode| m.omega > 0.0 && m.weight >= 0.0 && m.omega.is_finite();
        let modes = modes.into_iter();
        self.modes = Vec::with_capacity(modes.size_hint().0);
        self.modes.extend(modes.filter(usable));
        let count = self.modes.len();
        if count >= MIN_MODES {
            let (first, last) = (self.modes[count / 2 - 1].omega, self.modes[count - 1].omega);
            let weight: f64 = self.modes[count / 2..].iter().map(|m| m.weight).sum();
            if last > first {
                let spacing = (last - first) / (count - count / 2) as f64;
                self.weight_above = weight / (last - first);
                self.above = last + 0.5 * spacing;
            }
        }
        self
    }

    /// Returns the mobility with a given weight per rad/s above its modes, from a frequency in rad/s on.
    pub fn with_weight_above(mut self, weight_per_rad_s: f64, from: f64) -> Self {
        (self.weight_above, self.above) = (weight_per_rad_s, from);
        self
    }

    /// Returns the mobility to a force e^{iωt}, m/(N s), at ω > 0:
    ///
    /// ```text
    /// Y(ω) = 1/(iωm) + Σ_n iω w_n / (ω_n² − ω² + 2iω d_n) + w' ∫_a^∞ iω dx / (x² − ω²)
    /// ```
    ///
    /// with the weight w' per rad/s above a; its integral is `(i/2) ln|(a + ω)/(a − ω)|`, and π/2 more where ω > a.
    pub fn at(&self, omega: f64) -> Complex64 {
        let rigid = Complex64::new(0.0, -self.inverse_mass / omega);
        let modes = self.modes.iter().map(|mode| {
            let stiffness = mode.omega * mode.omega - omega * omega;
            let i_omega = Complex64::new(0.0, omega * mode.weight);
            i_omega / Complex64::new(stiffness, 2.0 * omega * mode.decay.max(1e-9 * omega))
        });
        let modes: Complex64 = modes.sum();
        if self.weight_above == 0.0 {
            return rigid + modes;
        }
        let a = self.above;
        let apart = (a - omega).abs().max(EDGE * a);
        let real = if omega > a { 0.5 * PI } else { 0.0 };
        let above = Complex64::new(real, 0.5 * ((a + omega) / apart).ln());
        rigid + modes + self.weight_above * above
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infinite_plate_has_its_real_mobility_at_all_frequencies() {
        let plate = PointMobility::infinite_plate(2e-3);
        for omega in [1.0, 1e3, 1e6] {
            assert!((plate.at(omega) - 2e-3).norm() < 1e-15);
        }
    }

    /// The modes of a plate up to a frequency, and what continues them, have the same mean mobility below and above it:
    /// `w ∫₀^∞ iω dx / (x² − ω² + 2iωd) = (π/2) w / √(1 − 2id/ω)`.
    #[test]
    fn modes_and_what_continues_them_have_the_mobility_of_the_plate() {
        let (mobility, spacing, decay) = (1e-3, 20.0, 80.0);
        let weight = 2.0 * mobility / PI * spacing;
        let modes = (1..2000).map(|n| {
            let omega = spacing * f64::from(n);
            MobilityMode { omega, decay, weight }
        });
        let plate = PointMobility::rigid(f64::INFINITY).with_modes(modes);
        for omega in [1e3, 1e4, 2e4, 6e4, 2e5] {
            let found = plate.at(omega) / mobility;
            let truth = 1.0 / Complex64::new(1.0, -2.0 * decay / omega).sqrt();
            assert!((found - truth).norm() < 0.03, "{omega}: {found}, {truth}");
        }
    }

    #[test]
    fn a_rigid_body_moves_as_its_mass() {
        assert!((PointMobility::rigid(0.2).at(50.0) - Complex64::new(0.0, -0.1)).norm() < 1e-15);
    }
}
