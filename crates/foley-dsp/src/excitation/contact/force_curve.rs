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
use std::f64::consts::TAU;
use std::sync::OnceLock;

use crate::windowed_sinc::windowed_sinc;

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

    /// Steps between which the force is linear, s.
    pub(super) fn step_s(&self) -> f64 {
        self.step_s
    }

    /// Time after which there is no force, s.
    pub(super) fn end_s(&self) -> f64 {
        self.step_s * self.forces_n.len() as f64
    }

    /// Returns the duration of the pulses of which the force consists, s: that of a raised cosine with the same `∫Ḟ² dt / ∫F² dt`,
    /// which is (2π/τ)²/3. Contacts that follow each other do not make it longer.
    pub(super) fn pulse_s(&self) -> f64 {
        let squares: f64 = self.forces_n.iter().map(|f| f * f).sum();
        let changes = self.forces_n.windows(2).map(|pair| (pair[1] - pair[0]).powi(2));
        let rate2 = changes.sum::<f64>() / (squares * self.step_s * self.step_s);
        if rate2 > 0.0 { TAU / (3.0 * rate2).sqrt() } else { self.duration_s }
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

    /// Returns the force at a number of steps after the first contact, by Catmull and Rom's cubic through four points.
    fn smooth_force_n(&self, steps: f64) -> f64 {
        let k = steps.max(0.0) as usize;
        let value = |k: Option<usize>| k.and_then(|k| self.forces_n.get(k)).copied().unwrap_or(0.0);
        let [a, b, c, d] = [k.checked_sub(1), Some(k), Some(k + 1), Some(k + 2)].map(value);
        let x = steps - k as f64;
        let bent = 3.0 * (b - c) + d - a;
        (b + 0.5 * x * (c - a + x * (2.0 * a - 5.0 * b + 4.0 * c - d + x * bent))).max(0.0)
    }

    /// Returns F̂(ω), N·s, about the centre, at ω in rad/s.
    pub fn spectrum(&self, omega: f64) -> Complex64 {
        let [value] = self.spectra([omega]);
        value
    }

    /// Returns the spectrum at several frequencies: their sums advance side by side.
    pub(crate) fn spectra<const N: usize>(&self, omegas: [f64; N]) -> [Complex64; N] {
        let turns = omegas.map(|omega| Complex64::cis(-omega * self.step_s));
        let mut sums = [Complex64::ZERO; N];
        // Horner's rule: the smallest number of sines.
        for f in self.forces_n.iter().rev() {
            for (sum, turn) in sums.iter_mut().zip(&turns) {
                *sum = *sum * turn + f;
            }
        }
        std::array::from_fn(|n| {
            let half = 0.5 * omegas[n] * self.step_s;
            let sinc = if half.abs() < 1e-9 { 1.0 } else { half.sin() / half };
            sums[n] * (self.step_s * sinc * sinc) * Complex64::cis(omegas[n] * self.centre_s)
        })
    }

    /// Returns the samples of the force, band-limited below half the sample rate, for a contact that begins at
    /// sample `start`, and the number of the first.
    ///
    /// Their sum is J. Where steps are shorter than samples the kernel is a sinc under a Kaiser window; longer steps
    /// are so smooth that the force itself is sampled.
    pub fn samples(&self, sample_rate_hz: f64, start: f64) -> (u64, Vec<f32>) {
        let step = self.step_s * sample_rate_hz;
        // Nothing sounds before the contact: the force begins so gently that its kernel may be cut there.
        let first = start.ceil();
        let end = start + step * self.forces_n.len() as f64;
        let mut samples;
        if step > 0.5 {
            let count = (end - first).max(0.0).ceil() as usize + 1;
            let at = |n: usize| self.smooth_force_n((first + n as f64 - start) / step);
            samples = (0..count).map(at).collect::<Vec<f64>>();
        } else {
            let kernel = Kernel::shared();
            samples = vec![0.0; (end - first).max(0.0).ceil() as usize + REACH + 1];
            for (f, k) in self.forces_n.iter().zip(0u32..).filter(|(f, _)| **f != 0.0) {
                let at = start + step * f64::from(k) - first;
                let from = (at.floor() as isize - REACH as isize + 1).max(0) as usize;
                for (n, sum) in samples.iter_mut().enumerate().skip(from).take(2 * REACH) {
                    *sum += f * kernel.at(n as f64 - at);
                }
            }
        }
        let sum: f64 = samples.iter().sum();
        let scale = if sum != 0.0 { self.impulse_ns / sum } else { 0.0 };
        (first as u64, samples.iter().map(|x| (x * scale) as f32).collect())
    }
}

/// Half the length of the kernel, samples.
const REACH: usize = 16;
/// Points of the kernel per sample.
const POINTS: usize = 64;

/// Edge (−6 dB) over the sample rate, and β of the Kaiser window.
const EDGE: f64 = 0.46;
const BETA: f64 = 8.0;

/// A sinc under a Kaiser window, as a table.
struct Kernel(Vec<f64>);

impl Kernel {
    fn shared() -> &'static Self {
        static KERNEL: OnceLock<Kernel> = OnceLock::new();
        KERNEL.get_or_init(|| {
            let at = |k: usize| windowed_sinc(k as f64 / POINTS as f64, EDGE, BETA, REACH as f64);
            Self((0..=REACH * POINTS + 1).map(at).collect())
        })
    }

    fn at(&self, x: f64) -> f64 {
        let position = x.abs() * POINTS as f64;
        let k = position as usize;
        match self.0.get(k..k + 2) {
            Some(pair) => pair[0] + (pair[1] - pair[0]) * (position - k as f64),
            None => 0.0,
        }
    }
}
