//! Direction, distance and crossfades in the rendered sound.

use crate::common;

use common::sound::{channel, db, render_text, rms, spectrum};

fn power(sound: &[f64]) -> f64 {
    sound.iter().map(|y| y * y).sum()
}

fn bar_at(position: [f64; 3]) -> String {
    format!(
        "seconds = 1\nfull_scale_pa = 1e4\ngravity = 0\ndirectivity = false\n[listener]\nposition = [0, 0, 0]\n\
         [[object]]\nname = \"bar\"\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n\
         motion = \"fixed\"\nmax_hz = 3000\nposition = {position:?}\n\
         [[strike]]\nobject = \"bar\"\nat_s = 0.01\nplace = [0, 0, 0]"
    )
}

/// Below 3 kHz air absorbs a hundredth of a decibel per metre.
#[test]
fn twice_as_far_is_six_decibels_softer() {
    let levels = [1.0, 2.0, 4.0, 8.0].map(|far| rms(&render_text(&bar_at([0.0, far, 0.0]))));
    for pair in levels.windows(2) {
        foley_measured::check!("scenes.distance", (db(pair[0] / pair[1]) - 6.02).abs());
    }
}

#[test]
fn objects_on_the_left_are_louder_on_the_left() {
    let sides = |x: f64| {
        let rendered = render_text(&bar_at([x, 1.0, 0.0]));
        db((power(&channel(&rendered, 0)) / power(&channel(&rendered, 1))).sqrt())
    };
    let left = [-3.0, -1.0, -0.4, 0.0, 0.4, 1.0, 3.0].map(sides);
    assert!(left.is_sorted_by(|a, b| a >= b), "{left:?}");
    assert!(left[0] > 6.0 && left[6] < -6.0 && left[3].abs() < 0.1, "{left:?}");
}

/// The listener walks from 1 to 8 m along the path of the scene while the bar rings.
#[test]
fn a_listener_that_walks_away_hears_it_fade_by_the_distance() {
    let still = bar_at([0.0, 1.0, 0.0]);
    let path = "position = [0, 0, 0]\npath = [\n{ at_s = 0.1, position = [0, 0, 0] },\n\
                { at_s = 0.9, position = [0, -7, 0] },\n]";
    let walking = still.replace("position = [0, 0, 0]\n", &format!("{path}\n"));
    let [still, walking] = [still, walking].map(|text| channel(&render_text(&text), 0));
    for tenth in 1..9 {
        let at_s = 0.1 * f64::from(tenth) + 0.05;
        let distance_m = 1.0 + 7.0 * (at_s - 0.1) / 0.8;
        // Both hear the same part of the decay: what was emitted r/c before.
        let part = |sound: &[f64], distance_m: f64| {
            let middle = ((at_s + (distance_m - 1.0) / 343.2) * 48_000.0) as usize;
            power(&sound[middle - 1_200..middle + 1_200]).sqrt()
        };
        // The walk goes on while the sound is under way.
        let heard_m = 1.0 + (distance_m - 1.0) / (1.0 - 8.75 / 343.2);
        let fall = db(part(&still, 1.0) / part(&walking, heard_m));
        foley_measured::check!("scenes.walk", (fall - db(heard_m)).abs());
    }
}

/// A steel bar falls on a glass bar: the modes of both are in the sound.
#[test]
fn both_bodies_of_a_pair_sound() {
    // A body that cannot be heard gives way as before; one that is silent is rigid.
    let muted = |quiet: bool| if quiet { "gain_db = -60" } else { "" };
    let scene = |quiet: [bool; 2]| {
        render_text(&format!(
            "seconds = 1\nfull_scale_pa = 1e4\n\
             [[object]]\nname = \"below\"\nshape = \"bar:300x30x8mm\"\nmaterial = \"glass\"\n\
             motion = \"fixed\"\n{}\n\
             [[object]]\nname = \"above\"\nshape = \"bar:170x20x6mm\"\nmaterial = \"steel\"\n\
             position = [0.03, 0, 0.2]\nrotation = [0, 8, 0]\n{}",
            muted(quiet[0]),
            muted(quiet[1])
        ))
    };
    let [both, above, below] = [[false, false], [true, false], [false, true]].map(scene);
    assert_eq!(both.stats.impacts, above.stats.impacts, "silence moves nothing");
    let [both, above, below] = [rms(&both), rms(&above), rms(&below)];
    assert!(above > 0.01 * both && below > 0.01 * both, "{above} {below} {both}");
    // Two sounds of different pitches: their powers add.
    assert!(db(both / above.hypot(below)).abs() < 1.0, "{above} {below} {both}");
}

/// A plate passes before the listener while it is scraped evenly. Changes of direction must not
/// click: the power above the highest mode stays even under a light, sharp tip, which follows all of the
/// surface, or 100 dB below the sound, where the delay line interpolates.
#[test]
fn crossing_from_left_to_right_does_not_click() {
    let (rise, of_all) =
        unevenness_db("force_n = 1e-3\nwith = { like = \"steel ball\", radius_m = 1e-6 }");
    assert!(rise < 6.0 || of_all < -100.0, "a click: {rise:.1} dB, {of_all:.1} dB of all");
}

/// A fingernail leaves almost no power there to compare with: any rise stays 90 dB below the sound.
#[test]
fn crossing_under_a_blunt_tip_does_not_click() {
    let (_, of_all) = unevenness_db("force_n = 2");
    foley_measured::check!("scenes.crossing", of_all);
}

/// Returns the largest rise of the power above 8 kHz against its neighbourhood, dB, and its level
/// relative to all power, dB.
fn unevenness_db(tip: &str) -> (f64, f64) {
    let rendered = render_text(&format!(
        "seconds = 3\nfull_scale_pa = 1e4\ngravity = 0\n[listener]\nposition = [0, -1, 0]\n\
         [[object]]\nname = \"plate\"\nshape = \"plate:300x200x4mm\"\nmaterial = \"wood\"\n\
         max_modes = 60\nsurface = {{ kind = \"ribbed\", period_m = 0.001, depth_m = 1e-4 }}\n\
         motion = [{{ at_s = 0, position = [-3, 0, 0] }}, {{ at_s = 3, position = [3, 0, 0] }}]\n\
         [[scrape]]\nobject = \"plate\"\nalong = [[0, 0.03, 0], [0.001, 0.03, 0]]\n\
         back_and_forth = true\nseconds = 3\nspeed_m_s = 0.3\n{tip}",
    ));
    let (left, right) = (channel(&rendered, 0), channel(&rendered, 1));
    let half = left.len() / 2;
    assert!(power(&left[4_800..half]) > 2.0 * power(&right[4_800..half]), "it comes from the left");
    assert!(power(&right[half..]) > 2.0 * power(&left[half..]), "and goes to the right");
    let piece = 1024;
    let powers = |k: usize| -> [f64; 2] {
        let of =
            |sound: &[f64]| spectrum(&sound[k..k + piece], rendered.sound.sample_rate_hz, piece);
        let all: Vec<(f64, f64)> = of(&left).into_iter().chain(of(&right)).collect();
        let sum = |from_hz: f64| all.iter().filter(|(f, _)| *f > from_hz).map(|(_, p)| p).sum();
        [sum(8_000.0), sum(0.0)]
    };
    let pieces = (4_800..left.len() - 9_600).step_by(piece / 2);
    let heights: Vec<[f64; 2]> = pieces.map(powers).collect();
    let jumps = heights.windows(9).map(|around| {
        let mut even: Vec<f64> = around.iter().map(|[high, _]| *high).collect();
        even.sort_by(f64::total_cmp);
        let [high, all] = around[4];
        (10.0 * (high / even[4]).log10(), 10.0 * (high / all).log10())
    });
    jumps.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}
