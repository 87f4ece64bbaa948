//! Modal coupling filter: enhances a rolling force at the modes of the body, \[FA\] §4.3.
//!
//! A γ = 2 model driven by noise sounds like a reson driven by noise of the spectral envelope
//! `S(ω) = 1/√((ω − ρ)² + d²)`, with the frequency ρ and damping d of the mode. That envelope is
//! the response of a complex one-pole filter:
//!
//! ```text
//! s ← e^{(−d + iρ)/f_s} s + (1 − e^{−d/f_s}) x,   y = Σ 2 Re s,   |Y/X| ≈ d/√((ω − ρ)² + d²)
//! ```
//!
//! one filter per mode, with unit gain at its peak. The sum is scaled to at most one at every
//! frequency: the filter attenuates between the modes and adds no energy anywhere.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use num_complex::Complex64;

use super::profile::STEP;
use super::{ForceError, within};
use crate::simd::{Cpu, LANES, Pair, Row, flat, flat_mut, lane_sums};

/// Most modes of one filter.
pub const MAX_COUPLED_MODES: usize = 64;

/// Returns the indices of at most `count` modes with the largest energy after an impulse, a²/d.
pub fn strongest_modes(decays: &[f64], gains: &[f32], count: usize) -> Vec<usize> {
    let energy = |n: &usize| f64::from(gains[*n]).powi(2) / decays[*n];
    let mut order: Vec<usize> = (0..decays.len().min(gains.len())).collect();
    order.sort_by(|a, b| energy(b).total_cmp(&energy(a)));
    order.truncate(count);
    order
}

/// A bank of one-pole filters, made once for a body and cloned for each of its contacts. Real-time
/// once made.
#[derive(Debug, Clone)]
pub struct ModalCouplingFilter {
    /// e^{(−d + iρ)/f_s}, modes in lanes.
    poles: Pair,
    /// 2 (1 − e^{−d/f_s}), scaled.
    inputs: Vec<Row>,
    memory: Pair,
    /// Gain of the unfiltered signal.
    direct: f32,
    cpu: Level,
}

impl ModalCouplingFilter {
    /// Makes a filter around modes (Hz, 1/s), the [`strongest_modes`] first; only the first
    /// [`MAX_COUPLED_MODES`] are used. `share` of the force is enhanced, 0 to 1; the rest passes
    /// unchanged, so that the other modes are still excited.
    pub fn new(
        frequencies_hz: &[f64],
        decays: &[f64],
        share: f64,
        sample_rate_hz: f64,
    ) -> Result<Self, ForceError> {
        let cpu = Cpu::Best.level();
        let share = within("enhancement", share, 0.0..=1.0, "between 0 and 1")?;
        let mut modes = Vec::new();
        for (f, d) in frequencies_hz.iter().zip(decays) {
            within("a mode's frequency (Hz)", *f, 0.0..=f64::MAX, "positive and finite")?;
            within("a mode's decay (1/s)", *d, 0.0..=f64::MAX, "positive and finite")?;
            // Modes near the Nyquist frequency are inaudible; without damping the filter never settles.
            if *f > 0.0 && *f < 0.49 * sample_rate_hz && modes.len() < MAX_COUPLED_MODES {
                modes.push([
                    std::f64::consts::TAU * f / sample_rate_hz,
                    d.max(0.1) / sample_rate_hz,
                ]);
            }
        }
        if share == 0.0 {
            modes.clear();
        }
        let rows = modes.len().div_ceil(LANES);
        let (mut poles, memory) = (Pair::zeros(rows), Pair::zeros(rows));
        let mut inputs = vec![Row::default(); rows];
        let scale = share / highest(&modes).max(1.0);
        for (slot, [rho, d]) in modes.iter().enumerate() {
            poles.set(slot, Complex64::new(-d, *rho).exp());
            flat_mut(&mut inputs)[slot] = (-2.0 * scale * (-d).exp_m1()) as f32;
        }
        let direct = if modes.is_empty() { 1.0 } else { (1.0 - share) as f32 };
        Ok(Self { poles, inputs, memory, direct, cpu })
    }

    /// Filters at most [`STEP`] samples in place.
    pub(super) fn process(&mut self, y: &mut [f32]) {
        if !self.inputs.is_empty() {
            dispatch!(self.cpu, simd => run(simd, self, y));
        }
    }

    /// Sets state below 1e-20 to zero, which keeps it from becoming denormal.
    pub(super) fn flush(&mut self) {
        for rows in [&mut self.memory.re, &mut self.memory.im] {
            flat_mut(rows).iter_mut().for_each(|m| *m = if m.abs() < 1e-20 { 0.0 } else { *m });
        }
    }

    pub(super) fn clear(&mut self) {
        self.memory.re.fill(Row::default());
        self.memory.im.fill(Row::default());
    }
}

#[simd]
fn run<S: Simd>(simd: S, filter: &mut ModalCouplingFilter, y: &mut [f32]) {
    let mut lanes = [Row::default(); STEP];
    let (width, end) = (S::f32s::LEN, filter.inputs.len() * LANES);
    let mut at = 0;
    while at + 4 * width <= end {
        chunk::<S, 4>(simd, filter, at, y, &mut lanes);
        at += 4 * width;
    }
    while at + 2 * width <= end {
        chunk::<S, 2>(simd, filter, at, y, &mut lanes);
        at += 2 * width;
    }
    if at + width <= end {
        chunk::<S, 1>(simd, filter, at, y, &mut lanes);
    }
    for (y, lanes) in y.chunks_mut(width).zip(lanes.chunks(width)) {
        let mut sums = [0.0; LANES];
        lane_sums(simd, lanes).store_slice(&mut sums[..width]);
        for (y, sum) in y.iter_mut().zip(sums) {
            *y = filter.direct * *y + sum;
        }
    }
}

/// Runs V vectors of poles through all samples; several hide the latency of each.
#[inline(always)]
fn chunk<S: Simd, const V: usize>(
    simd: S,
    filter: &mut ModalCouplingFilter,
    at: usize,
    y: &[f32],
    lanes: &mut [Row],
) {
    let width = S::f32s::LEN;
    let load = |rows: &[Row]| -> [S::f32s; V] {
        let part = &flat(rows)[at..at + V * width];
        std::array::from_fn(|v| S::f32s::from_slice(simd, &part[v * width..(v + 1) * width]))
    };
    let (c, s, input) = (load(&filter.poles.re), load(&filter.poles.im), load(&filter.inputs));
    let minus_s = s.map(|s| -s);
    let (mut re, mut im) = (load(&filter.memory.re), load(&filter.memory.im));
    for (x, lane) in y.iter().zip(lanes) {
        let lane = &mut lane.0[..width];
        let (x, mut sum) = (S::f32s::splat(simd, *x), S::f32s::from_slice(simd, lane));
        for v in 0..V {
            // The dependency chain has two products, not three.
            let rotated = c[v].mul_add(re[v], input[v] * x);
            let other = c[v].mul_add(im[v], s[v] * re[v]);
            re[v] = minus_s[v].mul_add(im[v], rotated);
            im[v] = other;
            sum += re[v];
        }
        sum.store_slice(lane);
    }
    for v in 0..V {
        let range = at + v * width..at + (v + 1) * width;
        re[v].store_slice(&mut flat_mut(&mut filter.memory.re)[range.clone()]);
        im[v].store_slice(&mut flat_mut(&mut filter.memory.im)[range]);
    }
}

/// Returns an upper bound of the sum's response: the sum of magnitudes at and around the peaks.
fn highest(modes: &[[f64; 2]]) -> f64 {
    let terms: Vec<Term> = modes.iter().map(|mode| Term::new(*mode)).collect();
    let mut highest = 0.0f64;
    for [centre, width] in modes {
        for side in -8..=8 {
            let (sin, cos) = (centre + 0.25 * f64::from(side) * width).sin_cos();
            highest = highest.max(terms.iter().map(|term| term.magnitude(sin, cos)).sum());
        }
    }
    highest
}

/// One pole: r = e^{−d}, and ρ as sine and cosine.
struct Term {
    r: f64,
    sin: f64,
    cos: f64,
}

impl Term {
    fn new([rho, d]: [f64; 2]) -> Self {
        let (sin, cos) = rho.sin_cos();
        Self { r: (-d).exp(), sin, cos }
    }

    /// Returns the magnitude at ω, given as sine and cosine, including the image pole at −ρ.
    fn magnitude(&self, sin: f64, cos: f64) -> f64 {
        let Self { r, .. } = self;
        // cos(ω ∓ ρ) = cos ω cos ρ ± sin ω sin ρ; rounding is far below (1 − r)².
        let pole = |cosine: f64| (1.0 - 2.0 * r * cosine + r * r).max((1.0 - r).powi(2)).sqrt();
        let (even, odd) = (cos * self.cos, sin * self.sin);
        (1.0 - r) * (1.0 / pole(even + odd) + 1.0 / pole(even - odd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use realfft::RealFftPlanner;
    use std::f64::consts::TAU;

    const RATE: f64 = 48_000.0;

    /// Returns |H| at multiples of RATE/count, from the transform of the impulse response.
    fn response(f: &[f64], d: &[f64], share: f64) -> Vec<f64> {
        let count = 1 << 17;
        let mut filter = ModalCouplingFilter::new(f, d, share, RATE).unwrap();
        let mut y = vec![0.0f32; count];
        y[0] = 1.0;
        y.chunks_mut(32).for_each(|part| filter.process(part));
        let plan = RealFftPlanner::<f64>::new().plan_fft_forward(count);
        let mut waves = plan.make_output_vec();
        plan.process(&mut y.iter().map(|y| f64::from(*y)).collect::<Vec<_>>(), &mut waves).unwrap();
        waves.iter().map(|w| w.norm()).collect()
    }

    /// d/√((ω − ρ)² + d²) near the mode, except for the image pole: the sum of both poles is
    /// (d + iω) d / ((d + iω)² + ρ²) · 2.
    #[test]
    fn a_single_mode_has_the_stated_response() {
        for (f, d) in [(440.0, 12.0), (3000.0, 40.0), (9000.0, 500.0)] {
            let found = response(&[f], &[d], 1.0);
            let hz = RATE / (2.0 * (found.len() - 1) as f64);
            let mut worst = 0.0f64;
            for (m, found) in found.iter().enumerate() {
                let (at, rho) = (TAU * m as f64 * hz, TAU * f);
                if (m as f64 * hz - f).abs() > 0.1 * f {
                    continue;
                }
                let stated = d / (at - rho).hypot(d);
                worst = worst.max((found / stated - 1.0).abs());
            }
            // The image pole adds d/2ρ at the peak and (ω − ρ)/2ρ beside it: 5 %.
            assert!(worst < 0.06, "{f} Hz: {worst}");
            let top = found[(f / hz).round() as usize];
            assert!((top - 1.0).abs() < 0.02, "{top}");
        }
    }

    /// The exact response of the bank: poles and image poles summed.
    #[test]
    fn the_bank_has_the_response_of_its_poles() {
        let f: Vec<f64> = (1..=40).map(|n| 150.0 * f64::from(n).powf(1.2)).collect();
        let d: Vec<f64> = f.iter().map(|f| 5.0 + 0.004 * f).collect();
        let found = response(&f, &d, 0.8);
        let hz = RATE / (2.0 * (found.len() - 1) as f64);
        let modes: Vec<[f64; 2]> =
            f.iter().zip(&d).map(|(f, d)| [TAU * f / RATE, d / RATE]).collect();
        let scale = 0.8 / highest(&modes).max(1.0);
        let z = |theta: f64| Complex64::from_polar(1.0, theta);
        for (m, found) in found.iter().enumerate().step_by(7) {
            let turn = z(-TAU * m as f64 * hz / RATE);
            let sum: Complex64 = modes
                .iter()
                .map(|[rho, d]| {
                    let (r, one) = ((-d).exp(), Complex64::ONE);
                    let pole = |s: f64| (1.0 - r) / (one - z(s * rho) * r * turn);
                    pole(1.0) + pole(-1.0)
                })
                .sum();
            let truth = (sum * scale + 0.2).norm();
            assert!((found - truth).abs() < 1e-3 * truth.max(0.1), "{m}: {found} for {truth}");
        }
    }

    /// No frequency is amplified, even where modes are dense or coincide.
    #[test]
    fn nothing_is_ever_amplified() {
        for f in [
            vec![500.0; 8],
            vec![500.0, 501.0, 503.0, 900.0],
            (1..60).map(|n| 90.0 * f64::from(n)).collect(),
        ] {
            for decay in [3.0, 60.0] {
                let found = response(&f, &vec![decay; f.len()], 1.0);
                let highest = found.iter().copied().fold(0.0, f64::max);
                assert!(highest <= 1.001 && highest > 0.4, "{decay}: {highest}");
            }
        }
    }
}
