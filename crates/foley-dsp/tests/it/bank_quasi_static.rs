//! Soft contacts: modes far above the pulse give way like springs, which does not radiate.

use crate::common::*;
use foley_dsp::excitation::Impact;
use foley_dsp::resonator::{Kernel, SAMPLED_FROM, Strike, Voice};
use std::f64::consts::PI;

const GAIN: f32 = 0.7;
const START: f64 = 200.0;

/// Renders a strike on modes of one gain and T60 1 s, with or without what takes the offset away.
fn sound(
    frequencies_hz: &[f64],
    pulse_samples: f64,
    with_offset: bool,
    samples: usize,
) -> Vec<f32> {
    let mut bank = bank(Kernel::PerSample, 128);
    let decays = vec![decay(1.0); frequencies_hz.len()];
    let layout = bank.layout(frequencies_hz, &decays);
    bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0))).unwrap();
    let impact = Impact::new(0.3, pulse_samples / RATE).unwrap();
    let strike = Strike::new(&layout, &vec![GAIN; frequencies_hz.len()], &impact, START);
    let modes = frequencies_hz.iter().map(|f| (GAIN, *f, decay(1.0)));
    let correction = strike.without_offset(modes, &impact, RATE);
    assert_eq!(correction.is_some(), pulse_samples >= SAMPLED_FROM);
    bank.strike(0, strike).unwrap();
    if let Some(correction) = correction.filter(|_| !with_offset) {
        bank.strike(0, correction).unwrap();
    }
    render(&mut bank, samples, |_| ())
}

/// Returns the power of a sound below a frequency, relative to an impulse of one.
fn power_below(sound: &[f32], limit_hz: f64) -> f64 {
    let steps = 60;
    (0..steps)
        .map(|i| {
            let turn = 2.0 * PI * limit_hz * (f64::from(i) + 0.5) / f64::from(steps) / RATE;
            let sums = sound.iter().enumerate().fold((0.0, 0.0), |(re, im), (n, y)| {
                let (sin, cos) = (turn * n as f64).sin_cos();
                (re + f64::from(*y) * cos, im + f64::from(*y) * sin)
            });
            (sums.0 * sums.0 + sums.1 * sums.1) / f64::from(steps)
        })
        .sum()
}

/// The pressure follows the acceleration of the mode. Integrated by parts twice, the response of an oscillator to a force F is
/// F/ω less `∫ sin ω(t − s) F″(s) ds / ω²`: the second part is what its acceleration radiates.
#[test]
fn a_slow_push_radiates_the_acceleration_of_the_mode() {
    let (frequency_hz, pulse_samples) = (4_000.0, 244.8);
    let omega = 2.0 * PI * frequency_hz;
    let (tau, impulse) = (pulse_samples / RATE, 0.3);
    let curvature = |s: f64| impulse / tau * (2.0 * PI / tau).powi(2) * (2.0 * PI * s / tau).cos();
    let last = (START + pulse_samples) as usize;
    let steps = 2_000;
    let truth: Vec<f64> = (START as usize..last)
        .map(|n| {
            let t = (n as f64 - START) / RATE;
            let step = t / f64::from(steps);
            let integral: f64 = (0..steps)
                .map(|i| (f64::from(i) + 0.5) * step)
                .map(|s| (omega * (t - s)).sin() * curvature(s) * step)
                .sum();
            -f64::from(GAIN) * integral / (omega * omega)
        })
        .collect();
    let heard = |with_offset| {
        let sound = sound(&[frequency_hz], pulse_samples, with_offset, last);
        snr_db(&truth, &sound[START as usize..])
    };
    println!("with the offset {:.1} dB, without {:.1} dB", heard(true), heard(false));
    foley_measured::check!("contact.soft_radiates_acceleration", heard(false));
}

/// Where sampled pulses begin, what they leave below the modes is softer than that of shorter ones, and what rings afterwards is
/// the same as with the offset.
#[test]
fn pulses_that_are_sampled_leave_little_below_the_modes() {
    let frequencies_hz = [900.0, 1_370.0, 2_110.0, 3_460.0, 5_200.0, 7_900.0, 11_300.0];
    let [short, long, pushed] =
        [(SAMPLED_FROM - 0.1, false), (SAMPLED_FROM, false), (SAMPLED_FROM, true)]
            .map(|(samples, with_offset)| sound(&frequencies_hz, samples, with_offset, 8_192));
    let low = |sound: &[f32]| 10.0 * power_below(sound, 500.0).log10();
    println!(
        "below 500 Hz: {:.1} dB short, {:.1} long, {:.1} pushed",
        low(&short),
        low(&long),
        low(&pushed)
    );
    foley_measured::check!("contact.soft_meets_short", (low(&long) - low(&short)).abs());
    assert!(low(&pushed) > low(&short) + 6.0, "the test does not see the offset");
    let over = (START + SAMPLED_FROM) as usize + 2;
    assert_eq!(long[over..], pushed[over..]);
}
