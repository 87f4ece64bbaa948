//! Real-time guarantee of the mode bank: after construction nothing allocates or frees.

use crate::common;
use crate::counting;

use std::hint::black_box;

use common::*;
use counting::calls_during;
use foley_dsp::excitation::{AcceleratedBody, Impact, RigidRadiation};
use foley_dsp::resonator::{
    Bank, Budget, Gains, Kernel, Listening, Retired, Strike, Synthesis, Voice,
};

/// Voices are inserted and released, contacts move, noise and non-finite forces act, impulses and
/// pulses arrive in bursts beyond the capacity; large and small objects.
#[test]
fn the_bank_allocates_nothing() {
    let blocks = 120;
    let all = KERNELS.map(|kernel| (kernel, Synthesis::Exact, None));
    let (listening, tight) = (Listening::default(), Some(Budget::offline(30.0)));
    let perceptual = [
        (Kernel::Auto, Synthesis::Perceptual(listening), None),
        (Kernel::Auto, Synthesis::Perceptual(listening), tight),
        (Kernel::Auto, Synthesis::Perceptual(listening), Some(Budget::live(200.0))),
        (Kernel::Auto, Synthesis::Masking2004(listening, 5.0), None),
    ];
    for (kernel, synthesis, budget) in all.into_iter().chain(perceptual) {
        for block in [64, 512] {
            let settings =
                (*bank(kernel, block).settings()).with_synthesis(synthesis).with_budget(budget);
            let mut bank = Bank::new(settings).unwrap();
            let driven = |b: usize| synthesis == Synthesis::Exact || b % 16 < 6;
            let modes = [3, 90, 700];
            let layouts = modes.map(|n| {
                let d: Vec<f64> = spread_log(n, 0.004, 4.0).into_iter().map(decay).collect();
                bank.layout(&spread_log(n, 30.0, 20_000.0), &d)
            });
            let fresh = |i: usize| Box::new(Voice::new(layouts[i].clone(), 6, 0));
            // Everything that is made off the audio thread, and room for what is returned.
            let mut voices: Vec<(usize, Box<Voice>)> =
                (0..3 * (blocks / 20 + 2)).map(|k| (k % 3, fresh(k % 3))).rev().collect();
            let mut gains: Vec<Vec<Gains>> = (0..3)
                .map(|i| {
                    let one = |k| layouts[i].gains(&random_gains(modes[i], k));
                    (0..6 * blocks as u64).map(one).collect()
                })
                .collect();
            let mut strikes: Vec<(usize, Strike)> = Vec::new();
            for k in 0..8 * blocks {
                let (i, at) = (k % 3, (k / 8 * block) as f64 + (k % 7) as f64 * 8.6);
                let samples = [2.0, 40.0, 3_000.0, 11.0][k % 4];
                let impact = Impact::new(0.01, samples / RATE).unwrap();
                strikes.push((i, Strike::new(&layouts[i], &vec![0.1; modes[i]], &impact, at)));
                let body = AcceleratedBody::new(RigidRadiation::sphere(0.05), 0.1);
                // Voices retire only while there is room for their strikes, too.
                if k % 4 == 0 {
                    let burst = impact.acceleration_noise(&[body], RATE, at);
                    strikes.extend(burst.map(|burst| (i, Strike::burst(burst))));
                }
            }
            strikes.reverse();
            let mut retired: Vec<Retired> = Vec::with_capacity(20 * blocks);
            let mut back: Vec<Gains> = Vec::with_capacity(20 * blocks);
            let mut refused: Vec<Strike> = Vec::with_capacity(20 * blocks);
            let mut refused_voices: Vec<Box<Voice>> = Vec::with_capacity(100);
            let mut out = vec![0.0; block];
            let mut random = noise(1);

            let calls = calls_during(|| {
                for b in 0..blocks {
                    if b % 20 == 0 {
                        for _ in 0..3 {
                            if let Some((place, voice)) = voices.pop() {
                                refused_voices.extend(bank.insert(place, voice).err());
                            }
                        }
                    }
                    // Impacts and clicks.
                    for _ in 0..10 {
                        if let Some((place, strike)) = strikes.pop() {
                            refused.extend(bank.strike(place, strike).err());
                        }
                    }
                    for (place, gains) in gains.iter_mut().enumerate() {
                        let Some(voice) = bank.voice_mut(place) else { continue };
                        for contact in 0..6 {
                            if (b + contact) % 3 > 0
                                && let Some(next) = gains.pop()
                            {
                                back.extend(voice.move_contact(contact, next));
                            }
                            if (b + contact) % 4 > 0
                                && driven(b)
                                && let Some(force) = voice.force(contact)
                            {
                                force.fill_with(|| 1e-3 * random() as f32);
                                force[b % 32] = if b % 13 == 0 { f32::NAN } else { 0.0 };
                            }
                        }
                        black_box(voice.energy(b % 3));
                    }
                    if b % 20 == 17 {
                        (0..3).for_each(|place| bank.release(place));
                    }
                    bank.render(&mut out);
                    if b % 9 == 0 {
                        bank.reset_nonfinite();
                    }
                    while b % 5 == 0
                        && let Some(done) = bank.take_retired()
                    {
                        retired.push(done);
                    }
                    black_box(bank.report());
                }
            });
            println!("{kernel:?}, {synthesis:?}, B {block}");
            foley_measured::check!("reproducible.bank_allocations", calls as f64);
            let voices_back = retired.iter().filter(|r| matches!(r, Retired::Voice(..))).count();
            assert!(voices_back >= 3 && retired.len() > 100, "{voices_back} {}", retired.len());
            assert!(back.len() > 100, "{}", back.len());
            assert!(!strikes.is_empty() || !refused.is_empty(), "some strikes are refused");
        }
    }
}
