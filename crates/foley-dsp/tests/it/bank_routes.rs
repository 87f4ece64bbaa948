//! Voices on buses: gains, cross-fades, and audibility at the listener.

use crate::common;

use common::{RATE, decay, snr_db, unmasked, widen};
use foley_dsp::resonator::{
    Bank, BankSettings, Kernel, Listening, Route, Strike, Synthesis, Voice,
};
use std::f64::consts::PI;

const BLOCK: usize = 256;

fn every_synthesis() -> [(Synthesis, Kernel); 4] {
    [
        (Synthesis::Exact, Kernel::PerSample),
        (Synthesis::Exact, Kernel::Spectral),
        (Synthesis::Perceptual(unmasked()), Kernel::PerSample),
        (Synthesis::Masking2004(Listening::default(), 5.0), Kernel::PerSample),
    ]
}

fn bank(synthesis: Synthesis, kernel: Kernel, buses: usize) -> Bank {
    bank_of(BLOCK, synthesis, kernel, buses)
}

fn bank_of(block: usize, synthesis: Synthesis, kernel: Kernel, buses: usize) -> Bank {
    let settings = BankSettings::default()
        .with_synthesis(synthesis)
        .with_kernel(kernel)
        .with_buses(buses)
        .with_block(block);
    Bank::new(settings).unwrap()
}

/// Renders blocks; returns each bus. `before` is called with the number of each block.
fn render(
    bank: &mut Bank,
    blocks: usize,
    mut before: impl FnMut(usize, &mut Bank),
) -> Vec<Vec<f32>> {
    let BankSettings { buses, block: length, .. } = *bank.settings();
    let mut heard = vec![Vec::new(); buses];
    let mut out = vec![0.0; buses * length];
    for block in 0..blocks {
        before(block, bank);
        bank.render(&mut out);
        for (heard, out) in heard.iter_mut().zip(out.chunks_exact(length)) {
            heard.extend_from_slice(out);
        }
    }
    heard
}

/// Adds a voice with these modes and strikes it at the start.
fn ringing(bank: &mut Bank, slot: usize, route: Route, f: &[f64], amplitude: f32) {
    let layout = bank.layout(f, &vec![decay(8.0); f.len()]);
    assert!(bank.insert(slot, Box::new(Voice::new(layout.clone(), 0, 0))).is_ok());
    bank.set_route(slot, route);
    let gains = vec![amplitude; f.len()];
    assert!(bank.strike(slot, Strike::impulse(&layout, &gains, 1.0, 3.5)).is_ok());
}

fn sum(heard: &[Vec<f32>]) -> Vec<f32> {
    (0..heard[0].len()).map(|n| heard.iter().map(|bus| bus[n]).sum()).collect()
}

const MODES: [f64; 4] = [311.0, 1_000.0, 2_370.0, 7_100.0];

#[test]
fn a_gain_scales_the_sound_and_a_bus_carries_it() {
    for (synthesis, kernel) in every_synthesis() {
        let heard = |route: Route| {
            let mut bank = bank(synthesis, kernel, 3);
            ringing(&mut bank, 0, route, &MODES, 0.3);
            render(&mut bank, 40, |_, _| ())
        };
        let plain = heard(Route { bus: 0, gain: 1.0 });
        let routed = heard(Route { bus: 2, gain: 0.25 });
        assert!(routed[0].iter().chain(&routed[1]).all(|y| *y == 0.0));
        let quarter: Vec<f64> = plain[0].iter().map(|y| 0.25 * f64::from(*y)).collect();
        let db = snr_db(&quarter, &routed[2]);
        println!("{synthesis:?} {kernel:?}");
        foley_measured::check!("emitters.route_gain", db);
    }
}

/// While a voice moves from bus to bus, the sum of the buses stays the same.
#[test]
fn a_cross_fade_loses_nothing() {
    for (synthesis, kernel) in every_synthesis() {
        let heard = |reroutes: bool| {
            let mut bank = bank(synthesis, kernel, 2);
            ringing(&mut bank, 0, Route { bus: 0, gain: 1.0 }, &MODES, 0.3);
            render(&mut bank, 60, |block, bank| {
                if reroutes && block == 20 {
                    bank.set_route(0, Route { bus: 1, gain: 1.0 });
                }
                if reroutes && block == 40 {
                    bank.set_route(0, Route { bus: 0, gain: 1.0 });
                }
            })
        };
        let (still, moved) = (heard(false), heard(true));
        assert!(moved[1][..20 * BLOCK].iter().all(|y| *y == 0.0));
        assert!(moved[0][38 * BLOCK..39 * BLOCK].iter().all(|y| y.abs() < 1e-6));
        let db = snr_db(&widen(&sum(&still)), &sum(&moved));
        // Partials are exact at block borders and continuous in between.
        println!("{synthesis:?} {kernel:?}");
        match synthesis {
            Synthesis::Perceptual(_) => foley_measured::check!("emitters.cross_fade_partials", db),
            _ => foley_measured::check!("emitters.cross_fade", db),
        }
    }
}

/// A gain that changes in each block is followed without steps.
#[test]
fn a_changing_gain_is_a_ramp() {
    for (synthesis, kernel) in every_synthesis() {
        let gain_at = |block: usize| 1.0 + 0.5 * (block as f32 / 9.0).sin();
        let heard = |changes: bool| {
            let mut bank = bank(synthesis, kernel, 1);
            ringing(&mut bank, 0, Route { bus: 0, gain: gain_at(0) }, &[1_000.0], 0.3);
            render(&mut bank, 60, |block, bank| {
                if changes {
                    bank.set_route(0, Route { bus: 0, gain: gain_at(block + 1) });
                }
            })
        };
        let (still, changed) = (heard(false).remove(0), heard(true).remove(0));
        let wanted: Vec<f64> = still
            .iter()
            .enumerate()
            .map(|(n, y)| {
                let (block, part) = (n / BLOCK, (n % BLOCK) as f32 / BLOCK as f32);
                let gain = gain_at(block) + part * (gain_at(block + 1) - gain_at(block));
                f64::from(*y) * f64::from(gain / gain_at(0))
            })
            .collect();
        // A silent voice takes its first gain at once.
        let db = snr_db(&wanted[BLOCK..], &changed[BLOCK..]);
        println!("{synthesis:?} {kernel:?}");
        match synthesis {
            Synthesis::Perceptual(_) => foley_measured::check!("emitters.ramp_partials", db),
            _ => foley_measured::check!("emitters.ramp", db),
        }
    }
}

/// Re-routing leaves a steady tone in its critical band, whatever the phase between the buses: the
/// second bus is heard later, as from 1 m farther away.
#[test]
fn a_rerouted_tone_stays_in_its_critical_band() {
    // Half a second, in whole blocks of any length.
    let (f, change_at) = (1_000.0, 24 * 1024);
    let blocks = [(256, 24), (256, 60), (256, 140), (64, 24), (128, 24), (512, 24), (512, 140)];
    let heard_partials = (Synthesis::Perceptual(Listening::default()), Kernel::PerSample);
    let every_mode = (Synthesis::Exact, Kernel::Auto);
    let cases =
        blocks.map(|case| [(case, heard_partials), (case, every_mode)]).into_iter().flatten();
    for ((block, late), (synthesis, kernel)) in cases {
        let mut bank = bank_of(block, synthesis, kernel, 2);
        ringing(&mut bank, 0, Route { bus: 0, gain: 1.0 }, &[f], 0.3);
        let heard = render(&mut bank, 2 * change_at / block, |number, bank| {
            if number == change_at / block {
                bank.set_route(0, Route { bus: 1, gain: 1.0 });
            }
        });
        let delayed = |n: usize| if n < late { 0.0 } else { heard[1][n - late] };
        let sound: Vec<f64> = (0..heard[0].len())
            .map(|n| f64::from(heard[0][n] + delayed(n)) * (decay(8.0) * n as f64 / RATE).exp())
            .collect();
        // One second around the change, by a window without side lobes above −90 dB.
        let from = sound.len() - 48_000;
        let window = |n: usize| {
            let x = 2.0 * PI * n as f64 / 48_000.0;
            0.358_75 - 0.488_29 * x.cos() + 0.141_28 * (2.0 * x).cos() - 0.011_68 * (3.0 * x).cos()
        };
        let windowed: Vec<f64> = (0..48_000).map(|n| sound[from + n] * window(n)).collect();
        let (mut inside, mut outside) = (0.0, 0.0);
        for hz in 1..5_000 {
            // Goertzel's recurrence.
            let twice_cos = 2.0 * (2.0 * PI * f64::from(hz) / RATE).cos();
            let (mut a, mut b) = (0.0, 0.0);
            for x in &windowed {
                (a, b) = (x + twice_cos * a - b, a);
            }
            // The critical band at 1 kHz is 160 Hz wide (Zwicker).
            let is_inside = (f64::from(hz) - f).abs() <= 80.0;
            *(if is_inside { &mut inside } else { &mut outside }) +=
                a * a + b * b - twice_cos * a * b;
        }
        let db = 10.0 * f64::log10(outside / inside);
        let case = format!("{synthesis:?}, B = {block}, {late} samples later");
        println!("{case}: {db:.1} dB outside");
        foley_measured::check!("emitters.reroute_outside", db);
        // Level in 125 ms, the time constant of a sound level meter.
        let level = |n: usize| {
            let part = &sound[n..n + 6_000];
            10.0 * (part.iter().map(|y| y * y).sum::<f64>() / 6_000.0).log10()
        };
        let before = level(change_at - 6_000);
        let change = |n: usize| (level(n) - before).abs();
        let changes = (change_at - 6_000..change_at + 4_096).step_by(50).map(change);
        foley_measured::check!("emitters.reroute_level", foley_measured::largest(changes));
    }
}

/// What is too far away to be heard rings on, and is heard when it comes near.
#[test]
fn an_object_that_comes_near_is_heard_again() {
    for synthesis in [
        Synthesis::Perceptual(Listening::default()),
        Synthesis::Masking2004(Listening::default(), 5.0),
    ] {
        let heard = |synthesis, far: bool| {
            let mut bank = bank(synthesis, Kernel::PerSample, 1);
            ringing(&mut bank, 0, Route { bus: 0, gain: 1.0 }, &MODES, 1e-3);
            let mut computed = Vec::new();
            let sound = render(&mut bank, 200, |block, bank| {
                let amplitude = if far && block < 100 { 1e-4 } else { 1.0 };
                bank.set_bus(0, [0.0, 1.0, 0.0], amplitude);
                computed.push(bank.report().computed);
            });
            (sound.concat(), computed)
        };
        let (near, _) = heard(Synthesis::Exact, false);
        let (far, computed) = heard(synthesis, true);
        assert_eq!(computed[50], 0, "it is not computed far away");
        assert!(far[20 * BLOCK..100 * BLOCK].iter().all(|y| *y == 0.0));
        let (truth, got) = (&near[110 * BLOCK..], &far[110 * BLOCK..]);
        let power = |y: &[f32]| y.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>();
        let db = 10.0 * (power(got) / power(truth)).log10();
        println!("{synthesis:?}");
        foley_measured::check!("emitters.near_again", db.abs());
        assert!(snr_db(&widen(truth), got) > 20.0);
    }
}

/// One bus split into eight at the same place: the same sounds are audible.
#[test]
fn splitting_a_bus_changes_nothing() {
    let heard = |split: bool| {
        let mut bank = bank(Synthesis::Perceptual(Listening::default()), Kernel::PerSample, 8);
        for slot in 0..8 {
            // One mode in each band: many modes of a band become one partial on one bus.
            let mode = |k: usize| 100.0 * 1.2f64.powi((8 * k + slot) as i32);
            let modes: Vec<f64> = (0..3).map(mode).collect();
            let bus = if split { slot } else { 0 };
            let loud = 10f32.powf(-2.0 - slot as f32 / 2.0);
            ringing(&mut bank, slot, Route { bus, gain: 1.0 }, &modes, loud);
        }
        let mut computed = 0;
        let sound = render(&mut bank, 400, |_, bank| computed += bank.report().computed);
        (sum(&sound), computed)
    };
    let ((one, one_computed), (eight, eight_computed)) = (heard(false), heard(true));
    let change = eight_computed as f64 / one_computed as f64 - 1.0;
    let db = snr_db(&widen(&one), &eight);
    println!("{one_computed} partials became {eight_computed}, {db} dB");
    foley_measured::check!("emitters.split_partials", 100.0 * change.abs());
    foley_measured::check!("emitters.split_sound", db);
}
