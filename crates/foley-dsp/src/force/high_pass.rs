//! Takes the slow force away: what the simulation of motion already knows of.
//!
//! A Butterworth filter of fourth order at 20 Hz, `|H|² = x⁸/(1 + x⁸)` with x = f/20 Hz:
//! two sections of second order by the bilinear transform.

use std::f64::consts::PI;

use super::glide::Rounded;

/// Slower than this is motion, faster is sound, Hz.
const CUT_OFF_HZ: f64 = 20.0;
/// Smaller than this is nothing: −160 dB of a micronewton-second.
const STILL_NS: f64 = 1e-14;

/// |H|² at a frequency.
pub(super) fn power(frequency_hz: f64) -> f64 {
    let x = (frequency_hz / CUT_OFF_HZ).powi(8);
    if x.is_finite() { x / (1.0 + x) } else { 1.0 }
}

/// The filter and what it remembers. Real-time.
#[derive(Debug, Clone)]
pub(super) struct HighPass([Section; 2]);

#[derive(Debug, Clone, Copy)]
struct Section {
    gain: f64,
    feedback: [f64; 2],
    memory: [f64; 2],
}

impl HighPass {
    pub(super) fn new(sample_rate_hz: f64) -> Self {
        let t = (PI * CUT_OFF_HZ / sample_rate_hz).tan();
        let section = |angle: f64| {
            let damping = 2.0 * angle.cos() * t;
            let a0 = 1.0 + damping + t * t;
            Section {
                gain: 1.0 / a0,
                feedback: [2.0 * (t * t - 1.0) / a0, (1.0 - damping + t * t) / a0],
                memory: [0.0; 2],
            }
        };
        Self([section(PI / 8.0), section(3.0 * PI / 8.0)])
    }

    /// Adds what passes of `x`, made as loud as `amplitude` says, to `y`.
    pub(super) fn add(&mut self, x: &[f32], amplitude: &mut Rounded, y: &mut [f32]) {
        // In one loop, so that nobody waits, and on copies, which stay in registers.
        let ([mut first, mut second], mut gain) = (self.0, *amplitude);
        for (x, y) in x.iter().zip(y) {
            *y += second.process(first.process(f64::from(*x * gain.next()))) as f32;
        }
        (self.0, *amplitude) = ([first, second], gain);
    }

    pub(super) fn is_still(&self) -> bool {
        self.0.iter().flat_map(|s| s.memory).all(|m| m.abs() < STILL_NS)
    }

    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|s| s.memory = [0.0; 2]);
    }
}

impl Section {
    fn process(&mut self, x: f64) -> f64 {
        let ([m1, m2], [a1, a2], g) = (self.memory, self.feedback, self.gain * x);
        // y = g + m1 is multiplied out: from sample to sample only m1 has to be waited for.
        self.memory = [(m2 - (2.0 + a1) * g) - a1 * m1, (1.0 - a2) * g - a2 * m1];
        g + m1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steady answer to a sine has the stated power.
    #[test]
    fn the_response_is_butterworths() {
        for (f, rate) in [(5.0, 48e3), (10.0, 48e3), (20.0, 44.1e3), (40.0, 48e3), (1e3, 96e3)] {
            let mut filter = HighPass::new(rate);
            let period = (rate / f) as usize;
            let omega = 2.0 * PI / period as f64;
            let settle = (rate as usize / period + 1) * period;
            let sine = |n: usize| (omega * n as f64).sin() as f32;
            let x: Vec<f32> = (0..settle + period).map(sine).collect();
            let mut y = vec![0.0; x.len()];
            filter.add(&x, &mut Rounded::at_one(), &mut y);
            let power = |y: &f32| f64::from(*y).powi(2);
            let found = 2.0 * y[settle..].iter().map(power).sum::<f64>() / period as f64;
            let truth = super::power(rate / period as f64);
            assert!((found / truth - 1.0).abs() < 1e-3, "{f} Hz: {found} for {truth}");
        }
    }
}
