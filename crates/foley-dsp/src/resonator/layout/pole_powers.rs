//! Powers of the poles z of all modes of an object, as exact as single precision allows.
//!
//! `z^n = 2^{−d n} e^{2πi t n}` with t in cycles per sample. t is split in two: the coarse part has
//! twelve bits, so that its product with any n below 4096 is exact and integer cycles can be
//! removed without rounding.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use std::f32::consts::{PI, TAU};

use crate::resonator::layout::Pole;
use crate::simd::{LANES, Row, flat_mut};

/// Resolution of the coarse part.
const COARSE_STEPS: f64 = 4096.0;
/// Attenuation by more than this many octaves of amplitude is silence.
const SILENT: f32 = 120.0;

/// The modes of an object as cycles and log2 decay per sample, by slot.
#[derive(Debug, Clone)]
pub(crate) struct PolePowers {
    pub(super) coarse: Box<[Row]>,
    pub(super) fine: Box<[Row]>,
    decay_log2: Box<[Row]>,
}

impl PolePowers {
    pub(crate) fn new(sounding: impl Iterator<Item = (usize, Pole)>, rows: usize) -> Self {
        let zeros = || vec![Row::default(); rows].into_boxed_slice();
        let mut pole_powers = Self { coarse: zeros(), fine: zeros(), decay_log2: zeros() };
        for (slot, Pole { lambda }) in sounding {
            let cycles = lambda.im / std::f64::consts::TAU;
            let coarse = (cycles * COARSE_STEPS).round() / COARSE_STEPS;
            flat_mut(&mut pole_powers.coarse)[slot] = coarse as f32;
            flat_mut(&mut pole_powers.fine)[slot] = (cycles - coarse) as f32;
            flat_mut(&mut pole_powers.decay_log2)[slot] =
                (-lambda.re * std::f64::consts::LOG2_E) as f32;
        }
        pole_powers
    }

    /// `(re, im) ← z^n (re, im)`; non-finite results become zero.
    pub(crate) fn multiply_by_power(&self, level: Level, n: f32, re: &mut [Row], im: &mut [Row]) {
        dispatch!(level, simd => power_rows(simd, self, n, re, im));
    }

    /// `(re, im) ← H (re, im)`: the spectrum of a pulse of `samples` samples at the complex
    /// frequency of each mode, `(sin u / u) / (1 − (u/π)²)` with u = (ω + i d) τ/2, as in
    /// [`Impact::spectrum`](crate::excitation::Impact::spectrum). The decay within the contact is
    /// limited to one neper per half pulse, so that a jump cannot be louder than the impact.
    pub(crate) fn multiply_by_pulse_spectrum(
        &self,
        level: Level,
        samples: f32,
        re: &mut [Row],
        im: &mut [Row],
    ) {
        dispatch!(level, simd => pulse_spectrum_rows(simd, self, samples, re, im));
    }
}

#[simd]
fn power_rows<S: Simd>(_: S, pole_powers: &PolePowers, n: f32, re: &mut [Row], im: &mut [Row]) {
    let PolePowers { coarse, fine, decay_log2 } = pole_powers;
    let constants = coarse.iter().zip(fine).zip(decay_log2);
    for ((re, im), ((coarse, fine), decay_log2)) in re.iter_mut().zip(im).zip(constants) {
        for l in 0..LANES {
            let integer = coarse.0[l] * n;
            let cycles = (integer - nearest(integer)) + fine.0[l] * n;
            let cycles = cycles - nearest(cycles);
            let (sin, cos) = sin_cos_cycles(cycles);
            let size = exp2(-decay_log2.0[l] * n);
            let (a, b) = (re.0[l], im.0[l]);
            re.0[l] = finite_or_zero(size * (a * cos - b * sin));
            im.0[l] = finite_or_zero(size * (a * sin + b * cos));
        }
    }
}

#[simd]
fn pulse_spectrum_rows<S: Simd>(
    _: S,
    pole_powers: &PolePowers,
    samples: f32,
    re: &mut [Row],
    im: &mut [Row],
) {
    let PolePowers { coarse, fine, decay_log2 } = pole_powers;
    let constants = coarse.iter().zip(fine).zip(decay_log2);
    for ((re, im), ((coarse, fine), decay_log2)) in re.iter_mut().zip(im).zip(constants) {
        for l in 0..LANES {
            // u/π, its nearest integer k, and the remainder w of u.
            let half_cycles = coarse.0[l] * samples + fine.0[l] * samples;
            let k = nearest(half_cycles);
            let w = (PI * (half_cycles - k), lower(decay_log2.0[l] * LN_2_HALF * samples, 1.0));
            let u = (PI * half_cycles, w.1);
            // sin u = (−1)^k sin w. Where a factor of the denominator vanishes with it, at k = 0
            // and k = 1, their ratio is sinc w.
            let (sin, cos) = sin_cos_cycles(0.5 * (half_cycles - k));
            let (sinh, cosh) = sinh_cosh(w.1);
            let sine = (sin * cosh, cos * sinh);
            let small = w.0 * w.0 + w.1 * w.1 < 1e-12;
            let sinc = if small { (1.0, 0.0) } else { over(sine, w) };
            let odd = k - 2.0 * nearest(0.5 * k);
            let sign = 1.0 - 2.0 * odd.abs();
            let top = if k < 1.5 { sinc } else { (sign * sine.0, sign * sine.1) };
            let first = if k < 0.5 { (1.0, 0.0) } else { u };
            let second = if k > 0.5 && k < 1.5 { (1.0, 0.0) } else { (PI - u.0, -u.1) };
            let bottom = times(times(first, second), (PI + u.0, u.1));
            let h = over((PI * PI * top.0, PI * PI * top.1), bottom);
            (re.0[l], im.0[l]) = times((re.0[l], im.0[l]), h);
        }
    }
}

const LN_2_HALF: f32 = 0.5 * std::f32::consts::LN_2;

#[inline(always)]
fn times(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

#[inline(always)]
fn over(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
    let size = b.0 * b.0 + b.1 * b.1;
    ((a.0 * b.0 + a.1 * b.1) / size, (a.1 * b.0 - a.0 * b.1) / size)
}

/// 1.5 · 2²³.
const SHIFT: f32 = 12_582_912.0;

/// Rounds a number below 2²² to the nearest integer: adding [`SHIFT`] leaves no bits for a
/// fraction.
#[inline(always)]
fn nearest(x: f32) -> f32 {
    (x + SHIFT) - SHIFT
}

/// Returns the lower of two numbers; a single instruction, unlike [`f32::min`].
#[inline(always)]
fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn finite_or_zero(x: f32) -> f32 {
    if x.abs() < f32::MAX { x } else { 0.0 }
}

/// Sine and cosine of 2πt for |t| < 0.6, to 1e-7: reduced by quarter cycles, then Taylor series up
/// to an eighth.
#[inline(always)]
fn sin_cos_cycles(t: f32) -> (f32, f32) {
    let quarters = nearest(4.0 * t);
    let x = TAU * (t - 0.25 * quarters);
    let q = x * x;
    let sin =
        x * (1.0 + q * (-1.0 / 6.0 + q * (1.0 / 120.0 + q * (-1.0 / 5040.0 + q / 362_880.0))));
    let cos = 1.0 + q * (-0.5 + q * (1.0 / 24.0 + q * (-1.0 / 720.0 + q / 40_320.0)));
    let (odd, even) = (quarters.abs() == 1.0, 1.0 - quarters.abs());
    if odd { (cos * quarters, -sin * quarters) } else { (sin * even, cos * even) }
}

/// 2^x for x ≤ 0, to 1e-7.
#[inline(always)]
fn exp2(x: f32) -> f32 {
    let x = if x > -SILENT { x } else { -SILENT };
    // The integer part is in the last bits of the sum.
    let shifted = x + SHIFT;
    let integer = shifted - SHIFT;
    let y = std::f32::consts::LN_2 * (x - integer);
    let series = 1.0 / 24.0 + y * (1.0 / 120.0 + y * (1.0 / 720.0 + y / 5040.0));
    let power = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0 + y * series)));
    let scale = f32::from_bits(shifted.to_bits().wrapping_sub(SHIFT.to_bits() - 127) << 23);
    if x > -SILENT { power * scale } else { 0.0 }
}

/// sinh and cosh for 0 ≤ x ≤ 1, to 1e-7.
#[inline(always)]
fn sinh_cosh(x: f32) -> (f32, f32) {
    let q = x * x;
    let sinh = 1.0 + q * (1.0 / 6.0 + q * (1.0 / 120.0 + q * (1.0 / 5040.0 + q / 362_880.0)));
    let cosh = 0.5 + q * (1.0 / 24.0 + q * (1.0 / 720.0 + q / 40_320.0));
    (x * sinh, 1.0 + q * cosh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Cpu, flat};
    use num_complex::Complex64;

    fn poles() -> Vec<Pole> {
        let mut poles = Vec::new();
        for i in 0..400 {
            let multiply_by_power = std::f64::consts::PI * f64::from(i) / 400.0;
            for d in [0.0, 1e-6, 1e-3, 0.02, 0.3, 5.0] {
                poles.push(Pole { lambda: Complex64::new(-d, multiply_by_power) });
            }
        }
        poles
    }

    fn each(
        mut apply: impl FnMut(Level, &PolePowers, &mut [Row], &mut [Row]),
        exact: impl Fn(Pole) -> Complex64,
        bound: f64,
        floor: f64,
    ) {
        let poles = poles();
        let rows = poles.len().div_ceil(LANES);
        let pole_powers = PolePowers::new(poles.iter().copied().enumerate(), rows);
        for cpu in [Cpu::Best, Cpu::Avx2, Cpu::Portable] {
            let (mut re, mut im) = (vec![Row([0.8; LANES]); rows], vec![Row([0.6; LANES]); rows]);
            apply(cpu.level(), &pole_powers, &mut re, &mut im);
            for (slot, pole) in poles.iter().enumerate() {
                let got = Complex64::new(flat(&re)[slot].into(), flat(&im)[slot].into());
                let want = Complex64::new(0.8, 0.6) * exact(*pole);
                let error = (got - want).norm();
                assert!(error <= bound * want.norm().max(floor), "{pole:?}: {got} {want}");
            }
        }
    }

    #[test]
    fn powers_are_those_of_double_precision() {
        for n in [0.0, 0.37, 1.0, 17.0, 255.0, 512.0, 2047.0, 4095.0] {
            each(
                |l, p, re, im| p.multiply_by_power(l, n, re, im),
                |pole| pole.power(n.into()),
                3e-6,
                1e-6,
            );
        }
    }

    /// `Impact::spectrum` at the complex frequency ω + i d, in double precision.
    fn hann_spectrum(lambda: num_complex::Complex64, samples: f64) -> num_complex::Complex64 {
        use num_complex::Complex64;
        use std::f64::consts::PI;
        let u = Complex64::new(lambda.im * samples / 2.0, (-lambda.re * samples / 2.0).min(1.0));
        let sinc = |x: Complex64| if x.norm() < 1e-9 { Complex64::ONE } else { x.sin() / x };
        // The zeros of the denominator are cancelled as in `Impact::spectrum`.
        if u.re < PI / 2.0 {
            sinc(u) * PI * PI / ((PI - u) * (PI + u))
        } else {
            sinc(PI - u) * (PI / u) * (PI / (PI + u))
        }
    }

    #[test]
    fn pulses_have_the_spectrum_of_double_precision() {
        for samples in [0.01, 1.0, 2.0, 3.99, 4.0, 7.3, 20.0, 36.0] {
            let exact = |pole: Pole| hann_spectrum(pole.lambda, samples);
            each(
                |l, p, re, im| p.multiply_by_pulse_spectrum(l, samples as f32, re, im),
                exact,
                1e-5,
                1e-2,
            );
        }
    }
}
