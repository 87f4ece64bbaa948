//! Random settings, objects and actions: no panic, and every sample is finite.

use crate::common;

use common::*;
use foley_dsp::excitation::Impact;
use foley_dsp::resonator::{Bank, BankError, BankSettings, Kernel, Retired, Strike, Voice};
use foley_dsp::simd::Cpu;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn frequency() -> impl Strategy<Value = f64> {
    prop_oneof![
        20 => 1.0..30_000.0f64,
        3 => 0.0..1.0f64,
        1 => prop::num::f64::ANY,
        1 => -1e4..0.0f64,
        1 => Just(24_000.0),
        1 => Just(f64::NAN),
    ]
}

fn decay_rate() -> impl Strategy<Value = f64> {
    prop_oneof![
        20 => (-1.0..4.0f64).prop_map(|x| 10f64.powf(x)),
        2 => (4.0..9.0f64).prop_map(|x| 10f64.powf(x)),
        1 => Just(0.0),
        1 => prop::num::f64::ANY,
        1 => Just(f64::INFINITY),
        1 => Just(f64::NAN),
        1 => -1e3..0.0f64,
    ]
}

fn gain() -> impl Strategy<Value = f32> {
    prop_oneof![10 => -100.0..100.0f32, 1 => Just(f32::NAN), 1 => Just(0.0f32), 1 => Just(1e-38f32)]
}

fn start() -> impl Strategy<Value = f64> {
    prop_oneof![10 => -100.0..20_000.0f64, 1 => Just(f64::NAN), 1 => Just(1e300), 1 => Just(-1e300)]
}

#[derive(Debug, Clone)]
enum Action {
    Insert { place: usize, object: usize, contacts: usize, reference: bool },
    Release(usize),
    Impulse { place: usize, object: usize, at: f64, impulse: f64 },
    Impact { place: usize, object: usize, at: f64, seconds: f64 },
    Move { place: usize, object: usize, contact: usize, shift: usize },
    Push { place: usize, contact: usize, at: usize, force: f32 },
    ResetNonfinite,
    TakeRetired,
}

fn action() -> impl Strategy<Value = Action> {
    let target = || (0..4usize, 0..3usize);
    let force = prop_oneof![8 => -1.0..1.0f32, 1 => Just(f32::NAN), 1 => Just(f32::INFINITY)];
    prop_oneof![
        3 => (target(), 0..4usize, prop::bool::weighted(0.1)).prop_map(
            |((place, object), contacts, reference)| Action::Insert { place, object, contacts, reference }
        ),
        1 => (0..4usize).prop_map(Action::Release),
        4 => (target(), start(), -10.0..10.0f64)
            .prop_map(|((place, object), at, impulse)| Action::Impulse { place, object, at, impulse }),
        4 => (target(), start(), (-6.0..-0.5f64).prop_map(|x| 10f64.powf(x)))
            .prop_map(|((place, object), at, seconds)| Action::Impact { place, object, at, seconds }),
        3 => (target(), 0..4usize, 0..5usize).prop_map(
            |((place, object), contact, shift)| Action::Move { place, object, contact, shift }
        ),
        5 => (0..4usize, 0..4usize, 0..2_000usize, force)
            .prop_map(|(place, contact, at, force)| Action::Push { place, contact, at, force }),
        1 => Just(Action::ResetNonfinite),
        1 => Just(Action::TakeRetired),
    ]
}

type Object = (Vec<f64>, Vec<f64>, Vec<f32>);

fn object() -> impl Strategy<Value = Object> {
    prop::collection::vec((frequency(), decay_rate(), gain()), 0..60).prop_map(|modes| {
        let (f, rest): (Vec<_>, Vec<_>) = modes.into_iter().map(|(f, d, g)| (f, (d, g))).unzip();
        let (d, g) = rest.into_iter().unzip();
        (f, d, g)
    })
}

fn act(bank: &mut Bank, objects: &[Object], action: Action) {
    match action {
        Action::Insert { place, object, contacts, reference } => {
            let layout = bank.layout(&objects[object].0, &objects[object].1);
            let make = if reference { Voice::reference } else { Voice::new };
            let _ = bank.insert(place, Box::new(make(layout, contacts, place % 3)));
        }
        Action::Release(place) => bank.release(place),
        Action::Impulse { place, object, at, impulse } => {
            let (f, d, gains) = &objects[object];
            let strike = Strike::impulse(&bank.layout(f, d), gains, impulse, at);
            let _ = bank.strike(place, strike);
        }
        Action::Impact { place, object, at, seconds } => {
            let (f, d, gains) = &objects[object];
            let impact = Impact::new(1.0, seconds).unwrap();
            let _ = bank.strike(place, Strike::new(&bank.layout(f, d), gains, &impact, at));
        }
        Action::Move { place, object, contact, shift } => {
            let (f, d, gains) = &objects[object];
            let mut gains = gains.clone();
            let shift = shift.min(gains.len());
            gains.rotate_left(shift);
            let gains = bank.layout(f, d).gains(&gains);
            if let Some(voice) = bank.voice_mut(place) {
                voice.move_contact(contact, gains);
            }
        }
        Action::Push { place, contact, at, force } => {
            if let Some(x) = bank.voice_mut(place).and_then(|v| v.force(contact)) {
                let at = at % x.len();
                x[at..].fill(force);
            }
        }
        Action::ResetNonfinite => bank.reset_nonfinite(),
        Action::TakeRetired => {
            if let Some(Retired::Voice(_, voice)) = bank.take_retired() {
                let _ = bank.insert(3, voice);
            }
        }
    }
}

fn config() -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(1);
    ProptestConfig { failure_persistence: None, rng_seed, ..ProptestConfig::with_cases(400) }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn whatever_happens_the_sound_is_finite(
        objects in prop::collection::vec(object(), 3),
        rounds in prop::collection::vec(prop::collection::vec(action(), 0..6), 1..30),
        block in prop::sample::select(vec![32usize, 64, 128, 256, 512, 1024]),
        kernel in prop::sample::select(KERNELS.to_vec()),
        cpu in prop::sample::select(vec![Cpu::Best, Cpu::Avx2, Cpu::Portable]),
        strikes in 0..20usize,
    ) {
        let settings =
            BankSettings::default()
                .with_block(block)
                .with_kernel(kernel)
                .with_cpu(cpu)
                .with_strikes(strikes)
                .with_voices(4)
                .with_buses(2);
        let mut bank = Bank::new(settings).unwrap();
        let mut out = vec![0.0; 2 * block];
        for round in rounds {
            for action in round {
                act(&mut bank, &objects, action);
            }
            bank.render(&mut out);
            prop_assert!(out.iter().all(|y| y.is_finite()));
            for place in 0..4 {
                let Some(voice) = bank.voice(place) else { continue };
                prop_assert!((0..60).all(|m| voice.energy(m).is_finite()));
            }
        }
    }

    #[test]
    fn settings_are_refused_or_work(
        block in prop_oneof![0..2_000usize, prop::sample::select(vec![32usize, 1024, 2048])],
        rate in prop_oneof![1e3..1e6f64, prop::num::f64::ANY],
        length in 0..5_000usize,
    ) {
        let settings = BankSettings::default()
            .with_block(block)
            .with_sample_rate_hz(rate)
            .with_voices(1)
            .with_buses(0);
        match Bank::new(settings) {
            Ok(mut bank) => {
                prop_assert!([32, 64, 128, 256, 512, 1024].contains(&block));
                let layout = bank.layout(&[440.0, 1e4], &[3.0, 50.0]);
                bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0))).unwrap();
                bank.strike(0, Strike::impulse(&layout, &[1.0; 2], 1.0, 0.5)).unwrap();
                // A buffer of the wrong length must not panic.
                let mut out = vec![f32::NAN; length];
                bank.render(&mut out);
                prop_assert!(out.iter().all(|y| y.is_finite()));
            }
            Err(BankError::Block(b)) => prop_assert_eq!(b, block),
            Err(BankError::SampleRate(_)) => prop_assert!(!(8e3..=768e3).contains(&rate)),
        }
    }
}

/// Invalid modes are silent; the others are unchanged.
#[test]
fn invalid_modes_are_silent() {
    let bad = [
        (-440.0, 3.0),
        (f64::NAN, 3.0),
        (f64::INFINITY, 3.0),
        (f64::NEG_INFINITY, 3.0),
        (300.0, f64::NAN),
        (300.0, f64::INFINITY),
        (300.0, -5.0),
        (300.0, f64::NEG_INFINITY),
    ];
    for kernel in [Kernel::PerSample, Kernel::Spectral] {
        let mut job =
            Job { f: vec![1_000.0], d: vec![decay(0.5)], samples: 4_096, ..Job::default() };
        job.impulses = vec![(5.5, vec![1.0; 9])];
        let truth = job.truth(512);
        job.f.extend(bad.map(|(f, _)| f));
        job.d.extend(bad.map(|(_, d)| d));
        let snr = snr_db(&truth, &job.play(kernel, 512));
        assert!(snr > 100.0, "{kernel:?}: {snr:.1} dB");
        let snr = snr_db(&truth, &job.reference(512));
        assert!(snr > 140.0, "reference: {snr:.1} dB");
    }
}
