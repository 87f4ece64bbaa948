//! Hostile scenes and traces: rendering ends soon and the output is finite and bounded.

use crate::common;

use common::sound::{prepared, scene};
use foley_scene::Scene;
use foley_scene::prepare::ModelCache;
use foley_scene::sonify::{RenderSettings, Rendered, SonifyError, render};
use std::sync::Arc;
use std::time::Instant;

/// −1 dBFS, the limiter's.
const CEILING: f32 = 0.8913;

const BAR: &str = "[[object]]\nshape = \"bar:200x20x5mm\"\nmaterial = \"steel\"\nmax_modes = 12\n";

fn survives(scene: &Arc<Scene>) -> Result<Rendered, SonifyError> {
    let began = Instant::now();
    let rendered = render(scene, &prepared(scene), &RenderSettings::default(), &mut |_| true);
    assert!(began.elapsed().as_secs() < 60, "it took {:?}", began.elapsed());
    let rendered = rendered?.unwrap();
    let bad = rendered.sound.samples.iter().find(|y| !(y.abs() <= CEILING));
    assert_eq!(bad, None, "not finite or above the ceiling");
    Ok(rendered)
}

fn text_survives(text: &str) -> Rendered {
    survives(&scene(text)).unwrap()
}

#[test]
fn missing_or_wrong_files_are_named() {
    let error = |text: &str| Scene::parse(text).unwrap_err().to_string();
    let object = |extra: &str| format!("[[object]]\nmaterial = \"steel\"\n{extra}");
    assert!(error(&object("shape = \"ball:1cm\"\nmass_kg = 0")).contains("mass_kg"));
    assert!(error(&object("shape = \"ball:1cm\"\nwobble = 1")).contains("wobble"));
    assert!(error(&object("shape = \"ball:1cm\"\nvelocity = [1e9, 0, 0]")).contains("velocity"));
    assert!(error(&object("shape = \"ball:1cm\"\nposition = [nan, 0, 0]")).contains("position"));
    let missing = object("mesh = \"nowhere.obj\"");
    let message = match Scene::parse(&missing) {
        Err(error) => error.to_string(),
        Ok(scene) => scene.prepare(&ModelCache::none(), &mut |_| true).unwrap_err().to_string(),
    };
    assert!(message.contains("nowhere.obj"), "{message}");
}

/// A scene made by code was not validated by the reader: NaN and infinity are refused or lost.
#[test]
fn bodies_thrown_beyond_reason_are_lost_or_refused() {
    let text = format!("seconds = 0.5\nground = \"stone\"\n{BAR}position = [0, 0, 1]");
    for speed in [1e4, 1e9, 1e300, f64::INFINITY, f64::NAN] {
        for axis in 0..3 {
            let mut scene = Scene::clone(&scene(&text));
            scene.objects[1].velocity_m_s[axis] = -speed;
            if let Ok(rendered) = survives(&Arc::new(scene)) {
                assert!(speed.is_finite(), "{speed} m/s was accepted");
                assert_eq!(rendered.lost, ["bar 1"], "{speed} m/s");
            }
        }
    }
    for spin in [1e7, 1e300, f64::NAN] {
        let mut scene = Scene::clone(&scene(&text));
        scene.objects[1].spin_deg_s[0] = spin;
        let _ = survives(&Arc::new(scene));
    }
    for number in [1e300, f64::NAN] {
        let mut scene = Scene::clone(&scene(&text));
        scene.listener.position_m[1] = number;
        let _ = survives(&Arc::new(scene));
    }
}

#[test]
fn heaps_that_overlap_stay_bounded() {
    let heap = "ground = \"stone\"\nseconds = 1\n[[object]]\nshape = \"bar:200x20x5mm\"\n\
                material = \"steel\"\nmax_modes = 12\nposition = [0, 0, 0.1]\ncopies = 60\n\
                jitter = { position = [0.02, 0.02, 0.02], turn_deg = 180 }\n";
    let rendered = text_survives(heap);
    assert!(rendered.stats.impacts > 0);
    // All in one and the same place.
    text_survives(&heap.replace("jitter", "#"));
}

#[test]
fn many_objects_are_bounded() {
    let text = "ground = \"stone\"\nseconds = 0.2\n[[object]]\nshape = \"bar:60x8x2mm\"\n\
                material = \"steel\"\nmax_modes = 4\nposition = [0, 0, 0.01]\n\
                grid = [50, 40, 1]\nspacing = [0.07, 0.012, 0]";
    let rendered = text_survives(text);
    assert!(rendered.stats.excitations > 100, "{:?}", rendered.stats);
}

fn traced(lines: &[String]) -> Result<Rendered, SonifyError> {
    let folder = tempfile::tempdir().unwrap();
    let header = "{\"foley_trace\":1,\"bodies\":[\"bar 1\",\"bar 2\"]}".to_owned();
    let text = [&[header], lines].concat().join("\n");
    std::fs::write(folder.path().join("t.jsonl"), text).unwrap();
    let text = format!("seconds = 0.5\nfull_scale_pa = 1\n{BAR}{BAR}");
    let mut scene = Scene::clone(&scene(&text));
    scene.folder = folder.path().to_owned();
    scene.trace = Some("t.jsonl".into());
    survives(&Arc::new(scene))
}

fn impact(at_s: f64, place: &str, impulse_ns: &str, speed_m_s: &str) -> String {
    format!(
        "{{\"impact\":{{\"at_s\":{at_s:?},\"bodies\":[0,1],\"places\":[{place},[0,0,0]],\
         \"normal\":[0,0,1],\"impulse_ns\":{impulse_ns},\"speed_m_s\":{speed_m_s}}}}}"
    )
}

fn contact_line(at_s: f64, contact: u64, place: &str, force_n: &str, speed_m_s: &str) -> String {
    format!(
        "{{\"touch\":{{\"at_s\":{at_s:?},\"contact\":{contact},\"bodies\":[0,1],\
         \"places\":[{place},[0,0,0]],\"normal\":[0,0,1],\"force_n\":{force_n},\
         \"slip_m_s\":{speed_m_s},\"roll_m_s\":{speed_m_s}}}}}"
    )
}

/// Impulses, N·s, and forces, N: up to the limits of a trace.
const STRENGTHS: [&str; 8] = ["0", "5e-324", "1e-30", "1e-3", "1", "1e3", "1e8", "1e13"];
/// The same of speeds, m/s.
const SPEEDS: [&str; 8] = ["0", "5e-324", "1e-30", "1e-3", "1", "1e3", "1e5", "1e6"];
const PLACES: [&str; 4] = ["[0,0,0]", "[1e6,-1e6,1e6]", "[1e-300,0,0]", "[9,9,9]"];

#[test]
fn the_largest_and_smallest_values_of_a_trace_are_survived() {
    let mut cases = 0;
    for a in STRENGTHS {
        for b in SPEEDS {
            let at = |k: usize| 0.01 + 0.05 * k as f64;
            let hits = PLACES.iter().enumerate().map(|(k, place)| impact(at(k), place, a, b));
            let scrapes = PLACES
                .iter()
                .enumerate()
                .map(|(k, place)| contact_line(0.3 + at(k) / 9.0, 7, place, a, b));
            let lines: Vec<String> = hits.chain(scrapes).collect();
            let stats = traced(&lines).unwrap_or_else(|e| panic!("{a} {b}: {e}")).stats;
            assert_eq!(stats.impacts, 4);
            assert!(!stats.lost_j.is_nan(), "{a} {b}");
            cases += 1;
        }
    }
    foley_measured::check!("scenes.invalid_traces", f64::from(cases));
}

#[test]
fn not_a_number_in_a_trace_is_reported_with_its_line() {
    for wrong in ["NaN", "null", "1e999", "-1", "\"1\"", "1e19", "1e308"] {
        let lines = [impact(0.1, "[0,0,0]", "1", "1"), impact(0.2, "[0,0,0]", wrong, "1")];
        let error = traced(&lines).unwrap_err().to_string();
        assert!(error.contains("t.jsonl") && error.contains("line 3"), "{wrong}: {error}");
    }
}

/// Everything at once: more commands and strikes than the queues hold.
#[test]
fn more_than_the_engine_has_room_for_is_left_out_and_counted() {
    let contacts = (0..20_000u64).map(|k| contact_line(0.1, k % 40, "[0.01,0,0]", "1", "0.3"));
    let impacts = (0..17_000).map(|_| impact(0.1, "[0.02,0,0]", "0.1", "1"));
    let lines: Vec<String> = contacts.chain(impacts).collect();
    let rendered = traced(&lines).unwrap();
    assert!(rendered.stats.refused > 0, "{:?}", rendered.stats);
    assert!(rendered.stats.excitations > 100, "{:?}", rendered.stats);
}

/// Two hundred quiet contacts, then eight loud ones: the loud ones sound.
#[test]
fn the_loudest_contacts_sound() {
    let level = |loud: u64| {
        let early = (0..200).map(|k| contact_line(0.1, k, "[0.01,0,0]", "1e-6", "0.01"));
        let late = (0..24).flat_map(move |step| {
            let at_s = 0.2 + f64::from(step) / 240.0;
            (0..loud).map(move |k| contact_line(at_s, 1000 + k, "[0.02,0,0]", "5", "0.5"))
        });
        let lines: Vec<String> = early.chain(late).collect();
        common::sound::rms(&traced(&lines).unwrap())
    };
    let (without, with) = (level(0), level(8));
    assert!(with > 100.0 * without, "{without} {with}");
}

/// A contact that jumps while it is scraped stays one contact.
#[test]
fn places_that_jump_are_survived() {
    let places = ["[-0.1,0,0]", "[0.1,0,0]"];
    let lines: Vec<String> =
        (0..80).map(|k| contact_line(0.005 * k as f64, 3, places[k % 2], "2", "0.4")).collect();
    let rendered = traced(&lines).unwrap();
    assert_eq!(rendered.stats.sustained, 2);
}
