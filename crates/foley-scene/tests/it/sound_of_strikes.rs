//! The physics of strikes, in the rendered sound.

use crate::common;

use common::sound::{ahead, centroid_hz, db, level_at, prepared, render_text, scene, spectrum};
use foley_dsp::excitation::Striker;
use foley_scene::sonify::Rendered;

fn bar(strike: &str) -> String {
    format!(
        "seconds = 2\nfull_scale_pa = 1e4\ngravity = 0\n[listener]\nposition = [0, -1, 0]\n\
         [[object]]\nname = \"bar\"\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n\
         motion = \"fixed\"\n[[strike]]\nobject = \"bar\"\nat_s = 0.05\n{strike}"
    )
}

/// Levels of the lowest modes.
fn modes(rendered: &Rendered, count: usize) -> Vec<f64> {
    let scene = scene(&bar(""));
    let model = prepared(&scene).objects[0].model.clone().unwrap();
    let sound = ahead(rendered);
    let f = model.frequencies_hz.iter().take(count);
    f.map(|f| level_at(&sound, rendered.sound.sample_rate_hz, *f)).collect()
}

/// A modal body is linear: twice the impulse is twice the sound, 6.02 dB. Twice the speed is
/// twice the impulse, and by Hertz a contact 13 % shorter; a steel ball's lasts some 50 µs, so
/// short against the periods of the three lowest modes (2 ms and less) that all of the impulse
/// reaches them whatever its length.
#[test]
fn twice_as_fast_is_six_decibels_louder() {
    let at = |speed: f64| {
        let strike = format!("with = \"steel ball\"\nspeed_m_s = {speed}\nplace = [0.1, 0.004, 0]");
        modes(&render_text(&bar(&strike)), 3)
    };
    let levels = [0.25, 0.5, 1.0, 2.0].map(at);
    for pair in levels.windows(2) {
        for (soft, hard) in pair[0].iter().zip(&pair[1]) {
            foley_measured::check!("scenes.impact_speed", (db(hard / soft) - 6.02).abs());
        }
    }
}

/// The second mode of a free bar has a node in the middle.
#[test]
fn struck_in_the_middle_the_second_mode_is_thirty_decibels_down() {
    let at = |x: f64| modes(&render_text(&bar(&format!("place = [{x}, 0, 0]"))), 3);
    let (middle, beside) = (at(0.0), at(0.09));
    foley_measured::check!("scenes.middle", db(middle[1] / middle[0]));
    foley_measured::check!("scenes.middle", db(middle[1] / beside[1]));
    assert!(db(middle[2] / middle[0]) > -30.0, "the third has none there: {middle:?}");
}

/// The first third of a second of a strike, with its contact: the ring of steel lasts ten times as long, and
/// after a contact of many periods its partials are what the zeros of the pulse's spectrum leave.
const STRIKE: usize = 16_384;

/// The same ball of softer and softer materials.
#[test]
fn softer_strikers_sound_duller() {
    let of = |young_pa: f64| {
        let strike = format!(
            "with = {{ mass_kg = 0.02, radius_m = 0.01, young_pa = {young_pa}, poisson = 0.3 }}"
        );
        let rendered = render_text(&bar(&strike));
        let sound = ahead(&rendered);
        centroid_hz(&spectrum(&sound[..STRIKE], rendered.sound.sample_rate_hz, STRIKE / 2))
    };
    let centroids = [2e11, 2e10, 2e9, 2e8, 2e7, 2e6].map(of);
    for pair in centroids.windows(2) {
        foley_measured::check!("scenes.softer", pair[0] / pair[1]);
    }
    foley_measured::check!("scenes.softest", centroids[0] / centroids[5]);
}

/// The presets in the order of their contacts' durations on this bar.
#[test]
fn named_strikers_sound_as_soft_as_they_are() {
    let strikers = ["steel ball", "hard plastic", "drumstick", "felt mallet", "fingertip"];
    let spectra = strikers.map(|name| {
        let rendered = render_text(&bar(&format!("with = \"{name}\"")));
        spectrum(&ahead(&rendered), rendered.sound.sample_rate_hz, 16_384)
    });
    // Contacts of many periods leave the side lobes of the pulse's spectrum alone: the fingertip has no centroid to speak of.
    for pair in spectra.windows(2) {
        let ratio = centroid_hz(&pair[0]) / centroid_hz(&pair[1]);
        foley_measured::check!("scenes.named_strikers", ratio);
    }
    let above: Vec<f64> = strikers
        .iter()
        .zip(&spectra)
        .map(|(name, spectrum)| {
            let mass_kg = Striker::named(name).unwrap().mass_kg;
            let power: f64 = spectrum.iter().filter(|(f, _)| *f > 2e3).map(|(_, p)| p).sum();
            10.0 * (power / (mass_kg * mass_kg)).log10()
        })
        .collect();
    for pair in above.windows(2) {
        foley_measured::check!("scenes.named_strikers_above", pair[0] - pair[1]);
    }
}
