//! What a stone costs the thread that prepares blows, and what it would cost mode by mode.

mod common;

use common::heard::{prepared, scene};
use foley::Settings;
use foley::backend::Source;
use foley_dsp::contact::Impact;
use foley_dsp::model::{Gains, ModalModel};
use foley_dsp::output::OutputSettings;
use foley_physics::{Event, Stone};
use foley_scene::stage::{Happening, Performer, Told};
use std::f64::consts::TAU;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Ten thousand stones a second take a fifth of a processor at the most.
const MOST_US: f64 = 20.0;
/// As a part of what a loop over modes with the functions of the library takes; half is usual.
const MOST_OF_NAIVE: f64 = 0.75;

/// A blow mode by mode in double precision, between three points of the surface: its gain, what it
/// radiates, what air leaves of it, and the amplitude a pulse of 0.2 ms gives it.
fn mode_by_mode(model: &ModalModel, stone: &Stone) -> Vec<[f32; 2]> {
    let modes = model.mode_count();
    let impact = Impact::new(stone.mass_kg * stone.speed_m_s, 2e-4).unwrap();
    let first = (stone.at_s * 1e6) as usize % (model.point_count() - 2);
    let mut radiated = 0.0;
    let gain = |n: usize| -> f64 {
        let at = |k: usize| match &model.gains {
            Gains::Normal(gains) => f64::from(gains[(first + k) * modes + n]),
            Gains::Vector { levels, shapes } => {
                let shape = &shapes[3 * ((first + k) * modes + n)..][..3];
                let along: f64 = shape.iter().zip(stone.normal).map(|(s, e)| s.to_f64() * e).sum();
                f64::from(levels[n]) * along
            }
        };
        0.2 * at(0) + 0.3 * at(1) + 0.5 * at(2)
    };
    let amplitude = |n: usize| {
        let (f, d) = (model.frequencies_hz[n], model.decays[n]);
        let p = gain(n) * impact.impulse_ns() * impact.spectrum(TAU * f);
        radiated += p * p / (4.0 * d);
        let left = (-1e-9 * f * f).exp() / 2.0;
        let turned = (-1e-5 * d).exp();
        let (sin, cos) = (1e-5 * TAU * f).sin_cos();
        [cos, sin].map(|x| (p * left * turned * x) as f32)
    };
    let amplitudes = (0..modes).map(amplitude).collect();
    black_box(radiated);
    amplitudes
}

#[test]
#[ignore = "measures this machine: `make bench` runs it"]
fn a_stone_takes_microseconds() {
    let scene = scene(
        r#"
        seconds = 2
        [hail]
        per_second = 10000
        from_s = -3
        cloud = { position = [0, 0, 8], size = [0.99, 0.99] }
        [[object]]
        shape = "plate:1000x1000x2mm"
        material = "steel"
        max_modes = 240
        motion = "fixed"
        position = [0, 0, 0.5]
        "#,
    );
    let prepared = prepared(&scene);
    let model = prepared.things[0].model.as_ref().unwrap();
    assert_eq!(model.mode_count(), 240);
    for (name, settings) in [
        ("everything", Settings::default()),
        ("audible", Settings::default().audible()),
        ("live", Settings { measure_costs: false, budget: None, ..Settings::live(48_000) }),
    ] {
        let (rate, block) = (f64::from(settings.sample_rate_hz), settings.block);
        let mut happening = Happening::new(&scene, &prepared).unwrap();
        let (mut performer, mut mix) =
            Performer::new(Arc::clone(&scene), &prepared, settings, OutputSettings::default())
                .unwrap();
        let mut frames = vec![0.0; 2 * block];
        let (mut told, mut stones) = (Vec::<Told>::new(), 0);
        let [mut finding, mut preparing, mut sounding, mut naive] = [Duration::ZERO; 4];
        for number in 0..(scene.seconds * rate) as usize / block {
            let began = Instant::now();
            let end_s = ((number + 1) * block) as f64 / rate;
            happening.until(end_s, &mut |one| told.push(one)).unwrap();
            finding += began.elapsed();
            let began = Instant::now();
            for one in &told {
                if let Told::Event(Event::Stone(stone)) = one {
                    black_box(mode_by_mode(model, stone));
                }
            }
            naive += began.elapsed();
            let began = Instant::now();
            for one in told.drain(..) {
                stones += u32::from(matches!(one, Told::Event(Event::Stone(_))));
                performer.hear(&one).unwrap();
            }
            performer.engine().update();
            preparing += began.elapsed();
            let began = Instant::now();
            mix.fill(&mut frames);
            sounding += began.elapsed();
        }
        let each = |all: Duration| 1e6 * all.as_secs_f64() / f64::from(stones);
        let (finding, preparing, naive) = (each(finding), each(preparing), each(naive));
        let load = 100.0 * sounding.as_secs_f64() / scene.seconds;
        eprintln!(
            "{name}: {stones} stones; found in {finding:.1} µs each, prepared in {preparing:.1} µs, mode by \
             mode in {naive:.1} µs; audio thread {load:.0} %"
        );
        assert_eq!(performer.heard().refused, 0);
        assert!(preparing < MOST_OF_NAIVE * naive, "{name}: {preparing} µs, naive {naive} µs");
        assert!(stones > 19_000 && preparing < MOST_US, "{name}: {preparing} µs");
    }
}
