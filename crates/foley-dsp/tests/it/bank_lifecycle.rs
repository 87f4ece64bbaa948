//! Voices are inserted, released and fall asleep; invalid input gives finite output.

use crate::common;

use common::*;
use foley_dsp::resonator::{Bank, BankSettings, Kernel, Layout, Retired, Strike, Voice};
use foley_dsp::simd::Cpu;
use num_complex::Complex64;
use std::f64::consts::PI;
use std::sync::Arc;

/// Makes an object of low modes only, so that every click is visible above them.
fn low_object(bank: &Bank) -> Arc<Layout> {
    let f = spread_log(40, 80.0, 900.0);
    bank.layout(&f, &[decay(3.0); 40])
}

/// Returns the largest second difference, which a step or a corner raises.
fn roughness(x: &[f32]) -> f32 {
    x.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).fold(0.0, f32::max)
}

/// Returns the energy of a segment above a frequency, Hann-weighted.
fn energy_above(x: &[f32], f: f64) -> f64 {
    let n = x.len();
    let window = |i: usize| 1.0 - (2.0 * PI * i as f64 / n as f64).cos();
    let first = (f / RATE * n as f64) as usize;
    (first..n / 2)
        .map(|k| {
            let step = Complex64::from_polar(1.0, -2.0 * PI * k as f64 / n as f64);
            let (mut turn, mut sum) = (Complex64::ONE, Complex64::ZERO);
            for (i, x) in x.iter().enumerate() {
                sum += turn * f64::from(*x) * window(i);
                turn *= step;
            }
            sum.norm_sqr()
        })
        .sum()
}

#[test]
fn released_voices_fade_without_a_click_and_leave_their_place() {
    for kernel in KERNELS {
        for block in [32, 256, 1024] {
            for reference in [false, true] {
                let mut bank = bank(kernel, block);
                let layout = low_object(&bank);
                let make = if reference { Voice::reference } else { Voice::new };
                bank.insert(2, Box::new(make(layout.clone(), 0, 0))).unwrap();
                let gains = random_gains(40, 1);
                bank.strike(2, Strike::impulse(&layout, &gains, 1.0, 10.5)).unwrap();
                let spare = Box::new(Voice::new(layout.clone(), 0, 0));
                let spare = bank.insert(2, spare).expect_err("the place is taken");
                let out = render(&mut bank, 20_480, |bank| {
                    if bank.clock() == 12_288 {
                        bank.release(2);
                    }
                    if bank.clock() == 12_544 {
                        bank.release(2); // Once more does no harm.
                    }
                });
                let at = format!("{kernel:?}, B {block}, reference {reference}");
                let (before, around) = (&out[8_192..12_288], &out[10_240..14_336]);
                let (smooth, rough) = (roughness(before), roughness(around));
                assert!(rough < 1.05 * smooth, "{at}: {rough} {smooth}");
                let (low, high) = (energy_above(before, 1_500.0), energy_above(around, 1_500.0));
                let all = energy_above(before, 0.0);
                assert!(high < 2.0 * low + 1e-10 * all, "{at}: {low:e} {high:e} {all:e}");
                assert!(out[12_288..12_600].iter().any(|y| y.abs() > 0.01), "{at}: it fades");
                assert!(out[12_288 + 1_024..].iter().all(|y| *y == 0.0), "{at}");

                assert!(bank.voice(2).is_none());
                let mut voices = 0;
                while let Some(retired) = bank.take_retired() {
                    voices += usize::from(matches!(retired, Retired::Voice(..)));
                }
                assert_eq!(voices, 1, "{at}");
                bank.insert(2, spare).unwrap();
                let hit = bank.clock() as f64 + 3.25;
                bank.strike(2, Strike::impulse(&layout, &gains, 1.0, hit)).unwrap();
                let again = render(&mut bank, 4_096, |_| ());
                let first = &out[7..4_096 + 7];
                // 10.5 against 3.25 + 7: a quarter of a sample apart, at low frequencies.
                assert!(snr_db(&widen(first), &again) > 20.0, "{at}: the place is used again");
            }
        }
    }
}

#[test]
fn a_sleeping_voice_leaves_at_once() {
    let mut bank = bank(Kernel::Auto, 512);
    let layout = low_object(&bank);
    bank.insert(0, Box::new(Voice::new(layout, 0, 0))).unwrap();
    bank.release(0);
    render(&mut bank, 512, |_| ());
    assert!(bank.voice(0).is_none() && matches!(bank.take_retired(), Some(Retired::Voice(..))));
}

/// Other voices are inserted, sound and are released: the first one is unchanged, bit by bit on a
/// bus of its own and beyond 120 dB on the same bus.
#[test]
fn voices_do_not_disturb_each_other() {
    let play = |kernel: Kernel, cpu: Cpu, mine: bool, others: bool, bus: usize| {
        let settings = BankSettings::default()
            .with_kernel(kernel)
            .with_cpu(cpu)
            .with_block(256)
            .with_buses(2)
            .with_voices(8);
        let mut bank = Bank::new(settings).unwrap();
        let layout = low_object(&bank);
        let f = spread_log(200, 50.0, 18_000.0);
        let d: Vec<f64> = spread_log(200, 0.005, 2.0).into_iter().map(decay).collect();
        let other = bank.layout(&f, &d);
        if mine {
            bank.insert(3, Box::new(Voice::new(layout.clone(), 0, 0))).unwrap();
            bank.strike(3, Strike::impulse(&layout, &random_gains(40, 1), 1.0, 10.5)).unwrap();
        }
        let mut output = [Vec::new(), Vec::new()];
        let mut out = vec![0.0; 512];
        for b in 0..80 {
            for (place, come, go) in [(0, 10, 40), (5, 20, 30), (7, 25, 60)] {
                if others && b == come {
                    bank.insert(place, Box::new(Voice::new(other.clone(), 1, bus))).unwrap();
                    let voice = bank.voice_mut(place).unwrap();
                    voice.move_contact(0, other.gains(&random_gains(200, place as u64)));
                    let at = bank.clock() as f64 + 100.3;
                    bank.strike(place, Strike::impulse(&other, &[0.1; 200], 1.0, at)).unwrap();
                }
                if others && (come..go).contains(&b) {
                    let mut random = noise(b as u64);
                    let force = bank.voice_mut(place).unwrap().force(0).unwrap();
                    force.fill_with(|| 1e-3 * random() as f32);
                }
                if b == go {
                    bank.release(place);
                }
            }
            bank.render(&mut out);
            output[0].extend_from_slice(&out[..256]);
            output[1].extend_from_slice(&out[256..]);
        }
        output
    };
    for kernel in [Kernel::PerSample, Kernel::Spectral] {
        for cpu in [Cpu::Best, Cpu::Avx2, Cpu::Portable] {
            let alone = play(kernel, cpu, true, false, 1);
            assert_eq!(alone[0], play(kernel, cpu, true, true, 1)[0], "{kernel:?}");
            let others = play(kernel, cpu, false, true, 0);
            let together = play(kernel, cpu, true, true, 0);
            let sum: Vec<f64> =
                widen(&alone[0]).iter().zip(&others[0]).map(|(a, b)| a + f64::from(*b)).collect();
            let snr = snr_db(&sum, &together[0]);
            println!("together, {kernel:?}, {}: {snr:.1} dB", cpu.name());
            assert!(snr > 120.0, "{kernel:?}: {snr:.1} dB");
        }
    }
}

#[test]
fn voices_that_do_not_fit_come_back() {
    let mut bank = bank(Kernel::Auto, 512);
    let fits = bank.layout(&[440.0], &[3.0]);
    let other_block = Arc::new(Layout::new(&[440.0], &[3.0], RATE, 256));
    let other_rate = Arc::new(Layout::new(&[440.0], &[3.0], 44_100.0, 512));
    assert!(bank.insert(0, Box::new(Voice::new(other_block, 0, 0))).is_err());
    assert!(bank.insert(0, Box::new(Voice::new(other_rate, 0, 0))).is_err());
    assert!(bank.insert(0, Box::new(Voice::new(fits.clone(), 0, 1))).is_err());
    assert!(bank.insert(8, Box::new(Voice::new(fits.clone(), 0, 0))).is_err());
    let mut voice = Voice::new(fits.clone(), 1, 0);
    assert!(voice.force(1).is_none());
    assert!(voice.move_contact(1, fits.gains(&[1.0])).is_some());
    let other = Layout::new(&[440.0; 99], &[3.0; 99], RATE, 512);
    assert!(voice.move_contact(0, other.gains(&[1.0; 99])).is_some());
    assert!(bank.insert(0, Box::new(voice)).is_ok());
}

/// Retired items are never taken: the bank stays silent, full and consistent.
#[test]
fn a_bank_that_is_never_emptied_stays_consistent() {
    let settings = BankSettings::default().with_voices(2).with_strikes(3).with_block(512);
    let mut bank = Bank::new(settings).unwrap();
    let layout = bank.layout(&[440.0], &[3.0]);
    let mut out = vec![0.0; 512];
    let mut accepted = 0;
    for i in 0..60u64 {
        let _ = bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0)));
        let late = (i % 2) as f64 * 1e9;
        let hit = Strike::impulse(&layout, &[1.0], 1.0, late);
        accepted += usize::from(bank.strike(0, hit).is_ok());
        bank.release(0);
        (0..3).for_each(|_| bank.render(&mut out));
        assert!(out.iter().all(|y| *y == 0.0), "round {i}");
    }
    assert!((1..=3).contains(&accepted));
    let mut retired = 0;
    while bank.take_retired().is_some() {
        retired += 1;
    }
    assert!(retired <= 5);
    render(&mut bank, 2_048, |_| ());
    while bank.take_retired().is_some() {}
    let _ = bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0)));
    bank.strike(0, Strike::impulse(&layout, &[1.0], 1.0, 0.0)).unwrap();
    bank.render(&mut out);
    assert!(out.iter().any(|y| y.abs() > 0.5));
}

#[test]
fn non_finite_forces_are_silent() {
    let f = [440.0, 1_000.0];
    for kernel in KERNELS {
        let mut bank = bank(kernel, 256);
        let layout = bank.layout(&f, &[decay(0.2); 2]);
        let mut voice = Voice::new(layout.clone(), 2, 0);
        voice.move_contact(0, layout.gains(&[1.0, f32::NAN]));
        voice.move_contact(1, layout.gains(&[f32::INFINITY, f32::NEG_INFINITY]));
        bank.insert(0, Box::new(voice)).unwrap();
        for (n, bad) in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY].into_iter().enumerate() {
            for contact in 0..2 {
                let force = bank.voice_mut(0).unwrap().force(contact).unwrap();
                force[17 * n] = bad;
                force[200] = 0.25;
            }
            let out = render(&mut bank, 256, |_| ());
            assert!(out.iter().all(|y| y.is_finite()), "{kernel:?}");
            assert_eq!(bank.report().bad_forces, 2 * (n as u64 + 1), "{kernel:?}");
        }
        // Only the finite forces on finite gains remain: mode 0 at samples 200, 456, 712.
        let out = render(&mut bank, 4_096, |_| ());
        let mut truth = vec![0.0; 4_096 + 768];
        (0..3).for_each(|i| ring(&mut truth, f[0], 0.2, 0.25, 200.0 + 256.0 * f64::from(i)));
        let snr = snr_db(&truth[768..], &out);
        assert!(snr > 100.0, "{kernel:?}: {snr:.1} dB");
        let impact = foley_dsp::excitation::Impact::new(1e20, 0.1).unwrap();
        for strike in [
            Strike::impulse(&layout, &[f32::NAN, 1.0], f64::NAN, f64::NAN),
            Strike::impulse(&layout, &[f32::MAX, f32::MAX], 1e20, f64::INFINITY),
            Strike::new(&layout, &[f32::NAN, f32::INFINITY], &impact, f64::NAN),
        ] {
            bank.strike(0, strike).unwrap();
        }
        let out = render(&mut bank, 8_192, |_| ());
        assert!(out.iter().all(|y| y.is_finite()), "{kernel:?}");
    }
}

/// Numbers so large that amplitudes overflow: after `reset_nonfinite` the voice sounds again, and
/// another voice is unchanged.
#[test]
fn a_bank_recovers_from_overflow() {
    let overflows = [(f32::MAX, f32::MAX), (1e30, 1e8), (1.0, 2e38), (2e38, 1.0)];
    for kernel in KERNELS {
        for make in [Voice::new, Voice::reference] {
            for (block, t60) in [(64, 0.003), (64, 3.0), (512, 0.003), (512, 0.1), (512, 3.0)] {
                for (gain, push) in overflows {
                    let at = format!("{kernel:?}, B {block}, {t60} s, {gain:e} × {push:e}");
                    overflow_and_reset(&mut bank(kernel, block), make, t60, (gain, push), &at);
                }
            }
        }
    }
}

fn overflow_and_reset(
    bank: &mut Bank,
    make: fn(Arc<Layout>, usize, usize) -> Voice,
    t60: f64,
    (gain, push): (f32, f32),
    at: &str,
) {
    let block = bank.settings().block;
    let f = [300.0, 440.0, 1_000.0, 1_010.0, 5_000.0, 12_000.0];
    let layout = bank.layout(&f, &[decay(t60); 6]);
    let mut voice = make(layout.clone(), 1, 0);
    voice.move_contact(0, layout.gains(&[gain; 6]));
    bank.insert(0, Box::new(voice)).unwrap();
    let witness = bank.layout(&[777.0], &[decay(3.0)]);
    bank.insert(1, Box::new(make(witness.clone(), 0, 0))).unwrap();
    bank.strike(1, Strike::impulse(&witness, &[1.0], 1.0, 0.0)).unwrap();

    let out = render(bank, 2 * block, |bank| {
        bank.voice_mut(0).unwrap().force(0).unwrap().fill(push);
    });
    assert!(out.iter().any(|y| !y.is_finite()), "{at}: it does not break");
    bank.reset_nonfinite();
    let samples = 16 * block;
    let mut truth = vec![0.0; samples + 2 * block];
    ring(&mut truth, 777.0, 3.0, 1.0, 0.0);
    let snr = snr_db(&truth[2 * block..], &render(bank, samples, |_| ()));
    assert!(snr > 90.0, "{at}: the other voice, {snr:.1} dB");

    bank.release(1);
    bank.voice_mut(0).unwrap().move_contact(0, layout.gains(&[1.0; 6]));
    render(bank, 2_048, |_| ());
    let gains = [0.5; 6];
    let hit = bank.clock() as f64 + 20.3;
    bank.strike(0, Strike::impulse(&layout, &gains, 1.0, hit)).unwrap();
    bank.voice_mut(0).unwrap().force(0).unwrap()[40] = 0.25;
    let mut truth = vec![0.0; 2_048];
    for f in f {
        ring(&mut truth, f, t60, 0.5, 20.3);
        ring(&mut truth, f, t60, 0.25, 40.0);
    }
    let snr = snr_db(&truth, &render(bank, 2_048, |_| ()));
    assert!(snr > 100.0, "{at}: {snr:.1} dB");
}

/// Asserts that neither the sound nor the state of a voice of 500 modes is denormal.
fn judge(bank: &Bank, place: usize, out: &[f32], at: &str) {
    let clock = bank.clock();
    let denormal = out.iter().position(|y| y.is_subnormal());
    assert!(denormal.is_none(), "{at}: output {denormal:?} of the block before {clock}");
    let voice = bank.voice(place).unwrap();
    for m in 0..500 {
        let a = voice.amplitude(m);
        let subnormal = [a.re as f32, a.im as f32].iter().any(|x| x.is_subnormal());
        assert!(!subnormal, "{at}: mode {m} at {clock}: {a:e}");
    }
}

/// 500 modes of all decay rates, struck once and rendered for a minute: they become silent and fall
/// asleep without denormal numbers, which would cost a hundred times as much as others.
#[test]
fn silence_comes_without_denormal_numbers() {
    let n = 500;
    let f = spread_log(n, 20.0, 23_000.0);
    let d: Vec<f64> = spread_log(n, 0.000_3, 8.0).into_iter().map(decay).collect();
    let gains = random_gains(n, 1);
    for kernel in KERNELS {
        for block in [32, 512, 1024] {
            let mut bank = bank(kernel, block);
            let layout = bank.layout(&f, &d);
            bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0))).unwrap();
            let mut out = vec![0.0; block];
            let at = format!("{kernel:?}, B {block}");
            // Voices of fast modes only: no slower mode hides their tails.
            for t60 in [0.000_3, 0.000_5, 0.001, 0.002, 0.004, 0.01, 0.03] {
                let short = bank.layout(&f, &[decay(t60); 500]);
                bank.insert(1, Box::new(Voice::new(short.clone(), 0, 0))).unwrap();
                let start = bank.clock();
                for i in 0..5 {
                    let time = start as f64 + 637.3 * f64::from(i);
                    bank.strike(1, Strike::impulse(&short, &gains, 1.0, time)).unwrap();
                }
                while bank.clock() < start + 32_000 {
                    bank.render(&mut out);
                    judge(&bank, 1, &out, &format!("{at}, {t60} s"));
                }
                assert!(!bank.voice(1).unwrap().is_awake(), "{at}: {t60} s sleeps");
                bank.release(1);
                bank.render(&mut out);
            }
            let start = bank.clock();
            for i in 0..5 {
                let time = (start + 700 * i) as f64 + 0.4;
                bank.strike(0, Strike::impulse(&layout, &gains, 1.0, time)).unwrap();
            }
            let mut blocks = 0;
            while bank.clock() < start + 60 * 48_000 {
                bank.render(&mut out);
                if blocks % 8 == 0 || blocks < 200 {
                    judge(&bank, 0, &out, &at);
                } else {
                    assert!(!out.iter().any(|y| y.is_subnormal()), "{at}");
                }
                blocks += 1;
            }
            assert!(!bank.voice(0).unwrap().is_awake(), "{at}: sleeps");
            assert_eq!(bank.report().awake, 0);
            assert!(out.iter().all(|y| *y == 0.0), "{at}");
        }
    }
}
