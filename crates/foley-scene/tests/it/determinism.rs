//! Determinism: a scene sounds the same from its own trace, with any step and any block size.

use crate::common;

use common::sound::{exact, prepared, scene};
use foley_dsp::output::OutputSettings;
use foley_engine::Source;
use foley_scene::Scene;
use foley_scene::prepare::ModelCache;
use foley_scene::sonify::{RenderSettings, Rendered, SceneEvent, Sonifier, render};
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

fn rendered(scene: &Arc<Scene>, settings: &RenderSettings) -> Rendered {
    render(scene, &prepared(scene), settings, &mut |_| true).unwrap().unwrap()
}

/// Returns the number of samples that differ in any bit.
fn different(what: &str, a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len(), "{what}");
    let differ = |(a, b): &(&f32, &f32)| a.to_bits() != b.to_bits();
    if let Some(first) = a.iter().zip(b).position(|pair| differ(&pair)) {
        println!("{what}: differs from {} s on", first as f64 / 96_000.0);
    }
    a.iter().zip(b).filter(differ).count() as f64
}

#[test]
fn a_scene_sounds_the_same_from_its_own_trace() {
    let folder = tempfile::tempdir().unwrap();
    let simulated_scene = scene(BUSY);
    for settings in [exact(), RenderSettings::default()] {
        let simulated = rendered(&simulated_scene, &settings);
        assert!(
            simulated.stats.impacts > 3 && simulated.stats.sustained > 1,
            "{:?}",
            simulated.stats
        );
        assert!(simulated.stats.hail.sounded > 50, "{:?}", simulated.stats);
        simulated.write_trace(&simulated_scene, &folder.path().join("own.jsonl")).unwrap();
        let mut traced_scene = (*simulated_scene).clone();
        traced_scene.folder = folder.path().to_owned();
        traced_scene.trace = Some("own.jsonl".into());
        let traced = rendered(&Arc::new(traced_scene), &settings);
        // The simulation runs to the end of its last step.
        let events = simulated.events.iter().filter(|event| at_s(&simulated_scene, event) < 2.0);
        for (simulated, traced) in events.zip(&traced.events) {
            assert_eq!(simulated, traced);
        }
        let differ = different("from its trace", &simulated.sound.samples, &traced.sound.samples);
        foley_measured::check!("scenes.trace", differ);
        assert_eq!(simulated.stats.hail.sounded, traced.stats.hail.sounded);
    }
}

#[test]
fn steps_of_any_length_sound_the_same() {
    let scene = scene(BUSY);
    let usual = rendered(&scene, &exact());
    let in_order = usual.events.iter().map(|event| at_s(&scene, event));
    assert!(in_order.is_sorted(), "events are in order of time");
    for step_s in [0.0013, 0.02, 0.7, 100.0, 0.0, -1.0, f64::NAN, 1e-300, f64::INFINITY] {
        let other = rendered(&scene, &exact().with_step_s(step_s));
        let what = format!("steps of {step_s} s");
        let differ = different(&what, &usual.sound.samples, &other.sound.samples);
        foley_measured::check!("scenes.step", differ);
    }
}

/// Models are solved anew in each pool.
#[test]
fn any_number_of_threads_sounds_the_same() {
    let scene = scene(BUSY);
    let on_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
            let settings = RenderSettings::default();
            render(&scene, &prepared, &settings, &mut |_| true).unwrap().unwrap().sound
        })
    };
    let one = on_threads(1);
    for threads in [2, 8] {
        let differ =
            different(&format!("{threads} threads"), &one.samples, &on_threads(threads).samples);
        foley_measured::check!("scenes.threads", differ);
    }
}

fn at_s(scene: &Scene, event: &SceneEvent) -> f64 {
    match event {
        SceneEvent::Physics(event) => event.at_s(),
        SceneEvent::Strike(number) => scene.strikes[*number].at_s,
    }
}

/// A host asks for any number of frames; events are handled before each of the engine's blocks, as
/// in `render`.
#[test]
fn blocks_of_any_size_sound_the_same() {
    let scene = scene(BUSY);
    let prepared = prepared(&scene);
    let usual = rendered(&scene, &exact());
    for host in [1, 37, 64, 480, 511, 512] {
        let mut settings = exact().engine;
        settings.full_scale_pa = 100.0;
        let (rate, block) = (f64::from(settings.sample_rate_hz), settings.block);
        let output = OutputSettings::default();
        let (mut sonifier, mut renderer) =
            Sonifier::new(Arc::clone(&scene), &prepared, settings, output).unwrap();
        let late = renderer.latency_frames();
        let mut samples = vec![0.0; usual.sound.samples.len() + 2 * late];
        let mut waiting = usual.events.iter().peekable();
        for (number, samples) in samples.chunks_mut(2 * block).enumerate() {
            let end_s = ((number + 1) * block) as f64 / rate;
            while let Some(one) = waiting.next_if(|one| at_s(&scene, one) < end_s) {
                sonifier.handle(one).unwrap();
            }
            sonifier.engine().update();
            samples.chunks_mut(2 * host).for_each(|part| renderer.fill(part));
        }
        let differ =
            different(&format!("{host} frames"), &usual.sound.samples, &samples[2 * late..]);
        foley_measured::check!("scenes.host_block", differ);
    }
}
