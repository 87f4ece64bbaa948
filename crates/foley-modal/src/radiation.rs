//! Radiation efficiency: sound pressure of a vibrating surface.
//!
//! A body whose surface S moves with mean square normal velocity ⟨v²⟩ radiates the power
//! `W = ρ₀ c₀ σ S ⟨v²⟩` (Fahy & Gardonio, *Sound and Structural Vibration*, §3.3). Spread
//! evenly over a sphere of 1 m, `p² = ρ₀ c₀ W / 4π`. A mode of unit modal velocity has
//! `S ⟨v²⟩ = ∫ (u_n·n)² dA`, hence
//!
//! `p_n = ρ₀ c₀ √(σ_n ∫ (u_n·n)² dA / 4π)`, `σ_n = (ka)² / (1 + (ka)²)`, `k = ω/c₀`,
//!
//! where the radiation efficiency σ is that of a pulsating sphere of radius a.

use foley_geometry::constants::{AIR_DENSITY_KG_M3, SOUND_SPEED_M_S};
use std::f64::consts::{PI, TAU};

/// Returns the radiation efficiency σ of a source of radius a.
pub(crate) fn efficiency(frequency_hz: f64, radius_m: f64) -> f64 {
    let ka = TAU * frequency_hz / SOUND_SPEED_M_S * radius_m;
    ka * ka / (1.0 + ka * ka)
}

/// Returns p_n, Pa at 1 m for unit modal velocity, of a mode with ∫ (u_n·n)² dA in m²/kg.
pub fn pressure(frequency_hz: f64, radius_m: f64, normal_square: f64) -> f64 {
    let sigma = efficiency(frequency_hz, radius_m);
    AIR_DENSITY_KG_M3 * SOUND_SPEED_M_S * (sigma * normal_square / (4.0 * PI)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pulsating sphere, exactly: p(1 m) = ρ₀ ω a² v / √(1 + (ka)²).
    #[test]
    fn a_sphere_radiates_as_the_textbook_says() {
        let (a, mass, f) = (0.1, 2.0, 700.0);
        let (omega, v) = (TAU * f, 1.0 / f64::sqrt(mass));
        let ka = omega / SOUND_SPEED_M_S * a;
        let exact = AIR_DENSITY_KG_M3 * omega * a * a * v / (1.0 + ka * ka).sqrt();
        let found = pressure(f, a, 4.0 * PI * a * a / mass);
        assert!((found / exact - 1.0).abs() < 1e-12);
    }
}
