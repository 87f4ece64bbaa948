//! A bank that prunes by the rule of \[CS\] §4: which modes it drops and keeps, without clicks.

use crate::common;

use common::*;
use foley_dsp::perception::{Audibility, Masking, Tone, prune_2004};
use foley_dsp::resonator::{
    Bank, BankReport, BankSettings, Kernel, Layout, Listening, Strike, Synthesis, Voice,
};
use num_complex::Complex64;
use std::sync::Arc;

fn listening_at(pascal_db: f64) -> Listening {
    Listening::default().with_pascal_db(pascal_db)
}

fn perceptual_bank(synthesis: Synthesis, block: usize) -> Bank {
    let kernel = Kernel::PerSample;
    let settings = BankSettings::default()
        .with_kernel(kernel)
        .with_block(block)
        .with_voices(8)
        .with_synthesis(synthesis);
    Bank::new(settings).unwrap()
}

/// An object and its impulses: (block in which it is scheduled, time, gains).
struct Object {
    f: Vec<f64>,
    t60: Vec<f64>,
    impulses: Vec<(usize, f64, Vec<f32>)>,
    /// Blocks with a noise force.
    driven: std::ops::Range<usize>,
}

impl Object {
    fn lambdas(&self) -> impl Iterator<Item = Complex64> {
        self.f.iter().zip(&self.t60).map(|(f, t60)| lambda(*f, *t60))
    }

    fn insert(&self, bank: &mut Bank, place: usize) -> Arc<Layout> {
        let d: Vec<f64> = self.t60.iter().map(|t| decay(*t)).collect();
        let layout = bank.layout(&self.f, &d);
        let mut voice = Voice::new(layout.clone(), 1, 0);
        voice.move_contact(0, layout.gains(&random_gains(self.f.len(), 77)));
        bank.insert(place, Box::new(voice)).unwrap();
        layout
    }
}

/// Makes objects with dozens of impulses, some of them late, some in the same block.
fn scene(objects: usize, modes: usize, block: usize, blocks: usize, seed: u64) -> Vec<Object> {
    let mut random = noise(seed);
    let mut between = move |a: f64, b: f64| a + (b - a) * 0.5 * (1.0 + random());
    let mut object = |o: usize| {
        let f = (0..modes).map(|_| 80.0 * 150f64.powf(between(0.0, 1.0))).collect();
        let t60 = (0..modes).map(|_| 0.03 * 100f64.powf(between(0.0, 1.0))).collect();
        let mut impulses: Vec<_> = (0..12)
            .map(|i| {
                let b = between(0.0, 0.6 * blocks as f64) as usize;
                let late = if i % 4 == 0 { 1.3 * block as f64 } else { 0.0 };
                let at = (b as f64 + between(0.0, 0.99)) * block as f64 - late;
                let scale = 10f64.powf(between(-4.0, -1.0)) as f32;
                let gains = random_gains(modes, (100 * o + i) as u64);
                (b, at.max(0.0), gains.iter().map(|g| g * scale).collect())
            })
            .collect();
        // More than one pass takes.
        impulses.extend((0..if o == 0 { 40 } else { 0 }).map(|i| {
            let gains = random_gains(modes, 900 + i).iter().map(|g| 0.01 * g).collect();
            (5, (5.0 + i as f64 / 40.0) * block as f64, gains)
        }));
        let driven = if o == 1 { blocks / 3..blocks / 3 + 3 } else { 0..0 };
        Object { f, t60, impulses, driven }
    };
    (0..objects).map(&mut object).collect()
}

/// Renders a scene; `after` inspects the bank after each block.
fn play(
    bank: &mut Bank,
    objects: &[Object],
    blocks: usize,
    mut after: impl FnMut(usize, &Bank),
) -> Vec<f32> {
    let block = bank.settings().block;
    let layouts: Vec<_> = objects.iter().enumerate().map(|(i, o)| o.insert(bank, i)).collect();
    let mut force = noise(5);
    let (mut sound, mut out) = (vec![0.0; block], Vec::new());
    for b in 0..blocks {
        for (place, object) in objects.iter().enumerate() {
            for (_, at, gains) in object.impulses.iter().filter(|(when, ..)| *when == b) {
                bank.strike(place, Strike::impulse(&layouts[place], gains, 1.0, *at)).unwrap();
            }
            if object.driven.contains(&b) {
                let voice = bank.voice_mut(place).unwrap();
                voice.force(0).unwrap().fill_with(|| 1e-3 * force() as f32);
            }
        }
        bank.render(&mut sound);
        out.extend_from_slice(&sound);
        after(b, bank);
    }
    out
}

#[test]
fn without_thresholds_all_modes_are_computed() {
    for block in [32, 128, 512] {
        let blocks = 24_000 / block;
        let objects = scene(4, 70, block, blocks, 3 + block as u64);
        let mut all = perceptual_bank(Synthesis::Exact, block);
        let mut paper = perceptual_bank(Synthesis::Masking2004(listening_at(250.0), 100.0), block);
        let truth = widen(&play(&mut all, &objects, blocks, |_, _| ()));
        let mut most = 0;
        let got = play(&mut paper, &objects, blocks, |_, bank| {
            most = most.max(bank.report().computed);
        });
        assert!(snr_db(&truth, &got) > 60.0, "B {block}: {} dB", snr_db(&truth, &got));
        assert!(most > 250, "{most} modes computed");
        let second = got.len() / 2;
        let tail = snr_db(&truth[second..], &got[second..]);
        assert!(tail > 60.0, "B {block}: {tail} dB in the second half");
    }
}

/// Returns the energy of the modes of an object in each block: ringing and new impulses.
fn energies(object: &Object, block: usize, blocks: usize) -> Vec<Vec<f64>> {
    let mut energies = vec![vec![0.0; object.f.len()]; blocks];
    for (m, lambda) in object.lambdas().enumerate() {
        let mut s = Complex64::ZERO;
        for (b, energies) in energies.iter_mut().enumerate() {
            energies[m] = s.norm_sqr();
            s *= (lambda * block as f64).exp();
            for (scheduled, at, gains) in &object.impulses {
                // A late impulse acts on the first sample of the block.
                let sample = (at.ceil() as usize).max(scheduled * block);
                if sample / block == b {
                    let jump = (lambda * (at.ceil() - at)).exp() * f64::from(gains[m]);
                    energies[m] += jump.norm_sqr();
                    s += jump * (lambda * ((b + 1) * block - sample) as f64).exp();
                }
            }
        }
    }
    energies
}

#[test]
fn the_audible_modes_are_those_of_the_paper() {
    let (block, blocks, pascal_db) = (128, 180, 91.0);
    let mut objects = scene(4, 90, block, blocks, 8);
    objects.iter_mut().for_each(|o| o.driven = 0..0);
    let energies: Vec<_> = objects.iter().map(|o| energies(o, block, blocks)).collect();
    let mut bank = perceptual_bank(Synthesis::Masking2004(listening_at(pascal_db), 5.0), block);
    let (mut kept, mut dropped, mut last) = (0, 0, vec![false; 4 * 90]);
    play(&mut bank, &objects, blocks, |b, bank| {
        let tones: Vec<Tone> = objects
            .iter()
            .zip(&energies)
            .flat_map(|(object, e)| object.f.iter().zip(&e[b]))
            .map(|(f, e)| Tone::new(*f, 10.0 * e.log10() + pascal_db))
            .collect();
        let verdicts = prune_2004(Masking::new(5.0), &tones, None);
        let on: Vec<bool> =
            verdicts.iter().map(|verdict| *verdict == Audibility::Audible).collect();
        let got: Vec<bool> =
            (0..on.len()).map(|i| bank.voice(i / 90).unwrap().was_audible(i % 90)).collect();
        assert_eq!(got, on, "block {b}");
        let report = bank.report();
        let count = on.iter().filter(|on| **on).count();
        let leaving = last.iter().zip(&on).filter(|(was, on)| **was && !**on).count();
        assert_eq!((report.audible, report.computed), (count, count + leaving));
        assert_eq!(report.modes, on.len());
        kept += count;
        dropped += verdicts.iter().filter(|verdict| **verdict == Audibility::Masked).count();
        last = on;
    });
    assert!(kept > 1000 && dropped > kept, "{kept} kept, {dropped} masked");
}

/// Makes a quiet mode with a slow decay beside a loud one with a fast decay.
fn masker_and_target() -> Object {
    Object {
        f: vec![1000.0, 950.0],
        t60: vec![6.0, 0.3],
        impulses: vec![(0, 7.3, vec![0.01, 0.0]), (20, 20.4 * 128.0, vec![0.0, 0.1])],
        driven: 0..0,
    }
}

#[test]
fn a_masked_mode_returns_where_it_would_have_been() {
    let (block, blocks) = (128, 400);
    let object = masker_and_target();
    let mut bank = perceptual_bank(Synthesis::Masking2004(listening_at(91.0), 5.0), block);
    let mut on = Vec::new();
    let objects = [object];
    let got = play(&mut bank, &objects, blocks, |_, bank| {
        on.push(bank.voice(0).unwrap().was_audible(0));
    });
    let off: Vec<usize> = (0..blocks).filter(|b| !on[*b]).collect();
    let (first, last) = (off[0], off[off.len() - 1]);
    assert!(first == 20 && last > 30 && last < 200, "masked from {first} to {last}");
    assert_eq!(off.len(), last - first + 1);
    let mut truth = vec![0.0; got.len()];
    ring(&mut truth, 1000.0, 6.0, 0.01, 7.3);
    ring(&mut truth, 950.0, 0.3, 0.1, 20.4 * 128.0);
    // The masker has decayed.
    let back = 260 * block;
    let snr = snr_db(&truth[back..], &got[back..]);
    foley_measured::check!("perception.rule_returns", snr);
    let before = snr_db(&truth[..20 * block], &got[..20 * block]);
    assert!(before > 80.0, "{before} dB");
}

/// Returns the largest second difference at a block edge, and within a period on either side.
fn bends(x: &[f32], edge: usize) -> (f32, f32) {
    let bend = |n: usize| (x[n + 1] - 2.0 * x[n] + x[n - 1]).abs();
    let around = (edge - 50..edge - 2).chain(edge + 2..edge + 49);
    let at_edge = (edge - 1..=edge).map(bend).fold(0.0, f32::max);
    (at_edge, around.map(bend).fold(0.0, f32::max))
}

/// Where a mode is switched the sound has no corner sharper than the curvature of a sine.
#[test]
fn switching_does_not_click() {
    let block = 128;
    let objects = [masker_and_target()];
    let mut bank = perceptual_bank(Synthesis::Masking2004(listening_at(91.0), 5.0), block);
    let mut on = Vec::new();
    let x = play(&mut bank, &objects, 400, |_, bank| {
        on.push(bank.voice(0).unwrap().was_audible(0));
    });
    let switched: Vec<usize> = (1..400).filter(|b| on[*b] != on[b - 1]).collect();
    assert_eq!(switched.len(), 2);
    for b in switched {
        // The edges of the block in which it fades; the impulse is elsewhere.
        for edge in [b * block, (b + 1) * block] {
            let (edge, around) = bends(&x, edge);
            assert!(edge <= 1.01 * around, "block {b}: {edge} at an edge, {around} around");
        }
    }
}

/// A force on an object whose modes are mostly masked: all of them are computed, and start and stop
/// without a click.
#[test]
fn a_force_brings_masked_modes_back_without_a_click() {
    let block = 128;
    let object = Object { driven: 30..32, ..masker_and_target() };
    let mut bank = perceptual_bank(Synthesis::Masking2004(listening_at(91.0), 5.0), block);
    let layout = object.insert(&mut bank, 0);
    for (_, at, gains) in &object.impulses {
        bank.strike(0, Strike::impulse(&layout, gains, 1.0, *at)).unwrap();
    }
    let mut on = Vec::new();
    let x = render(&mut bank, 60 * block, |bank| {
        on.push(bank.voice(0).unwrap().was_audible(0));
        if object.driven.contains(&(bank.clock() as usize / block)) {
            // A negligible force.
            bank.voice_mut(0).unwrap().force(0).unwrap()[9] = 1e-9;
        }
    });
    // `on` is recorded before each block, so it describes the block before.
    assert_eq!(on[29..35], [false, false, true, true, false, false]);
    for b in 30..34 {
        let (edge, around) = bends(&x, b * block);
        assert!(edge <= 1.01 * around, "block {b}: {edge} at its edge, {around} around");
    }
}

/// Renders the audible modes of objects in f64: `audible[b]` lists the modes of all objects in block b.
/// What rings at the start of a block fades in where a mode becomes audible, and out where it becomes
/// masked; impulses sound in full or not at all.
fn pruned_truth(objects: &[Object], audible: &[Vec<bool>], block: usize) -> Vec<f64> {
    let mut out = vec![0.0; audible.len() * block];
    let modes = objects.iter().flat_map(|object| {
        let modes = object.lambdas().enumerate();
        modes.map(move |(m, lambda)| (object, m, lambda))
    });
    for (i, (object, m, lambda)) in modes.enumerate() {
        let z = lambda.exp();
        let mut ringing = Complex64::ZERO;
        for (b, out) in out.chunks_exact_mut(block).enumerate() {
            let (was_on, is_on) = (b > 0 && audible[b - 1][i], audible[b][i]);
            let mut excited = Complex64::ZERO;
            for (n, out) in out.iter_mut().enumerate() {
                for (scheduled, at, gains) in &object.impulses {
                    if (at.ceil() as usize).max(scheduled * block) == b * block + n {
                        excited += (lambda * (at.ceil() - at)).exp() * f64::from(gains[m]);
                    }
                }
                let t = n as f64 / block as f64;
                let ramp = t * t * (3.0 - 2.0 * t);
                let gain = match (was_on, is_on) {
                    (true, true) => 1.0,
                    (false, true) => ramp,
                    (true, false) => 1.0 - ramp,
                    (false, false) => 0.0,
                };
                *out += gain * ringing.im + if is_on { excited.im } else { 0.0 };
                (ringing, excited) = (ringing * z, excited * z);
            }
            ringing += excited;
        }
    }
    out
}

/// With less room for comparisons more modes are computed, never fewer, and the sound is that of the
/// audible modes, in level and phase.
#[test]
fn the_sound_is_that_of_the_audible_modes_however_many_there_is_room_for() {
    let (block, blocks, modes) = (128, 100, 80);
    let mut objects = scene(3, modes, block, blocks, 4);
    objects.iter_mut().for_each(|object| object.driven = 0..0);
    let mut audible_sets: Vec<Vec<Vec<bool>>> = Vec::new();
    for room in [0, 30, 65_536] {
        let synthesis = Synthesis::Masking2004(listening_at(91.0), 5.0);
        let settings = BankSettings::default()
            .with_block(block)
            .with_modes(room)
            .with_synthesis(synthesis)
            .with_voices(3);
        let mut bank = Bank::new(settings).unwrap();
        let mut audible = Vec::new();
        let sound = play(&mut bank, &objects, blocks, |_, bank| {
            let of = |i: usize| bank.voice(i / modes).unwrap().was_audible(i % modes);
            audible.push((0..3 * modes).map(of).collect::<Vec<bool>>());
        });
        // Rounding leaves 104 dB; a level 2 dB off gives 12 dB, silence 0 dB.
        let snr = snr_db(&pruned_truth(&objects, &audible, block), &sound);
        assert!(snr > 95.0, "room for {room}: {snr:.1} dB");
        audible_sets.push(audible);
    }
    let count = |audible: &[Vec<bool>]| audible.iter().flatten().filter(|on| **on).count();
    for (more, fewer) in audible_sets.iter().zip(&audible_sets[1..]) {
        assert!(count(more) > count(fewer), "{} and {}", count(more), count(fewer));
        let pairs = more.iter().flatten().zip(fewer.iter().flatten());
        assert!(pairs.into_iter().all(|(more, fewer)| *more || !fewer));
    }
}

/// Silence: nothing is awake, nothing computed; an impulse wakes the object.
#[test]
fn objects_fall_asleep_and_wake() {
    let block = 128;
    let mut bank = perceptual_bank(Synthesis::Masking2004(listening_at(91.0), 5.0), block);
    let layout = bank.layout(&[300.0, 900.0], &[decay(0.1), decay(0.2)]);
    bank.insert(2, Box::new(Voice::new(layout.clone(), 0, 0))).unwrap();
    for at in [100.0, 40_000.0] {
        bank.strike(2, Strike::impulse(&layout, &[0.1, 0.1], 1.0, at)).unwrap();
    }
    let mut reports: Vec<BankReport> = Vec::new();
    let x = render(&mut bank, 50_048, |bank| reports.push(bank.report()));
    let asleep = 39_000 / block;
    assert_eq!((reports[asleep].awake, reports[asleep].computed), (0, 0));
    assert_eq!(reports[asleep].modes, 2);
    assert!(!bank.voice(2).unwrap().was_audible(5));
    let mut truth = vec![0.0; x.len()];
    for (f, t60) in [(300.0, 0.1), (900.0, 0.2)] {
        ring(&mut truth, f, t60, 0.1, 100.0);
        ring(&mut truth, f, t60, 0.1, 40_000.0);
    }
    assert!(snr_db(&truth, &x) > 60.0, "{}", snr_db(&truth, &x));
}
