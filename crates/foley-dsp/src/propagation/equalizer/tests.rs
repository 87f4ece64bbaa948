use super::*;
use std::f64::consts::TAU;

const RATE: f64 = 48_000.0;

fn band_hz(band: usize) -> f64 {
    FIRST_BAND_HZ * (band as f64 / 3.0).exp2()
}

/// Returns the magnitude of an impulse response at a frequency.
fn magnitude(response: &[f32], hz: f64, rate: f64) -> f64 {
    let term = |(n, h): (usize, &f32)| Complex64::cis(-TAU * hz / rate * n as f64) * f64::from(*h);
    response.iter().enumerate().map(term).sum::<Complex64>().norm()
}

/// Returns the impulse response of weights, by blocks.
fn impulse_response(rate: f64, weights: &EqualizerWeights) -> Vec<f32> {
    let sections = Sections::at_rate(rate);
    let (mut response, mut state) = (vec![0.0; 48_000], Equalizer::default());
    response[0] = 1.0;
    for block in response.chunks_mut(256) {
        state.process(Level::new(), &sections, [weights, weights], block);
    }
    response
}

fn random_powers(seed: &mut u64, db: f64, smooth: usize) -> [f64; BANDS] {
    let mut levels: [f64; BANDS] = std::array::from_fn(|_| {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        db * ((*seed >> 33) as f64 / 2f64.powi(30) - 1.0)
    });
    for _ in 0..smooth {
        let last = levels;
        for b in 1..BANDS - 1 {
            levels[b] = 0.25 * (last[b - 1] + last[b + 1]) + 0.5 * last[b];
        }
    }
    levels.map(|db| 10f64.powf(0.1 * db))
}

/// The gain of a band is the mean power over it, for gains that change by several decibels from band to band.
#[test]
fn bands_have_their_gains() {
    let (mut seed, mut worst) = (7, 0.0_f64);
    for rate in [44_100.0, RATE, 96_000.0] {
        let design = EqualizerDesign::new(rate);
        for _ in 0..3 {
            let powers = random_powers(&mut seed, 10.0, 1);
            let response = impulse_response(rate, &design.weights(&powers));
            for band in 1..BANDS - 1 {
                let parts = (-4..=4).map(|i| band_hz(band) * (f64::from(i) / 27.0).exp2());
                let (mut found, mut want) = (0.0, 0.0);
                for (i, hz) in (-4..=4).zip(parts) {
                    found += magnitude(&response, hz, rate).powi(2);
                    let part = f64::from(i).abs() / 9.0;
                    let next = if i < 0 { band - 1 } else { band + 1 };
                    want += (powers[band].ln() * (1.0 - part) + powers[next].ln() * part).exp();
                }
                worst = worst.max((10.0 * (found / want).log10()).abs());
            }
        }
    }
    foley_measured::check!("directivity.equalizer", worst);
}

/// The response is that of the minimum-phase filter: a first-order shelf with its phase.
#[test]
fn the_phase_is_minimal() {
    let design = EqualizerDesign::new(RATE);
    let [pole, zero] = [250.0, 1000.0];
    let square = |hz: f64, corner: f64| 1.0 + (hz / corner).powi(2);
    let powers = std::array::from_fn(|b| square(band_hz(b), zero) / square(band_hz(b), pole));
    let response = impulse_response(RATE, &design.weights(&powers));
    for hz in [50.0, 200.0, 500.0, 1000.0, 2000.0, 4000.0] {
        let term =
            |(n, h): (usize, &f32)| Complex64::cis(-TAU * hz / RATE * n as f64) * f64::from(*h);
        let found: Complex64 = response.iter().enumerate().map(term).sum();
        let phase = f64::atan(hz / zero) - f64::atan(hz / pole);
        assert!((found.arg() - phase).abs() < 0.04, "{hz}: {} {phase}", found.arg());
    }
}

/// Flat weights change no bit; weights that leave and return to flat change the sound smoothly.
#[test]
fn flat_weights_change_nothing() {
    let design = EqualizerDesign::new(RATE);
    assert_eq!(design.weights(&[1.0; BANDS]), EqualizerWeights::FLAT);
    let noise: Vec<f32> = (0..256).map(|n| ((n * n * 7919) % 1000) as f32 / 500.0 - 1.0).collect();
    let (mut samples, mut state) = (noise.clone(), Equalizer::default());
    let flat = EqualizerWeights::FLAT;
    state.process(Level::new(), &Sections::at_rate(RATE), [&flat, &flat], &mut samples);
    assert!(samples.iter().zip(&noise).all(|(a, b)| a.to_bits() == b.to_bits()));
    let mut weights = design.weights(&random_powers(&mut 3, 12.0, 0));
    let mut steps = 0;
    while weights != flat {
        weights = weights.toward(&flat, 0.4);
        steps += 1;
        assert!(steps < 60);
    }
}

/// A tone through gains that change from block to block by up to 24 dB: what is heard outside its third of an octave stays below
/// −60 dB of it.
#[test]
fn changing_gains_make_no_clicks() {
    let design = EqualizerDesign::new(RATE);
    let mut seed = 5;
    let tone = |n: usize| (TAU * 300.0 / RATE * n as f64).sin() as f32;
    let mut sound: Vec<f32> = (0..48_000).map(tone).collect();
    let mut state = Equalizer::default();
    let target = |seed: &mut u64| design.weights(&random_powers(seed, 12.0, 3));
    let mut last = target(&mut seed);
    let mut goal = last;
    for (i, block) in sound.chunks_mut(256).enumerate() {
        if i % 20 == 0 {
            goal = target(&mut seed);
        }
        let next = last.toward(&goal, 0.1);
        state.process(Level::new(), &Sections::at_rate(RATE), [&last, &next], block);
        last = next;
    }
    // Energy above 2 kHz, by a difference of high order.
    let mut high: Vec<f64> = sound[9600..].iter().map(|x| f64::from(*x)).collect();
    let power = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
    let all = power(&high);
    for _ in 0..4 {
        high = high.windows(2).map(|w| 0.5 * (w[1] - w[0])).collect();
    }
    // The tone itself comes out of the differences with sin⁴(ω/2).
    let own = all * (0.5 * TAU * 300.0 / RATE).sin().powi(8);
    let rest_db = 10.0 * ((power(&high) - own).abs().max(1e-30) / all).log10();
    foley_measured::check!("directivity.clicks", rest_db);
}

/// Poles at low frequencies stay stable and states end.
#[test]
fn states_end_after_silence() {
    let design = EqualizerDesign::new(RATE);
    let weights = design.weights(&random_powers(&mut 11, 12.0, 0));
    let mut state = Equalizer::default();
    let mut block = [0.5; 128];
    for i in 0..4000 {
        state.process(Level::new(), &Sections::at_rate(RATE), [&weights; 2], &mut block);
        assert!(block.iter().all(|x| x.abs() < 1e3), "{i}");
        block.fill(0.0);
    }
    assert!(state.re.iter().chain(&state.im).all(|s| *s == 0.0));
}
