//! One scene, one sound: from its own trace, in steps of any length, in blocks of any size.

mod common;

use common::heard::{prepared, scene, whole};
use foley_dsp::output::OutputSettings;
use foley_engine::Source;
use foley_scene::Scene;
use foley_scene::stage::{Performer, Rendered, Rendering, Told, render, write_trace};
use std::sync::Arc;

/// Falls, slides, rolls, is struck and scraped, under hail.
const BUSY: &str = r#"
seconds = 2
full_scale_pa = 100
ground = "concrete"
[hail]
per_second = 300
cloud = { position = [0, 0, 6], radius = 0.5, drift = [0.1, 0] }
wind = [0.3, 0]
restitution = 0.2
[[object]]
name = "table"
shape = "plate:600x400x10mm"
material = "wood"
max_modes = 80
motion = "fixed"
position = [0, 0, 0.3]
rotation = [0, 8, 0]
[[object]]
name = "bar"
shape = "bar:200x20x5mm"
material = "steel"
position = [-0.1, 0, 0.5]
rotation = [5, 10, 20]
copies = 3
step = [0.05, 0.03, 0.2]
[[object]]
name = "marble"
shape = "ball:20mm"
material = "glass"
silent = true
position = [-0.2, 0.1, 0.4]
[[strike]]
object = "table"
at_s = 0.3001
[[strike]]
object = "bar 2"
at_s = 1.1
[[scrape]]
object = "table"
at_s = 0.2
along = [[-0.1, 0, 0], [0.1, 0, 0]]
speed_m_s = 0.3
"#;

fn heard(scene: &Arc<Scene>, rendering: &Rendering) -> Rendered {
    render(scene, &prepared(scene), rendering, &mut |_| true).unwrap().unwrap()
}

fn assert_same(what: &str, a: &[f32], b: &[f32]) {
    assert_eq!(a.len(), b.len(), "{what}");
    let differs = a.iter().zip(b).position(|(a, b)| a.to_bits() != b.to_bits());
    let at_s = differs.map(|k| k as f64 / 96_000.0);
    assert!(differs.is_none(), "{what}: differs from {at_s:?} s on");
}

#[test]
fn a_scene_sounds_the_same_from_its_own_trace() {
    let folder = tempfile::tempdir().unwrap();
    let simulated_scene = scene(BUSY);
    for rendering in [whole(), Rendering::default()] {
        let simulated = heard(&simulated_scene, &rendering);
        assert!(simulated.heard.impacts > 3 && simulated.heard.rubs > 1, "{:?}", simulated.heard);
        assert!(simulated.heard.stones.heard > 50, "{:?}", simulated.heard);
        let file = std::fs::File::create(folder.path().join("own.jsonl")).unwrap();
        write_trace(&simulated_scene, &simulated.told, file).unwrap();
        let mut traced_scene = (*simulated_scene).clone();
        traced_scene.folder = folder.path().to_owned();
        traced_scene.trace = Some("own.jsonl".into());
        let traced = heard(&Arc::new(traced_scene), &rendering);
        // The simulation goes on to the end of its last step.
        let heard = simulated.told.iter().filter(|told| at_s(&simulated_scene, told) < 2.0);
        for (simulated, traced) in heard.zip(&traced.told) {
            assert_eq!(simulated, traced);
        }
        assert_same("from its trace", &simulated.samples, &traced.samples);
        assert_eq!(simulated.heard.stones.heard, traced.heard.stones.heard);
    }
}

#[test]
fn steps_of_any_length_sound_the_same() {
    let scene = scene(BUSY);
    let usual = heard(&scene, &whole());
    let in_order = usual.told.iter().map(|told| at_s(&scene, told));
    assert!(in_order.is_sorted(), "what happens is told in order of time");
    for step_s in [0.0013, 0.02, 0.7, 100.0, 0.0, -1.0, f64::NAN, 1e-300, f64::INFINITY] {
        let other = heard(&scene, &Rendering { step_s, ..whole() });
        assert_same(&format!("steps of {step_s} s"), &usual.samples, &other.samples);
    }
}

fn at_s(scene: &Scene, told: &Told) -> f64 {
    match told {
        Told::Event(event) => event.at_s(),
        Told::Strike(number) => scene.strikes[*number].at_s,
    }
}

/// A host asks for any number of frames; what happens is told before each of the engine's blocks,
/// as in `render`.
#[test]
fn blocks_of_any_size_sound_the_same() {
    let scene = scene(BUSY);
    let prepared = prepared(&scene);
    let usual = heard(&scene, &whole());
    for host in [1, 37, 64, 480, 511, 512] {
        let mut settings = whole().settings;
        settings.full_scale_pa = 100.0;
        let (rate, block) = (f64::from(settings.sample_rate_hz), settings.block);
        let output = OutputSettings::default();
        let (mut performer, mut mix) =
            Performer::new(Arc::clone(&scene), &prepared, settings, output).unwrap();
        let late = mix.latency_frames();
        let mut samples = vec![0.0; usual.samples.len() + 2 * late];
        let mut waiting = usual.told.iter().peekable();
        for (number, samples) in samples.chunks_mut(2 * block).enumerate() {
            let end_s = ((number + 1) * block) as f64 / rate;
            while let Some(one) = waiting.next_if(|one| at_s(&scene, one) < end_s) {
                performer.hear(one).unwrap();
            }
            performer.engine().update();
            samples.chunks_mut(2 * host).for_each(|part| mix.fill(part));
        }
        assert_same(&format!("{host} frames"), &usual.samples, &samples[2 * late..]);
    }
}
