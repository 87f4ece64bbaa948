//! What a slow force does to modes far above it: they give way like springs, and hardly radiate.
//!
//! A mode is heard through `y = Σ_k x_k e^{−d(n−k)} sin ω(n−k)` of the force samples x. Its displacement follows a force
//! that is slow compared with its period, with the gain at zero frequency
//!
//! ```text
//! S = ρ sin ω / (1 − 2ρ cos ω + ρ²),   ρ = e^{−d},  ω and d per sample,
//! ```
//!
//! but the pressure follows its acceleration, which is smaller than ω² times that displacement by the square of the force's
//! frequency over ω: the offset S x is not heard. Here it is taken away from each mode by the share of the pulse that the mode
//! follows as a spring, 1 − |H(ω)| with the spectrum H of a raised cosine as long as the pulses of the force: none of it for an
//! impulse, or for many of them, all of it for a push. What is left is what the mode rings with, so that long pulses sound like
//! the short ones, which are heard by H(ω) alone.

use super::acceleration_noise::Burst;
use super::{Impact, pulse_spectrum};

/// A mode as a pulse meets it: gain, frequency in Hz, decay rate in 1/s.
pub type PushedMode = (f32, f64, f64);

/// Returns the pressure of all modes at 1 m per N·s of each force sample that is not radiated. Modes above half the sample rate
/// are not rendered.
pub(crate) fn offset(
    modes: impl IntoIterator<Item = PushedMode>,
    impact: &Impact,
    sample_rate_hz: f64,
) -> f64 {
    let pulse_s = impact.pulse_s();
    modes
        .into_iter()
        .filter(|(_, frequency_hz, _)| *frequency_hz < 0.5 * sample_rate_hz)
        .map(|(gain, frequency_hz, decay)| {
            let omega = std::f64::consts::TAU * frequency_hz;
            let follows = 1.0 - pulse_spectrum(frequency_hz * pulse_s);
            let (turn, rho) = (omega / sample_rate_hz, (-decay / sample_rate_hz).exp());
            let static_gain = rho * turn.sin() / (1.0 - 2.0 * rho * turn.cos() + rho * rho);
            f64::from(gain) * follows * static_gain
        })
        .sum()
}

/// Returns the sound that takes the offset away from force samples of which the first has this number.
pub(crate) fn correction(offset: f64, first: u64, forces_ns: &[f32]) -> Option<Burst> {
    let samples: Box<[f32]> = forces_ns.iter().map(|x| (-offset * f64::from(*x)) as f32).collect();
    let is_heard = samples.iter().all(|y| y.is_finite()) && samples.iter().any(|y| *y != 0.0);
    is_heard.then_some(Burst { first, lead: 0, samples })
}
