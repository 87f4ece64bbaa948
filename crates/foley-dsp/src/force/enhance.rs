//! Rolling couples to the body's own modes (FoleyAutomatic 2001, §4.3).
//!
//! A γ = 2 model driven by noise sounds like a reson driven by noise of the spectral
//! envelope `S(ω) = 1/√((ω − ρ)² + d²)`, ρ and d being the mode's frequency and damping.
//! That envelope is the response of a complex one-pole:
//!
//! ```text
//! s ← e^{(−d + iρ)/f_s} s + (1 − e^{−d/f_s}) x,   y = Σ 2 Re s,   |Y/X| ≈ d/√((ω − ρ)² + d²)
//! ```
//!
//! one near each mode, and one at its top. The sum is scaled so that it nowhere exceeds
//! one: enhancement *takes away* between the modes and adds no energy anywhere.

use super::{ForceError, within};

/// Modes that can be enhanced at a time.
pub const MOST_ENHANCED: usize = 64;
const LANES: usize = 8;

/// The places of the strongest modes, at most `count` of them: those that ring with the
/// most energy after a blow, a²/d.
pub fn strongest(decays: &[f64], gains: &[f32], count: usize) -> Vec<usize> {
    let energy = |n: &usize| f64::from(gains[*n]).powi(2) / decays[*n];
    let mut order: Vec<usize> = (0..decays.len().min(gains.len())).collect();
    order.sort_by(|a, b| energy(b).total_cmp(&energy(a)));
    order.truncate(count);
    order
}

/// Eight one-poles side by side.
#[derive(Debug, Clone, Default)]
struct Poles {
    turn: [[f32; LANES]; 2],
    input: [f32; LANES],
    memory: [[f32; LANES]; 2],
}

/// The filter. Real-time once made.
#[derive(Debug, Clone)]
pub(super) struct Enhance {
    poles: Vec<Poles>,
    /// How much of the sound passes as it is.
    plain: f32,
}

impl Enhance {
    /// Around modes (Hz, 1/s); `share` of the force is enhanced, the rest passes.
    pub(super) fn new(
        frequencies_hz: &[f64],
        decays: &[f64],
        share: f64,
        sample_rate_hz: f64,
    ) -> Result<Self, ForceError> {
        let share = within("enhancement", share, 0.0..=1.0, "between 0 and 1")?;
        let mut modes = Vec::new();
        for (f, d) in frequencies_hz.iter().zip(decays) {
            within("a mode's frequency (Hz)", *f, 0.0..=f64::MAX, "positive and finite")?;
            within("a mode's decay (1/s)", *d, 0.0..=f64::MAX, "positive and finite")?;
            // Above half the sample rate nothing sounds; without damping nothing settles.
            if *f > 0.0 && *f < 0.49 * sample_rate_hz && modes.len() < MOST_ENHANCED {
                modes.push([
                    std::f64::consts::TAU * f / sample_rate_hz,
                    d.max(0.1) / sample_rate_hz,
                ]);
            }
        }
        if modes.is_empty() || share == 0.0 {
            return Ok(Self { poles: Vec::new(), plain: 1.0 });
        }
        let scale = share / highest(&modes).max(1.0);
        let pole = |poles: &[[f64; 2]]| {
            let mut group = Poles::default();
            for (lane, [rho, d]) in poles.iter().enumerate() {
                let r = (-d).exp();
                group.turn[0][lane] = (r * rho.cos()) as f32;
                group.turn[1][lane] = (r * rho.sin()) as f32;
                group.input[lane] = (-2.0 * scale * (-d).exp_m1()) as f32;
            }
            group
        };
        Ok(Self { poles: modes.chunks(LANES).map(pole).collect(), plain: (1.0 - share) as f32 })
    }

    pub(super) fn process(&mut self, y: &mut [f32]) {
        let mut sums = [[0.0; LANES]; super::profile::STEP];
        if self.poles.is_empty() {
            return;
        }
        for poles in &mut self.poles {
            let [mut re, mut im] = poles.memory;
            let [zr, zi] = poles.turn;
            for (x, sum) in y.iter().zip(&mut sums) {
                for lane in 0..LANES {
                    let turned = zr[lane] * re[lane] - zi[lane] * im[lane];
                    im[lane] = zr[lane] * im[lane] + zi[lane] * re[lane];
                    re[lane] = turned + poles.input[lane] * x;
                    sum[lane] += re[lane];
                }
            }
            poles.memory = [re, im];
        }
        for (y, sum) in y.iter_mut().zip(&sums) {
            *y = self.plain * *y + sum.iter().sum::<f32>();
        }
    }

    /// Once in a while: what has decayed beyond hearing is set to zero.
    pub(super) fn settle(&mut self) {
        for memory in self.poles.iter_mut().flat_map(|p| p.memory.iter_mut().flatten()) {
            if memory.abs() < 1e-20 {
                *memory = 0.0;
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.poles.iter_mut().for_each(|p| p.memory = Default::default());
    }
}

/// An upper bound of the sum's response: the magnitudes added up, at the tops and around.
fn highest(modes: &[[f64; 2]]) -> f64 {
    let mut highest = 0.0f64;
    for [centre, width] in modes {
        for side in -8..=8 {
            let omega = centre + 0.25 * f64::from(side) * width;
            highest = highest.max(modes.iter().map(|mode| magnitude(*mode, omega)).sum());
        }
    }
    highest
}

/// One term at ω, its mirror image at −ρ included.
fn magnitude([rho, d]: [f64; 2], omega: f64) -> f64 {
    let r = (-d).exp();
    let pole = |theta: f64| (1.0 - 2.0 * r * theta.cos() + r * r).sqrt();
    (1.0 - r) * (1.0 / pole(omega - rho) + 1.0 / pole(omega + rho))
}
