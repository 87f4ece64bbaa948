//! Sounds with known modes, and what the fit makes of them.

use crate::fit_common;

use fit_common::*;
use foley_dsp::excitation::Impact;
use foley_geometry::rng::SplitMix64;
use foley_modal::fit::{Options, Recording, fit};
use realfft::num_complex::Complex64;
use std::f64::consts::TAU;

const RATE: f64 = 48_000.0;

/// Thirty modes over 100 Hz … 12 kHz, higher ones dying faster, levels over 50 dB.
fn thirty(seed: u64) -> Vec<Tone> {
    let mut random = SplitMix64::new(seed);
    (0..30)
        .map(|n| {
            let f = 100.0 * 120f64.powf((f64::from(n) + between(&mut random, 0.1, 0.9)) / 30.0);
            let d = between(&mut random, 1.0, 4.0) * (1.0 + f / 500.0);
            Tone { f, d, a: 10f64.powf(between(&mut random, -50.0, 0.0) / 20.0) }
        })
        .collect()
}

/// Every mode 20 dB above the noise (in its own band over its own duration, as
/// `FittedMode::level_db` defines it) is found and well known, and nothing else is
/// found at that level.
#[test]
fn thirty_modes_in_noise() {
    let mut worst = (0.0f64, 0.0f64, 0.0f64);
    for seed in 0..8 {
        let tones = thirty(seed);
        let (recording, sigma) = noisy(clean(&tones, RATE, 0.1, 3.0), RATE, 40.0, 100 + seed);
        let start = std::time::Instant::now();
        let fitted = fit(&[recording], &Options::default()).unwrap();
        let loud: Vec<&Tone> = tones.iter().filter(|t| level_db(t, sigma, RATE) >= 20.0).collect();
        for tone in &loud {
            let (f, d, a) = errors(&fitted, tone, 0);
            let level = level_db(tone, sigma, RATE);
            worst = (worst.0.max(f), worst.1.max(d), worst.2.max(a));
            assert!(
                f < 1e-3 && d < 0.05 && a < 1.0,
                "seed {seed}: {tone:?} at {level:.1} dB: {f:.1e} {d:.3} {a:.2} dB"
            );
        }
        let (mut spurious, mut below) = (0, 0);
        for (n, mode) in fitted.modes.iter().enumerate() {
            let f = fitted.model.frequencies_hz[n];
            let true_one =
                tones.iter().any(|t| nearest(&fitted, t.f) == n && (t.f - f).abs() < t.d);
            spurious += usize::from(!true_one && mode.level_db >= 20.0);
            below += usize::from(!true_one);
        }
        println!(
            "seed {seed}: {} loud, {} found, {below} untrue, residual {:.2} dB, noise {:.2} dB, {:.2?}",
            loud.len(),
            fitted.modes.len(),
            fitted.strikes[0].residual_db,
            fitted.strikes[0].noise_db,
            start.elapsed()
        );
        assert_eq!(spurious, 0, "seed {seed}");
        assert!(loud.len() >= 20);
    }
    println!("worst: frequency {:.1e}, decay {:.4}, gain {:.3} dB", worst.0, worst.1, worst.2);
}

#[test]
fn two_modes_three_hertz_apart() {
    for (f, apart, a) in
        [(440.0, 3.0, 1.0), (440.0, 3.0, 0.1), (3000.0, 3.0, 0.7), (9000.0, 3.0, 0.3)]
    {
        let tones = [Tone { f, d: 2.0, a: 0.5 }, Tone { f: f + apart, d: 3.0, a: 0.5 * a }];
        let (recording, _) = noisy(clean(&tones, RATE, 0.05, 3.0), RATE, 40.0, 5);
        let fitted = fit(&[recording], &Options::default()).unwrap();
        assert_eq!(fitted.modes.len(), 2, "{f} {a}: {:?}", fitted.model.frequencies_hz);
        for tone in &tones {
            let (ef, ed, ea) = errors(&fitted, tone, 0);
            println!("{tone:?}: {ef:.1e} {ed:.4} {ea:.3} dB");
            assert!(ef < 1e-4 && ed < 0.05 && ea < 1.0, "{tone:?}: {ef:.1e} {ed:.3} {ea:.2} dB");
        }
    }
}

/// Strikes at three places, not aligned, not equally long; one mode has a node at the
/// second place.
#[test]
fn three_places_share_their_modes() {
    let modes = [(220.0, 3.0), (587.0, 5.0), (1310.0, 9.0), (2750.0, 20.0)];
    let gains = [[0.5, 0.3, 0.2, 0.1], [0.4, 0.0, 0.1, 0.3], [0.05, 0.3, 0.4, 0.2]];
    let tones = |k: usize| -> Vec<Tone> {
        let tone = |(&(f, d), &a): (&(f64, f64), &f64)| Tone { f, d, a };
        modes.iter().zip(&gains[k]).map(tone).collect()
    };
    let recordings: Vec<Recording> = (0..3)
        .map(|k| {
            let (lead, seconds) = ([0.05, 0.2, 0.013][k], [2.0, 1.3, 3.1][k]);
            noisy(clean(&tones(k), RATE, lead, seconds), RATE, 40.0, 30 + k as u64).0
        })
        .collect();
    let places = vec![[0.0; 3], [0.1, 0.0, 0.0], [0.2, 0.0, 0.0]];
    let fitted = fit(&recordings, &Options::default().with_places(places.clone())).unwrap();
    assert_eq!(fitted.modes.len(), 4, "{:?}", fitted.model.frequencies_hz);
    assert_eq!(fitted.model.points, places);
    for k in 0..3 {
        for tone in tones(k) {
            if tone.a == 0.0 {
                let gain = fitted.model.gains_of_point(k)[nearest(&fitted, tone.f)];
                assert!(gain.abs() < 1e-3, "{gain}");
                continue;
            }
            let (f, d, a) = errors(&fitted, &tone, k);
            assert!(f < 1e-4 && d < 0.02 && a < 0.5, "{k} {tone:?}: {f:.1e} {d:.3} {a:.2} dB");
        }
    }
}

/// Played back by an impulse, the model is as loud as the recording and has its phase.
#[test]
fn the_residual_is_the_noise() {
    let tones: Vec<Tone> = thirty(3).into_iter().take(8).collect();
    let (recording, _) = noisy(clean(&tones, RATE, 0.1, 2.0), RATE, 40.0, 9);
    let fitted = fit(std::slice::from_ref(&recording), &Options::default()).unwrap();
    let strike = &fitted.strikes[0];
    assert!((strike.residual_db + 40.0).abs() < 1.5, "{}", strike.residual_db);
    assert!((strike.noise_db + 40.0).abs() < 1.5, "{}", strike.noise_db);
    assert!((strike.onset_s - 0.1).abs() < 2e-4, "{}", strike.onset_s);
    for (i, y) in recording.samples.iter().enumerate() {
        assert!((strike.resynthesis[i] + strike.residual[i] - y).abs() < 1e-3);
    }
}

/// Without noise only the model's own exactness tells a mode from an artefact.
#[test]
fn a_clean_tone_is_one_mode() {
    let rate = 44_100.0;
    for (f, d) in [(440.0, 6.0), (60.0, 3.0), (150.0, 40.0), (1000.0, 100.0), (9000.0, 30.0)] {
        let tone = Tone { f, d, a: 0.5 };
        let fitted =
            fit(&[recording(&clean(&[tone], rate, 0.0, 1.0), rate)], &Options::default()).unwrap();
        assert_eq!(fitted.modes.len(), 1, "{tone:?}: {:?}", fitted.model.frequencies_hz);
        let (ef, ed, ea) = errors(&fitted, &tone, 0);
        assert!(ef < 1e-6 && ed < 1e-4 && ea < 0.05, "{tone:?}: {ef:.1e} {ed:.1e} {ea:.3} dB");
        // Samples are rounded to 24 bits; nothing else is left.
        let left = fitted.strikes[0].residual_db;
        assert!(left < -140.0, "{tone:?}: residual {left:.1} dB");
    }
}

/// A mallet that stays for 4 ms forces its own waveform on the object: the modes are those
/// of what rings when it has let go.
#[test]
fn a_soft_contact_is_waited_for() {
    let tones = [(210.0, 3.0), (430.0, 4.0), (620.0, 8.0), (870.0, 11.0), (1130.0, 20.0)];
    let impact = Impact::new(1.0, 0.004).unwrap();
    let mut y = vec![0.0; 100_000];
    for (f, d) in tones {
        let z = Complex64::new(-d / RATE, TAU * f / RATE).exp();
        let mut x = Complex64::ZERO;
        for (m, y) in y[1000..].iter_mut().enumerate() {
            *y += x.im;
            x = x * z + impact.force_n((m as f64 + 0.5) / RATE) / RATE;
        }
    }
    let (recording, _) = noisy(y, RATE, 70.0, 21);
    let fitted = fit(&[recording], &Options::default()).unwrap();
    assert_eq!(fitted.modes.len(), tones.len(), "{:?}", fitted.model.frequencies_hz);
    for (f, d) in tones {
        let a = impact.spectrum(TAU * f).abs();
        let (ef, ed, ea) = errors(&fitted, &Tone { f, d, a }, 0);
        println!("{f} Hz, gain {a:.1e}: {ef:.1e} {ed:.4} {ea:.2} dB");
        assert!(ef < 1e-3 && ed < 0.05 && ea < 1.0, "{f} Hz: {ef:.1e} {ed:.3} {ea:.2} dB");
    }
    let strike = &fitted.strikes[0];
    assert!((0.003..0.03).contains(&(strike.fitted_from_s - strike.onset_s)), "{strike:?}");
}
