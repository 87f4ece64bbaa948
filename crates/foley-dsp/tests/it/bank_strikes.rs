//! Impacts against numerical integration of the continuous modal response; strikes that are late,
//! early, unordered, dense, or for a missing voice.

use crate::common;

use common::*;
use foley_dsp::excitation::Impact;
use foley_dsp::resonator::{
    Bank, BankSettings, Kernel, Layout, Retired, SAMPLED_FROM, Strike, Voice,
};
use num_complex::Complex64;
use std::f64::consts::PI;
use std::sync::Arc;

/// Returns ∫ F(s) e^{−λ s} ds over the pulse, by Simpson's rule: after the contact the mode is
/// `Im(a X e^{λ t})`, t from the start of the contact.
fn excitation(impact: &Impact, f: f64, d: f64) -> Complex64 {
    let lambda = Complex64::new(-d, 2.0 * PI * f);
    let steps = 4_000;
    let h = impact.duration_s() / f64::from(steps);
    let value = |i: i32| {
        let s = h * f64::from(i);
        (-lambda * s).exp() * impact.force_n(s)
    };
    let weight = |i: i32| if i == 0 || i == steps { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    (0..=steps).map(|i| value(i) * weight(i)).sum::<Complex64>() * (h / 3.0)
}

/// Makes a bank with one voice in place 0.
fn object(kernel: Kernel, block: usize, f: &[f64], d: &[f64]) -> (Bank, Arc<Layout>) {
    let mut bank = bank(kernel, block);
    let layout = bank.layout(f, d);
    bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0))).unwrap();
    (bank, layout)
}

/// After the contact every mode that the pulse excites (|H| > 0.01) rings as the closed form, by
/// itself and in the sum. A short sampled pulse is aliased: in weakly excited modes this is visible
/// at −60 dB of the mode.
#[test]
fn impacts_ring_as_the_continuous_pulse_does() {
    let n = 48;
    let f = spread_log(n, 60.0, 19_000.0);
    let d: Vec<f64> = spread_log(n, 0.01, 2.0).into_iter().map(decay).collect();
    let start = 700.37;
    for pulse_samples in [0.05, 2.0, 7.7, 15.9, 24.3, 35.9, 36.0, 60.0, 700.0] {
        let impact = Impact::new(0.3, pulse_samples / RATE).unwrap();
        let over = (start + pulse_samples).ceil() as usize;
        let samples = over + 4_000;
        let (mut worst, mut worst_at) = (f64::INFINITY, 0.0);
        let mut sum = vec![0.0; 4_000];
        let mut excited = Vec::new();
        for m in 0..n {
            if impact.spectrum(2.0 * PI * f[m]).abs() < 0.01 {
                continue;
            }
            excited.push(m);
            let x = excitation(&impact, f[m], d[m]);
            let lambda = Complex64::new(-d[m], 2.0 * PI * f[m]) / RATE;
            let truth: Vec<f64> = (over..samples)
                .map(|n| (x * 0.7 * (lambda * (n as f64 - start)).exp()).im)
                .collect();
            sum.iter_mut().zip(&truth).for_each(|(s, t)| *s += t);
            let (mut bank, layout) = object(Kernel::PerSample, 512, &f[m..=m], &d[m..=m]);
            bank.strike(0, Strike::new(&layout, &[0.7], &impact, start)).unwrap();
            let out = render(&mut bank, samples, |_| ());
            let snr = snr_db(&truth, &out[over..]);
            if snr < worst {
                (worst, worst_at) = (snr, f[m]);
            }
        }
        let (f, d): (Vec<f64>, Vec<f64>) = excited.iter().map(|&m| (f[m], d[m])).unzip();
        for kernel in KERNELS {
            for block in [32, 512] {
                let (mut bank, layout) = object(kernel, block, &f, &d);
                let gains = vec![0.7; f.len()];
                bank.strike(0, Strike::new(&layout, &gains, &impact, start)).unwrap();
                let out = render(&mut bank, samples, |_| ());
                let snr = snr_db(&sum, &out[over..]);
                println!(
                    "{pulse_samples} samples, B {block}, {kernel:?}: {snr:.1} dB; \
                     single modes {worst:.1} dB at {worst_at:.0} Hz"
                );
                if pulse_samples < SAMPLED_FROM {
                    foley_measured::check!("resonators.short_impacts", snr);
                    foley_measured::check!("resonators.short_impacts_per_mode", worst);
                } else {
                    foley_measured::check!("resonators.long_impacts", snr);
                    foley_measured::check!("resonators.long_impacts_per_mode", worst);
                }
            }
        }
    }
}

/// A mode that decays within the contact is not louder than after a pure impulse.
#[test]
fn an_impact_on_overdamped_modes_stays_small() {
    let d = [1e3, 1e4, 3e4, 1e5, 1e6, 1e9];
    for f in [100.0, 5_000.0, 20_000.0] {
        for pulse_samples in [1.0, 8.0, 35.9] {
            let (mut bank, layout) = object(Kernel::PerSample, 64, &[f; 6], &d);
            let impact = Impact::new(1.0, pulse_samples / RATE).unwrap();
            bank.strike(0, Strike::new(&layout, &[1.0; 6], &impact, 3.3)).unwrap();
            let out = render(&mut bank, 128, |_| ());
            assert!(out.iter().all(|y| y.abs() < 6.0), "{f} {pulse_samples}: {out:?}");
        }
    }
}

/// Three overlapping pulses of up to 10,000 samples, together with impulses: the kernels agree with
/// the reference during the contact and after it.
#[test]
fn long_pulses_sound_the_same_in_every_kernel() {
    let n = 80;
    let f = spread_log(n, 30.0, 15_000.0);
    let d: Vec<f64> = spread_log(n, 0.01, 3.0).into_iter().map(decay).collect();
    let strikes = [(10.5, 10_000.0), (3_000.25, 2_000.0), (3_100.0, 90.0), (9_000.9, 3.0)];
    for block in [32, 256, 1024] {
        let play = |kernel, make: fn(Arc<Layout>, usize, usize) -> Voice| {
            let mut bank = bank(kernel, block);
            let layout = bank.layout(&f, &d);
            bank.insert(0, Box::new(make(layout.clone(), 0, 0))).unwrap();
            for (i, (start, samples)) in strikes.into_iter().enumerate() {
                let impact = Impact::new(1.0, samples / RATE).unwrap();
                let gains = random_gains(n, i as u64);
                bank.strike(0, Strike::new(&layout, &gains, &impact, start)).unwrap();
            }
            let out = render(&mut bank, 16_000, |_| ());
            let mut done = 0;
            while let Some(retired) = bank.take_retired() {
                done += usize::from(matches!(retired, Retired::Strike(_)));
            }
            assert_eq!(done, strikes.len());
            out
        };
        let reference = widen(&play(Kernel::Auto, Voice::reference));
        for kernel in KERNELS {
            let out = play(kernel, Voice::new);
            let (all, after) =
                (snr_db(&reference, &out), snr_db(&reference[10_100..], &out[10_100..]));
            println!("long pulses, B {block}, {kernel:?}: {all:.1} dB, after {after:.1} dB");
            foley_measured::check!("resonators.long_pulses", all);
            foley_measured::check!("resonators.long_pulses_after", after);
        }
    }
}

/// Returns n impulses in one block, several of them at the same sample.
fn many_impulses(n: usize) -> Vec<(f64, Vec<f32>)> {
    let mut random = noise(11);
    let at = |random: &mut dyn FnMut() -> f64| 1_024.0 + (random() * 0.5 + 0.5) * 500.0;
    (0..100)
        .map(|i| (if i % 10 == 0 { 1_100.0 } else { at(&mut random) }, random_gains(n, i)))
        .collect()
}

#[test]
fn a_hundred_strikes_in_one_block_add_up_in_any_order() {
    let n = 100;
    let job = Job {
        f: spread_log(n, 50.0, 16_000.0),
        d: spread_log(n, 0.01, 2.0).into_iter().map(decay).collect(),
        impulses: many_impulses(n),
        samples: 6_000,
        ..Job::default()
    };
    let truth = job.truth(512);
    for kernel in KERNELS {
        let out = job.play(kernel, 512);
        let snr = snr_db(&truth, &out);
        let mut backwards = job.clone();
        backwards.impulses.reverse();
        backwards.impulses.rotate_left(37);
        let same = snr_db(&widen(&out), &backwards.play(kernel, 512));
        println!("100 strikes, {kernel:?}: {snr:.1} dB, in another order {same:.1} dB");
        foley_measured::check!("resonators.hundred_strikes", snr);
        foley_measured::check!("resonators.order_of_strikes", same);
    }
}

/// Strikes for many voices, scheduled in any order, long before or just before their time.
#[test]
fn strikes_find_their_voice_and_their_time() {
    let times = [30_000.5, 12.25, 1_024.0, 511.9, 8_000.0, 2_047.999];
    for kernel in KERNELS {
        let mut bank = bank(kernel, 512);
        let mut truth = vec![0.0; 40_000];
        for place in 0..6 {
            let (f, t60) = (300.0 + 717.0 * place as f64, 0.3);
            let layout = bank.layout(&[f], &[decay(t60)]);
            bank.insert(place, Box::new(Voice::new(layout.clone(), 0, 0))).unwrap();
            for (i, at) in times.into_iter().enumerate() {
                let gain = 0.1 + ((i + place) % 4) as f32;
                bank.strike(place, Strike::impulse(&layout, &[gain], 1.0, at)).unwrap();
                ring(&mut truth, f, t60, gain.into(), at);
            }
            // Never due.
            for at in [1e12, 1e300] {
                bank.strike(place, Strike::impulse(&layout, &[1.0], 1.0, at)).unwrap();
                let soft = Impact::new(1.0, 0.1).unwrap();
                bank.strike(place, Strike::new(&layout, &[1.0], &soft, at)).unwrap();
            }
        }
        let snr = snr_db(&truth, &render(&mut bank, 40_000, |_| ()));
        println!("many voices, {kernel:?}: {snr:.1} dB");
        foley_measured::check!("resonators.strikes_on_time", snr);
    }
}

/// A late strike acts at once and in full: the same sound, from the next block on.
#[test]
fn late_strikes_act_at_once() {
    let (f, d) = ([440.0, 1_700.0], [decay(0.4); 2]);
    for kernel in KERNELS {
        for samples in [3.0, 90.0, 2_000.0] {
            let impact = Impact::new(1.0, samples / RATE).unwrap();
            let play = |start: f64| {
                let (mut bank, layout) = object(kernel, 256, &f, &d);
                let early = render(&mut bank, 1_024, |_| ());
                assert!(early.iter().all(|y| *y == 0.0));
                bank.strike(0, Strike::new(&layout, &[1.0, 0.5], &impact, start)).unwrap();
                render(&mut bank, 8_000, |_| ())
            };
            // An impulse acts at the centre of the pulse, which is now.
            let now = if samples < SAMPLED_FROM { 1_024.0 - samples / 2.0 } else { 1_024.0 };
            let on_time = widen(&play(now));
            for start in [-1e9, 0.0, 500.0] {
                let late = play(start);
                let (loud, truth_loud) = (peak(&widen(&late)), peak(&on_time));
                let at = format!("{kernel:?}, {samples} samples, start {start}");
                assert!((loud / truth_loud - 1.0).abs() < 0.01, "{at}: {loud} {truth_loud}");
                // Only the sub-sample part of the time of an impulse may differ.
                let least = if samples < SAMPLED_FROM { 12.0 } else { 120.0 };
                assert!(snr_db(&on_time, &late) > least, "{at}");
            }
        }
    }
}

fn peak(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |a, b| b.abs().max(a))
}

#[test]
fn strikes_beyond_the_capacity_or_without_a_voice_are_returned() {
    let settings = BankSettings::default().with_voices(2).with_strikes(5);
    let mut bank = Bank::new(settings).unwrap();
    let layout = bank.layout(&[440.0], &[3.0]);
    let hit = |at| Strike::impulse(&layout, &[1.0], 1.0, at);
    assert!(bank.strike(0, hit(0.0)).is_err() && bank.strike(7, hit(0.0)).is_err());
    bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0))).unwrap();
    let other = bank.layout(&vec![440.0; 100], &[3.0; 100]);
    assert!(bank.strike(0, Strike::impulse(&other, &[1.0; 100], 1.0, 0.0)).is_err());
    for i in 0..5 {
        assert!(bank.strike(0, hit(f64::from(i))).is_ok());
    }
    let back = bank.strike(0, hit(77.0)).unwrap_err();
    assert_eq!(back.first_sample(), 77);
    let sound = render(&mut bank, 512, |_| ());
    // A finished strike occupies room until it is taken.
    assert!(bank.strike(0, hit(600.0)).is_err());
    while bank.take_retired().is_some() {}
    assert!(bank.strike(0, hit(600.0)).is_ok());
    let mut truth = vec![0.0; 512];
    (0..5).for_each(|i| ring(&mut truth, 440.0, 3.0 * 10f64.ln() / 3.0, 1.0, f64::from(i)));
    assert!(snr_db(&truth, &sound) > 100.0);
}

/// A pending strike is retired with its voice: it never reaches the next voice in the same place.
#[test]
fn strikes_of_a_released_voice_do_not_strike_its_successor() {
    for kernel in KERNELS {
        let (mut bank, layout) = object(kernel, 512, &[440.0; 3], &[3.0; 3]);
        let soft = Impact::new(1.0, 0.5).unwrap();
        bank.strike(0, Strike::impulse(&layout, &[1.0; 3], 1.0, 10.0)).unwrap();
        bank.strike(0, Strike::new(&layout, &[1.0; 3], &soft, 10.0)).unwrap();
        bank.strike(0, Strike::impulse(&layout, &[1.0; 3], 1.0, 5_000.0)).unwrap();
        bank.strike(0, Strike::new(&layout, &[1.0; 3], &soft, 5_000.0)).unwrap();
        render(&mut bank, 512, |_| ());
        bank.release(0);
        render(&mut bank, 1_536, |_| ());
        assert!(bank.voice(0).is_none());
        for modes in [3, 100] {
            let f = vec![440.0; modes];
            let next = bank.layout(&f, &vec![3.0; modes]);
            bank.insert(0, Box::new(Voice::new(next.clone(), 0, 0))).unwrap();
            assert!(render(&mut bank, 8_192, |_| ()).iter().all(|y| *y == 0.0), "{kernel:?}");
            bank.release(0);
            render(&mut bank, 512, |_| ());
            assert!(bank.voice(0).is_none());
        }
        let (mut voices, mut strikes) = (0, 0);
        while let Some(retired) = bank.take_retired() {
            match retired {
                Retired::Voice(..) => voices += 1,
                Retired::Strike(_) => strikes += 1,
                Retired::Switch(_) => panic!("no switch"),
            }
        }
        assert_eq!((voices, strikes), (3, 4));
    }
}
