//! From modal velocity to pressure at one metre.
//!
//! A body whose surface S moves with mean square normal velocity ⟨v²⟩ radiates
//! `W = ρ₀ c₀ σ S ⟨v²⟩` (Fahy & Gardonio, *Sound and Structural Vibration*, §3.3). Spread
//! evenly over a sphere of 1 m, `p² = ρ₀ c₀ W / 4π`. A mode of unit modal velocity has
//! ⟨v²⟩ = ⟨u_n²⟩, hence
//!
//! `p_n = ρ₀ c₀ √(σ_n S ⟨u_n²⟩ / 4π)`, `σ_n = (ka)² / (1 + (ka)²)`, `k = ω/c₀`,
//!
//! where σ is the roll-off of a pulsating sphere of radius a. What S and a mean:
//!
//! | shape | S | a | ⟨u_n²⟩ |
//! |---|---|---|---|
//! | bar | both faces, 2 L w | √(S/4π), the sphere of that surface | 1/M |
//! | rod, string | the mantle, π d L | √(S/4π) | 1/(2M): only cos θ of the motion is normal |
//! | plate, disc, membrane | both faces, 2 A | √(A/π), the disc of that face | 1/M |

use std::f64::consts::{PI, TAU};

/// ρ₀, kg/m³: air at 20 °C.
const AIR_DENSITY: f64 = 1.204;
/// c₀, m/s: sound in it.
const SOUND_SPEED: f64 = 343.2;

/// How a body moves air.
#[derive(Debug, Clone, Copy)]
pub(super) struct Radiator {
    /// S, m².
    area: f64,
    /// a, m.
    radius: f64,
    /// ⟨u_n²⟩, 1/kg.
    mean_u2: f64,
}

impl Radiator {
    /// Two faces of a bar of mass M, each of the given area.
    pub(super) fn bar(face: f64, mass: f64) -> Self {
        let area = 2.0 * face;
        Self { area, radius: (area / (4.0 * PI)).sqrt(), mean_u2: 1.0 / mass }
    }

    /// A round body that moves sideways.
    pub(super) fn mantle(length: f64, diameter: f64, mass: f64) -> Self {
        let area = PI * diameter * length;
        Self { area, radius: (area / (4.0 * PI)).sqrt(), mean_u2: 0.5 / mass }
    }

    /// A sheet with two faces of the given area.
    pub(super) fn sheet(face: f64, mass: f64) -> Self {
        Self { area: 2.0 * face, radius: (face / PI).sqrt(), mean_u2: 1.0 / mass }
    }

    /// p_n, Pa at 1 m for unit modal velocity.
    pub(super) fn pressure(&self, frequency_hz: f64) -> f64 {
        let ka = TAU * frequency_hz / SOUND_SPEED * self.radius;
        let sigma = ka * ka / (1.0 + ka * ka);
        AIR_DENSITY * SOUND_SPEED * (sigma * self.area * self.mean_u2 / (4.0 * PI)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pulsating sphere, exactly: p(1 m) = ρ₀ ω a² v / √(1 + (ka)²).
    #[test]
    fn a_sphere_radiates_as_the_textbook_says() {
        let (a, mass, f) = (0.1, 2.0, 700.0);
        let sphere = Radiator { area: 4.0 * PI * a * a, radius: a, mean_u2: 1.0 / mass };
        let (omega, v) = (TAU * f, 1.0 / mass.sqrt());
        let ka = omega / SOUND_SPEED * a;
        let exact = AIR_DENSITY * omega * a * a * v / (1.0 + ka * ka).sqrt();
        assert!((sphere.pressure(f) / exact - 1.0).abs() < 1e-12);
    }
}
