//! What several tests share: closed forms in f64 and ways to compare.
#![allow(dead_code, unreachable_pub)]

use foley_dsp::resonator::{Bank, BankSettings, Kernel};
use num_complex::Complex64;
use std::f64::consts::PI;

pub const RATE: f64 = 48_000.0;

/// λ per sample.
pub fn lambda(f: f64, t60: f64) -> Complex64 {
    Complex64::new(-3.0 * 10f64.ln() / t60, 2.0 * PI * f) / RATE
}

pub fn decay(t60: f64) -> f64 {
    3.0 * 10f64.ln() / t60
}

/// Adds `a e^{−d(t−t₀)} sin ω(t−t₀)` from t₀ (in samples) on: exact every 256 samples,
/// turned by f64 rotation in between.
pub fn ring(out: &mut [f64], f: f64, t60: f64, a: f64, t0: f64) {
    let lambda = lambda(f, t60);
    let z = lambda.exp();
    let mut s = Complex64::ZERO;
    for (n, out) in out.iter_mut().enumerate() {
        let t = n as f64 - t0;
        if t < 0.0 {
            continue;
        }
        s = if n % 256 == 0 || t < 1.0 { (lambda * t).exp() * a } else { s * z };
        *out += s.im;
    }
}

/// Ratio of signal to difference, dB.
pub fn snr_db(truth: &[f64], got: &[f32]) -> f64 {
    assert_eq!(truth.len(), got.len());
    let power: f64 = truth.iter().map(|t| t * t).sum();
    let error: f64 = truth.iter().zip(got).map(|(t, g)| (t - f64::from(*g)).powi(2)).sum();
    assert!(power > 0.0, "the truth is silent");
    10.0 * (power / error.max(1e-300)).log10()
}

pub fn widen(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&x| f64::from(x)).collect()
}

pub fn bank(kernel: Kernel, block: usize) -> Bank {
    let settings = BankSettings { kernel, block, voices: 8, ..BankSettings::default() };
    Bank::new(settings).unwrap()
}

/// Renders `blocks` blocks of one bus; `before` is called before each.
pub fn render(bank: &mut Bank, samples: usize, mut before: impl FnMut(&mut Bank)) -> Vec<f32> {
    let block = bank.settings().block;
    let mut out = Vec::new();
    let mut sound = vec![0.0; block];
    while out.len() < samples {
        before(bank);
        bank.render(&mut sound);
        out.extend_from_slice(&sound);
    }
    out.truncate(samples);
    out
}

/// Uniform noise in −1 … 1 from a seed.
pub fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
