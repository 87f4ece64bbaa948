//! Shared by the tests: closed forms in f64 and comparisons.
#![allow(dead_code, unreachable_pub)]

use foley_dsp::resonator::{Bank, BankSettings, Kernel, Layout, Listening, Strike, Voice};
use num_complex::Complex64;
use std::f64::consts::PI;
use std::sync::Arc;

pub const RATE: f64 = 48_000.0;

/// λ per sample.
pub fn lambda(f: f64, t60: f64) -> Complex64 {
    Complex64::new(-3.0 * 10f64.ln() / t60, 2.0 * PI * f) / RATE
}

pub fn decay(t60: f64) -> f64 {
    3.0 * 10f64.ln() / t60
}

/// Adds `a e^{−d(t−t₀)} sin ω(t−t₀)` from t₀ (in samples) on: exact every 256 samples, by f64
/// rotation in between.
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

/// Returns the ratio of signal to difference, dB: NaN where a sample is not a number.
pub fn snr_db(truth: &[f64], got: &[f32]) -> f64 {
    assert_eq!(truth.len(), got.len());
    let power: f64 = truth.iter().map(|t| t * t).sum();
    let error: f64 = truth.iter().zip(got).map(|(t, g)| (t - f64::from(*g)).powi(2)).sum();
    assert!(power > 0.0, "the truth is silent");
    10.0 * (power / error).log10()
}

pub fn widen(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&x| f64::from(x)).collect()
}

pub fn bank(kernel: Kernel, block: usize) -> Bank {
    let settings = BankSettings::default().with_kernel(kernel).with_block(block).with_voices(8);
    Bank::new(settings).unwrap()
}

/// Returns listening conditions without threshold and masking: nothing is left out.
pub fn unmasked() -> Listening {
    Listening::default()
        .with_pascal_db(91.0)
        .with_margin_db(200.0)
        .with_mask_db(200.0)
        .with_detail(4.0)
}

/// Renders `samples` samples of one bus; `before` is called before each block.
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

/// Returns uniform noise in −1 … 1 from a seed. Not `SplitMix64`: bounds of tests were set with
/// these numbers.
pub fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

pub const KERNELS: [Kernel; 3] = [Kernel::PerSample, Kernel::Spectral, Kernel::Auto];

/// A contact of a [`Job`]: in block b its gains move from `gains[b % len]` to the next entry,
/// cyclically; a single entry is constant.
#[derive(Clone)]
pub struct Push {
    pub gains: Vec<Vec<f32>>,
    pub force: Vec<f32>,
}

/// One object and its excitation. Impulses are (time in samples, gains).
#[derive(Clone, Default)]
pub struct Job {
    pub f: Vec<f64>,
    pub d: Vec<f64>,
    pub impulses: Vec<(f64, Vec<f32>)>,
    pub pushes: Vec<Push>,
    pub samples: usize,
}

impl Job {
    /// Renders the job in a bank, with one of its kernels.
    pub fn play(&self, kernel: Kernel, block: usize) -> Vec<f32> {
        self.play_voice(kernel, block, Voice::new)
    }

    /// Renders the job with the reference kernel.
    pub fn reference(&self, block: usize) -> Vec<f32> {
        self.play_voice(Kernel::Auto, block, Voice::reference)
    }

    fn play_voice(
        &self,
        kernel: Kernel,
        block: usize,
        make: impl Fn(Arc<Layout>, usize, usize) -> Voice,
    ) -> Vec<f32> {
        let mut bank = bank(kernel, block);
        let layout = bank.layout(&self.f, &self.d);
        let mut voice = make(layout.clone(), self.pushes.len(), 0);
        for (c, push) in self.pushes.iter().enumerate() {
            assert!(voice.move_contact(c, layout.gains(&push.gains[0])).is_none());
        }
        bank.insert(0, Box::new(voice)).unwrap();
        for (at, gains) in &self.impulses {
            bank.strike(0, Strike::impulse(&layout, gains, 1.0, *at)).unwrap();
        }
        render(&mut bank, self.samples, |bank| {
            let at = bank.clock() as usize;
            let voice = bank.voice_mut(0).unwrap();
            for (c, push) in self.pushes.iter().enumerate() {
                let next = (at / block + 1) % push.gains.len();
                if push.gains.len() > 1 {
                    voice.move_contact(c, layout.gains(&push.gains[next]));
                }
                let part = push.force.get(at..).unwrap_or_default();
                let part = &part[..part.len().min(block)];
                if part.iter().any(|x| *x != 0.0) {
                    voice.force(c).unwrap()[..part.len()].copy_from_slice(part);
                }
            }
        })
    }

    /// Renders the job in f64: each mode by rotation from sample to sample, impulses by their
    /// closed form, gains moving linearly within each block.
    pub fn truth(&self, block: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.samples];
        for m in 0..self.f.len() {
            let lambda = Complex64::new(-self.d[m], 2.0 * PI * self.f[m]) / RATE;
            if lambda.im >= PI {
                continue;
            }
            let z = lambda.exp();
            let mut due: Vec<(usize, Complex64)> = Vec::new();
            for (at, gains) in &self.impulses {
                let lead = at.ceil() - at;
                due.push((at.ceil() as usize, (lambda * lead).exp() * f64::from(gains[m])));
            }
            due.sort_by_key(|(at, _)| *at);
            let mut due = due.into_iter().peekable();
            let mut s = Complex64::ZERO;
            for (n, out) in out.iter_mut().enumerate() {
                while let Some((_, jump)) = due.next_if(|(at, _)| *at == n) {
                    s += jump;
                }
                for push in &self.pushes {
                    let (b, along) = (n / block, (n % block) as f64 / block as f64);
                    let gain = |b: usize| f64::from(push.gains[b % push.gains.len()][m]);
                    let gain = gain(b) + (gain(b + 1) - gain(b)) * along;
                    s.re += gain * f64::from(push.force.get(n).copied().unwrap_or(0.0));
                }
                *out += s.im;
                s *= z;
            }
        }
        out
    }
}

/// Returns n numbers from a … b in equal ratios, permuted by the golden ratio.
pub fn spread_log(n: usize, a: f64, b: f64) -> Vec<f64> {
    (0..n).map(|i| a * (b / a).powf((0.5 + i as f64 * 0.618_034) % 1.0)).collect()
}

/// Returns random gains in −1 … 1.
pub fn random_gains(n: usize, seed: u64) -> Vec<f32> {
    let mut random = noise(seed);
    (0..n).map(|_| random() as f32).collect()
}
