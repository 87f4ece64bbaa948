//! Driven voices are computed exactly. When one stops being computed, because the budget is spent or
//! it is no longer audible, its sound fades out in the partials of its bus, in bands that may not
//! have held a partial before.

use crate::common;

use common::{decay, noise, snr_db, unmasked, widen};
use foley_dsp::resonator::{Bank, BankSettings, Budget, Listening, Strike, Synthesis, Voice};

const BLOCK: usize = 256;
/// Enough for everything at a load of 1, and not for the driven voice at [`OVERLOAD`].
const MICROS: f64 = 40.0;
const OVERLOAD: f64 = 4.0;
const DRIVEN: usize = 0;
const STRUCK: usize = 1;

/// The modes of the struck object, Hz.
const LOW: [f64; 3] = [300.0, 520.0, 810.0];

/// Makes a driven voice of 600 modes from 5 to 9 kHz and a struck one of a few modes below 1 kHz: no
/// vector of bands holds modes of both.
fn two_objects(listening: Listening, budget: Option<Budget>, gain: f32) -> Bank {
    let settings = BankSettings::default()
        .with_synthesis(Synthesis::Perceptual(listening))
        .with_block(BLOCK)
        .with_budget(budget);
    let mut bank = Bank::new(settings).unwrap();
    let mut random = noise(7);
    let high: Vec<f64> = (0..600).map(|_| 7_000.0 + 2_000.0 * random()).collect();
    for (place, f) in [(DRIVEN, &high[..]), (STRUCK, &LOW[..])] {
        let layout = bank.layout(f, &vec![decay(0.5); f.len()]);
        let mut voice = Voice::new(layout.clone(), 1, 0);
        assert!(voice.move_contact(0, layout.gains(&vec![gain; f.len()])).is_none());
        assert!(bank.insert(place, Box::new(voice)).is_ok());
    }
    bank
}

fn drive(bank: &mut Bank, random: &mut impl FnMut() -> f64) {
    let force = bank.voice_mut(DRIVEN).unwrap().force(0).unwrap();
    force.iter_mut().for_each(|x| *x = random() as f32);
}

/// Strikes the low object at sample `at` of the next block.
fn strike(bank: &mut Bank, at: f64) {
    let layout = bank.layout(&LOW, &[decay(0.5); 3]);
    let at = bank.clock() as f64 + at;
    assert!(bank.strike(STRUCK, Strike::impulse(&layout, &[1e-3; 3], 1.0, at)).is_ok());
}

fn peak(x: &[f32]) -> f32 {
    x.iter().fold(0.0, |most, y| most.max(y.abs()))
}

/// A budget that varies from block to block: the driven voice is computed exactly, left out, and
/// heard in partials, while impulses act on the other voice. Every block is finite, and no louder
/// than without a budget.
#[test]
fn switches_between_exact_left_out_and_partials_stay_finite() {
    for seed in 0..20 {
        let budget = Some(Budget::offline(MICROS));
        let mut bank = two_objects(unmasked(), budget, 1e-5);
        let mut unlimited = two_objects(unmasked(), None, 1e-5);
        let (mut out, mut all) = (vec![0.0; BLOCK], vec![0.0; BLOCK]);
        let mut choose = noise(100 + seed);
        let mut forces = [noise(9), noise(9)];
        let (mut limited_peak, mut unlimited_peak) = (0f32, 0f32);
        let (mut left_out, mut complete) = (0, 0);
        for block in 0..200 {
            let (mut driven, mut struck) = (choose() > -0.3, choose() > 0.0);
            let mut load = if choose() > 0.0 { OVERLOAD } else { 1.0 };
            // At first exact, then left out beside an impulse, before it was ever in partials.
            if block < 3 {
                (driven, struck, load) = (true, true, [1.0, 1.0, OVERLOAD][block]);
            }
            let at = 1.0 + 120.0 * (1.0 + choose());
            bank.set_load(load);
            for (bank, forces) in [&mut bank, &mut unlimited].into_iter().zip(&mut forces) {
                if driven {
                    drive(bank, forces);
                }
                if struck {
                    strike(bank, at);
                }
            }
            bank.render(&mut out);
            unlimited.render(&mut all);
            assert!(out.iter().all(|y| y.is_finite()), "seed {seed}, block {block}");
            if bank.report().left_out > 0 {
                left_out += 1
            } else {
                complete += 1
            }
            (limited_peak, unlimited_peak) =
                (limited_peak.max(peak(&out)), unlimited_peak.max(peak(&all)));
        }
        assert!(left_out > 20 && complete > 20, "seed {seed}: {left_out}, {complete}");
        let ratio = limited_peak / unlimited_peak;
        assert!((0.5..1.3).contains(&ratio), "seed {seed}: {ratio}");
    }
}

/// The sound of a driven voice that the budget leaves out fades out over a block, from what it would
/// be without a force. It does not stop within a sample.
#[test]
fn a_driven_voice_that_is_left_out_fades_out() {
    let mut bank = two_objects(unmasked(), Some(Budget::offline(MICROS)), 1e-5);
    let mut unlimited = two_objects(unmasked(), None, 1e-5);
    let mut forces = [noise(9), noise(9)];
    let (mut out, mut all) = (vec![0.0; BLOCK], vec![0.0; BLOCK]);
    for _ in 0..4 {
        bank.set_load(1.0);
        drive(&mut bank, &mut forces[0]);
        drive(&mut unlimited, &mut forces[1]);
        bank.render(&mut out);
        unlimited.render(&mut all);
        assert_eq!(bank.report().left_out, 0);
    }
    bank.set_load(OVERLOAD);
    drive(&mut bank, &mut forces[0]);
    bank.render(&mut out);
    unlimited.render(&mut all);
    assert_eq!(bank.report().left_out, 600);
    let start = snr_db(&widen(&all[..16]), &out[..16]);
    assert!(start > 10.0, "{start} dB");
    let power = |x: &[f32]| x.iter().map(|y| y * y).sum::<f32>();
    let [kept, free] = [&out, &all].map(|x| power(&x[BLOCK - 32..]));
    assert!(kept < 0.1 * free, "{}", kept / free);
}

/// A driven voice below the threshold of hearing is left out when its force ends, in the block of an
/// impulse on another voice. This needs no budget.
#[test]
fn an_inaudible_driven_voice_ends_beside_an_impulse() {
    let mut bank = two_objects(Listening::default().with_pascal_db(91.0), None, 1e-10);
    let mut random = noise(9);
    let mut out = vec![0.0; BLOCK];
    for block in 0..20 {
        if block % 4 < 2 {
            drive(&mut bank, &mut random);
        } else {
            strike(&mut bank, 40.0);
        }
        bank.render(&mut out);
        assert!(out.iter().all(|y| y.is_finite()), "block {block}");
    }
    assert!(peak(&out) > 1e-4);
}
