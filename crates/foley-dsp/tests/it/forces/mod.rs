//! Helpers for tests of forces: forces at constant motion and their analysis.
#![allow(dead_code, unreachable_pub)]

use foley_dsp::excitation::{
    AudioForce, ContactPatch, Coupling, Motion, Profile, RibShape, Roll, Rolling, Scrape, Surface,
};
use realfft::RealFftPlanner;
use std::f64::consts::TAU;
use std::sync::Arc;

pub const RATE: f64 = 48_000.0;

pub fn motion(speed_m_s: f64, normal_force_n: f64) -> Motion {
    Motion { speed_m_s, normal_force_n }
}

pub fn profile(surface: &Surface) -> Arc<Profile> {
    Arc::new(Profile::new(surface, RATE, 3).unwrap())
}

pub fn peaked() -> Surface {
    Surface::fractal(-1.5).unwrap().with_reson(0.5e-3, 0.1).unwrap()
}

pub fn ribs(period_m: f64) -> Surface {
    Surface::ribbed(period_m, 1e-4, RibShape::Round, 0.6).unwrap()
}

/// Makes a rough track of 700 samples, 20 µm apart.
pub fn track() -> Surface {
    let height = |n: usize| {
        let x = n as f32;
        1e-6 * ((x * 0.31).sin() + 0.5 * (x * 0.123 + 1.0).sin() + 0.3 * (x * 1.7).cos())
    };
    Surface::recorded((0..700).map(height).collect::<Vec<_>>(), 2e-5).unwrap()
}

pub fn scrape(profile: &Arc<Profile>) -> Scrape {
    Scrape::new(Arc::clone(profile), Coupling::default(), 11).unwrap()
}

pub fn roll(profile: &Arc<Profile>, radius_m: f64, enhancement: f64) -> Roll {
    let patch = ContactPatch { radius_m, modulus_pa: 1e11 };
    let f: Vec<f64> = (1..=32).map(|n| 211.0 * f64::from(n).powf(1.3)).collect();
    let d: Vec<f64> = f.iter().map(|f| 2.0 + 1e-3 * f).collect();
    let rolling = Rolling { patch, enhancement };
    Roll::new(Arc::clone(profile), Coupling::rolling(), rolling, &f, &d, 5).unwrap()
}

/// Returns the force after half a second at constant motion.
pub fn steady(force: &mut impl AudioForce, motion: Motion, seconds: f64) -> Vec<f32> {
    force.aim(motion, 480);
    force.add(&mut vec![0.0; (0.5 * RATE) as usize]);
    let mut y = vec![0.0; (seconds * RATE) as usize];
    force.add(&mut y);
    y
}

pub fn rms(y: &[f32]) -> f64 {
    (y.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>() / y.len() as f64).sqrt()
}

pub fn db(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}

/// Returns the mean power spectrum over Hann windows of `count` samples, half overlapping.
pub fn spectrum(y: &[f32], count: usize) -> Vec<f64> {
    let plan = RealFftPlanner::<f64>::new().plan_fft_forward(count);
    let mut power = vec![0.0; count / 2 + 1];
    let (mut x, mut waves) = (plan.make_input_vec(), plan.make_output_vec());
    let mut windows = 0.0;
    for start in (0..=y.len() - count).step_by(count / 2) {
        for (n, x) in x.iter_mut().enumerate() {
            let hann = 0.5 - 0.5 * (TAU * n as f64 / count as f64).cos();
            *x = f64::from(y[start + n]) * hann;
        }
        plan.process(&mut x, &mut waves).unwrap();
        power.iter_mut().zip(&waves).for_each(|(p, w)| *p += w.norm_sqr());
        windows += 1.0;
    }
    power.iter_mut().for_each(|p| *p /= windows);
    power
}

/// Returns the spectral centroid, Hz.
pub fn centroid_hz(y: &[f32]) -> f64 {
    let power = spectrum(y, 8192);
    let moment: f64 = power.iter().enumerate().map(|(m, p)| m as f64 * p).sum();
    moment / power.iter().sum::<f64>() * RATE / 8192.0
}

/// Returns the frequency of a line near `guess_hz` from the drift of its phase.
pub fn line_hz(y: &[f32], guess_hz: f64) -> f64 {
    let half = y.len() / 2;
    let part = |y: &[f32], from: usize| {
        let (mut re, mut im) = (0.0, 0.0);
        for (n, y) in y.iter().enumerate() {
            let hann = 0.5 - 0.5 * (TAU * n as f64 / half as f64).cos();
            let (s, c) = (TAU * guess_hz * (from + n) as f64 / RATE).sin_cos();
            re += f64::from(*y) * hann * c;
            im -= f64::from(*y) * hann * s;
        }
        im.atan2(re)
    };
    let rotated = part(&y[half..2 * half], half) - part(&y[..half], 0);
    let rotated = rotated - TAU * (rotated / TAU).round();
    guess_hz + rotated / TAU * RATE / half as f64
}

/// Returns the largest second difference, which is large at a click.
pub fn sharpest(y: &[f32]) -> f32 {
    y.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).abs()).fold(0.0, f32::max)
}
