//! Strikes made from their closed form, with seeded noise.

#![allow(dead_code)]

use foley_geometry::rng::SplitMix64;
use foley_measured::largest;
use foley_modal::fit::{Fitted, Recording};
use std::f64::consts::TAU;
use std::time::Instant;

/// Processor time of this thread, s, where it is known: a busy machine does not count. A fit runs on one thread.
pub(crate) struct CpuTimer(Instant, f64);

impl CpuTimer {
    pub(crate) fn start() -> Self {
        Self(Instant::now(), Self::thread_s().unwrap_or_default())
    }

    fn thread_s() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(1e-9 * text.split_whitespace().next()?.parse::<f64>().ok()?)
    }

    pub(crate) fn seconds(&self) -> f64 {
        let used = Self::thread_s().map(|now| now - self.1).filter(|used| *used > 0.0);
        used.unwrap_or_else(|| self.0.elapsed().as_secs_f64())
    }
}

pub(crate) fn between(random: &mut SplitMix64, low: f64, high: f64) -> f64 {
    low + (high - low) * random.unit()
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Tone {
    pub(crate) f: f64,
    pub(crate) d: f64,
    pub(crate) a: f64,
}

/// `Σ a e^{−d t} sin(2π f t)` after `lead_s` seconds of nothing.
pub(crate) fn clean(tones: &[Tone], rate: f64, lead_s: f64, seconds: f64) -> Vec<f64> {
    let onset = (lead_s * rate) as usize;
    let mut y = vec![0.0; onset + (seconds * rate) as usize];
    for tone in tones {
        for (m, v) in y[onset..].iter_mut().enumerate() {
            let t = m as f64 / rate;
            *v += tone.a * (-tone.d * t).exp() * (TAU * tone.f * t).sin();
        }
    }
    y
}

/// Adds white noise `snr_db` below the sound's mean power (over all of it); returns its
/// standard deviation as well.
pub(crate) fn noisy(mut y: Vec<f64>, rate: f64, snr_db: f64, seed: u64) -> (Recording, f64) {
    let power = y.iter().map(|v| v * v).sum::<f64>() / y.len() as f64;
    let sigma = (power * 10f64.powf(-snr_db / 10.0)).sqrt();
    let mut random = SplitMix64::new(seed);
    y.iter_mut().for_each(|v| *v += sigma * random.normal_pair()[0]);
    (recording(&y, rate), sigma)
}

pub(crate) fn recording(y: &[f64], rate: f64) -> Recording {
    Recording { samples: y.iter().map(|v| *v as f32).collect(), sample_rate_hz: rate }
}

/// The fit's definition of a level above the noise, from the truth: the energy a²/4d
/// against the noise in the band 10 d (Hz) over T60 = 3 ln 10 / d, dB.
pub(crate) fn level_db(tone: &Tone, sigma: f64, rate: f64) -> f64 {
    let density = 2.0 * sigma * sigma / rate;
    let noise = density * 10.0 * tone.d * (3.0 * 10f64.ln() / tone.d);
    10.0 * (tone.a * tone.a / (4.0 * tone.d) / noise).log10()
}

/// The fitted mode nearest in frequency.
pub(crate) fn nearest(fitted: &Fitted, f: f64) -> usize {
    let off = |n: &usize| (fitted.model.frequencies_hz[*n] - f).abs();
    (0..fitted.model.mode_count()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap()
}

/// Errors of all tones of a test.
#[derive(Default)]
pub(crate) struct Errors(Vec<(f64, f64, f64)>);

impl Errors {
    /// Prints and adds those of one tone, at place k.
    pub(crate) fn add(&mut self, fitted: &Fitted, tone: &Tone, k: usize) {
        let (f, d, a) = errors(fitted, tone, k);
        println!("{tone:?}: {f:.1e} {d:.4} {a:.3} dB");
        self.0.push((f, d, a));
    }

    /// Returns the worst frequency, %, decay, %, and gain, dB.
    pub(crate) fn worst(&self) -> [f64; 3] {
        [
            100.0 * largest(self.0.iter().map(|e| e.0)),
            100.0 * largest(self.0.iter().map(|e| e.1)),
            largest(self.0.iter().map(|e| e.2)),
        ]
    }
}

/// Relative frequency and decay error and gain error in dB, at place k.
pub(crate) fn errors(fitted: &Fitted, tone: &Tone, k: usize) -> (f64, f64, f64) {
    let n = nearest(fitted, tone.f);
    let model = &fitted.model;
    let gain = f64::from(model.gains_of_point(k)[n]);
    (
        (model.frequencies_hz[n] / tone.f - 1.0).abs(),
        (model.decays[n] / tone.d - 1.0).abs(),
        (20.0 * (gain.abs() / tone.a).log10()).abs(),
    )
}
