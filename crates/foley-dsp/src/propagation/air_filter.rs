//! A filter for the absorption of the air over a distance.
//!
//! The relaxation of a gas absorbs `b r f²/(f² + f_r²)` nepers: nothing below its corner, b r above. A
//! first-order shelf does the same; nitrogen has its corner at some hundred hertz, oxygen above ten
//! kilohertz, or lower in dry air. What the shelves leave is smooth: a short filter of linear phase,
//! whose delay is taken from the time of flight. Responses for a row of distances are made once;
//! between two of them the coefficients are interpolated.

use fearless_simd::{Level, dispatch, f32x16, prelude::*};
use fearless_simd_macros::simd;
use num_complex::{Complex32, Complex64};
use realfft::RealFftPlanner;
use std::f64::consts::PI;
use std::sync::Arc;

use super::air_absorption::AirAbsorption;
use crate::simd::LANES;

/// Taps on each side of the middle one.
pub(super) const REACH: usize = 16;
const TAPS: usize = 2 * REACH + 1;
/// Points of the transform.
const GRID: usize = 512;
/// Distances r = UNIT_M (2^{i/PER_OCTAVE} − 1).
const UNIT_M: f64 = 4.0;
const PER_OCTAVE: f64 = 4.0;
const DISTANCES: usize = 53;
/// Weakest and strongest shelf, nepers: 0.03 dB are not worth a filter.
const MIN_SHELF: f64 = 0.0035;
const MAX_SHELF: f64 = 3.0;
/// Corners above this part of the sample rate are left to the taps.
const MAX_CORNER: f64 = 1.0 / 6.0;

/// A first-order filter y = b₀ x + b₁ x' − a y'.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Shelf {
    b0: f32,
    b1: f32,
    a: f32,
}

impl Shelf {
    const FLAT: Self = Self { b0: 1.0, b1: 0.0, a: 0.0 };

    /// A shelf with the gain e^{−depth} above its corner.
    fn new(corner_hz: f64, depth: f64, sample_rate_hz: f64) -> Self {
        if corner_hz > MAX_CORNER * sample_rate_hz || depth < MIN_SHELF {
            return Self::FLAT;
        }
        let half = 0.5 * depth.min(MAX_SHELF);
        // The bilinear transform of (1 + s/ω_z)/(1 + s/ω_p), ω_z/ω_p = e^depth.
        let warped = |hz: f64| 1.0 / (PI * (hz / sample_rate_hz).min(0.45)).tan();
        let [zero, pole] = [half, -half].map(|x| warped(corner_hz * x.exp()));
        let scale = 1.0 / (1.0 + pole);
        Self {
            b0: (scale * (1.0 + zero)) as f32,
            b1: (scale * (1.0 - zero)) as f32,
            a: (scale * (1.0 - pole)) as f32,
        }
    }

    /// Returns the magnitude at an angular frequency, radians per sample.
    fn magnitude(&self, omega: f64) -> f64 {
        let z = Complex64::cis(-omega);
        let [b0, b1, a] = [self.b0, self.b1, self.a].map(f64::from);
        ((b0 + b1 * z) / (1.0 + a * z)).norm()
    }

    /// Returns the change towards another shelf per step.
    fn change_to(&self, other: &Self, step: f32) -> Self {
        let [b0, b1, a] = [other.b0 - self.b0, other.b1 - self.b1, other.a - self.a];
        Self { b0: b0 * step, b1: b1 * step, a: a * step }
    }

    #[inline(always)]
    fn plus(&self, change: &Self) -> Self {
        Self { b0: self.b0 + change.b0, b1: self.b1 + change.b1, a: self.a + change.a }
    }

    fn blend(&self, other: &Self, part: f32) -> Self {
        let mix = |a: f32, b: f32| a + part * (b - a);
        Self { b0: mix(self.b0, other.b0), b1: mix(self.b1, other.b1), a: mix(self.a, other.a) }
    }
}

/// The response over one distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AirResponse {
    shelves: [Shelf; 2],
    taps: [f32; TAPS],
}

/// Responses of the air at one sample rate.
#[derive(Debug, Clone)]
pub struct AirFilter {
    responses: Arc<[AirResponse]>,
}

impl AirFilter {
    /// Makes the responses.
    pub fn new(absorption: &AirAbsorption, sample_rate_hz: f64) -> Self {
        let inverse = RealFftPlanner::<f64>::new().plan_fft_inverse(GRID);
        let window: Vec<f64> = (0..=REACH).map(|k| taper(k as f64 / (REACH + 1) as f64)).collect();
        let response = |i: usize| {
            let distance_m = distance_of(i);
            let shelves = absorption
                .relaxations()
                .map(|(hz, strength)| Shelf::new(hz, strength * distance_m, sample_rate_hz));
            let remaining = |k: usize| {
                let omega = 2.0 * PI * k as f64 / GRID as f64;
                let db = absorption.db_per_m(k as f64 / GRID as f64 * sample_rate_hz) * distance_m;
                let shelved: f64 = shelves.iter().map(|shelf| shelf.magnitude(omega)).product();
                Complex64::new(10f64.powf(-db / 20.0) / shelved, 0.0)
            };
            let mut spectrum: Vec<Complex64> = (0..=GRID / 2).map(remaining).collect();
            let mut impulse = vec![0.0; GRID];
            // The lengths agree and both ends are real: the transform cannot fail.
            let _ = inverse.process(&mut spectrum, &mut impulse);
            let tap = |k: usize| impulse[k.abs_diff(REACH)] * window[k.abs_diff(REACH)];
            let taps: [f64; TAPS] = std::array::from_fn(tap);
            // Nothing is absorbed at 0 Hz.
            let sum: f64 = taps.iter().sum();
            AirResponse { shelves, taps: taps.map(|tap| (tap / sum) as f32) }
        };
        Self { responses: (0..DISTANCES).map(response).collect() }
    }

    /// Returns the response over a distance.
    pub(super) fn response(&self, distance_m: f64) -> AirResponse {
        let distance_m = if distance_m > 0.0 { distance_m } else { 0.0 };
        let i = (PER_OCTAVE * (1.0 + distance_m / UNIT_M).log2()) as usize;
        let i = i.min(DISTANCES - 2);
        let (near, far) = (distance_of(i), distance_of(i + 1));
        let part = ((distance_m - near) / (far - near)).min(1.0) as f32;
        let (a, b) = (&self.responses[i], &self.responses[i + 1]);
        AirResponse {
            shelves: std::array::from_fn(|k| a.shelves[k].blend(&b.shelves[k], part)),
            taps: std::array::from_fn(|k| a.taps[k] + part * (b.taps[k] - a.taps[k])),
        }
    }
}

fn distance_of(i: usize) -> f64 {
    UNIT_M * (2f64.powf(i as f64 / PER_OCTAVE) - 1.0)
}

/// A window that falls from 1 at 0 to 0.2 at 1: the residual is smooth, so little is cut off.
fn taper(x: f64) -> f64 {
    0.2 + 0.8 * (0.5 * PI * x).cos()
}

/// The memory of the shelves of one path: their last inputs and outputs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShelfState([Complex32; 2]);

impl ShelfState {
    /// Filters a block in place by the shelves, which change linearly over it.
    pub(super) fn apply(&mut self, [start, end]: [&AirResponse; 2], samples: &mut [f32]) {
        let shelves = start.shelves.iter().zip(&end.shelves);
        for ((start, end), state) in shelves.zip(&mut self.0) {
            if *start == Shelf::FLAT && *end == Shelf::FLAT {
                *state = samples.last().map_or(Complex32::ZERO, |x| Complex32::new(*x, *x));
                continue;
            }
            let (mut shelf, change) = (*start, start.change_to(end, 1.0 / samples.len() as f32));
            let Complex32 { re: mut x1, im: mut y1 } = *state;
            for sample in samples.iter_mut() {
                let x = *sample;
                // The sums before the product with y' do not wait for it.
                let y = (shelf.b0 * x + shelf.b1 * x1) - shelf.a * y1;
                (x1, y1) = (x, y);
                *sample = y;
                shelf = shelf.plus(&change);
            }
            // Denormal numbers would be slow forever.
            let is_denormal = x1.abs() + y1.abs() < 1e-30;
            *state = if is_denormal { Complex32::ZERO } else { Complex32::new(x1, y1) };
        }
    }
}

/// Filters a window by taps and multiplies it by a gain, which change linearly over the block. The window
/// is longer than the block by twice `REACH`.
pub(super) fn convolve(
    level: Level,
    window: &[f32],
    responses: [&AirResponse; 2],
    gains: [f32; 2],
    out: &mut [f32],
) {
    let taps = responses.map(|response| &response.taps);
    dispatch!(level, simd => convolve_simd(simd, window, taps, gains, out));
    if !out.len().is_multiple_of(LANES) {
        convolve_rest(level, window, taps, gains, out);
    }
}

/// Computes the end of a block that is shorter than a row: as a whole row, with the taps and gains at
/// its start and at its end.
#[cold]
fn convolve_rest(
    level: Level,
    window: &[f32],
    [start, end]: [&[f32; TAPS]; 2],
    [gain, end_gain]: [f32; 2],
    out: &mut [f32],
) {
    let (count, first) = (out.len(), out.len() - out.len() % LANES);
    let (mut padded, mut row) = ([0.0; LANES + 2 * REACH], [0.0; LANES]);
    padded.iter_mut().zip(window.iter().skip(first)).for_each(|(x, y)| *x = *y);
    let at = |n: usize, a: f32, b: f32| a + n as f32 / count as f32 * (b - a);
    let edges = [first, first + LANES];
    let taps: [[f32; TAPS]; 2] = edges.map(|n| std::array::from_fn(|k| at(n, start[k], end[k])));
    let gains = edges.map(|n| at(n, gain, end_gain));
    let taps = [&taps[0], &taps[1]];
    dispatch!(level, simd => convolve_simd(simd, &padded, taps, gains, &mut row));
    out.iter_mut().skip(first).zip(row).for_each(|(out, y)| *out = y);
}

/// Computes the whole rows of a block.
#[simd]
fn convolve_simd<S: Simd>(
    simd: S,
    window: &[f32],
    [start, end]: [&[f32; TAPS]; 2],
    [gain, end_gain]: [f32; 2],
    out: &mut [f32],
) {
    let step = 1.0 / out.len() as f32;
    let gain_change = f32x16::splat(simd, step * (end_gain - gain));
    let gain = f32x16::splat(simd, gain);
    let change: [f32; TAPS] = std::array::from_fn(|k| step * (end[k] - start[k]));
    for (row, out) in out.chunks_exact_mut(LANES).enumerate() {
        let first = row * LANES;
        let Some(window) = window.get(first..first + LANES + 2 * REACH) else { continue };
        let at = |k: usize| f32x16::from_slice(simd, &window[k..k + LANES]);
        let mut sum = at(REACH) * f32x16::splat(simd, start[REACH]);
        let mut slope = at(REACH) * f32x16::splat(simd, change[REACH]);
        for k in 0..REACH {
            // The taps are symmetric.
            let both = at(k) + at(2 * REACH - k);
            sum = both.mul_add(f32x16::splat(simd, start[k]), sum);
            slope = both.mul_add(f32x16::splat(simd, change[k]), slope);
        }
        let n: [f32; LANES] = std::array::from_fn(|n| (first + n) as f32);
        let n = f32x16::from_slice(simd, &n);
        let filtered = slope.mul_add(n, sum) * gain_change.mul_add(n, gain);
        let filtered: [f32; LANES] = filtered.into();
        out.copy_from_slice(&filtered);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Air;
    use super::*;

    fn magnitude_db(response: &AirResponse, hz: f64, rate: f64) -> f64 {
        let omega = 2.0 * PI * hz / rate;
        let tap = |(k, h): (usize, &f32)| f64::from(*h) * (omega * (k as f64 - REACH as f64)).cos();
        let taps: f64 = response.taps.iter().enumerate().map(tap).sum();
        let shelves: f64 = response.shelves.iter().map(|shelf| shelf.magnitude(omega)).product();
        20.0 * (taps * shelves).abs().log10()
    }

    #[test]
    fn the_filter_absorbs_as_the_standard_says() {
        let climates = [(20.0, 50.0), (20.0, 10.0), (0.0, 30.0), (35.0, 90.0), (-10.0, 20.0)];
        for (temperature_c, humidity_percent) in climates {
            let air = Air { temperature_c, humidity_percent, ..Air::default() };
            let absorption = AirAbsorption::new(&air);
            for rate in [44_100.0, 48_000.0, 96_000.0] {
                let filter = AirFilter::new(&absorption, rate);
                for (distance_m, within_db) in
                    [(0.0, 0.01), (1.0, 0.05), (7.0, 0.1), (30.0, 0.5), (60.0, 0.7), (200.0, 2.0)]
                {
                    let response = filter.response(distance_m);
                    for hz in [50.0, 200.0, 500.0, 1e3, 2e3, 4e3, 6e3, 8e3, 10e3, 12e3, 16e3] {
                        let want = -absorption.db_per_m(hz) * distance_m;
                        // Quieter than that it is not heard beside the low frequencies.
                        if want > -20.0 {
                            let got = magnitude_db(&response, hz, rate);
                            let error = (got - want).abs();
                            assert!(
                                error < within_db,
                                "{air:?} {rate} {distance_m} m {hz} Hz: {got} {want}"
                            );
                        }
                    }
                }
            }
        }
    }
}
