//! Invalid input to a perceptual bank: the output stays finite, and valid objects sound afterwards as in a
//! new bank.

use crate::common;

use common::{decay, noise, ring, snr_db, widen};
use foley_dsp::resonator::{Bank, BankSettings, Budget, Listening, Strike, Synthesis, Voice};

const NUMBERS: [f64; 12] =
    [0.0, -1.0, 1e-300, 1e-30, 1e-3, 1.0, 440.0, 23_999.9, 24_000.0, 1e30, f64::INFINITY, f64::NAN];

/// T60 of the valid object, s.
const T60_S: f64 = 1.0;
const F_HZ: f64 = 800.0;

/// Renders 4096 samples of a valid object that is struck 3 samples after the start.
fn valid_object(bank: &mut Bank) -> Vec<f32> {
    let block = bank.settings().block;
    let start = bank.clock() as f64;
    let layout = bank.layout(&[F_HZ], &[decay(T60_S)]);
    assert!(bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0))).is_ok());
    assert!(bank.strike(0, Strike::impulse(&layout, &[0.5], 1.0, start + 3.0)).is_ok());
    let (mut out, mut sound) = (vec![0.0; 2 * block], Vec::new());
    while sound.len() < 4096 {
        bank.render(&mut out);
        let (first_bus, second_bus) = out.split_at(block);
        assert!(second_bus.iter().all(|y| *y == 0.0), "the other bus is silent");
        sound.extend_from_slice(first_bus);
    }
    sound
}

/// Frequencies, decays, gains, levels and directions of any size: nothing panics, and a valid object
/// sounds afterwards as in a new bank of the same settings. Where these are valid, too, it is a
/// decaying sine of the right level and phase.
#[test]
fn absurd_objects_levels_and_impulses() {
    let mut cases = 0;
    let mut random = noise(12);
    let mut any = move || NUMBERS[((0.5 * random() + 0.5) * 11.999) as usize];
    let (mut right, mut heard) = (0, 0);
    for case in 0..300 {
        let has_valid_settings = case % 5 < 2;
        let absurd = Listening::default()
            .with_pascal_db(any())
            .with_margin_db(any())
            .with_mask_db(any())
            .with_detail(any());
        let (listening, a_v) = match has_valid_settings {
            true => (Listening::default(), 5.0),
            false => (absurd, any()),
        };
        let synthesis = match case % 3 {
            0 => Synthesis::Masking2004(listening, a_v),
            _ => Synthesis::Perceptual(listening),
        };
        let budget = (case % 4 == 0).then(|| match has_valid_settings {
            true => Budget::offline(1e6),
            false => Budget::offline(any()),
        });
        let block = [32, 256, 1024][case % 3];
        let settings = BankSettings::default()
            .with_synthesis(synthesis)
            .with_budget(budget)
            .with_block(block)
            .with_buses(2);
        let mut bank = Bank::new(settings).unwrap();
        cases += 1;
        for place in 0..4 {
            let count = [0, 1, 17, 40][(case + place) % 4];
            let f: Vec<f64> = (0..count).map(|_| any()).collect();
            let d: Vec<f64> = (0..count).map(|_| any()).collect();
            let layout = bank.layout(&f, &d);
            assert!(bank.insert(place, Box::new(Voice::new(layout.clone(), 1, place % 2))).is_ok());
            for _ in 0..5 {
                let gains: Vec<f32> = (0..count).map(|_| any() as f32).collect();
                let _ = bank.strike(place, Strike::impulse(&layout, &gains, any(), any().abs()));
            }
            let gains: Vec<f32> = (0..count).map(|_| any() as f32).collect();
            let _ = bank.voice_mut(place).and_then(|v| v.move_contact(0, layout.gains(&gains)));
        }
        let mut out = vec![0.0; 2 * block];
        for step in 0..40 {
            bank.set_bus(step % 3, [any(), any(), any()], any() as f32);
            bank.set_pascal_db(any());
            bank.set_load(any());
            if step % 5 == 1
                && let Some(force) = bank.voice_mut(step % 4).and_then(|v| v.force(0))
            {
                force.fill(any() as f32);
            }
            bank.render(&mut out);
            // As the renderer does.
            if out.iter().any(|y| !y.is_finite()) {
                bank.reset_nonfinite();
            }
        }
        // A valid object after all that, under valid conditions.
        let reset = |bank: &mut Bank| {
            bank.set_pascal_db(91.0);
            bank.set_load(1.0);
            bank.set_bus(0, [0.0, 0.0, -1.0], 1.0);
            bank.set_bus(1, [0.0, 0.0, -1.0], 1.0);
        };
        reset(&mut bank);
        bank.reset_nonfinite();
        (0..4).for_each(|place| bank.release(place));
        for _ in 0..80 {
            bank.render(&mut out);
            if out.iter().any(|y| !y.is_finite()) {
                bank.reset_nonfinite();
            }
            while bank.take_retired().is_some() {}
        }
        assert!((0..4).all(|place| bank.voice(place).is_none()), "case {case}");
        let got = valid_object(&mut bank);
        let mut new_bank = Bank::new(settings).unwrap();
        reset(&mut new_bank);
        let expected = valid_object(&mut new_bank);
        if expected.iter().all(|y| *y == 0.0) {
            // Absurd settings may make everything inaudible.
            assert!(!has_valid_settings && got == expected, "case {case}");
            continue;
        }
        heard += 1;
        // Both banks do the same in single precision, at other block numbers.
        let snr = snr_db(&widen(&expected), &got);
        assert!(snr > 100.0, "case {case}: {snr:.1} dB off a new bank");
        if has_valid_settings {
            let mut truth = vec![0.0; got.len()];
            ring(&mut truth, F_HZ, T60_S, 0.5, 3.0);
            let snr = snr_db(&truth, &got);
            // As a lone mode in `perceptual_partials`. A level 2 dB off gives 12 dB, silence 0 dB.
            assert!(snr > 80.0, "case {case}: {snr:.1} dB off the closed form");
            right += 1;
        }
    }
    foley_measured::check!("perception.hostile_cases", f64::from(cases));
    assert!(right == 120 && heard > 200, "{right} right, {heard} heard");
}
