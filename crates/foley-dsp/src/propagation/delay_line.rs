//! A delay line whose delay changes from sample to sample.
//!
//! Values between samples are interpolated by a windowed sinc of 16 taps.

use fearless_simd::{Level, dispatch, f32x16, prelude::*};
use fearless_simd_macros::simd;
use std::sync::LazyLock;

use crate::simd::{LANES, Row};
use crate::windowed_sinc::windowed_sinc;

/// Taps of the interpolation.
const TAPS: usize = LANES;
/// Taps before the sample at or before the point that is read.
const BEFORE: usize = TAPS / 2 - 1;
/// Phases between two samples; between two phases the taps are interpolated linearly.
const PHASES: usize = 256;
/// Shape of the Kaiser window: side lobes below −70 dB.
const KAISER: f64 = 7.0;

/// Smallest delay in samples: the taps reach this far ahead.
pub(super) const MIN_DELAY: f64 = (TAPS / 2) as f64;

/// The windowed sinc at each phase.
static SINC: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let taps = |phase: usize| {
        let fraction = phase as f64 / PHASES as f64;
        let tap =
            |k: usize| windowed_sinc(k as f64 - BEFORE as f64 - fraction, 0.5, KAISER, MIN_DELAY);
        let taps: [f64; TAPS] = std::array::from_fn(tap);
        let sum: f64 = taps.iter().sum();
        Row(taps.map(|tap| (tap / sum) as f32))
    };
    (0..=PHASES).map(taps).collect()
});

/// The delay over a block, in samples: a cubic with these values and slopes at its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DelayCurve {
    pub(super) start: f64,
    pub(super) end: f64,
    /// Change per sample.
    pub(super) start_rate: f64,
    pub(super) end_rate: f64,
}

impl DelayCurve {
    fn is_constant(&self) -> bool {
        self.start == self.end && self.start_rate == 0.0 && self.end_rate == 0.0
    }

    /// Returns the coefficients of 1, t, t², t³ for t = n / count.
    fn cubic(&self, count: usize) -> [f64; 4] {
        let b = count as f64;
        let chord = self.end - self.start;
        let (v, w) = (self.start_rate * b, self.end_rate * b);
        [self.start, v, 3.0 * chord - 2.0 * v - w, v + w - 2.0 * chord]
    }
}

/// The last samples of one emitter.
///
/// Real-time: allocates only when it is made.
#[derive(Debug, Clone)]
pub(super) struct DelayLine {
    ring: Vec<f32>,
    /// Samples written so far.
    written: usize,
    /// Samples written since the line was cleared, at most its length. What is older counts as zero.
    valid: usize,
    /// The part of the ring that a block reads, in order of time.
    window: Vec<f32>,
    /// Where each sample of a block is read, in samples from its start.
    points: Vec<f64>,
}

impl DelayLine {
    /// Makes a line with a delay of at most `longest` samples, for blocks of at most `block`.
    pub(super) fn new(longest: usize, block: usize) -> Self {
        LazyLock::force(&SINC);
        Self {
            ring: vec![0.0; (longest + 2 * block + 2 * TAPS).next_power_of_two()],
            written: 0,
            valid: 0,
            window: vec![0.0; 3 * block + 2 * TAPS],
            points: vec![0.0; block],
        }
    }

    /// Returns the longest delay in samples.
    pub(super) fn longest(&self) -> usize {
        self.ring.len() - 2 * self.points.len() - 2 * TAPS
    }

    /// Forgets all samples.
    pub(super) fn clear(&mut self) {
        self.valid = 0;
    }

    /// Appends a block, which must not be longer than the blocks the line was made for.
    pub(super) fn write(&mut self, samples: &[f32]) {
        let at = self.written & (self.ring.len() - 1);
        let until_end = (self.ring.len() - at).min(samples.len());
        self.ring[at..at + until_end].copy_from_slice(&samples[..until_end]);
        self.ring[..samples.len() - until_end].copy_from_slice(&samples[until_end..]);
        self.written = self.written.wrapping_add(samples.len());
        self.valid = (self.valid + samples.len()).min(self.ring.len());
    }

    /// Reads the block that was written last, delayed.
    pub(super) fn read(&mut self, level: Level, curve: DelayCurve, out: &mut [f32]) {
        let count = out.len().min(self.points.len());
        let out = &mut out[..count];
        let most = self.longest() as f64;
        if curve.is_constant() {
            let at = -curve.start.clamp(MIN_DELAY, most);
            let (window, taps) = (count + TAPS - 1, interpolated(at - at.floor()));
            self.unroll(at.floor() as isize - BEFORE as isize, window, count);
            let window = &self.window[..window];
            dispatch!(level, simd => convolve(simd, window, &taps, out));
            if !count.is_multiple_of(CHUNK) {
                convolve_rest(level, window, &taps, out);
            }
            return;
        }
        let cubic = curve.cubic(count);
        let points = &mut self.points[..count];
        dispatch!(level, simd => locate(simd, cubic, most, points));
        let first = points.iter().copied().fold(f64::INFINITY, f64::min);
        let last = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let first = first.floor();
        let window = (last.floor() - first) as usize + TAPS;
        if window > self.window.len() {
            // The delay falls by more than two blocks in one: no path does that.
            return out.fill(0.0);
        }
        self.unroll(first as isize - BEFORE as isize, window, count);
        let (window, points) = (&self.window[..window], &self.points[..count]);
        dispatch!(level, simd => interpolate(simd, window, points, first, out));
        if !count.is_multiple_of(CHUNK) {
            interpolate_rest(window, points, first, out);
        }
    }

    /// Copies `length` samples to the window, from `first`, relative to the last block of `count`.
    fn unroll(&mut self, first: isize, length: usize, count: usize) {
        let mask = self.ring.len() - 1;
        let from = self.written.wrapping_sub(count).wrapping_add_signed(first) & mask;
        let until_end = (self.ring.len() - from).min(length);
        self.window[..until_end].copy_from_slice(&self.ring[from..from + until_end]);
        self.window[until_end..length].copy_from_slice(&self.ring[..length - until_end]);
        // How many samples before the last one the window begins.
        let age = count.saturating_add_signed(-first);
        self.window[..age.saturating_sub(self.valid).min(length)].fill(0.0);
    }
}

/// Computes where each sample of a block is read, in samples from its start.
#[simd]
fn locate<S: Simd>(_: S, [c0, c1, c2, c3]: [f64; 4], most: f64, points: &mut [f64]) {
    let step = 1.0 / points.len() as f64;
    for (n, point) in points.iter_mut().enumerate() {
        let n = n as f64;
        let t = n * step;
        let delay = c0 + t * (c1 + t * (c2 + t * c3));
        *point = n - delay.max(MIN_DELAY).min(most);
    }
}

/// Returns the taps at a fraction of a sample, 0 to 1.
#[inline(always)]
fn interpolated(fraction: f64) -> [f32; TAPS] {
    let phase = fraction * PHASES as f64;
    let row = (phase as usize).min(PHASES - 1);
    let part = (phase - row as f64) as f32;
    let (a, b) = (&SINC[row].0, &SINC[row + 1].0);
    std::array::from_fn(|k| a[k] + part * (b[k] - a[k]))
}

/// Computes the convolution of a window with taps for the end of a block that is shorter than a chunk.
/// The window has TAPS − 1 samples more than `out`.
#[cold]
fn convolve_rest(level: Level, window: &[f32], taps: &[f32; TAPS], out: &mut [f32]) {
    let first = out.len() - out.len() % CHUNK;
    let (mut padded, mut chunk) = ([0.0; 2 * CHUNK - 1], [0.0; CHUNK]);
    padded.iter_mut().zip(window.iter().skip(first)).for_each(|(x, y)| *x = *y);
    dispatch!(level, simd => convolve(simd, &padded, taps, &mut chunk));
    out.iter_mut().skip(first).zip(chunk).for_each(|(out, y)| *out = y);
}

/// Computes the convolution of a window with taps for the whole chunks of a block. The window has
/// TAPS − 1 samples more than `out`.
#[simd]
fn convolve<S: Simd>(simd: S, window: &[f32], taps: &[f32; TAPS], out: &mut [f32]) {
    for (chunk, out) in out.chunks_exact_mut(CHUNK).enumerate() {
        let Some(window) = window.get(chunk * CHUNK..(chunk + 2) * CHUNK - 1) else { continue };
        let mut sums = [f32x16::splat(simd, 0.0); 4];
        for (k, x) in window.windows(CHUNK).enumerate() {
            let tap = f32x16::splat(simd, taps[k]);
            sums[k % 4] = tap.mul_add(f32x16::from_slice(simd, x), sums[k % 4]);
        }
        let sum: [f32; CHUNK] = ((sums[0] + sums[1]) + (sums[2] + sums[3])).into();
        out.copy_from_slice(&sum);
    }
}

/// Samples read at a time; the end of a block may be shorter.
const CHUNK: usize = TAPS;
/// Largest change of the delay over a chunk, samples, at which the taps change as a quadratic.
const SLOW: f64 = 0.125;

/// Reads the whole chunks of a block from a window at `points`, which begin in it at `first`.
#[simd]
fn interpolate<S: Simd>(simd: S, window: &[f32], points: &[f64], first: f64, out: &mut [f32]) {
    for (out, points) in out.chunks_exact_mut(CHUNK).zip(points.chunks_exact(CHUNK)) {
        let base = points[0].floor();
        let from = (base - first) as usize;
        // Fractions beyond a base that moves along with the chunk.
        let fraction = |n: usize| points[n] - base - n as f64;
        let [start, middle, end] = [0, CHUNK / 2, CHUNK - 1].map(fraction);
        let (least, most) = (start.min(middle).min(end), start.max(middle).max(end));
        match window.get(from..from + 2 * CHUNK - 1) {
            Some(window) if most - least < SLOW && least >= 0.0 && most < 1.0 => {
                interpolate_slow(simd, window, points, base, [least, most], out);
            }
            _ => interpolate_each(window, points, first, out),
        }
    }
}

/// Reads a chunk in which the fraction hardly changes: the taps are a quadratic of
/// it, through those at its least and its largest value and in the middle between them.
#[inline(always)]
fn interpolate_slow<S: Simd>(
    simd: S,
    window: &[f32],
    points: &[f64],
    base: f64,
    [least, most]: [f64; 2],
    out: &mut [f32],
) {
    let fraction = |n: usize| points[n] - base - n as f64;
    let (middle, half) = (0.5 * (least + most), 0.5 * (most - least));
    let per_half = if half > 1e-9 { 1.0 / half } else { 0.0 };
    let [a, b, c] = [least, middle, most].map(interpolated);
    let slopes: [f32; TAPS] = std::array::from_fn(|k| 0.5 * (c[k] - a[k]));
    let curves: [f32; TAPS] = std::array::from_fn(|k| 0.5 * (c[k] + a[k]) - b[k]);
    let mut sums = [[f32x16::splat(simd, 0.0); 3]; 2];
    for (k, x) in window.windows(CHUNK).enumerate() {
        let x = f32x16::from_slice(simd, x);
        let sums = &mut sums[k % 2];
        for (sum, taps) in sums.iter_mut().zip([&b, &slopes, &curves]) {
            *sum = x.mul_add(f32x16::splat(simd, taps[k]), *sum);
        }
    }
    let [sum, slope, curve] = std::array::from_fn(|i| sums[0][i] + sums[1][i]);
    let x: [f32; CHUNK] = std::array::from_fn(|n| ((fraction(n) - middle) * per_half) as f32);
    let x = f32x16::from_slice(simd, &x);
    let heard: [f32; CHUNK] = x.mul_add(x.mul_add(curve, slope), sum).into();
    out.copy_from_slice(&heard);
}

/// Reads the end of a block that is shorter than a chunk.
#[cold]
fn interpolate_rest(window: &[f32], points: &[f64], first: f64, out: &mut [f32]) {
    let rest = out.len() - out.len() % CHUNK;
    interpolate_each(window, &points[rest..], first, &mut out[rest..]);
}

/// Reads sample by sample.
#[inline(always)]
fn interpolate_each(window: &[f32], points: &[f64], first: f64, out: &mut [f32]) {
    for (out, point) in out.iter_mut().zip(points) {
        let integer = point.floor();
        let taps = interpolated(point - integer);
        let from = (integer - first) as usize;
        let Some(x) = window.get(from..from + TAPS) else { continue };
        let mut sums: [f32; TAPS] = std::array::from_fn(|k| taps[k] * x[k]);
        let mut width = TAPS / 2;
        while width > 0 {
            for k in 0..width {
                sums[k] += sums[k + width];
            }
            width /= 2;
        }
        *out = sums[0];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const BLOCK: usize = 256;

    /// Passes `x(n)` through a line whose delay at sample n is `delay(n)`.
    fn delayed(
        x: impl Fn(f64) -> f64,
        delay: impl Fn(f64) -> f64,
        blocks: usize,
        constant: bool,
    ) -> Vec<f32> {
        let mut line = DelayLine::new(4_000, BLOCK);
        let mut heard = Vec::new();
        for block in 0..blocks {
            let start = (block * BLOCK) as f64;
            let end = start + BLOCK as f64;
            let samples: Vec<f32> = (0..BLOCK).map(|n| x(start + n as f64) as f32).collect();
            line.write(&samples);
            let rate = |t: f64| if constant { 0.0 } else { delay(t + 0.5) - delay(t - 0.5) };
            let curve = DelayCurve {
                start: delay(start),
                end: delay(end),
                start_rate: rate(start),
                end_rate: rate(end),
            };
            let mut out = vec![0.0; BLOCK];
            line.read(Level::new(), curve, &mut out);
            heard.extend(out);
        }
        heard
    }

    /// Error of the heard signal against x(n − delay(n)), dB relative to full scale.
    fn error_db(
        x: impl Fn(f64) -> f64 + Copy,
        delay: impl Fn(f64) -> f64 + Copy,
        constant: bool,
    ) -> f64 {
        let heard = delayed(x, delay, 60, constant);
        let worst = heard.iter().enumerate().skip(20 * BLOCK).map(|(n, y)| {
            let n = n as f64;
            (f64::from(*y) - x(n - delay(n))).abs()
        });
        20.0 * worst.fold(0.0, f64::max).log10()
    }

    #[test]
    fn a_constant_fraction_delays_all_frequencies() {
        for (hz, most_db) in [(100.0, -80.0), (1_000.0, -80.0), (8_000.0, -70.0), (16_000.0, -55.0)]
        {
            let x = move |n: f64| (2.0 * PI * hz / 48_000.0 * n).sin();
            for delay in [8.0, 100.5, 1_234.567] {
                let db = error_db(x, move |_| delay, true);
                assert!(db < most_db, "{hz} Hz, {delay}: {db} dB");
            }
        }
    }

    #[test]
    fn a_changing_delay_shifts_the_pitch() {
        for (hz, most_db) in [(440.0, -80.0), (4_000.0, -75.0), (12_000.0, -60.0)] {
            let x = move |n: f64| (2.0 * PI * hz / 48_000.0 * n).sin();
            // A source that leaves with 0.1 c; one that swings around.
            let db = error_db(x, |n| 20.0 + 0.1 * n, false);
            assert!(db < most_db, "{hz} Hz: {db} dB");
            let swing = |n: f64| 900.0 + 400.0 * (n / 4_000.0).sin();
            let db = error_db(x, swing, false);
            assert!(db < most_db, "{hz} Hz: {db} dB");
            // A pace at which the taps change as a quadratic, and one that turns back.
            let db = error_db(x, |n| 900.3 - 0.0078 * n, false);
            assert!(db < most_db, "{hz} Hz, slowly: {db} dB");
            let sway = |n: f64| 900.0 + 6.0 * (n / 900.0).sin();
            let db = error_db(x, sway, false);
            // Sample by sample the worst is −74.75 dB, at 4 kHz.
            assert!(db < most_db + 0.5, "{hz} Hz, to and fro: {db} dB");
            // It turns back near the middle of a chunk.
            for offset in [0.0, 1.0, 0.1, 0.01, 0.001] {
                let turn = (40 * BLOCK + CHUNK / 2) as f64 - 0.5 + offset;
                let db = error_db(x, move |n| 900.0 + 6e-7 * (n - turn).powi(2), false);
                assert!(db < most_db, "{hz} Hz, turns {offset} beside the middle: {db} dB");
            }
        }
    }

    #[test]
    fn delays_beyond_the_line_are_limited_and_nothing_is_read_twice() {
        let mut line = DelayLine::new(1_000, 64);
        for (start, end) in [(1e9, 1e9), (0.0, 1e9), (1e9, 0.0), (-5.0, -5.0), (3.0, 900.0)] {
            let mut out = [7.0; 64];
            line.write(&[0.5; 64]);
            let curve = DelayCurve { start, end, start_rate: 0.0, end_rate: 0.0 };
            line.read(Level::new(), curve, &mut out);
            assert!(out.iter().all(|y| y.abs() < 0.7), "{start} {end}: {out:?}");
        }
    }
}
