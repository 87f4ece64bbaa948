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
//!
//! A mode of unit velocity has the energy 1/2 and loses it at the rate 2d. It radiates no more than it loses: with
//! the power `4π p_n² / 2ρ₀c₀` of a wave of amplitude p_n, `p_n ≤ √(ρ₀c₀ d / 2π)`. Thin sheets, whose half-waves cancel
//! below the critical frequency, would otherwise radiate more than a strike gives them.
//!
//! Baked models and shapes have this estimate. [`RadiatingSurface`] solves the radiation of a surface instead, and
//! [`SlenderBody`] has that of bars, rods and strings in closed form.

mod slender;
mod surface;

pub use slender::SlenderBody;
pub use surface::{Powers, RadiatingSurface, pressure_of_power};

use foley_geometry::constants::{AIR_IMPEDANCE_PA_S_M, SOUND_SPEED_M_S};
use std::f64::consts::{PI, TAU};

/// Returns the radiation efficiency σ of a source of radius a.
pub(crate) fn efficiency(frequency_hz: f64, radius_m: f64) -> f64 {
    let ka = TAU * frequency_hz / SOUND_SPEED_M_S * radius_m;
    ka * ka / (1.0 + ka * ka)
}

/// Returns p_n, Pa at 1 m for unit modal velocity, of a mode with ∫ (u_n·n)² dA in m²/kg and a decay rate in 1/s.
pub fn pressure(frequency_hz: f64, radius_m: f64, normal_square: f64, decay: f64) -> f64 {
    free_pressure(frequency_hz, radius_m, normal_square).min(most_pressure(decay))
}

/// Returns p_n without the limit of the mode's losses.
pub(crate) fn free_pressure(frequency_hz: f64, radius_m: f64, normal_square: f64) -> f64 {
    let sigma = efficiency(frequency_hz, radius_m);
    AIR_IMPEDANCE_PA_S_M * (sigma * normal_square / (4.0 * PI)).sqrt()
}

/// Returns the largest p_n of a mode with this decay rate: it radiates all that it loses. A mode without losses
/// rings for ever; it has no limit.
pub(crate) fn most_pressure(decay: f64) -> f64 {
    if decay > 0.0 { (AIR_IMPEDANCE_PA_S_M * decay / TAU).sqrt() } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_geometry::constants::AIR_DENSITY_KG_M3;

    /// A pulsating sphere, exactly: p(1 m) = ρ₀ ω a² v / √(1 + (ka)²).
    #[test]
    fn a_sphere_radiates_as_the_textbook_says() {
        let (a, mass, f) = (0.1, 2.0, 700.0);
        let (omega, v) = (TAU * f, 1.0 / f64::sqrt(mass));
        let ka = omega / SOUND_SPEED_M_S * a;
        let exact = AIR_DENSITY_KG_M3 * omega * a * a * v / (1.0 + ka * ka).sqrt();
        let found = pressure(f, a, 4.0 * PI * a * a / mass, 1e9);
        assert!((found / exact - 1.0).abs() < 1e-3);
    }

    /// What a ringing mode radiates in all is its energy at most: ∫ 4π p² e^{−2dt} / 2ρc dt ≤ 1/2.
    #[test]
    fn a_mode_radiates_no_more_than_its_energy() {
        for decay in [1e-3, 3.0, 200.0] {
            let p = pressure(3000.0, 0.5, 2.0, decay);
            let radiated_j = 4.0 * PI * p * p / (2.0 * AIR_IMPEDANCE_PA_S_M) / (2.0 * decay);
            assert!(radiated_j <= 0.5 + 1e-12, "{decay}: {radiated_j}");
        }
    }
}
