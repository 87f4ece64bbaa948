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
    let (mut errors, mut all_spurious) = (Errors::default(), 0);
    for seed in 0..8 {
        let tones = thirty(seed);
        let (recording, sigma) = noisy(clean(&tones, RATE, 0.1, 3.0), RATE, 40.0, 100 + seed);
        let start = std::time::Instant::now();
        let fitted = fit(&[recording], &Options::default()).unwrap();
        let loud: Vec<&Tone> = tones.iter().filter(|t| level_db(t, sigma, RATE) >= 20.0).collect();
        for tone in &loud {
            errors.add(&fitted, tone, 0);
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
        all_spurious += spurious;
        assert!(loud.len() >= 20);
    }
    let [f, d, a] = errors.worst();
    foley_measured::check!("recordings.thirty_frequency", f);
    foley_measured::check!("recordings.thirty_decay", d);
    foley_measured::check!("recordings.thirty_gain", a);
    foley_measured::check!("recordings.thirty_spurious", all_spurious as f64);
}

#[test]
fn two_modes_three_hertz_apart() {
    let mut errors = Errors::default();
    for (f, apart, a) in
        [(440.0, 3.0, 1.0), (440.0, 3.0, 0.1), (3000.0, 3.0, 0.7), (9000.0, 3.0, 0.3)]
    {
        let tones = [Tone { f, d: 2.0, a: 0.5 }, Tone { f: f + apart, d: 3.0, a: 0.5 * a }];
        let (recording, _) = noisy(clean(&tones, RATE, 0.05, 3.0), RATE, 40.0, 5);
        let fitted = fit(&[recording], &Options::default()).unwrap();
        assert_eq!(fitted.modes.len(), 2, "{f} {a}: {:?}", fitted.model.frequencies_hz);
        for tone in &tones {
            errors.add(&fitted, tone, 0);
        }
    }
    let [f, d, a] = errors.worst();
    foley_measured::check!("recordings.close_frequency", f);
    foley_measured::check!("recordings.close_decay", d);
    foley_measured::check!("recordings.close_gain", a);
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
    let mut errors = Errors::default();
    for k in 0..3 {
        for tone in tones(k) {
            if tone.a == 0.0 {
                let gain = fitted.model.gains_of_point(k)[nearest(&fitted, tone.f)];
                assert!(gain.abs() < 1e-3, "{gain}");
                continue;
            }
            errors.add(&fitted, &tone, k);
        }
    }
    let [f, d, a] = errors.worst();
    foley_measured::check!("recordings.places_frequency", f);
    foley_measured::check!("recordings.places_decay", d);
    foley_measured::check!("recordings.places_gain", a);
}

/// Played back by an impulse, the model is as loud as the recording and has its phase.
#[test]
fn the_residual_is_the_noise() {
    let tones: Vec<Tone> = thirty(3).into_iter().take(8).collect();
    let (recording, _) = noisy(clean(&tones, RATE, 0.1, 2.0), RATE, 40.0, 9);
    let fitted = fit(std::slice::from_ref(&recording), &Options::default()).unwrap();
    let strike = &fitted.strikes[0];
    foley_measured::check!("recordings.residual_is_noise", (strike.residual_db + 40.0).abs());
    foley_measured::check!("recordings.noise_level", (strike.noise_db + 40.0).abs());
    foley_measured::check!("recordings.onset", 1e3 * (strike.onset_s - 0.1).abs());
    for (i, y) in recording.samples.iter().enumerate() {
        assert!((strike.resynthesis[i] + strike.residual[i] - y).abs() < 1e-3);
    }
}

/// Without noise only the model's own exactness tells a mode from an artefact.
#[test]
fn a_clean_tone_is_one_mode() {
    let rate = 44_100.0;
    let mut errors = Errors::default();
    for (f, d) in [(440.0, 6.0), (60.0, 3.0), (150.0, 40.0), (1000.0, 100.0), (9000.0, 30.0)] {
        let tone = Tone { f, d, a: 0.5 };
        let fitted =
            fit(&[recording(&clean(&[tone], rate, 0.0, 1.0), rate)], &Options::default()).unwrap();
        assert_eq!(fitted.modes.len(), 1, "{tone:?}: {:?}", fitted.model.frequencies_hz);
        errors.add(&fitted, &tone, 0);
        // Samples are rounded to 24 bits; nothing else is left.
        foley_measured::check!("recordings.clean_residual", fitted.strikes[0].residual_db);
    }
    let [f, d, a] = errors.worst();
    foley_measured::check!("recordings.clean_frequency", f);
    foley_measured::check!("recordings.clean_decay", d);
    foley_measured::check!("recordings.clean_gain", a);
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
    let mut errors = Errors::default();
    for (f, d) in tones {
        let a = impact.spectrum(TAU * f).abs();
        errors.add(&fitted, &Tone { f, d, a }, 0);
    }
    let [f, d, a] = errors.worst();
    foley_measured::check!("recordings.contact_frequency", f);
    foley_measured::check!("recordings.contact_decay", d);
    foley_measured::check!("recordings.contact_gain", a);
    let strike = &fitted.strikes[0];
    assert!((0.003..0.03).contains(&(strike.fitted_from_s - strike.onset_s)), "{strike:?}");
}
