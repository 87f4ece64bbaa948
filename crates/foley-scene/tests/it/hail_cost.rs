//! The cost of a hail impact for the thread that prepares excitations.

use crate::common;

use common::sound::{prepared, scene};
use foley_dsp::output::OutputSettings;
use foley_engine::Settings;
use foley_engine::Source;
use foley_physics::Event;
use foley_scene::sonify::{EventSource, SceneEvent, Sonifier};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[test]
#[ignore = "measures this machine: `make bench` runs it"]
fn a_stone_takes_microseconds() {
    let [without, with] = [false, true].map(costs_us);
    let extra = with.iter().zip(&without).map(|(with, without)| with - without);
    foley_measured::check!("hail.prepared_click", extra.fold(0.0, f64::max));
    // At 20 µs ten thousand stones a second take a fifth of a processor.
    foley_measured::check!("hail.prepared", with[0]);
    foley_measured::check!("hail.prepared_audible", with[1]);
    foley_measured::check!("hail.prepared_live", with[2]);
}

/// Returns the microseconds for each stone: everything, what is audible, live.
fn costs_us(clicks: bool) -> Vec<f64> {
    let text = r#"
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
        "#;
    let scene = scene(&format!("acceleration_noise = {clicks}\n{text}"));
    let prepared = prepared(&scene);
    let model = prepared.objects[0].model.as_ref().unwrap();
    assert_eq!(model.mode_count(), 240);
    let mut costs = Vec::new();
    for (name, settings) in [
        ("everything", Settings::default()),
        ("audible", Settings::default().audible()),
        ("live", Settings::live(48_000).with_measure_costs(false).with_budget(None)),
    ] {
        let (rate, block) = (f64::from(settings.sample_rate_hz), settings.block);
        let mut event_source = EventSource::new(&scene, &prepared).unwrap();
        let (mut sonifier, mut renderer) =
            Sonifier::new(Arc::clone(&scene), &prepared, settings, OutputSettings::default())
                .unwrap();
        let mut frames = vec![0.0; 2 * block];
        let (mut events, mut stones) = (Vec::<SceneEvent>::new(), 0);
        let [mut finding, mut preparing, mut sounding] = [Duration::ZERO; 3];
        for number in 0..(scene.seconds * rate) as usize / block {
            let began = Instant::now();
            let end_s = ((number + 1) * block) as f64 / rate;
            event_source.advance_to(end_s, &mut |event| events.push(event)).unwrap();
            finding += began.elapsed();
            let began = Instant::now();
            for event in events.drain(..) {
                stones += u32::from(matches!(event, SceneEvent::Physics(Event::HailImpact(_))));
                sonifier.handle(&event).unwrap();
            }
            sonifier.engine().update();
            preparing += began.elapsed();
            let began = Instant::now();
            renderer.fill(&mut frames);
            sounding += began.elapsed();
        }
        let each = |all: Duration| 1e6 * all.as_secs_f64() / f64::from(stones);
        let (finding, preparing) = (each(finding), each(preparing));
        let load = 100.0 * sounding.as_secs_f64() / scene.seconds;
        eprintln!(
            "{name}: {stones} stones; found in {finding:.1} µs each, prepared in {preparing:.1} µs; \
             audio thread {load:.0} %"
        );
        assert_eq!(sonifier.stats().refused, 0);
        assert!(stones > 19_000, "{name}: {stones} stones");
        costs.push(preparing);
    }
    costs
}
