//! Decay rates change while things ring.

use crate::common;

use common::{model, snr_db};
use foley_dsp::excitation::Impact;
use foley_dsp::output::OutputSettings;
use foley_engine::{
    AudioBuffer, Engine, EngineError, Listening, Offline, Settings, SurfacePoint, Synthesis, Time,
};
use realfft::num_complex::Complex64;
use std::f64::consts::TAU;

const RATE: f64 = 48_000.0;
const MODES: usize = 40;
/// Times at which a finger touches and leaves, s.
const TOUCHES: [(f64, f64); 2] = [(0.1003, 0.1512), (0.3, 0.37)];
const SECONDS: f64 = 0.6;

fn settings(synthesis: Synthesis, block: usize) -> Settings {
    let output = OutputSettings::default().with_limiter(None);
    Settings::default().with_block(block).with_output(output).with_synthesis(synthesis)
}

/// Some modes are damped much, others hardly; fast and slow ones.
fn touched(decays: &[f64]) -> Vec<f64> {
    decays
        .iter()
        .enumerate()
        .map(|(n, d)| d + if n % 5 == 4 { 400.0 } else { 7.0 * n as f64 })
        .collect()
}

/// Hard strikes, and soft ones that last while decays change.
fn strikes() -> Vec<(Impact, f64)> {
    let mut strikes = vec![(Impact::new(0.02, 0.01).unwrap(), 0.097)];
    for n in 0..8 {
        strikes.push((Impact::new(0.003, 1e-7).unwrap(), 0.01 + 0.0613 * f64::from(n)));
    }
    strikes
}

fn render(settings: Settings, contacts: &[(f64, f64)]) -> Vec<f32> {
    let (mut engine, renderer) = Engine::new(settings).unwrap();
    let model = model(MODES, 150.0);
    let decays = touched(&model.decays);
    let object = engine.add(model).unwrap();
    for (impact, at_s) in strikes() {
        engine.strike_with(object, SurfacePoint::Point(0), impact, at_s).unwrap();
    }
    for (from_s, to_s) in contacts {
        engine.set_decays(object, Some(&decays), *from_s).unwrap();
        engine.set_decays(object, None, *to_s).unwrap();
    }
    let mut offline = Offline::new(engine, renderer);
    let sound = AudioBuffer::render(&mut offline, SECONDS, |_| ());
    assert_eq!(offline.engine.report().refused, 0);
    sound.samples
}

/// Each mode by itself, in double precision: `S ← z S + a x` with the decays of the block.
fn reference(block: usize) -> Vec<f32> {
    let model = model(MODES, 150.0);
    let damped = touched(&model.decays);
    let gains = model.gains_of_point(0);
    let mut force = vec![0.0f32; (SECONDS * RATE) as usize];
    let (mut jumps, mut sound) = (vec![], vec![0.0; force.len()]);
    for (impact, at_s) in strikes() {
        if impact.duration_s() > 1e-4 {
            impact.sample_into(at_s * RATE, RATE, &mut force, 0);
            // A soft contact is heard without the part by which modes give way like springs.
            let mut pulse = vec![0.0f32; force.len()];
            impact.sample_into(at_s * RATE, RATE, &mut pulse, 0);
            let modes = gains.iter().zip(&model.frequencies_hz).zip(&model.decays);
            let offset: f64 = modes
                .filter(|((_, f), _)| **f < 0.5 * RATE)
                .map(|((gain, f), d)| {
                    let z = (Complex64::new(-d, TAU * f) / RATE).exp();
                    f64::from(*gain) * (z / (1.0 - z)).im
                })
                .sum();
            sound.iter_mut().zip(&pulse).for_each(|(y, x)| *y -= offset * f64::from(*x));
        } else {
            jumps.push((impact.impulse_ns(), (at_s + 0.5 * impact.duration_s()) * RATE));
        }
    }
    let block_of = |at_s: f64| (at_s * RATE) as usize / block;
    let is_touched = |n: usize| {
        TOUCHES.iter().any(|(from, to)| (block_of(*from)..block_of(*to)).contains(&(n / block)))
    };
    for m in (0..MODES).filter(|m| model.frequencies_hz[*m] < 0.5 * RATE) {
        let pole =
            |decays: &[f64]| Complex64::new(-decays[m], TAU * model.frequencies_hz[m]) / RATE;
        let poles = [pole(&model.decays), pole(&damped)];
        let gain = f64::from(gains[m]);
        let mut state = Complex64::ZERO;
        for n in 0..force.len() {
            let lambda = poles[usize::from(is_touched(n))];
            for (impulse, at) in &jumps {
                if at.ceil() as usize == n {
                    state += gain * impulse * (lambda * (at.ceil() - at)).exp();
                }
            }
            // A sampled force acts on the samples after its own; so does a jump on its own and after.
            sound[n] += state.im;
            state += gain * f64::from(force[n]);
            state *= lambda.exp();
        }
    }
    sound.into_iter().map(|y| y as f32).collect()
}

#[test]
fn the_sound_is_that_of_modes_with_piecewise_constant_decays() {
    for block in [64, 512] {
        let found = render(settings(Synthesis::Exact, block), &TOUCHES);
        let truth = reference(block);
        let (free, touched) =
            (render(settings(Synthesis::Exact, block), &[]), snr_db(&truth, &found));
        println!("block {block}: {touched:.1} dB; without touches {:.1} dB", snr_db(&truth, &free));
        foley_measured::check!("supports.switch", -touched);
        assert!(snr_db(&truth, &free) < 20.0, "the touches are heard");
    }
}

/// With partials, levels follow as with all modes, and nothing is lost.
#[test]
fn every_synthesis_follows() {
    let level = |part: &[f32]| {
        10.0 * part.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>().max(1e-30).log10()
    };
    let truth = render(settings(Synthesis::Exact, 256), &TOUCHES);
    let heard = Listening::default();
    for synthesis in [Synthesis::Perceptual(heard), Synthesis::Masking2004(heard, 5.0)] {
        let found = render(settings(synthesis, 256), &TOUCHES);
        for (n, (found, truth)) in found.chunks(2400).zip(truth.chunks(2400)).enumerate() {
            let difference = level(found) - level(truth);
            assert!(difference.abs() < 1.5, "{synthesis:?} at {} ms: {difference:.2} dB", 50 * n);
        }
    }
}

#[test]
fn wrong_decays_are_refused() {
    let (mut engine, _renderer) = Engine::new(Settings::default()).unwrap();
    let object = engine.add(model(3, 300.0)).unwrap();
    let error = |decays: &[f64], engine: &mut Engine| {
        engine.set_decays(object, Some(decays), Time::Now).unwrap_err()
    };
    assert!(matches!(error(&[1.0], &mut engine), EngineError::Decays { given: 1, modes: 3 }));
    for wrong in [-1.0, f64::NAN, f64::INFINITY, 1e8] {
        let found = error(&[1.0, wrong, 1.0], &mut engine);
        assert!(matches!(found, EngineError::DecayRate { .. }), "{found}");
    }
    engine.remove(object).unwrap();
    assert!(engine.set_decays(object, None, Time::Now).is_err());
}
