//! The work that a contact force does on a mode.
//!
//! A mode with `z̈ + 2dż + (ω² + d²) z = w F` takes the work `∫ F ż dt`, all of which it loses in the end, during the contact and
//! after it. With the state `ẏ = (−d + iω) y + w F`, z = Im y / ω, which is advanced exactly over steps with a linear force,
//! `d/dt |y|²/2w = −2d |y|²/2w + F Re y` and ż = Re y − d z, so that
//!
//! ```text
//! ∫ F ż dt = |y|²/2w + ∫ 2d |y|²/2w dt − d ∫ F z dt
//! ```
//!
//! with the first term at the end of the force. The last two nearly cancel where a slow force bends a mode like a spring. A mode that
//! loses little takes `w |F̂(ω)|²/2`.

use super::collision::StepFactors;
use super::{Impact, MobilityMode};

/// Steps of a force that is known by impulse and duration.
const STEPS: f64 = 400.0;

impl Impact {
    /// Returns the work that the force does on a mode, J. Not for the audio thread.
    pub fn work_j(&self, mode: &MobilityMode) -> f64 {
        let MobilityMode { omega, decay, weight } = *mode;
        if !(weight > 0.0 && omega > 0.0) {
            return 0.0;
        }
        let h = self.curve().map_or(self.duration_s() / STEPS, |curve| curve.step_s());
        let StepFactors { exp, start, end } = StepFactors::new([-decay * h, omega * h]);
        let [mut re, mut im] = [0.0; 2];
        let (mut dissipated, mut pushed, mut before) = (0.0, 0.0, 0.0);
        let steps = (self.end_s() / h).round() as usize + 1;
        for k in 1..=steps {
            let force = if k == steps { 0.0 } else { self.force_n(k as f64 * h) };
            let [a, b] = [before, force].map(|force| force * weight * h);
            (re, im) = (
                exp[0] * re - exp[1] * im + start[0] * a + end[0] * b,
                exp[0] * im + exp[1] * re + start[1] * a + end[1] * b,
            );
            dissipated += decay * h * (re * re + im * im) / weight;
            pushed += decay * h * force * im / omega;
            before = force;
        }
        let left = (re * re + im * im) / (2.0 * weight);
        // The last step counts half: the force has ended there.
        left + dissipated - decay * h * left - pushed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    /// By Parseval, `∫ F ż dt = 1/π ∫ |F̂|² Re Y dω` with `Y = iω w / (ω₀² − ω² + 2iωd)`.
    fn parseval(impact: &Impact, mode: &MobilityMode) -> f64 {
        let MobilityMode { omega, decay, weight } = *mode;
        let square = omega * omega + decay * decay;
        // ω = ω₀ + d tan θ resolves the peak; what is left of it is added on a line.
        let density = |x: f64| {
            let force = impact.impulse_ns() * impact.spectrum(x);
            let (reactive, resistive) = (square - x * x, 2.0 * x * decay);
            force * force * weight * x * resistive / (reactive.powi(2) + resistive.powi(2)) / PI
        };
        let steps = 400_000;
        let [low, high] = [(-omega / decay).atan(), PI / 2.0 - 1e-5];
        let d_theta = (high - low) / f64::from(steps);
        let at = |i: i32| {
            let theta = low + (f64::from(i) + 0.5) * d_theta;
            density(omega + decay * theta.tan()) * decay / theta.cos().powi(2) * d_theta
        };
        (0..steps).map(at).sum()
    }

    #[test]
    fn the_work_is_that_of_parseval() {
        let impact = Impact::new(0.05, 1e-3).unwrap();
        for hz in [50.0, 400.0, 900.0, 1500.0] {
            for loss in [1e-3, 0.02, 0.2] {
                let omega = TAU * hz;
                let mode = MobilityMode { omega, decay: 0.5 * loss * omega, weight: 3.0 };
                let (found, truth) = (impact.work_j(&mode), parseval(&impact, &mode));
                println!("{hz} Hz, loss factor {loss}: {found:.4e} J, {truth:.4e} J");
                assert!((found / truth - 1.0).abs() < 5e-3, "{found} {truth}");
            }
        }
    }

    /// A slow push bends a stiff mode and gets its work back, but for what is lost.
    #[test]
    fn a_slow_push_leaves_little() {
        let impact = Impact::new(0.05, 20e-3).unwrap();
        let omega = TAU * 2000.0;
        let mode = MobilityMode { omega, decay: 0.05 * omega, weight: 3.0 };
        let lent = 0.5 * mode.weight * (impact.force_n(10e-3) / omega).powi(2);
        let work = impact.work_j(&mode);
        // ∫ 2d ż²/w dt of the motion z = w F/ω².
        let rate = TAU / 20e-3;
        let truth = mode.decay * mode.weight * (rate * impact.force_n(10e-3) / 2.0).powi(2) * 20e-3
            / omega.powi(4);
        println!("{work:.3e} J of {lent:.3e} J, {truth:.3e} J");
        assert!((work / truth - 1.0).abs() < 0.05 && work < 1e-2 * lent);
    }
}
