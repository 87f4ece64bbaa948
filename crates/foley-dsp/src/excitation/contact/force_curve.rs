//! The force of a contact over time, as samples and as a spectrum.
//!
//! The force is known at equal steps h and linear between them, so its spectrum about the time t₀ is
//!
//! ```text
//! F̂(ω) = h sinc²(ωh/2) Σ_k F_k e^{−iω(t_k − t₀)}
//! ```
//!
//! What an impact leaves in a mode is its gain times F̂ at its frequency. With t₀ at the centre of the
//! force the spectrum is smooth, and a table of it is enough.

use num_complex::Complex64;
use std::f64::consts::PI;

/// A force over time, in equal steps.
#[derive(Debug, Clone, PartialEq)]
pub struct ForceCurve {
    step_s: f64,
    /// N, from the first contact on; 0 at both ends.
    forces_n: Box<[f64]>,
    impulse_ns: f64,
    duration_s: f64,
    centre_s: f64,
}

impl ForceCurve {
    /// Makes a curve with a given integral and duration; `forces_n` starts and ends with 0.
    pub(super) fn new(step_s: f64, forces_n: Vec<f64>, impulse_ns: f64, duration_s: f64) -> Self {
        let moment: f64 = forces_n.iter().zip(0u32..).map(|(f, k)| f * f64::from(k)).sum();
        let sum: f64 = forces_n.iter().sum();
        let centre_s = if sum > 0.0 { step_s * moment / sum } else { 0.0 };
        Self { step_s, forces_n: forces_n.into(), impulse_ns, duration_s, centre_s }
    }

    /// J, N·s.
    pub fn impulse_ns(&self) -> f64 {
        self.impulse_ns
    }

    /// Time from the first contact to the last, s.
    pub fn duration_s(&self) -> f64 {
        self.duration_s
    }

    /// Centre of the force in time, s after the first contact.
    pub fn centre_s(&self) -> f64 {
        self.centre_s
    }

    /// Returns F(t), N, at `t_s` seconds after the first contact; zero outside.
    pub fn force_n(&self, t_s: f64) -> f64 {
        let at = t_s / self.step_s;
        if !(at >= 0.0) {
            return 0.0;
        }
        let k = at as usize;
        let value = |k: usize| self.forces_n.get(k).copied().unwrap_or(0.0);
        let part = at - k as f64;
        value(k) + (value(k.saturating_add(1)) - value(k)) * part
    }

    /// Returns F̂(ω), N·s, about the centre, at ω in rad/s.
    pub fn spectrum(&self, omega: f64) -> Complex64 {
        let angle = omega * self.step_s;
        let turn = Complex64::cis(-angle);
        // Horner's rule: the smallest number of sines.
        let sum = self.forces_n.iter().rev().fold(Complex64::ZERO, |sum, f| sum * turn + f);
        let half = 0.5 * angle;
        let sinc = if half.abs() < 1e-9 { 1.0 } else { half.sin() / half };
        sum * (self.step_s * sinc * sinc) * Complex64::cis(omega * self.centre_s)
    }

    /// Returns the samples of the force, band-limited below half the sample rate, and the number of the
    /// first relative to the first contact, at an integer sample.
    ///
    /// Their sum is J. The kernel is a sinc under a Kaiser window: flat to 0.01 dB up to 0.42 of the sample rate.
    pub fn samples(&self, sample_rate_hz: f64, start: f64) -> (i64, Vec<f32>) {
        // At least two points per sample, so that the line between two steps has no images in the band.
        let step = self.step_s * sample_rate_hz;
        let parts = (2.0 * step).ceil().max(1.0);
        let step = step / parts;
        // Nothing sounds before the contact: the force begins so gently that its kernel may be cut there.
        let first = start.ceil();
        let length_s = self.step_s * self.forces_n.len() as f64;
        let last = (start + length_s * sample_rate_hz + REACH).floor();
        let count = (last - first).max(0.0) as usize + 1;
        let mut samples = vec![0.0; count];
        let points = (self.forces_n.len() as f64 * parts) as u32;
        for k in 0..points {
            let f = self.force_n(self.step_s * f64::from(k) / parts);
            let at = start + step * f64::from(k);
            let from = (at - REACH).ceil().max(first);
            let to = (at + REACH).floor().min(last);
            let mut n = from;
            while n <= to {
                samples[(n - first) as usize] += f * step * kernel(n - at);
                n += 1.0;
            }
        }
        let sum: f64 = samples.iter().sum::<f64>() / sample_rate_hz;
        let scale = if sum != 0.0 { self.impulse_ns / sum / sample_rate_hz } else { 0.0 };
        (first as i64, samples.iter().map(|x| (x * scale) as f32).collect())
    }
}

/// Half the length of the kernel, samples.
const REACH: f64 = 16.0;

/// A sinc with its edge at 0.46 of the sample rate, under a Kaiser window (β = 8).
fn kernel(x: f64) -> f64 {
    let edge = 0.92;
    let sinc = if x.abs() < 1e-9 { edge } else { (PI * edge * x).sin() / (PI * x) };
    let position = x / REACH;
    sinc * bessel_i0(8.0 * (1.0 - position * position).max(0.0).sqrt()) / bessel_i0(8.0)
}

/// I₀ by its series.
fn bessel_i0(x: f64) -> f64 {
    let quarter = 0.25 * x * x;
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..40 {
        term *= quarter / f64::from(k * k);
        sum += term;
    }
    sum
}
