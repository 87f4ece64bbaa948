//! Measures frequency and onset of a sound.
#![allow(dead_code, unreachable_pub)]

use std::f64::consts::TAU;

/// Returns the frequency of the strongest partial within a semitone of `near_hz`: the greatest windowed
/// Fourier sum, found by golden section.
pub fn frequency_hz(sound: &[f64], rate_hz: f64, near_hz: f64) -> f64 {
    let n = sound.len() as f64;
    let strength = |f: f64| {
        let (mut re, mut im) = (0.0, 0.0);
        for (i, x) in sound.iter().enumerate() {
            let t = i as f64;
            let window = 0.5 - 0.5 * (TAU * t / n).cos();
            let (sin, cos) = (TAU * f * t / rate_hz).sin_cos();
            re += window * x * cos;
            im += window * x * sin;
        }
        re * re + im * im
    };
    let semitone = 2f64.powf(1.0 / 12.0);
    let step_hz = 0.5 * rate_hz / n;
    let (mut best, mut f) = ((near_hz / semitone, 0.0), near_hz / semitone);
    while f < near_hz * semitone {
        let s = strength(f);
        if s > best.1 {
            best = (f, s);
        }
        f += step_hz;
    }
    let (mut low, mut high) = (best.0 - step_hz, best.0 + step_hz);
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    while high - low > 1e-4 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if strength(a) > strength(b) { high = b } else { low = a }
    }
    0.5 * (low + high)
}

/// Returns the onset of a sound near a time: where the energy of its second difference, which weights
/// impacts more than ringing modes, rises most from one half millisecond to the next.
pub fn onset_s(sound: &[f64], rate_hz: f64, near_s: f64) -> f64 {
    let edge = |i: usize| (sound[i + 1] - 2.0 * sound[i] + sound[i - 1]).powi(2);
    let half = (5e-4 * rate_hz) as usize;
    let reach = (0.02 * rate_hz) as usize;
    let middle = (near_s * rate_hz) as usize;
    let energy = |from: usize| (from..from + half).map(edge).sum::<f64>();
    let rise = |i: usize| energy(i) - energy(i - half);
    let best = (middle - reach..middle + reach).max_by(|a, b| rise(*a).total_cmp(&rise(*b)));
    best.unwrap_or(0) as f64 / rate_hz
}
