//! Acceleration noise: the sound of a rigid body that a contact force accelerates.
//!
//! A body of mass m that takes the force F moves as a whole with the acceleration F/m, and radiates as a dipole. For a sphere of
//! radius a the exterior solution that oscillates with the velocity U gives the far pressure
//!
//! ```text
//! p(r, θ) = ρ c U (a/r) cos θ · s² / (s² + 2βs + 2β²),   β = c/a,
//! ```
//!
//! delayed by (r − a)/c (Koss & Alfredson, *J. Sound Vib.* 27, 59 (1973); Pierce, *Acoustics*, §4.2): after a step of the velocity
//! ΔU, `ρ c ΔU (a/r) cos θ e^{−βt} (cos βt − sin βt)`. Its mean square over directions is a third of that along the axis. The
//! pressure of other bodies is described by two poles as well: from acceleration to pressure at 1 m, as the root of the mean
//! square over directions,
//!
//! ```text
//! P/A = g s / (s² + 2ζω₀ s + ω₀²)
//! ```
//!
//! with `g = ρ c √(∫ (n·e)² dS / 4π)` where waves are short, since then each element radiates by itself, and
//! `g/ω₀² = ρ (V + V_a) / (4π√3 c)` where they are long: V is the volume, V_a the added mass over ρ (Lighthill, *Waves in
//! Fluids*, §1.7). A sphere has g = ρca/√3, ω₀ = √2 β and ζ = 1/√2.
//!
//! The response is computed exactly for a force that is linear over steps finer than the contact, and then band-limited to the
//! sample rate. Not for the audio thread: bursts are samples that wait for their time.

use num_complex::Complex64;
use std::f64::consts::{PI, SQRT_2};

use foley_geometry::constants::{AIR_IMPEDANCE_PA_S_M, SOUND_SPEED_M_S};

use super::Impact;
use super::collision::StepFactors;
use super::decimation::{Decimator, REACH};

/// How loud a rigid body radiates when it is accelerated along one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidRadiation {
    /// g: pressure at 1 m, as the root of the mean square over directions, just after a step of the velocity of 1 m/s, Pa.
    pub gain_pa: f64,
    /// ω₀, rad/s.
    pub omega: f64,
    /// ζ, below 1.
    pub damping: f64,
}

/// A body that a contact force accelerates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AcceleratedBody {
    /// Its radiation along the direction of the force.
    pub radiation: RigidRadiation,
    /// Its mass, kg.
    pub mass_kg: f64,
    /// 1 for the body that the force pushes, −1 for the other one: their dipoles are opposed.
    pub sign: f64,
    /// Delay of its sound, s.
    pub delay_s: f64,
}

/// Largest damping: poles that are not a pair would need another form.
const MAX_DAMPING: f64 = 0.99;
/// The sound ends where it stays this far below its peak (−120 dB).
const END: f64 = 1e-6;
/// Longest contact and longest decay, samples. Slower pushes are inaudible.
const LONGEST: f64 = 65_536.0;

impl RigidRadiation {
    /// Returns the radiation of a sphere.
    pub fn sphere(radius_m: f64) -> Self {
        let gain_pa = AIR_IMPEDANCE_PA_S_M * radius_m / 3f64.sqrt();
        let omega = SQRT_2 * SOUND_SPEED_M_S / radius_m;
        Self { gain_pa, omega, damping: 0.5 * SQRT_2 }
    }

    /// Returns the radiation along a direction of a body with these along x, y and z. Short waves add the squares of the gains,
    /// long ones those of the volumes.
    pub fn along(axes: &[Self; 3], direction: [f64; 3]) -> Self {
        let square: f64 = direction.iter().map(|e| e * e).sum();
        let part =
            |i: usize| if square > 0.0 { direction[i] * direction[i] / square } else { 1.0 / 3.0 };
        let mean = |of: fn(&Self) -> f64| (0..3).map(|i| part(i) * of(&axes[i])).sum::<f64>();
        let gain_pa = mean(|axis| axis.gain_pa.powi(2)).sqrt();
        let volume = mean(|axis| (axis.gain_pa / axis.omega.powi(2)).powi(2)).sqrt();
        Self { gain_pa, omega: (gain_pa / volume).sqrt(), damping: mean(|axis| axis.damping) }
    }

    /// Returns the radius of the sphere with the same ω₀, m.
    pub fn radius_m(&self) -> f64 {
        SQRT_2 * SOUND_SPEED_M_S / self.omega
    }

    /// Returns the radiation of the same body with all lengths multiplied by `size`.
    pub fn scaled(self, size: f64) -> Self {
        Self { gain_pa: self.gain_pa * size, omega: self.omega / size, ..self }
    }

    /// Returns whether all numbers are usable.
    pub fn is_valid(&self) -> bool {
        let positive = |x: f64| x > 0.0 && x <= 1e20;
        positive(self.gain_pa) && positive(self.omega) && (1e-3..1.0).contains(&self.damping)
    }

    /// Returns P/A at ω in rad/s, Pa at 1 m per m/s², for e^{iωt}.
    pub fn response(&self, omega: f64) -> Complex64 {
        let s = Complex64::new(0.0, omega);
        self.gain_pa * s / (s * s + 2.0 * self.damping * self.omega * s + self.omega * self.omega)
    }

    /// Returns the energy that the body radiates when it takes an impulse in no time, J: the most that a
    /// contact of this impulse can radiate. Its order is the ratio of the densities of air and body times the kinetic energy.
    pub fn impulsive_energy_j(&self, mass_kg: f64, impulse_ns: f64) -> f64 {
        // ∫₀^∞ ω² / |ω₀² − ω² + 2iζω₀ω|² dω = π / 4ζω₀.
        let step = self.gain_pa * impulse_ns / mass_kg;
        PI * step * step / (AIR_IMPEDANCE_PA_S_M * self.damping * self.omega)
    }

    /// Returns the energy that the body radiates in all directions, J: `4π/ρc ∫ p² dt`, without a limit of frequency.
    pub fn energy_j(&self, mass_kg: f64, impact: &Impact) -> f64 {
        let step_s = impact.resolution_s().min(0.1 / self.omega);
        let steps = impact.end_s() / step_s;
        if !(steps < 64.0 * LONGEST) {
            return 0.0;
        }
        let mut filter = TwoPole::new(self, step_s);
        let scale = self.gain_pa / mass_kg;
        let (mut sum, mut last) = (0.0, 0.0);
        // By trapezia: the sound begins with 0.
        for k in 0..steps as usize + 2 {
            last = filter.advance(impact.force_n(k as f64 * step_s));
            sum += last * last * step_s;
        }
        // What follows the force is a free decay.
        sum += filter.remaining() - 0.5 * last * last * step_s;
        4.0 * PI / AIR_IMPEDANCE_PA_S_M * sum * scale * scale
    }
}

impl AcceleratedBody {
    /// Returns a body of a given mass, with the sound at once.
    pub fn new(radiation: RigidRadiation, mass_kg: f64) -> Self {
        Self { radiation, mass_kg, sign: 1.0, delay_s: 0.0 }
    }

    /// Returns it as the striking body of a contact with another one, heard from the same place.
    ///
    /// Their dipoles are opposed and apart by d, so that at angle θ `|P|² = cos²θ |P₁ − P₂ e^{ikd cos θ}|²`. The mean of
    /// cos²θ cos(x cos θ) over directions is `(1 − 3x²/10)/3` to the order x². The sound of the striking body is delayed by
    /// √(3/5) d/c, which gives this mean to the order (kd)². Equal bodies do not cancel: where waves are long a quadrupole is left.
    pub fn striking(self, other: Option<&Self>) -> Self {
        let radius_m = |body: &Self| body.radiation.radius_m();
        let apart_m = other.map_or(0.0, |other| radius_m(&self) + radius_m(other));
        Self { sign: -1.0, delay_s: 0.6f64.sqrt() * apart_m / SOUND_SPEED_M_S, ..self }
    }
}

impl Impact {
    /// Returns the sound of bodies that the force of this impact accelerates, band-limited below half the sample rate, for a
    /// contact that begins at sample `start`; `None` where there is nothing to hear.
    pub fn acceleration_noise(
        &self,
        bodies: &[AcceleratedBody],
        sample_rate_hz: f64,
        start: f64,
    ) -> Option<Burst> {
        let start = if start.is_finite() { start.max(0.0) } else { 0.0 };
        let force_end = self.end_s() * sample_rate_hz;
        if bodies.is_empty() || !(force_end < LONGEST) {
            return None;
        }
        let decimator = Decimator::of_step(self.resolution_s() * sample_rate_hz);
        let factor = decimator.factor() as f64;
        // The fine steps lie on the clock of the samples: the start may be between them.
        let first = start.floor();
        let step_s = 1.0 / (factor * sample_rate_hz);
        let begin_s = (start - first) / sample_rate_hz;
        let mut fine = Vec::new();
        for body in bodies {
            let (from_s, to_s) = (begin_s + body.delay_s, begin_s + body.delay_s + self.end_s());
            let RigidRadiation { gain_pa, omega, damping } = body.radiation;
            let decay_s = -END.ln() / (omega * damping.min(MAX_DAMPING));
            if !(decay_s * sample_rate_hz < LONGEST && to_s * sample_rate_hz < 2.0 * LONGEST) {
                continue;
            }
            let force = |k: usize| self.force_n(k as f64 * step_s - from_s);
            let [begin, forced] = [from_s, to_s].map(|t| (t / step_s) as usize);
            let is_between_steps = (begin..forced + 2).all(|k| force(k) == 0.0);
            let force = |k: usize| match is_between_steps {
                true => f64::from(u8::from(k == begin + 1)),
                false => force(k),
            };
            // The sum of the forces keeps the impulse, however few they are.
            let sum: f64 = (begin..forced + 2).map(force).sum();
            let scale = self.impulse_ns() / (sum * step_s) * body.sign * gain_pa / body.mass_kg;
            if !scale.is_finite() {
                continue;
            }
            let end = forced + 2 + (decay_s / step_s) as usize;
            fine.resize(fine.len().max(end), 0.0);
            let mut filter = TwoPole::new(&body.radiation, step_s);
            for (k, y) in fine[..end].iter_mut().enumerate().skip(begin) {
                let force = if k < forced + 2 { force(k) } else { 0.0 };
                *y += (scale * filter.advance(force)) as f32;
            }
        }
        Burst::new(first as u64, decimator.decimate(&fine))
    }
}

/// Sound on the sample clock, at 1 m.
#[derive(Debug, Clone, PartialEq)]
pub struct Burst {
    /// Number of its first sample.
    pub(crate) first: u64,
    /// Samples before the contact begins.
    pub(crate) lead: usize,
    /// Pa.
    pub(crate) samples: Box<[f32]>,
}

impl Burst {
    /// Makes a burst for a contact that begins at sample `start`, of samples from [`REACH`] before it on. Leaves out what is
    /// silent at both ends, and what is before the beginning of time.
    fn new(start: u64, samples: Vec<f32>) -> Option<Self> {
        let peak = samples.iter().fold(0f32, |peak, y| peak.max(y.abs()));
        if !(peak > 0.0 && peak.is_finite()) {
            return None;
        }
        let is_heard = |y: &f32| y.abs() > END as f32 * peak;
        let before = REACH.saturating_sub(start as usize);
        let from = samples.iter().position(is_heard)?.max(before);
        let to = samples.iter().rposition(is_heard)? + 1;
        let (first, lead) = (start + from as u64 - REACH as u64, REACH.saturating_sub(from));
        (from < to).then(|| Self { first, lead, samples: samples[from..to].into() })
    }

    /// Returns the number of its first sample.
    pub fn first_sample(&self) -> u64 {
        self.first
    }

    /// Returns its samples, Pa at 1 m.
    pub fn samples(&self) -> &[f32] {
        &self.samples
    }
}

/// `s / (s² + 2ζω₀ s + ω₀²)`, advanced exactly over steps with a force that is linear.
struct TwoPole {
    factors: StepFactors,
    step_s: f64,
    /// σ = ζω₀ and ω_d.
    sigma: f64,
    omega_d: f64,
    /// `ż = (−σ + iω_d) z + F`; the output is Re z − (σ/ω_d) Im z.
    z: [f64; 2],
    force: f64,
}

impl TwoPole {
    fn new(radiation: &RigidRadiation, step_s: f64) -> Self {
        let damping = radiation.damping.min(MAX_DAMPING);
        let sigma = damping * radiation.omega;
        let omega_d = radiation.omega * (1.0 - damping * damping).sqrt();
        let factors = StepFactors::new([-sigma * step_s, omega_d * step_s]);
        Self { factors, step_s, sigma, omega_d, z: [0.0; 2], force: 0.0 }
    }

    /// Advances by a step to this force; returns the output there.
    fn advance(&mut self, force: f64) -> f64 {
        let StepFactors { exp, start, end } = &self.factors;
        let [re, im] = self.z;
        let [before, after] = [self.force, force].map(|force| force * self.step_s);
        self.z = [
            exp[0] * re - exp[1] * im + start[0] * before + end[0] * after,
            exp[0] * im + exp[1] * re + start[1] * before + end[1] * after,
        ];
        self.force = force;
        self.z[0] - self.sigma / self.omega_d * self.z[1]
    }

    /// Returns the integral of the square of the output from here on, without a force.
    fn remaining(&self) -> f64 {
        // y = Re(q z) with q = 1 + iσ/ω_d: ∫ y² = |q z|²/4σ − Re((q z)²/4λ), λ = −σ + iω_d.
        let [z, q] = [self.z, [1.0, self.sigma / self.omega_d]].map(|[a, b]| Complex64::new(a, b));
        let y = q * z;
        let lambda = Complex64::new(-self.sigma, self.omega_d);
        y.norm_sqr() / (4.0 * self.sigma) - (y * y / (4.0 * lambda)).re
    }
}

#[cfg(test)]
mod tests;
