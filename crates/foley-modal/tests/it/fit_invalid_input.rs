//! Recordings that are not what one hopes for: a result or a clear error, soon.

use crate::fit_common;

use fit_common::*;
use foley_geometry::rng::SplitMix64;
use foley_modal::fit::{FitError, Fitted, Options, Recording, fit};
use std::time::{Duration, Instant};

const RATE: f64 = 48_000.0;

fn tones() -> [Tone; 3] {
    [
        Tone { f: 310.0, d: 4.0, a: 0.3 },
        Tone { f: 845.0, d: 7.0, a: 0.2 },
        Tone { f: 2150.0, d: 15.0, a: 0.1 },
    ]
}

fn one(y: &[f64], rate: f64) -> Result<Fitted, FitError> {
    let start = Instant::now();
    let fitted = fit(&[recording(y, rate)], &Options::default());
    let seconds = start.elapsed().as_secs_f64();
    println!("{:.1} s at {rate} Hz: {seconds:.2} s", y.len() as f64 / rate);
    fitted
}

fn assert_found(fitted: &Fitted, tones: &[Tone], what: &str) {
    println!("{what}");
    let mut errors = Errors::default();
    tones.iter().for_each(|tone| errors.add(fitted, tone, 0));
    let [f, d, a] = errors.worst();
    foley_measured::check!("recordings.poor_frequency", f);
    foley_measured::check!("recordings.poor_decay", d);
    foley_measured::check!("recordings.poor_gain", a);
}

#[test]
fn what_is_no_sound_is_refused_in_words() {
    let says = |recordings: &[Recording], options: &Options, words: &str| {
        let error = fit(recordings, options).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let good = recording(&clean(&tones(), RATE, 0.0, 0.5), RATE);
    let options = Options::default();
    says(&[], &options, "no recordings");
    says(&[recording(&[], RATE)], &options, "silent");
    says(&[recording(&[0.0; 48_000], RATE)], &options, "silent");
    says(&[recording(&[0.25; 48_000], RATE)], &options, "silent");
    says(&[recording(&clean(&tones(), RATE, 0.0, 0.03), RATE)], &options, "at least 0.04 s");
    for value in [f32::NAN, f32::INFINITY, 1e30] {
        let mut broken = good.clone();
        broken.samples[777] = value;
        says(&[good.clone(), broken], &options, "sample 777 of recording 2");
    }
    let slow = Recording { sample_rate_hz: 44_100.0, ..good.clone() };
    says(
        &[good.clone(), slow],
        &options,
        "recording 2 has 44100 samples per second; the first has 48000",
    );
    for rate in [0.0, f64::NAN, -48e3, 1e12] {
        says(&[Recording { sample_rate_hz: rate, ..good.clone() }], &options, "samples per second");
    }
    let two = Options::default().with_places(vec![[0.0; 3]; 2]);
    says(std::slice::from_ref(&good), &two, "2 places for 1 recordings");
    says(std::slice::from_ref(&good), &Options::default().with_max_modes(0), "max_modes");
    says(std::slice::from_ref(&good), &Options::default().with_min_hz(f64::NAN), "min_hz");
    says(&[good], &Options::default().with_max_hz(10.0), "max_hz");
}

/// Noise alone has no mode 20 dB above itself; mostly it has none at all.
#[test]
fn noise_only() {
    for seed in 0..3 {
        let mut random = SplitMix64::new(seed);
        let y: Vec<f64> = (0..96_000).map(|_| 0.1 * random.normal_pair()[0]).collect();
        match one(&y, RATE) {
            Err(error) => assert_eq!(error, FitError::NoModes),
            Ok(fitted) => {
                println!("{} modes", fitted.modes.len());
                assert!(fitted.modes.iter().all(|m| m.level_db < 20.0), "{:?}", fitted.modes);
            }
        }
    }
}

#[test]
fn an_offset_changes_nothing() {
    let y: Vec<f64> = clean(&tones(), RATE, 0.1, 1.5).iter().map(|v| v + 0.4).collect();
    let (recording, _) = noisy(y, RATE, 60.0, 1);
    let fitted = fit(&[recording], &Options::default()).unwrap();
    assert_eq!(fitted.modes.len(), 3);
    assert_found(&fitted, &tones(), "offset");
}

/// Clipping is noticed, and what comes after it tells all that was cut off.
#[test]
fn clipping_is_noticed_and_fitted_around() {
    let clean = clean(&tones(), RATE, 0.1, 1.5);
    let (noisy, _) = noisy(clean.clone(), RATE, 60.0, 14);
    let noisy: Vec<f64> = noisy.samples.iter().map(|y| f64::from(*y)).collect();
    for mut y in [clean, noisy] {
        y.iter_mut().for_each(|y| *y = y.clamp(-0.2, 0.2));
        let timer = CpuTimer::start();
        let fitted = one(&y, RATE).unwrap();
        foley_measured::check!("recordings.clipped_time", timer.seconds());
        let strike = &fitted.strikes[0];
        assert!(strike.clipped_samples > 50);
        assert_eq!(fitted.modes.len(), 3, "{:?}", fitted.model.frequencies_hz);
        assert_found(&fitted, &tones(), "clipped");
        assert!((strike.onset_s - 0.1).abs() < 2e-4, "{}", strike.onset_s);
        let peak = strike.resynthesis.iter().fold(0.0f32, |p, y| p.max(y.abs()));
        assert!((0.35..0.6).contains(&peak), "the part cut off is restored: {peak}");
    }
}

/// What is clipped to its end has no part to be fitted alone: a model all the same, whose
/// loudest mode is the one that was.
#[test]
fn clipped_to_the_end() {
    let y: Vec<f64> =
        clean(&tones(), RATE, 0.1, 0.4).iter().map(|v| v.clamp(-0.05, 0.05)).collect();
    let timer = CpuTimer::start();
    let fitted = one(&y, RATE).unwrap();
    foley_measured::check!("recordings.clipped_to_the_end_time", timer.seconds());
    let strike = &fitted.strikes[0];
    assert!(strike.clipped_samples > 5000 && strike.fitted_from_s == strike.onset_s);
    let gains = fitted.model.gains_of_point(0);
    let loudest = (0..gains.len()).max_by(|a, b| gains[*a].abs().total_cmp(&gains[*b].abs()));
    let f = fitted.model.frequencies_hz[loudest.unwrap()];
    assert!((f / 310.0 - 1.0).abs() < 0.01, "{f} Hz");
}

#[test]
fn a_tenth_of_a_second() {
    let (recording, _) = noisy(clean(&tones(), RATE, 0.0, 0.1), RATE, 50.0, 2);
    let fitted = fit(&[recording], &Options::default()).unwrap();
    for tone in tones() {
        let (f, d, a) = errors(&fitted, &tone, 0);
        assert!(f < 2e-3 && d < 0.2 && a < 1.0, "{tone:?}: {f:.1e} {d:.3} {a:.2} dB");
    }
}

#[test]
fn every_sample_rate() {
    for rate in [8000.0, 11_025.0, 22_050.0, 44_100.0, 96_000.0, 192_000.0] {
        let (recording, _) = noisy(clean(&tones(), rate, 0.05, 1.5), rate, 40.0, 3);
        let fitted = fit(&[recording], &Options::default()).unwrap();
        assert_eq!(fitted.modes.len(), 3, "{rate}: {:?}", fitted.model.frequencies_hz);
        assert_found(&fitted, &tones(), &rate.to_string());
    }
}

/// Ten seconds of thirty modes in about five seconds, a minute in not much more.
#[test]
fn long_recordings_take_bounded_time() {
    let mut random = SplitMix64::new(4);
    let tones: Vec<Tone> = (0..30)
        .map(|n| {
            let f = 100.0 * 120f64.powf((f64::from(n) + 0.5) / 30.0);
            Tone { f, d: between(&mut random, 0.5, 2.0) * (1.0 + f / 1000.0), a: 0.1 }
        })
        .collect();
    for seconds in [10.0, 60.0] {
        let (recording, _) = noisy(clean(&tones, RATE, 0.2, seconds), RATE, 40.0, 6);
        let timer = CpuTimer::start();
        let fitted = fit(&[recording], &Options::default()).unwrap();
        println!("{seconds} s with 30 modes: {}", fitted.modes.len());
        if seconds < 60.0 {
            foley_measured::check!("recordings.ten_seconds_time", timer.seconds());
        } else {
            foley_measured::check!("recordings.minute_time", timer.seconds());
        }
        assert_found(&fitted, &tones, "long");
    }
}

/// Two hundred modes, denser than they are wide in places.
#[test]
fn many_modes_take_bounded_time() {
    let mut random = SplitMix64::new(11);
    let tones: Vec<Tone> = (0..200)
        .map(|_| {
            let f = 100.0 * 150f64.powf(random.unit());
            Tone {
                f,
                d: between(&mut random, 1.0, 3.0) * (1.0 + f / 500.0),
                a: between(&mut random, 0.01, 0.1),
            }
        })
        .collect();
    let (recording, _) = noisy(clean(&tones, RATE, 0.1, 10.0), RATE, 40.0, 12);
    let timer = CpuTimer::start();
    let fitted = fit(&[recording], &Options::default()).unwrap();
    foley_measured::check!("recordings.dense_time", timer.seconds());
    foley_measured::check!("recordings.dense_found", fitted.modes.len() as f64);
    foley_measured::check!("recordings.dense_residual", fitted.strikes[0].residual_db);
}

/// A steady hum under the strike is not a mode of the object.
#[test]
fn a_hum_stays_in_the_residual() {
    let mut y = clean(&tones(), RATE, 0.3, 2.0);
    for (m, v) in y.iter_mut().enumerate() {
        *v += 0.01 * (std::f64::consts::TAU * 50.0 * m as f64 / RATE).sin();
    }
    let (recording, _) = noisy(y, RATE, 50.0, 8);
    let fitted = fit(&[recording], &Options::default()).unwrap();
    assert_found(&fitted, &tones(), "hum");
    assert!(fitted.model.frequencies_hz[0] > 100.0, "{:?}", fitted.model.frequencies_hz);
}

/// Whatever is not a strike: a model or an error, never a panic, soon.
#[test]
fn odd_sounds_end_in_a_model_or_an_error() {
    let mut random = SplitMix64::new(77);
    let mut walk = 0.0;
    let sounds: Vec<(&str, Vec<f64>)> = vec![
        ("impulse", (0..24_000).map(|m| f64::from(u8::from(m == 5000))).collect()),
        ("last sample", (0..24_000).map(|m| f64::from(u8::from(m == 23_999))).collect()),
        ("step", (0..24_000).map(|m| f64::from(u8::from(m > 5000))).collect()),
        ("ramp", (0..24_000).map(f64::from).collect()),
        ("alternating", (0..24_000).map(|m| f64::from(m % 2) - 0.5).collect()),
        ("square", (0..24_000).map(|m| f64::from(m / 100 % 2) - 0.5).collect()),
        (
            "swelling",
            (0..24_000)
                .map(|m| (f64::from(m) / 2000.0).exp() * (0.1 * f64::from(m)).sin())
                .collect(),
        ),
        ("chirp", (0..24_000).map(|m| (1e-5 * f64::from(m).powi(2)).sin()).collect()),
        (
            "huge",
            (0..24_000)
                .map(|m| 1e9 * (-1e-3 * f64::from(m)).exp() * (0.1 * f64::from(m)).sin())
                .collect(),
        ),
        (
            "tiny",
            (0..24_000)
                .map(|m| 1e-36 * (-1e-3 * f64::from(m)).exp() * (0.1 * f64::from(m)).sin())
                .collect(),
        ),
        ("one bit", (0..24_000).map(|m| (0.05 * f64::from(m)).sin().signum()).collect()),
        (
            "walk",
            (0..24_000)
                .map(|_| {
                    walk += random.normal_pair()[0];
                    walk
                })
                .collect(),
        ),
        ("short noise", (0..2000).map(|_| random.normal_pair()[0]).collect()),
    ];
    for (name, y) in sounds {
        for rate in [2000.0, 48_000.0, 2e6] {
            let start = Instant::now();
            let ended = match fit(&[recording(&y, rate)], &Options::default()) {
                Ok(fitted) => format!("{} modes", fitted.modes.len()),
                Err(error) => error.to_string(),
            };
            println!("{name} at {rate} Hz: {ended}, {:.2?}", start.elapsed());
            assert!(start.elapsed() < Duration::from_secs(30), "{name}: {:?}", start.elapsed());
        }
    }
}
