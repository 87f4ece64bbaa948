//! Invalid input to a perceptual bank: the output stays finite, and the bank keeps working.

use crate::common;

use common::noise;
use foley_dsp::resonator::{Bank, BankSettings, Budget, Listening, Strike, Synthesis, Voice};

const NUMBERS: [f64; 12] =
    [0.0, -1.0, 1e-300, 1e-30, 1e-3, 1.0, 440.0, 23_999.9, 24_000.0, 1e30, f64::INFINITY, f64::NAN];

/// Frequencies, decays, gains, levels and directions of any size: nothing panics, the output after
/// a reset is finite, and a valid object still sounds.
#[test]
fn absurd_objects_levels_and_impulses() {
    let mut cases = 0;
    let mut random = noise(12);
    let mut any = move || NUMBERS[((0.5 * random() + 0.5) * 11.999) as usize];
    for case in 0..300 {
        let listening = Listening::default()
            .with_pascal_db(any())
            .with_margin_db(any())
            .with_mask_db(any())
            .with_detail(any());
        let synthesis = match case % 3 {
            0 => Synthesis::Masking2004(listening, any()),
            _ => Synthesis::Perceptual(listening),
        };
        let budget = (case % 4 == 0).then(|| Budget::offline(any()));
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
        // A valid object after all that.
        bank.set_pascal_db(91.0);
        bank.set_load(1.0);
        bank.reset_nonfinite();
        (0..4).for_each(|place| bank.release(place));
        for _ in 0..80 {
            bank.render(&mut out);
            if out.iter().any(|y| !y.is_finite()) {
                bank.reset_nonfinite();
            }
        }
        assert!((0..4).all(|place| bank.voice(place).is_none()), "case {case}");
        let now = bank.clock() as f64;
        let layout = bank.layout(&[800.0], &[5.0]);
        assert!(bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0))).is_ok());
        assert!(bank.strike(0, Strike::impulse(&layout, &[0.5], 1.0, now + 3.0)).is_ok());
        bank.render(&mut out);
        bank.render(&mut out);
        assert!(out.iter().all(|y| y.is_finite()), "case {case}");
    }
    foley_measured::check!("perception.hostile_cases", f64::from(cases));
}
