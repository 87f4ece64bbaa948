//! The synthesis changes while things ring.

use crate::common;

use common::{model, scene, snr_db};
use foley_dsp::excitation::Impact;
use foley_dsp::output::OutputSettings;
use foley_engine::{
    Engine, Listening, Offline, RecordedForce, Settings, Source, SurfacePoint, Synthesis,
};
use std::f64::consts::TAU;

const RATE: usize = 48_000;
const PERIOD: usize = RATE / 10;
/// A block in which few modes are handed over.
const SMALL: usize = 64;

fn perceptual() -> Synthesis {
    Synthesis::Perceptual(Listening::default())
}

fn masking_2004() -> Synthesis {
    Synthesis::Masking2004(Listening::default(), 5.0)
}

fn settings(synthesis: Synthesis, block: usize) -> Settings {
    let output = OutputSettings::default().with_limiter(None);
    Settings::default().with_block(block).with_output(output).with_synthesis(synthesis)
}

/// All pairs of old and new synthesis.
fn every_change() -> Vec<Synthesis> {
    let detailed = Synthesis::Perceptual(Listening::default().with_detail(2.0));
    let (exact, heard, rule) = (Synthesis::Exact, perceptual(), masking_2004());
    vec![exact, heard, exact, rule, exact, heard, rule, heard, detailed, rule, detailed, heard]
}

/// Renders `seconds`, beginning each period with the next synthesis of a cycle.
fn render(
    scene: impl Fn(Settings) -> Offline,
    cycle: &[Synthesis],
    block: usize,
    seconds: f64,
) -> Vec<f32> {
    let mut offline = scene(settings(cycle[0], block));
    let mut samples = vec![0.0; (seconds * RATE as f64) as usize];
    for (period, part) in samples.chunks_mut(PERIOD).enumerate() {
        let next = cycle[period % cycle.len()];
        if next != offline.engine.settings().synthesis {
            offline.engine.set_synthesis(next);
        }
        offline.fill(part);
    }
    assert_eq!(offline.engine.report().refused, 0);
    samples
}

/// Bars that were struck once, in quick succession.
fn ringing_bars(settings: Settings) -> Offline {
    let (mut engine, renderer) = Engine::new(settings).unwrap();
    for bar in 0..5 {
        let object = engine.add(model(6, 180.0 * 1.31f64.powi(bar))).unwrap();
        let impact = Impact::new(0.02, 4e-4).unwrap();
        engine.strike_with(object, SurfacePoint::Point(0), impact, 0.005 * f64::from(bar)).unwrap();
    }
    Offline::new(engine, renderer)
}

/// Bars under constant hard and soft strikes, half of them sent long before the synthesis changes, and
/// a scraped one.
fn struck_bars(settings: Settings) -> Offline {
    let (mut engine, renderer, objects) = scene(settings);
    for strike in 0..60 {
        let at_s = 0.04 + 0.0273 * f64::from(strike);
        let place = SurfacePoint::At([f64::from(strike % 7) / 7.0, 0.0, 0.0]);
        let duration_s = if strike % 3 == 0 { 0.009 } else { 3e-4 };
        let impact = Impact::new(0.003, duration_s).unwrap();
        engine.strike_with(objects[strike as usize % 2], place, impact, at_s).unwrap();
    }
    let samples =
        (0..60_000).map(|n| 2e-7 * (n as f32 * 0.37 + 3.0 * (n as f32 * 0.01).sin()).sin());
    engine.move_contact(objects[0], 1, SurfacePoint::At([0.6, 0.0, 0.0])).unwrap();
    let force = RecordedForce { start: 9000, samples: samples.collect() };
    engine.attach_force(objects[0], 1, force).unwrap();
    Offline::new(engine, renderer)
}

/// More modes than are handed over in a block, struck all the time; with positions in front of a
/// listener if the settings are spatial.
fn many_bars(settings: Settings) -> Offline {
    let is_spatial = settings.spatial.is_some();
    let (mut engine, renderer) = Engine::new(settings.with_strikes(512)).unwrap();
    for bar in 0..90 {
        let object = engine.add(model(300, 60.0 + 1.7 * f64::from(bar))).unwrap();
        if is_spatial {
            engine.place(object, [f64::from(bar) / 30.0 - 1.5, 2.0, 0.0]).unwrap();
        }
        for strike in 0..6 {
            let impact = Impact::new(0.01, if strike == 2 { 0.002 } else { 2e-4 }).unwrap();
            let at_s = 0.001 * f64::from(bar) + 0.097 * f64::from(strike);
            engine.strike_with(object, SurfacePoint::Point(0), impact, at_s).unwrap();
        }
    }
    Offline::new(engine, renderer)
}

/// Level of each 50 ms, dB.
fn levels_db(samples: &[f32]) -> Vec<f64> {
    let power = |part: &[f32]| part.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>();
    samples.chunks_exact(PERIOD / 2).map(|part| 10.0 * power(part).log10()).collect()
}

/// Part of the energy of some samples above a frequency, dB, with a Blackman–Harris window.
fn energy_above_db(samples: &[f32], from_hz: f64) -> f64 {
    let count = samples.len() as f64;
    let window = |n: usize| {
        let x = TAU * n as f64 / count;
        0.35875 - 0.48829 * x.cos() + 0.14128 * (2.0 * x).cos() - 0.01168 * (3.0 * x).cos()
    };
    let windowed: Vec<f64> =
        samples.iter().enumerate().map(|(n, y)| f64::from(*y) * window(n)).collect();
    let first = (from_hz * count / RATE as f64) as usize;
    let power = |bin: usize| {
        let terms = windowed.iter().enumerate().map(|(n, y)| {
            let (sin, cos) = (TAU * (bin * n) as f64 / count).sin_cos();
            (y * cos, y * sin)
        });
        let (re, im) = terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
        re * re + im * im
    };
    // Parseval: the bins up to half the rate hold half of the energy.
    let all = 0.5 * count * windowed.iter().map(|y| y * y).sum::<f64>();
    // Every fourth bin: the window spreads each component over eight.
    let above = 4.0 * (first..samples.len() / 2).step_by(4).map(power).sum::<f64>();
    10.0 * (above / all).log10()
}

/// Every 100 ms another synthesis: the waveform stays as close to that of all modes as the syntheses
/// themselves do, every 50 ms have the same level, and nothing is lost.
#[test]
fn changes_of_synthesis_are_not_heard() {
    for block in [128, 512] {
        let at = |cycle: &[Synthesis]| render(struck_bars, cycle, block, 1.9);
        let exact = at(&[Synthesis::Exact]);
        let constant =
            [perceptual(), masking_2004()].map(|synthesis| snr_db(&exact, &at(&[synthesis])));
        let cycle = every_change();
        let switched = at(&cycle);
        let snr = snr_db(&exact, &switched);
        let least = constant[0].min(constant[1]);
        assert!(snr > least, "B {block}: {snr:.1} dB, constant {constant:.1?} dB");
        let levels = levels_db(&exact).into_iter().zip(levels_db(&switched));
        let worst = foley_measured::largest(levels.map(|(a, b)| (a - b).abs()));
        println!("B {block}: {snr:.1} dB, constant {constant:.1?} dB, 50 ms within {worst:.3} dB");
        foley_measured::check!("emitters.switch_levels", worst);
    }
}

/// All modes, before and after any other synthesis, are the same: the state is handed over exactly.
#[test]
fn the_state_survives_every_change() {
    let exact = render(struck_bars, &[Synthesis::Exact], 256, 1.9);
    // Nothing is left out, so that only the hand-over is tested.
    let all = Listening::default().with_margin_db(200.0).with_mask_db(200.0);
    let detailed = Synthesis::Perceptual(all.with_detail(3.0));
    let cycle = [Synthesis::Exact, all_audible(), Synthesis::Exact, detailed];
    let switched = render(struck_bars, &cycle, 256, 1.9);
    let snr = (2..19)
        .step_by(2)
        .map(|period| {
            // From the second block on: the switch is complete, and nothing fades.
            let part = period * PERIOD + 1024..(period + 1) * PERIOD;
            snr_db(&exact[part.clone()], &switched[part])
        })
        .fold(f64::INFINITY, f64::min);
    foley_measured::check!("emitters.switch_back", snr);
}

/// Partials for all modes: far below every threshold nothing is left out.
fn all_audible() -> Synthesis {
    Synthesis::Perceptual(Listening::default().with_margin_db(200.0).with_mask_db(200.0))
}

/// Renders six periods of many bars in blocks of [`SMALL`], each with the next synthesis of a cycle.
fn render_many_bars(cycle: &[Synthesis], change: impl Fn(Settings) -> Settings) -> Vec<f32> {
    let mut offline = many_bars(change(settings(cycle[0], SMALL)));
    let mut samples = vec![0.0; 6 * PERIOD * offline.channels()];
    for (period, part) in samples.chunks_mut(PERIOD * offline.channels()).enumerate() {
        let next = cycle[period % cycle.len()];
        if next != offline.engine.settings().synthesis {
            offline.engine.set_synthesis(next);
        }
        offline.fill(part);
    }
    let report = offline.engine.report();
    assert_eq!((report.refused, report.voices, offline.engine.waiting()), (0, 90, 0));
    samples
}

/// Returns the number of blocks in which a change of many bars is under way.
fn blocks_of_change(old: Synthesis, new: Synthesis) -> usize {
    let mut offline = many_bars(settings(old, SMALL));
    offline.fill(&mut [0.0; PERIOD]);
    offline.engine.set_synthesis(new);
    // Another change begins when this one is complete.
    offline.engine.set_synthesis(old);
    let mut blocks = 0;
    while offline.engine.settings().synthesis == new {
        offline.fill(&mut [0.0; SMALL]);
        offline.engine.update();
        blocks += 1;
    }
    blocks
}

/// A change of several blocks is complete after them: all modes sound as if nothing had changed.
#[test]
fn large_scenes_are_handed_over_gradually() {
    let exact = render_many_bars(&[Synthesis::Exact], Settings::spatial);
    let switched = render_many_bars(&[Synthesis::Exact, all_audible()], Settings::spatial);
    for period in [2, 4] {
        let part = 2 * period * PERIOD + 2000..2 * (period + 1) * PERIOD;
        let snr = snr_db(&exact[part.clone()], &switched[part]);
        println!("period {period}: {snr:.1} dB");
        foley_measured::check!("emitters.switch_large", snr);
    }
}

/// While some voices have the old synthesis and some the new one, samples at the edges of blocks, where
/// partials equal the sum of their modes, are those of all modes: from the first block of a change on.
#[test]
fn edges_of_blocks_are_exact_while_voices_are_handed_over() {
    let (old, new) = (Synthesis::Exact, all_audible());
    let exact = render_many_bars(&[old], |settings| settings);
    let switched = render_many_bars(&[old, new], |settings| settings);
    let blocks = [blocks_of_change(old, new), blocks_of_change(new, old)];
    assert!(blocks.into_iter().all(|blocks| blocks > 1), "{blocks:?} blocks");
    for (period, blocks) in (1..6).zip(blocks.into_iter().cycle()) {
        let edges = |samples: &[f32]| -> Vec<f32> {
            let of_change = samples[period * PERIOD..].iter().step_by(SMALL);
            of_change.take(blocks + 1).copied().collect()
        };
        let snr = snr_db(&edges(&exact), &edges(&switched));
        let all = period * PERIOD..period * PERIOD + blocks * SMALL;
        let all_snr = snr_db(&exact[all.clone()], &switched[all]);
        println!("period {period}: {blocks} blocks, edges {snr:.1} dB, all {all_snr:.1} dB");
        foley_measured::check!("emitters.switch_edges", snr);
        foley_measured::check!("emitters.switch_between_edges", all_snr);
    }
}

/// Loudest energy above all modes in the windows around changes, dB.
fn click_db(sound: &[f32]) -> f64 {
    let periods = 1..sound.len() / PERIOD - 1;
    let around = periods.map(|period| &sound[period * PERIOD - 1024..period * PERIOD + 3072]);
    // The highest mode lies at 4.2 kHz.
    around.map(|part| energy_above_db(part, 7000.0)).fold(f64::NEG_INFINITY, f64::max)
}

/// At a change nothing sounds outside the modes.
#[test]
fn changes_do_not_click() {
    let detailed = Synthesis::Perceptual(Listening::default().with_detail(2.0));
    for block in [128, 512] {
        let click = |cycle: &[Synthesis]| click_db(&render(ringing_bars, cycle, block, 1.6));
        for (old, new) in [
            (Synthesis::Exact, perceptual()),
            (perceptual(), detailed),
            (Synthesis::Exact, masking_2004()),
            (perceptual(), masking_2004()),
        ] {
            let got = click(&[old, new]);
            foley_measured::check!("emitters.switch_click", got);
            println!("B {block}, {got:.1} dB above 7 kHz: {old:?} and {new:?}");
        }
    }
}
