//! Every kernel against the closed form in f64.

use crate::common;

use common::*;
use foley_dsp::resonator::{Bank, BankSettings, Kernel, Strike, Voice};
use foley_dsp::simd::Cpu;
use foley_measured::smallest;

/// One mode from 20 Hz to 20 kHz, T60 from 20 ms to 60 s, struck between two samples: at least 80
/// dB over 10 s in every kernel and block length.
#[test]
fn a_single_mode_stays_true_for_ten_seconds() {
    let samples = 480_000;
    let mut figures = Vec::new();
    for f in [20.0, 55.3, 440.0, 3_000.0, 12_345.6, 19_999.0] {
        for t60 in [0.02, 0.3, 5.0, 60.0] {
            let at = 100.37;
            let mut truth = vec![0.0; samples];
            ring(&mut truth, f, t60, 0.7, at);
            for block in [32, 64, 128, 256, 512, 1024] {
                for kernel in KERNELS {
                    let mut bank = bank(kernel, block);
                    let layout = bank.layout(&[f], &[decay(t60)]);
                    bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0))).unwrap();
                    bank.strike(0, Strike::impulse(&layout, &[0.7], 1.0, at)).unwrap();
                    let snr = snr_db(&truth, &render(&mut bank, samples, |_| ()));
                    println!("{f} Hz, {t60} s, B {block}, {kernel:?}: {snr:.1} dB");
                    figures.push(snr);
                }
            }
        }
    }
    foley_measured::check!("resonators.single_mode", smallest(figures));
}

/// The mixed job: 1,920 modes from 60 Hz to 15 kHz, T60 from 50 ms to 2 s, driven by impulses,
/// bursts of noise and a contact force: at least 100 dB in every kernel, block length and
/// instruction set.
#[test]
fn the_mixed_job_of_1920_modes_is_exact_to_100_db() {
    let (n, samples) = (1920, 96_000);
    let f: Vec<f64> = (0..n).map(|i| 60.0 * 250f64.powf((i as f64 + 0.5) / n as f64)).collect();
    let t60: Vec<f64> = (0..n).map(|i| 0.05 * 40f64.powf((i as f64 * 0.618_034) % 1.0)).collect();
    let d: Vec<f64> = t60.iter().map(|&t| decay(t)).collect();
    let mut random = noise(7);
    let gains: Vec<f32> = (0..n).map(|_| random() as f32).collect();
    let mut force = vec![0.0f32; samples];
    for (i, x) in force.iter_mut().enumerate() {
        *x = if i % 22_050 < 2_000 { 0.05 * random() as f32 } else { 0.0 };
    }
    let strikes: Vec<f64> = (0..19).map(|i| f64::from(i) * 5_000.0 + 0.31 * f64::from(i)).collect();

    let mut truth = vec![0.0; samples];
    for m in 0..n {
        let z = lambda(f[m], t60[m]).exp();
        let mut s = num_complex::Complex64::ZERO;
        for (t, x) in truth.iter_mut().zip(&force) {
            s.re += f64::from(gains[m]) * f64::from(*x);
            *t += s.im;
            s *= z;
        }
        for at in &strikes {
            let until = (*at as usize + (6.0 * t60[m] * RATE) as usize).min(samples);
            let from = *at as usize;
            ring(&mut truth[from..until], f[m], t60[m], gains[m].into(), at - from as f64);
        }
    }
    for (block, cpu) in [(64, Cpu::Best), (512, Cpu::Best), (128, Cpu::Avx2), (256, Cpu::Portable)]
    {
        for kernel in KERNELS {
            let settings =
                BankSettings::default().with_kernel(kernel).with_block(block).with_cpu(cpu);
            let mut bank = Bank::new(settings).unwrap();
            let layout = bank.layout(&f, &d);
            let mut voice = Voice::new(layout.clone(), 1, 0);
            assert!(voice.move_contact(0, layout.gains(&gains)).is_none());
            bank.insert(0, Box::new(voice)).unwrap();
            for at in &strikes {
                bank.strike(0, Strike::impulse(&layout, &gains, 1.0, *at)).unwrap();
            }
            let out = render(&mut bank, samples, |bank| {
                let at = bank.clock() as usize;
                let part = &force[at..(at + block).min(samples)];
                if part.iter().any(|x| *x != 0.0) {
                    let x = bank.voice_mut(0).unwrap().force(0).unwrap();
                    x[..part.len()].copy_from_slice(part);
                }
            });
            let snr = snr_db(&truth, &out);
            println!("mixed job, B {block}, {}, {kernel:?}: {snr:.1} dB", cpu.name());
            match kernel {
                Kernel::Spectral => foley_measured::check!("resonators.mixed_spectral", snr),
                _ => foley_measured::check!("resonators.mixed", snr),
            }
        }
    }
}
