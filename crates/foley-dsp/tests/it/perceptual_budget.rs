//! A hard limit on time, measured by a virtual clock.

use crate::common;

use common::{decay, noise, snr_db, unmasked, widen};
use foley_dsp::resonator::{Bank, BankSettings, Budget, Clock, Strike, Synthesis, Voice};

const OBJECTS: usize = 300;
const MODES: usize = 100;
const BLOCK: usize = 256;
const MICROS: f64 = 60.0;

/// Makes three hundred objects of a hundred modes, each 0.6 dB softer than the one before.
fn many_objects(budget: Option<Budget>) -> Bank {
    let synthesis = Synthesis::Perceptual(unmasked());
    let settings =
        BankSettings::default().with_synthesis(synthesis).with_block(BLOCK).with_budget(budget);
    let mut bank = Bank::new(settings).unwrap();
    let mut random = noise(4);
    for place in 0..OBJECTS {
        let f: Vec<f64> = (0..MODES).map(|_| 3_000.0 + 2_900.0 * random()).collect();
        let layout = bank.layout(&f, &vec![decay(60.0); f.len()]);
        assert!(bank.insert(place, Box::new(Voice::new(layout.clone(), 0, 0))).is_ok());
        let strength = 0.01 * 10f64.powf(-0.03 * place as f64);
        let gains: Vec<f32> = (0..MODES).map(|_| (strength * random()) as f32).collect();
        assert!(bank.strike(place, Strike::impulse(&layout, &gains, 1.0, 10.0)).is_ok());
    }
    bank
}

fn budget(slope: f64) -> Budget {
    Budget { micros: MICROS, slope, clock: Clock::Virtual }
}

/// Returns the load at which all objects together cost `times` the budget.
fn load_for(times: f64) -> f64 {
    let mut bank = many_objects(Some(Budget { micros: 1e9, ..budget(0.0) }));
    let mut out = vec![0.0; BLOCK];
    (0..4).for_each(|_| bank.render(&mut out));
    assert_eq!(bank.report().left_out, 0);
    times * MICROS * 1e3 / bank.report().used_ns as f64
}

/// Half a minute at three times the budget: no block exceeds its time, the loudest objects are
/// intact, and everything returns in the block after the load ends.
#[test]
fn overload_costs_soft_details_only() {
    let load = load_for(3.0);
    for slope in [1.0, f64::INFINITY] {
        let mut bank = many_objects(Some(budget(slope)));
        let mut unlimited = many_objects(None);
        let (mut out, mut all) = (vec![0.0; BLOCK], vec![0.0; BLOCK]);
        let blocks = 30 * 48_000 / BLOCK;
        let (mut got, mut truth, mut used) = (Vec::new(), Vec::new(), Vec::new());
        for block in 0..blocks + 8 {
            bank.set_load(if block < blocks { load } else { 0.9 * load / 3.0 });
            bank.render(&mut out);
            unlimited.render(&mut all);
            let report = bank.report();
            used.push(100.0 * report.used_ns as f64 / (MICROS * 1e3));
            if block < blocks {
                assert!(report.left_out > 0, "block {block}: {report:?}");
            } else {
                assert_eq!(report.left_out, 0, "block {block}: {report:?}");
                assert_eq!(report.audible, OBJECTS * MODES);
            }
            if block > 4 {
                got.extend_from_slice(&out);
                truth.extend(widen(&all));
            }
        }
        // With the loudest first, these are complete and in phase: only soft ones are missing.
        println!("slope {slope}");
        foley_measured::check!("perception.budget_used", foley_measured::largest(used));
        let snr = snr_db(&truth, &got);
        match slope > 1.0 {
            true => foley_measured::check!("perception.overload_loudest_first", snr),
            false => foley_measured::check!("perception.overload", snr),
        }
        let last = got.len() - 4 * BLOCK;
        let snr = snr_db(&truth[last..], &got[last..]);
        foley_measured::check!("perception.after_overload", snr);
    }
}

/// Every waiting voice is served eventually.
#[test]
fn every_waiting_voice_is_served() {
    let mut bank = many_objects(Some(budget(f64::INFINITY)));
    bank.set_load(load_for(3.0));
    let mut out = vec![0.0; BLOCK];
    let mut waiting = [true; OBJECTS];
    for _ in 0..60 * 48_000 / BLOCK {
        let before: Vec<u32> =
            (0..OBJECTS).map(|place| bank.voice(place).map_or(0, Voice::waited)).collect();
        bank.render(&mut out);
        for (place, waiting) in waiting.iter_mut().enumerate() {
            let now = bank.voice(place).map_or(0, Voice::waited);
            // A voice that was served starts to wait again.
            *waiting &= now > before[place];
        }
    }
    assert!(!waiting.contains(&true), "{waiting:?}");
}

/// Voices that are left out or return do not click.
#[test]
fn coming_and_going_is_smooth() {
    let load = load_for(3.0);
    let mut bank = many_objects(Some(budget(f64::INFINITY)));
    let mut unlimited = many_objects(None);
    let (mut out, mut all) = (vec![0.0; BLOCK], vec![0.0; BLOCK]);
    let (mut bend, mut own) = (0f32, 0f32);
    let mut last = [0.0; 2];
    let mut whole_last = [0.0; 2];
    for block in 0..400 {
        bank.set_load(if block % 7 < 3 { load } else { 0.1 * load });
        bank.render(&mut out);
        unlimited.render(&mut all);
        for (n, (y, w)) in out.iter().zip(&all).enumerate() {
            if block > 2 || n > 100 {
                bend = bend.max((y - 2.0 * last[0] + last[1]).abs());
                own = own.max((w - 2.0 * whole_last[0] + whole_last[1]).abs());
            }
            last = [*y, last[0]];
            whole_last = [*w, whole_last[0]];
        }
    }
    foley_measured::check!("perception.overload_steps", f64::from(bend / own));
}

/// A budget into which nothing fits gives silence, one without end everything, and a load that is no
/// number changes nothing afterwards.
#[test]
fn invalid_budgets_do_not_panic() {
    for micros in [0.0, -5.0, f64::NAN, f64::INFINITY, 1e-9] {
        for slope in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut bank = many_objects(Some(Budget { micros, slope, clock: Clock::Virtual }));
            let mut unlimited = many_objects(None);
            let (mut out, mut all) = (vec![0.0; BLOCK], vec![0.0; BLOCK]);
            for load in [1.0, f64::NAN, 0.0, f64::INFINITY, 1.0, 1.0] {
                bank.set_load(load);
                bank.render(&mut out);
                unlimited.render(&mut all);
                assert!(out.iter().all(|y| y.is_finite()), "{micros} {slope} {load}");
            }
            let at = format!("{micros} µs, slope {slope}: {:?}", bank.report());
            match micros {
                f64::INFINITY => assert!(snr_db(&widen(&all), &out) > 100.0, "{at}"),
                _ => assert!(out.iter().all(|y| *y == 0.0), "{at}"),
            }
        }
    }
    let mut bank = many_objects(Some(Budget::live(2_000.0)));
    let mut out = vec![0.0; BLOCK];
    (0..50).for_each(|_| bank.render(&mut out));
    assert!(bank.report().used_ns > 0);
}
