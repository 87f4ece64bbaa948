//! Radiated power of modes: the sound pressure of vibrating bodies, and the decay that it causes, radiation damping.
//!
//! A mode of unit peak velocity (1 m/s √kg) has the energy 1/2 and radiates the power W_n, which follows from the velocity of
//! its whole surface: half-waves of opposite sign cancel, the two sides of a sheet short-circuit, edges radiate. So the air damps
//! it by `d_n = W_n` (−dE/dt = 2 d E = W). Spread evenly over a sphere of 1 m, its pressure has the amplitude
//! `p_n = √(ρ₀c₀ W_n / 2π)`, from `W = 4π p² / 2ρ₀c₀`. What a ringing mode radiates in all is the part d_n / d of its energy.
//!
//! [`RadiatingSurface`] solves W_n of a surface by boundary elements, [`SlenderBody`] has it for bars, rods and strings in
//! closed form; both have the [`directivity`] of each mode, too. [`rigid`] has the sound of the body that is accelerated as a whole.

pub mod rigid;
pub mod directivity;
mod slender;
mod surface;

pub use slender::SlenderBody;
pub use surface::{Powers, RadiatingSurface};

use foley_geometry::constants::AIR_IMPEDANCE_PA_S_M;
use std::f64::consts::TAU;

/// Range of decays by radiation over ω. Air is light: only estimates come near the largest. The smallest is silent, but mode
/// shapes are stored as gains over pressures.
const DAMPING: [f64; 2] = [1e-12, 0.5];

/// Returns the decay rate by radiation, 1/s, and p_n, Pa at 1 m for unit modal velocity, of a mode that radiates this power
/// at unit peak modal velocity.
pub fn damping_and_pressure(frequency_hz: f64, power_w: f64) -> (f64, f64) {
    let [least, most] = DAMPING.map(|damping| damping * TAU * frequency_hz);
    let power_w = power_w.clamp(least, most);
    (power_w, pressure_of_power(power_w))
}

/// Returns p_n, Pa at 1 m for unit modal velocity, of a mode that radiates this power.
pub fn pressure_of_power(power_w: f64) -> f64 {
    (AIR_IMPEDANCE_PA_S_M * power_w / TAU).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// What a ringing mode radiates in all is its energy at most: ∫ 4π p² e^{−2dt} / 2ρc dt = 1/2 without other losses.
    #[test]
    fn a_mode_without_other_losses_radiates_its_energy() {
        for power in [1e-3, 3.0, 200.0] {
            let (decay, p) = damping_and_pressure(440.0, power);
            let radiated_j = 4.0 * PI * p * p / (2.0 * AIR_IMPEDANCE_PA_S_M) / (2.0 * decay);
            assert!((radiated_j - 0.5).abs() < 1e-12, "{power}: {radiated_j}");
        }
    }

    #[test]
    fn a_mode_is_never_overdamped_by_air() {
        assert!(damping_and_pressure(100.0, 1e9).0 < TAU * 100.0);
        let (decay, p) = damping_and_pressure(100.0, 0.0);
        assert!(decay < 1e-8 && p > 0.0);
    }
}
