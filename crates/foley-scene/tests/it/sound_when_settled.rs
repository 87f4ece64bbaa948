//! Bodies that have settled are silent.

use crate::common;

use common::sound::{exact, prepared, scene};
use foley_scene::sonify::{RenderSettings, Rendered, render};

/// Time for everything to settle and to ring down, s.
const SETTLED_S: f64 = 6.0;

fn rendered(text: &str, settings: &RenderSettings) -> Rendered {
    let scene = scene(text);
    render(&scene, &prepared(&scene), settings, &mut |_| true).unwrap().unwrap()
}

/// Returns the peak after everything has settled. Full scale is a pascal: −100 dBFS are −6 dB SPL.
fn settled_dbfs(what: &str, rendered: &Rendered) -> f64 {
    let settled = (SETTLED_S * f64::from(rendered.sound.sample_rate_hz)) as usize;
    let peak = |samples: &[f32]| samples.iter().fold(0f32, |peak, y| peak.max(y.abs()));
    let (before, after) = rendered.sound.samples.split_at(2 * settled);
    assert!(peak(before) > 1e-3, "{what}: its fall was silent, peak {}", peak(before));
    let dbfs = 20.0 * f64::from(peak(after)).log10();
    println!("{what}: {dbfs:.1} dBFS after it settled");
    dbfs
}

fn falling_object(seconds: f64, physics_hz: f64, object: &str) -> String {
    format!(
        "seconds = {seconds}\nfull_scale_pa = 1\nphysics_hz = {physics_hz}\nground = \"concrete\"\n\
         [listener]\nposition = [0, -1, 0.5]\n\
         [[object]]\nname = \"object\"\n{object}\nposition = [0, 0, 0.3]\nrotation = [10, 20, 5]"
    )
}

const OBJECTS: [&str; 4] = [
    "shape = \"bar:300x30x8mm\"\nmaterial = \"hardwood\"",
    "shape = \"plate:200x150x4mm\"\nmaterial = \"plastic\"",
    "shape = \"box:100x80x60mm\"\nmaterial = \"wood\"\nmax_modes = 60",
    "shape = \"disc:160x4mm\"\nmaterial = \"hardwood\"",
];

fn bodies(seconds: f64, rates_hz: &[f64]) {
    for object in OBJECTS {
        for rate_hz in rates_hz {
            let text = falling_object(seconds, *rate_hz, object);
            let what = format!("{object} at {rate_hz} Hz");
            foley_measured::check!(
                "scenes.settled",
                settled_dbfs(&what, &rendered(&text, &exact()))
            );
        }
    }
}

fn stack(seconds: f64) {
    let text = format!(
        "seconds = {seconds}\nfull_scale_pa = 1\nground = \"concrete\"\n\
         [listener]\nposition = [0, -2, 2]\n\
         [[object]]\nname = \"box\"\nshape = \"box:100x100x100mm\"\nmaterial = \"wood\"\n\
         max_modes = 40\nposition = [0, 0, 0.051]\ncopies = 50\nstep = [0, 0, 0.1002]"
    );
    let rendered = rendered(&text, &RenderSettings::default());
    assert!(rendered.lost.is_empty());
    foley_measured::check!("scenes.settled_stack", settled_dbfs("fifty boxes", &rendered));
}

#[test]
fn a_body_that_lies_is_silent() {
    bodies(9.0, &[60.0, 240.0]);
}

#[test]
fn a_stack_of_fifty_boxes_is_silent() {
    stack(9.0);
}

#[test]
#[ignore = "minutes of sound: `make test` runs it by itself, after the others"]
fn a_body_that_lies_for_a_minute_is_silent() {
    bodies(60.0, &[60.0, 120.0, 240.0, 480.0]);
}

#[test]
#[ignore = "a minute of fifty boxes: `make test` runs it by itself, after the others"]
fn a_stack_of_fifty_boxes_is_silent_for_a_minute() {
    stack(60.0);
}
