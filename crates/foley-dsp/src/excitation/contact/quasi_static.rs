//! What a slow force does to modes far above it: they give way like springs, and hardly radiate.
//!
//! A mode is heard through `y = Σ_k x_k e^{−d(n−k)} sin ω(n−k)` of the force samples x. Its displacement follows a force
//! that is slow compared with its period, with the gain at zero frequency
//!
//! ```text
//! S = ρ sin ω / (1 − 2ρ cos ω + ρ²),   ρ = e^{−d},  ω and d per sample,
//! ```
//!
//! but the pressure follows its acceleration, which is that of the displacement less the force: `y − S x`. So the offset S x, the
//! spring of the mode, is taken away. Where the force changes faster than the mode, `−S x` is the mode's inertia.
//!
//! This is done for contacts that are rendered as sampled forces ([`SAMPLED_FROM`](crate::resonator::SAMPLED_FROM)), unless they
//! consist of shorter pulses. Those are impulses to most modes.

use super::acceleration_noise::Burst;

/// A mode as a pulse meets it: gain, frequency in Hz, decay rate in 1/s.
pub type PushedMode = (f32, f64, f64);

/// Returns the pressure of all modes at 1 m per N·s of each force sample that is not radiated. Modes above half the sample rate
/// are not rendered.
pub(crate) fn offset(modes: impl IntoIterator<Item = PushedMode>, sample_rate_hz: f64) -> f64 {
    modes
        .into_iter()
        .filter(|(_, frequency_hz, _)| *frequency_hz < 0.5 * sample_rate_hz)
        .map(|(gain, frequency_hz, decay)| {
            let turn = std::f64::consts::TAU * frequency_hz / sample_rate_hz;
            let rho = (-decay / sample_rate_hz).exp();
            f64::from(gain) * rho * turn.sin() / (1.0 - 2.0 * rho * turn.cos() + rho * rho)
        })
        .sum()
}

/// Returns the sound that takes the offset away from force samples of which the first has this number.
pub(crate) fn correction(offset: f64, first: u64, forces_ns: &[f32]) -> Option<Burst> {
    let samples: Box<[f32]> = forces_ns.iter().map(|x| (-offset * f64::from(*x)) as f32).collect();
    let is_heard = samples.iter().all(|y| y.is_finite()) && samples.iter().any(|y| *y != 0.0);
    is_heard.then_some(Burst { first, lead: 0, samples })
}
