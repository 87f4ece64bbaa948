//! Bursts of acceleration noise: the same samples whatever computes the modes of their voice.

use crate::common::*;
use foley_dsp::excitation::{AcceleratedBody, Burst, Impact, RigidRadiation};
use foley_dsp::resonator::{
    Bank, BankSettings, DecayChange, Kernel, Listening, Retired, Route, Strike, Synthesis, Voice,
};

/// The click of a 20 mm ball, of a size that takes several blocks, and of a large body.
fn burst(start: f64) -> Burst {
    let bodies = [0.01, 0.2].map(|a| AcceleratedBody::new(RigidRadiation::sphere(a), 0.03));
    let impact = Impact::new(0.06, 7e-5).unwrap();
    impact.acceleration_noise(&bodies, RATE, start).unwrap()
}

/// Adds bursts to exact samples.
fn add(out: &mut [f64], burst: &Burst, gain: f64) {
    let first = burst.first_sample() as usize;
    out[first..].iter_mut().zip(burst.samples()).for_each(|(y, b)| *y += gain * f64::from(*b));
}

fn syntheses() -> Vec<(Kernel, Synthesis)> {
    let listening = Listening::default();
    let mut all: Vec<_> = KERNELS.map(|kernel| (kernel, Synthesis::Exact)).into();
    all.push((Kernel::Auto, Synthesis::Perceptual(listening)));
    all.push((Kernel::Auto, Synthesis::Masking2004(listening, 5.0)));
    all
}

fn bank_of(kernel: Kernel, synthesis: Synthesis, block: usize) -> Bank {
    let settings = BankSettings::default().with_kernel(kernel).with_synthesis(synthesis);
    Bank::new(settings.with_block(block).with_voices(4).with_buses(2)).unwrap()
}

#[test]
fn a_burst_sounds_sample_by_sample_in_every_synthesis() {
    let length = 4096;
    for (kernel, synthesis) in syntheses() {
        for block in [32, 128, 512] {
            for starts in [vec![40.3], vec![500.0, 507.5, 1030.9], vec![3.0, 2000.25]] {
                let mut truth = vec![0.0; length];
                let mut bank = bank_of(kernel, synthesis, block);
                let layout = bank.layout(&[440.0, 3000.0], &[20.0, 90.0]);
                let mut voice = Box::new(Voice::new(layout, 0, 1));
                voice.set_route(Route { bus: 1, gain: 0.7 });
                bank.insert(2, voice).unwrap();
                for start in starts {
                    let burst = burst(start);
                    add(&mut truth, &burst, f64::from(0.7f32));
                    bank.strike(2, Strike::burst(burst)).unwrap();
                }
                let (mut found, mut out) = (Vec::new(), vec![0.0; 2 * block]);
                while found.len() < length {
                    bank.render(&mut out);
                    assert!(out[..block].iter().all(|y| *y == 0.0));
                    found.extend_from_slice(&out[block..]);
                }
                let db = snr_db(&truth, &found);
                foley_measured::check!("click.same_in_all_syntheses", db);
                (0..300).for_each(|_| bank.render(&mut out));
                assert!(!bank.voice(2).unwrap().is_awake(), "{kernel:?} {synthesis:?}");
                let strikes = std::iter::from_fn(|| bank.take_retired());
                assert!(strikes.filter(|r| matches!(r, Retired::Strike(_))).count() > 0);
            }
        }
    }
}

/// What rings is the same with and without a burst, which is added to it.
#[test]
fn a_burst_changes_nothing_of_what_rings() {
    for (kernel, synthesis) in syntheses() {
        let sound = |with_burst: bool| {
            let mut bank = bank_of(kernel, synthesis, 128);
            let modes = spread_log(60, 100.0, 9000.0);
            let layout = bank.layout(&modes, &[15.0; 60]);
            bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0))).unwrap();
            bank.strike(0, Strike::impulse(&layout, &[0.1; 60], 1.0, 300.2)).unwrap();
            let soft = Impact::new(1.0, 0.003).unwrap();
            bank.strike(0, Strike::new(&layout, &[0.1; 60], &soft, 700.2)).unwrap();
            if with_burst {
                bank.strike(0, Strike::burst(burst(300.0))).unwrap();
            }
            let (mut found, mut out) = (Vec::new(), vec![0.0; 256]);
            while found.len() < 3000 {
                bank.render(&mut out);
                found.extend_from_slice(&out[..128]);
            }
            found
        };
        let [without, with] = [false, true].map(sound);
        let mut truth = vec![0.0; without.len()];
        add(&mut truth, &burst(300.0), 1.0);
        let difference: Vec<f32> = with.iter().zip(&without).map(|(a, b)| a - b).collect();
        let db = snr_db(&truth, &difference);
        println!("{kernel:?} {synthesis:?}: {db:.0} dB");
        assert!(db > 80.0);
    }
}

/// A late burst loses the ringing before the contact first, then it is delayed; nothing of the contact is lost.
#[test]
fn a_late_burst_is_heard_in_full_from_its_contact_on() {
    let mut bank = bank_of(Kernel::Auto, Synthesis::Exact, 64);
    let layout = bank.layout(&[440.0], &[20.0]);
    bank.insert(0, Box::new(Voice::new(layout, 0, 0))).unwrap();
    let mut out = vec![0.0; 128];
    bank.render(&mut out);
    let burst = burst(40.0);
    let lead = 40 - burst.first_sample() as usize;
    bank.strike(0, Strike::burst(burst.clone())).unwrap();
    bank.render(&mut out);
    assert_eq!(out[..64], burst.samples()[lead..lead + 64]);
}

/// The fade-out of a released voice is that of its bursts, too, to its end.
#[test]
fn a_released_voice_fades_its_bursts_out() {
    for (synthesis, block) in [(0, 64), (0, 512), (0, 1024), (3, 64), (3, 512), (3, 1024)] {
        let (kernel, synthesis) = syntheses()[synthesis];
        let mut bank = bank_of(kernel, synthesis, block);
        let layout = bank.layout(&[440.0], &[20.0]);
        bank.insert(0, Box::new(Voice::new(layout, 0, 0))).unwrap();
        let bodies = [AcceleratedBody::new(RigidRadiation::sphere(0.5), 1.0)];
        let burst =
            Impact::new(0.06, 7e-5).unwrap().acceleration_noise(&bodies, RATE, 20.0).unwrap();
        assert!(burst.samples().len() > 800);
        bank.strike(0, Strike::burst(burst.clone())).unwrap();
        bank.release(0);
        let mut found = Vec::new();
        let mut out = vec![0.0; 2 * block];
        while found.len() < 4096 {
            bank.render(&mut out);
            found.extend_from_slice(&out[..block]);
        }
        let first = burst.first_sample() as usize;
        let peak = burst.samples().iter().fold(0.0, |peak: f64, y| peak.max(f64::from(y.abs())));
        for (n, y) in burst.samples().iter().enumerate() {
            let at = first + n;
            let faded = (at as f64 / 1024.0).min(1.0);
            let gain = 0.5 + 0.5 * (std::f64::consts::PI * faded).cos();
            let error = f64::from(found[at]) - gain * f64::from(*y);
            assert!(error.abs() < 1e-6 * peak, "{block}, {at}: {error}");
        }
        let retired = std::iter::from_fn(|| bank.take_retired());
        assert_eq!(retired.filter(|r| matches!(r, Retired::Voice(..))).count(), 1);
    }
}

/// A click goes on while decays change, whether it sounds or waits.
#[test]
fn a_burst_goes_on_while_decays_change() {
    for (kernel, synthesis) in syntheses() {
        for start in [20.3, 150.7] {
            let mut bank = bank_of(kernel, synthesis, 64);
            let old = bank.layout(&[440.0], &[20.0]);
            let new = bank.layout(&[440.0], &[200.0]);
            bank.insert(0, Box::new(Voice::new(old.clone(), 0, 0))).unwrap();
            let burst = burst(start);
            bank.strike(0, Strike::burst(burst.clone())).unwrap();
            let (mut found, mut out) = (Vec::new(), vec![0.0; 128]);
            while found.len() < 4096 {
                if found.len() == 64 {
                    let change = Box::new(DecayChange::new(&old, new.clone(), 0, []));
                    assert!(bank.change_decays(0, change).is_ok());
                }
                bank.render(&mut out);
                found.extend_from_slice(&out[..64]);
            }
            let mut truth = vec![0.0; found.len()];
            add(&mut truth, &burst, 1.0);
            foley_measured::check!("click.same_in_all_syntheses", snr_db(&truth, &found));
        }
    }
}
