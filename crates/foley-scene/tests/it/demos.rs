//! The built-in scenes are valid and sound; the xylophone is in tune and in time.

use crate::common::sound::prepared;
use crate::measure;

use foley_geometry::constants::SOUND_SPEED_M_S;
use foley_scene::Scene;
use foley_scene::demos::score::{Note, entertainer};
use foley_scene::demos::tuning::equal_temperament_hz;
use foley_scene::demos::{DEMOS, xylophone};
use foley_scene::scene::Level;
use foley_scene::sonify::{EventSource, RenderSettings, Rendered, render};
use glam::DVec3;
use measure::{frequency_hz, onset_s};
use std::sync::Arc;

fn rendered(scene: Scene) -> Rendered {
    let scene = Arc::new(scene);
    render(&scene, &prepared(&scene), &RenderSettings::default(), &mut |_| true).unwrap().unwrap()
}

#[test]
fn every_demo_reads_back_as_the_same_scene() {
    for demo in &DEMOS[1..] {
        let scene = demo.scene().unwrap();
        let mut again = Scene::parse(&scene.to_toml()).unwrap();
        again.folder.clone_from(&scene.folder);
        assert!(again == scene, "{}", demo.name);
        assert_eq!(scene.level, Level::Loudness(-16.0));
    }
}

/// Overlapping bodies would be pushed apart at the start.
#[test]
fn no_demo_begins_with_bodies_inside_each_other() {
    for demo in &DEMOS[1..] {
        let scene = demo.scene().unwrap();
        let prepared = scene.prepare_geometry().unwrap();
        let event_source = EventSource::new(&scene, &prepared).unwrap();
        let deepest = event_source.overlaps(1e-3);
        assert!(deepest.is_empty(), "{}: {deepest:?}", demo.name);
    }
    let rings = foley_scene::demos::named("rings").unwrap().scene().unwrap();
    assert_eq!(rings.objects.iter().filter(|object| object.name.contains("ring ")).count(), 100);
}

/// Without `rings` and `bell`, which take long to bake (below), and `picnic`, which needs a file.
#[test]
fn every_demo_sounds_finite_and_unclipped() {
    for demo in DEMOS.iter().filter(|demo| !["picnic", "rings", "bell"].contains(&demo.name)) {
        sounds(demo.name, 1.5);
    }
}

#[test]
#[ignore = "bakes the modes of rings and a bell: `make test` runs it by itself, after the others"]
fn baked_demos_sound_finite_and_unclipped() {
    ["rings", "bell"].into_iter().for_each(|name| sounds(name, 1.5));
}

fn sounds(name: &str, seconds: f64) {
    let mut scene = foley_scene::demos::named(name).unwrap().scene().unwrap();
    scene.seconds = seconds;
    let rendered = rendered(scene);
    let peak = rendered.sound.samples.iter().fold(0f32, |peak, x| peak.max(x.abs()));
    assert!(rendered.sound.samples.iter().all(|x| x.is_finite()), "{name}");
    assert!((0.05..1.0).contains(&peak), "{name} peaks at {peak}");
    assert!(rendered.lost.is_empty(), "{name}: {:?}", rendered.lost);
}

/// Returns the sum of left and right.
fn mono(rendered: &Rendered) -> Vec<f64> {
    rendered.sound.samples.chunks_exact(2).map(|x| f64::from(x[0]) + f64::from(x[1])).collect()
}

/// All bars in turn: each within five cents of equal temperament.
#[test]
fn the_xylophone_is_in_tune() {
    let notes: Vec<Note> = (0..xylophone::BARS)
        .map(|i| Note { number: xylophone::LOWEST + i, begins: u32::from(i) })
        .collect();
    let apart_s = 0.6;
    let rendered = rendered(xylophone::play("scale", &notes, apart_s).unwrap());
    let rate = f64::from(rendered.sound.sample_rate_hz);
    let sound = mono(&rendered);
    let mut worst = 0f64;
    for note in &notes {
        let begin = ((xylophone::strike_time_s(note, apart_s) + 0.02) * rate) as usize;
        let part = &sound[begin..begin + (0.4 * rate) as usize];
        let expected = equal_temperament_hz(note.number);
        let cents = 1200.0 * (frequency_hz(part, rate, expected) / expected).log2();
        assert!(cents.is_finite(), "note {}", note.number);
        worst = worst.max(cents.abs());
    }
    foley_measured::check!("scenes.xylophone_pitch", worst);
}

/// The first bars of the piece: each note begins within a millisecond of its time, after the time of
/// flight from the nearest to the farthest bar.
#[test]
fn the_entertainer_is_in_time() {
    let notes: Vec<Note> = entertainer().into_iter().filter(|note| note.begins < 32).collect();
    let scene = xylophone::play("The Entertainer", &notes, xylophone::SIXTEENTH_S).unwrap();
    let listener_m = DVec3::from(scene.listener.position_m);
    let bars = scene.objects.iter().filter(|object| !object.silent);
    let flights_s: Vec<f64> =
        bars.map(|bar| listener_m.distance(bar.pose.position_m.into()) / SOUND_SPEED_M_S).collect();
    let least_s = flights_s.iter().copied().fold(f64::INFINITY, f64::min);
    let most_s = flights_s.iter().copied().fold(0.0, f64::max);
    let rendered = rendered(scene);
    let rate = f64::from(rendered.sound.sample_rate_hz);
    let sound = mono(&rendered);
    let mut worst = 0f64;
    for note in &notes {
        let due_s = xylophone::strike_time_s(note, xylophone::SIXTEENTH_S);
        let late_s = onset_s(&sound, rate, due_s) - due_s;
        worst = worst.max(late_s - most_s).max(least_s - late_s);
    }
    foley_measured::check!("scenes.xylophone_time", 1e3 * worst);
}

/// A die strikes only its own bar, once.
#[test]
fn a_die_strikes_once() {
    let notes: Vec<Note> = entertainer().into_iter().filter(|note| note.begins < 16).collect();
    let scene = xylophone::play("twelve notes", &notes, xylophone::SIXTEENTH_S).unwrap();
    let bars = 1..=usize::from(xylophone::BARS);
    let rendered = rendered(scene);
    let struck = rendered.events.iter().filter(|event| match event {
        foley_scene::sonify::SceneEvent::Physics(foley_physics::Event::Impact(impact)) => {
            impact.bodies.iter().any(|body| bars.contains(&(*body as usize)))
        }
        _ => false,
    });
    assert_eq!(struck.count(), notes.len());
}
