//! All kernels give the same sound: against the f64 reference, with many contacts, moving contacts,
//! every block length, and in their energies.

use crate::common;

use common::*;
use foley_dsp::resonator::{Kernel, Strike, Voice};
use foley_measured::{largest, smallest};
use num_complex::Complex64;
use std::f64::consts::PI;

/// Returns an object struck twice between samples, then driven with noise for 3,000 samples.
fn busy(f: Vec<f64>, d: Vec<f64>, samples: usize) -> Job {
    let n = f.len();
    let mut random = noise(3);
    let mut force = vec![0.0; samples];
    force[2_000..5_000].fill_with(|| 0.02 * random() as f32);
    Job {
        f,
        d,
        impulses: vec![(17.43, random_gains(n, 1)), (4_803.86, random_gains(n, 2))],
        pushes: vec![Push { gains: vec![random_gains(n, 4)], force }],
        samples,
    }
}

#[test]
fn the_reference_is_the_closed_form() {
    let n = 60;
    let (f, t60) = (spread_log(n, 20.0, 20_000.0), spread_log(n, 0.005, 20.0));
    let d = t60.iter().map(|&t| decay(t)).collect();
    let impulses: Vec<_> = [0.0, 10.25, 511.5, 512.0, 7_000.001, 9_999.999]
        .into_iter()
        .enumerate()
        .map(|(i, at)| (at, random_gains(n, i as u64)))
        .collect();
    let mut truth = vec![0.0; 24_000];
    for (at, gains) in &impulses {
        for m in 0..n {
            ring(&mut truth, f[m], t60[m], gains[m].into(), *at);
        }
    }
    let job = Job { f, d, impulses, samples: 24_000, ..Job::default() };
    for block in [32, 512] {
        let snr = snr_db(&truth, &job.reference(block));
        println!("reference, B {block}: {snr:.1} dB");
        let steps = snr_db(&job.truth(block), &job.reference(block));
        foley_measured::check!("resonators.reference", snr.min(steps));
    }
}

#[test]
fn every_kind_of_mode_sounds_as_in_the_reference() {
    let ring = decay(0.8);
    let half = RATE / 2.0;
    let kinds: Vec<(&str, Vec<f64>, Vec<f64>)> = vec![
        (
            "fast decay",
            spread_log(200, 100.0, 20_000.0),
            spread_log(200, 0.001, 0.015).into_iter().map(decay).collect(),
        ),
        (
            "every decay",
            spread_log(300, 100.0, 20_000.0),
            spread_log(300, 0.0005, 30.0).into_iter().map(decay).collect(),
        ),
        ("near 0 Hz", vec![0.0, 0.01, 0.1, 1.0, 3.0, 10.0, 20.0], vec![ring; 7]),
        ("1 Hz", vec![1.0], vec![ring]),
        (
            "near half the rate",
            [0.1, 1.0, 10.0, 100.0].iter().map(|x| half - x).collect(),
            vec![ring; 4],
        ),
        ("1 Hz below half the rate", vec![half - 1.0], vec![ring]),
        ("some above half the rate", vec![440.0, half, half + 1.0, 1e5, 1e9], vec![ring; 5]),
        ("duplicates", vec![440.0; 40], vec![ring; 40]),
        ("one", vec![997.0], vec![ring]),
        ("no decay", vec![997.0, 3_000.0], vec![0.0; 2]),
        (
            "5,000 in one cell",
            spread_log(5_000, 995.0, 1_020.0),
            spread_log(5_000, 0.5, 5.0).into_iter().map(decay).collect(),
        ),
    ];
    let mut figures = Vec::new();
    for (name, f, d) in kinds {
        let job = busy(f, d, 12_000);
        for block in [32, 512, 1024] {
            let reference = widen(&job.reference(block));
            for kernel in KERNELS {
                let snr = snr_db(&reference, &job.play(kernel, block));
                println!("{name}, B {block}, {kernel:?}: {snr:.1} dB");
                figures.push(snr);
            }
        }
    }
    foley_measured::check!("resonators.unusual_modes", smallest(figures));
}

#[test]
fn modes_at_and_above_half_the_rate_and_no_modes_at_all_are_silent() {
    for f in [vec![RATE / 2.0, RATE / 2.0 + 0.1, 30_000.0, 1e12, f64::INFINITY, f64::NAN], vec![]] {
        let job = busy(f.clone(), vec![5.0; f.len()], 6_000);
        for kernel in KERNELS {
            assert!(job.play(kernel, 512).iter().all(|y| *y == 0.0));
        }
        assert!(job.reference(512).iter().all(|y| *y == 0.0));
    }
}

#[test]
fn contacts_add_up() {
    let (n, samples) = (150, 6_000);
    let f = spread_log(n, 40.0, 18_000.0);
    let d: Vec<f64> = spread_log(n, 0.004, 3.0).into_iter().map(decay).collect();
    let push = |c: u64| {
        let mut random = noise(50 + c);
        let force = (0..samples).map(|_| 0.1 * random() as f32).collect();
        Push { gains: vec![random_gains(n, 80 + c)], force }
    };
    let pushes: Vec<Push> = (0..9).map(push).collect();
    let mut figures = Vec::new();
    for block in [64, 512] {
        let mut singles = [vec![0.0; samples], vec![0.0; samples], vec![0.0; samples]];
        let mut truth = vec![0.0; samples];
        for count in 1..=pushes.len() {
            let last = pushes[count - 1..count].to_vec();
            let job = Job { f: f.clone(), d: d.clone(), samples, ..Job::default() };
            let one = Job { pushes: last, ..job.clone() };
            truth.iter_mut().zip(one.truth(block)).for_each(|(t, y)| *t += y);
            let all = Job { pushes: pushes[..count].to_vec(), ..job };
            for (kernel, sum) in KERNELS.into_iter().zip(&mut singles) {
                let single = one.play(kernel, block);
                sum.iter_mut().zip(&single).for_each(|(s, y)| *s += f64::from(*y));
                let together = all.play(kernel, block);
                let (sum_db, truth_db) = (snr_db(sum, &together), snr_db(&truth, &together));
                let at = format!("{count} contacts, B {block}, {kernel:?}");
                println!("{at}: {sum_db:.1} dB, truth {truth_db:.1} dB");
                figures.extend([sum_db, truth_db]);
            }
        }
    }
    foley_measured::check!("resonators.contacts", smallest(figures));
}

/// Returns the energy of `x` at the multiples of the block rate, over complete blocks,
/// Hann-weighted.
fn energy_at_block_rate(x: &[f64], block: usize) -> Vec<f64> {
    let n = x.len() as f64;
    let window = |i: usize| 1.0 - (2.0 * PI * i as f64 / n).cos();
    (1..block / 2)
        .map(|k| {
            let step = Complex64::from_polar(1.0, -2.0 * PI * k as f64 / block as f64);
            let (mut turn, mut sum) = (Complex64::ONE, Complex64::ZERO);
            for (i, x) in x.iter().enumerate() {
                if i % block == 0 {
                    turn = Complex64::ONE;
                }
                sum += turn * x * window(i);
                turn *= step;
            }
            sum.norm_sqr()
        })
        .collect()
}

/// A smooth constant force at a position that changes every block, on modes from bass to treble.
/// The sound equals the reference, in which the gain moves linearly from sample to sample, and has
/// no more energy at the multiples of the block rate, where steps of the gain would buzz.
#[test]
fn moving_contacts_glide_without_zipper_noise() {
    let n = 120;
    let f = spread_log(n, 50.0, 15_000.0);
    let d: Vec<f64> = spread_log(n, 0.01, 1.0).into_iter().map(decay).collect();
    for block in [32, 256, 1024] {
        let samples = 16 * 1024;
        let ring = |c: usize| -> Vec<Vec<f32>> {
            let place = |b: usize| (b as f64 * 0.7 + c as f64).sin() + 0.02 * (b as f64);
            let gain = |m: usize, b: usize| (m as f64 * 0.3 * place(b)).cos() as f32;
            (0..13).map(|b| (0..n).map(|m| gain(m, b)).collect()).collect()
        };
        let force = |i: usize| 0.01 * (1.0 - (2.0 * PI * i as f64 / 3_000.0).cos()) as f32;
        let smooth = Push { gains: ring(0), force: (0..samples).map(force).collect() };
        let mut random = noise(9);
        let rough =
            Push { gains: ring(1), force: (0..samples).map(|_| 0.01 * random() as f32).collect() };
        for (name, pushes) in [
            ("smooth", vec![smooth.clone()]),
            ("rough", vec![rough.clone()]),
            ("five at once", vec![smooth.clone(), rough.clone(), smooth.clone(), rough, smooth]),
        ] {
            let job = Job { f: f.clone(), d: d.clone(), pushes, samples, ..Job::default() };
            let truth = job.truth(block);
            let allowed = energy_at_block_rate(&truth, block);
            // White noise at −90 dB would reach this on every line, as would a buzz at −130 dB.
            let floor = 1e-9 * 1.5 * truth.iter().map(|y| y * y).sum::<f64>();
            let judge = |label: &str, got: Vec<f32>| {
                let snr = snr_db(&truth, &got);
                println!("gliding, {name}, B {block}, {label}: {snr:.1} dB");
                foley_measured::check!("resonators.gliding_contacts", snr);
                let found = energy_at_block_rate(&widen(&got), block);
                for (k, (found, allowed)) in found.iter().zip(&allowed).enumerate() {
                    let limit = (allowed.sqrt() + floor.sqrt()).powi(2);
                    let at = format!("{name}, B {block}, {label}, line {k}");
                    assert!(*found <= limit, "{at}: {found:e} {allowed:e} {floor:e}");
                }
            };
            for kernel in KERNELS {
                judge(&format!("{kernel:?}"), job.play(kernel, block));
            }
            judge("reference", job.reference(block));
        }
    }
}

#[test]
fn every_block_length_and_kernel_sounds_the_same_and_repeats_bit_for_bit() {
    let n = 300;
    let f = spread_log(n, 30.0, 19_000.0);
    let d: Vec<f64> = spread_log(n, 0.003, 8.0).into_iter().map(decay).collect();
    let job = busy(f, d, 24_000);
    let truth = job.truth(32);
    let first = widen(&job.play(Kernel::Spectral, 512));
    let mut figures = Vec::new();
    for block in [32, 64, 128, 256, 512, 1024] {
        let mut plays = Vec::new();
        for kernel in KERNELS {
            let out = job.play(kernel, block);
            let (snr, same) = (snr_db(&truth, &out), snr_db(&first, &out));
            println!("B {block}, {kernel:?}: truth {snr:.1} dB, B 512 spectral {same:.1} dB");
            figures.extend([snr, same]);
            assert_eq!(out, job.play(kernel, block), "B {block}, {kernel:?}");
            plays.push(out);
        }
        figures.extend(plays[..2].iter().map(|fixed| snr_db(&widen(fixed), &plays[2])));
    }
    foley_measured::check!("resonators.blocks", smallest(figures));
}

/// |S|² = a² e^{−2dt} for every mode at the start of every block, and the sum never grows.
#[test]
fn energies_are_the_closed_form_and_never_grow() {
    let n = 200;
    let f = spread_log(n, 20.0, 23_000.0);
    let t60 = spread_log(n, 0.003, 60.0);
    let d: Vec<f64> = t60.iter().map(|&t| decay(t)).collect();
    let gains: Vec<f32> = random_gains(n, 5).iter().map(|g| g.signum() * (g.abs() + 0.1)).collect();
    let at = 37.62;
    let mut errors = [vec![], vec![]];
    for block in [32, 128, 512, 1024] {
        for (kernel, reference) in
            KERNELS.into_iter().map(|k| (k, false)).chain([(Kernel::Auto, true)])
        {
            let mut bank = bank(kernel, block);
            let layout = bank.layout(&f, &d);
            let make = if reference { Voice::reference } else { Voice::new };
            bank.insert(0, Box::new(make(layout.clone(), 0, 0))).unwrap();
            bank.strike(0, Strike::impulse(&layout, &gains, 1.0, at)).unwrap();
            let mut last_total = f64::INFINITY;
            let mut sound = vec![0.0; block];
            while bank.clock() < 48_000 {
                bank.render(&mut sound);
                let t = bank.clock() as f64 - at;
                if t < 0.0 {
                    continue;
                }
                let voice = bank.voice(0).unwrap();
                let mut total = 0.0;
                for m in 0..n {
                    let truth = f64::from(gains[m]).powi(2) * (-2.0 * d[m] * t / RATE).exp();
                    let energy = voice.energy(m);
                    total += energy;
                    if truth < 1e-30 {
                        assert!(energy < 1.1e-30);
                        continue;
                    }
                    // The accuracy of a mode that loses more than 0.6 nepers in half a block is
                    // relative to its amplitude when struck.
                    let fast = d[m] * block as f64 / RATE / 2.0 > 0.6;
                    let scale = if fast { truth.max(f64::from(gains[m]).powi(2)) } else { truth };
                    let off = (energy - truth).abs() / (scale * truth).sqrt();
                    errors[usize::from(fast)].push(off);
                }
                assert!(total <= last_total, "{block}, {kernel:?}, {t}: {total} {last_total}");
                last_total = total;
            }
        }
    }
    let [slow, fast] = errors;
    foley_measured::check!("resonators.energies", largest(slow));
    foley_measured::check!("resonators.fast_energies", largest(fast));
}
