//! Contact patch: the low-pass that the finite contact area applies to a profile.
//!
//! A ball of radius R pressed by δ into a surface touches it over a patch of radius `a = √(R δ)`
//! (Hertz), `a³ = 3 F_n R / 4 E*`; on roughness of height h it rides on peaks within √(R h).
//! Together
//!
//! ```text
//! ℓ² = R (δ + h) = (3 F_n R / 4 E*)^{2/3} + R h
//! ```
//!
//! and detail finer than ℓ has no effect: "the ball only sees the large scale surface structure",
//! \[FA\] §4.3. At speed v this is a low-pass with the cutoff `f_c = v / 2πℓ`, here two equal
//! first-order filters: −6 dB at f_c, −12 dB per octave above. f_c falls with the radius, between
//! R^{−1/3} (soft and smooth) and R^{−1/2} (rough).

use super::profile::STEP;
use super::{ForceError, within};

/// Radius and stiffness of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPatch {
    /// Radius of the rolling body, m.
    pub radius_m: f64,
    /// E* of the pair, Pa; see [`HertzPair`](crate::excitation::HertzPair::modulus_pa).
    pub modulus_pa: f64,
}

impl ContactPatch {
    pub(super) fn validate(&self) -> Result<(), ForceError> {
        within("radius_m", self.radius_m, 1e-6..=1e3, "between 1e-6 and 1000")?;
        within("modulus_pa", self.modulus_pa, 1.0..=1e15, "between 1 and 1e15")?;
        Ok(())
    }

    /// Returns ℓ, m.
    pub fn length_m(&self, normal_force_n: f64, height_m: f64) -> f64 {
        let cube = 0.75 * normal_force_n.max(0.0) * self.radius_m / self.modulus_pa;
        (cube.cbrt().powi(2) + self.radius_m * height_m).sqrt()
    }

    /// Returns f_c, Hz.
    pub fn cutoff_hz(&self, speed_m_s: f64, normal_force_n: f64, height_m: f64) -> f64 {
        speed_m_s.abs() / (std::f64::consts::TAU * self.length_m(normal_force_n, height_m))
    }
}

/// The low-pass; its coefficient changes linearly through each step. Real-time.
#[derive(Debug, Clone, Default)]
pub(super) struct PatchLowPass {
    /// 1 − e^{−2π f_c/f_s} at the beginning of a step, and its increment per sample.
    k: [f32; 2],
    done: usize,
    memory: [f32; 2],
}

impl PatchLowPass {
    /// Begins a step that ends with this cutoff.
    pub(super) fn begin_step(&mut self, cutoff_hz: f64, sample_rate_hz: f64) {
        let to = -(-std::f64::consts::TAU * cutoff_hz / sample_rate_hz).exp_m1() as f32;
        let from = (self.k[0] + self.k[1] * self.done as f32).clamp(0.0, 1.0);
        self.k = [from, (to - from) / STEP as f32];
        self.done = 0;
    }

    pub(super) fn skip(&mut self, samples: usize) {
        self.done += samples;
    }

    pub(super) fn process(&mut self, y: &mut [f32]) {
        let [mut first, mut second] = self.memory;
        for (n, y) in y.iter_mut().enumerate() {
            let k = self.k[0] + self.k[1] * (self.done + n) as f32;
            first = k * *y + (1.0 - k) * first;
            second = k * first + (1.0 - k) * second;
            *y = second;
        }
        self.memory = [first, second];
        self.done += y.len();
    }

    pub(super) fn clear(&mut self) {
        self.memory = [0.0; 2];
    }
}
