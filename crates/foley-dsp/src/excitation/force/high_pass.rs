//! High-pass that removes the slow force, which the simulation of motion already contains.
//!
//! A fourth-order Butterworth filter at 20 Hz, `|H|² = x⁸/(1 + x⁸)` with x = f/20 Hz, by the
//! bilinear transform. Partial fractions put its two pole pairs in parallel,
//!
//! ```text
//! H(w) = G (1 − w)⁴ / D₁ D₂ = c + N₁/D₁ + N₂/D₂,  w = z⁻¹,  D = 1 + a₁ w + a₂ w²
//! ```
//!
//! so that both are computed together.

use num_complex::Complex64;
use std::f64::consts::PI;

use super::parameter_smoothing::SmoothedAmplitude;

/// Boundary between motion and sound, Hz.
const CUTOFF_HZ: f64 = 20.0;
/// Smaller state counts as zero: −160 dB of a micronewton-second.
const SILENT_NS: f64 = 1e-14;

/// Returns |H|² at a frequency.
pub(super) fn power(frequency_hz: f64) -> f64 {
    let x = (frequency_hz / CUTOFF_HZ).powi(8);
    if x.is_finite() { x / (1.0 + x) } else { 1.0 }
}

/// The filter and its state, one lane per pole pair. Real-time.
#[derive(Debug, Clone)]
pub(super) struct HighPass {
    /// Direct path, c + N₁(0) + N₂(0).
    direct: f64,
    /// Gains from the input to the state.
    input: [[f64; 2]; 2],
    /// a₁ and a₂.
    feedback: [[f64; 2]; 2],
    memory: [[f64; 2]; 2],
}

impl HighPass {
    pub(super) fn new(sample_rate_hz: f64) -> Self {
        let t = (PI * CUTOFF_HZ / sample_rate_hz).tan();
        // 1/z of the poles at these angles from the negative axis.
        let w = [PI / 8.0, 3.0 * PI / 8.0].map(|angle| {
            let s = Complex64::from_polar(t, PI - angle);
            (1.0 - s) / (1.0 + s)
        });
        let a = w.map(|w| [-2.0 * w.re / w.norm_sqr(), 1.0 / w.norm_sqr()]);
        // Unit gain at the Nyquist frequency, w = −1.
        let gain = a.map(|[a1, a2]| (1.0 - a1 + a2) / 4.0).iter().product::<f64>();
        let numerator = |j: usize| {
            let other = w[1 - j];
            let d = (w[j] - other) * (w[j] - other.conj()) / other.norm_sqr();
            let value = gain * (1.0 - w[j]).powi(4) / d;
            let n1 = value.im / w[j].im;
            [value.re - n1 * w[j].re, n1]
        };
        let n = [numerator(0), numerator(1)];
        let lanes = |one: &dyn Fn(usize) -> f64| [one(0), one(1)];
        Self {
            direct: gain / (a[0][1] * a[1][1]) + n[0][0] + n[1][0],
            input: [lanes(&|j| n[j][1] - a[j][0] * n[j][0]), lanes(&|j| -a[j][1] * n[j][0])],
            feedback: [lanes(&|j| a[j][0]), lanes(&|j| a[j][1])],
            memory: [[0.0; 2]; 2],
        }
    }

    /// Filters `x` times `amplitude` and adds the result to `y`.
    pub(super) fn add(&mut self, x: &[f32], amplitude: &mut SmoothedAmplitude, y: &mut [f32]) {
        // Local copies stay in registers.
        let ([b1, b2], [a1, a2]) = (self.input, self.feedback);
        let ([mut m1, mut m2], mut gain) = (self.memory, *amplitude);
        for (x, y) in x.iter().zip(y) {
            let x = f64::from(*x * gain.next());
            *y += (self.direct * x + (m1[0] + m1[1])) as f32;
            for j in 0..2 {
                let fed = m1[j];
                m1[j] = (b1[j] * x + m2[j]) - a1[j] * fed;
                m2[j] = b2[j] * x - a2[j] * fed;
            }
        }
        (self.memory, *amplitude) = ([m1, m2], gain);
    }

    pub(super) fn is_silent(&self) -> bool {
        self.memory.iter().flatten().all(|m| m.abs() < SILENT_NS)
    }

    pub(super) fn clear(&mut self) {
        self.memory = [[0.0; 2]; 2];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steady-state response to a sine has the stated power.
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
            filter.add(&x, &mut SmoothedAmplitude::at_one(), &mut y);
            let power = |y: &f32| f64::from(*y).powi(2);
            let found = 2.0 * y[settle..].iter().map(power).sum::<f64>() / period as f64;
            let truth = super::power(rate / period as f64);
            assert!((found / truth - 1.0).abs() < 1e-3, "{f} Hz: {found} for {truth}");
        }
    }
}
