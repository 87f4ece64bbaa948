//! What an object lies on damps it, and it rings when it leaps.

use crate::common;

use common::sound::{ahead, exact, prepared, render_text, scene};
use foley_scene::Scene;
use foley_scene::prepare::ModelCache;
use foley_scene::scene::Motion;
use foley_scene::sonify::{RenderSettings, Rendered, render};
use std::f64::consts::TAU;
use std::sync::Arc;

/// A bar on a board that falls away after a second, is struck before and after; far from the listener, so that its level does
/// not change as it falls.
fn bar_on_board(board: &str, bar: &str) -> String {
    format!(
        r#"
        seconds = 2
        full_scale_pa = 1
        acceleration_noise = false
        [listener]
        position = [0, -20, 1]
        {board}
        [[object]]
        name = "bar"
        shape = "bar:300x30x8mm"
        material = "aluminium"
        position = [0, 0, 1.0041]
        {bar}
        [[strike]]
        object = "bar"
        at_s = 0.3
        place = [0, 0, 0]
        [[strike]]
        object = "bar"
        at_s = 1.15
        place = [0, 0, 0]
        "#
    )
}

const BOARD: &str = r#"
    [[object]]
    name = "board"
    shape = "plate:800x500x20mm"
    material = "wood"
    collider = "box"
    position = [0, 0, 0.99]
    motion = [{ at_s = 0 }, { at_s = 1 }, { at_s = 1.5, position = [0, 0, -9] }]
"#;

/// First bending mode of the bar.
fn first_hz() -> f64 {
    let scene = scene(&bar_on_board("", ""));
    prepared(&scene).objects[0].model.as_ref().unwrap().frequencies_hz[0]
}

/// Returns the decay rate of a frequency in the sound of an interval, 1/s: a line through the levels of short windows.
fn decay(rendered: &Rendered, f: f64, [from_s, to_s]: [f64; 2]) -> f64 {
    let sound = ahead(rendered);
    let rate = f64::from(rendered.sound.sample_rate_hz);
    // The sound needs 58 ms for 20 m.
    let (from, length) = (((from_s + 0.06) * rate) as usize, (0.025 * rate) as usize);
    let count = ((to_s - from_s) * rate) as usize / length;
    let levels: Vec<f64> = (0..count)
        .map(|w| {
            let start = from + w * length;
            let (mut re, mut im) = (0.0, 0.0);
            for (i, y) in sound[start..start + length].iter().enumerate() {
                let hann = 1.0 - (TAU * i as f64 / length as f64).cos();
                let (sin, cos) = (TAU * f * (start + i) as f64 / rate).sin_cos();
                (re, im) = (re + hann * y * cos, im + hann * y * sin);
            }
            f64::hypot(re, im).ln()
        })
        .collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let at: Vec<f64> = (0..count).map(|w| (w * length) as f64 / rate).collect();
    let (middle, level) = (mean(&at), mean(&levels));
    let rise: f64 = at.iter().zip(&levels).map(|(t, l)| (t - middle) * (l - level)).sum();
    -rise / at.iter().map(|t| (t - middle).powi(2)).sum::<f64>()
}

#[test]
fn a_bar_is_damped_by_the_board_it_lies_on_until_that_falls_away() {
    let f = first_hz();
    let on_board = render_text(&bar_on_board(BOARD, ""));
    // It begins to fall when the board does.
    let without = render_text(&bar_on_board("", "release_s = 1"));
    let (lying, leapt) = (decay(&on_board, f, [0.32, 0.5]), decay(&on_board, f, [1.17, 1.7]));
    let free = decay(&without, f, [1.17, 1.7]);
    println!("lying {lying:.2} 1/s, leapt {leapt:.2} 1/s, free {free:.2} 1/s");
    println!("{} changes", on_board.stats.damping_changes);
    foley_measured::check!("supports.resting", lying / leapt);
    foley_measured::check!("supports.leap", 100.0 * (leapt / free - 1.0).abs());
    assert!(on_board.stats.damping_changes <= 3, "on, with the load that has settled, off");
}

#[test]
fn held_words_damp_whatever_is_touched() {
    let f = first_hz();
    let lying = |held: &str| {
        let rendered = render_text(&bar_on_board(BOARD, held));
        (decay(&rendered, f, [0.32, 0.5]), rendered.stats.damping_changes)
    };
    let [free, hand, resting, by_contact] =
        ["held = \"free\"", "held = \"hand\"", "held = \"resting\"", ""].map(lying);
    println!("free {free:?}, hand {hand:?}, resting {resting:?}, by contact {by_contact:?}");
    assert!(hand.0 > 3.0 * free.0 && resting.0 > 2.0 * free.0 && by_contact.0 > 2.0 * free.0);
    assert!(free.1 == 0 && hand.1 == 0 && resting.1 == 0);
}

/// Bodies fall, slide, tumble, come to rest and sleep.
const TUMBLING: &str = r#"
seconds = 4
full_scale_pa = 20
ground = "stone"
[[object]]
name = "board"
shape = "plate:600x400x15mm"
material = "wood"
position = [0, 0, 0.1]
rotation = [0, 12, 0]
[[object]]
name = "plate"
shape = "disc:200x4mm"
material = "steel"
position = [-0.1, 0, 0.4]
rotation = [5, 10, 20]
copies = 3
step = [0.05, 0.03, 0.2]
[[object]]
name = "marble"
shape = "ball:20mm"
material = "glass"
silent = true
position = [-0.2, 0.1, 0.4]
copies = 4
step = [0.03, 0, 0.1]
[[strike]]
object = "board"
at_s = 3.5
"#;

fn rendered(scene: &Arc<Scene>, settings: &RenderSettings) -> Rendered {
    render(scene, &prepared(scene), settings, &mut |_| true).unwrap().unwrap()
}

fn are_same(a: &Rendered, b: &Rendered) -> bool {
    let bits = |rendered: &Rendered| {
        rendered.sound.samples.iter().map(|y| y.to_bits()).collect::<Vec<u32>>()
    };
    bits(a) == bits(b)
}

#[test]
fn damped_bodies_sound_the_same_from_their_trace() {
    let folder = tempfile::tempdir().unwrap();
    let simulated_scene = scene(TUMBLING);
    for settings in [exact(), RenderSettings::default()] {
        let simulated = rendered(&simulated_scene, &settings);
        simulated.write_trace(&simulated_scene, &folder.path().join("own.jsonl")).unwrap();
        let mut traced_scene = (*simulated_scene).clone();
        traced_scene.folder = folder.path().to_owned();
        traced_scene.trace = Some("own.jsonl".into());
        let traced = rendered(&Arc::new(traced_scene), &settings);
        assert!(simulated.stats.damping_changes > 4, "{:?}", simulated.stats);
        assert!(are_same(&simulated, &traced));
        // At most as often as the shortest hold allows, for the four bodies that ring.
        assert!(simulated.stats.damping_changes < 4 * 4 * 20, "{:?}", simulated.stats);
        println!("{} changes in 4 s", simulated.stats.damping_changes);
    }
}

#[test]
fn without_support_damping_nothing_is_damped() {
    let off = scene(&format!("support_damping = false\n{TUMBLING}"));
    let on = scene(TUMBLING);
    let mut free = (*on).clone();
    for object in free.objects.iter_mut().filter(|object| object.motion == Motion::Dynamic) {
        object.held = Some(foley_modal::Held::Free);
    }
    let [on, off, free] = [on, off, Arc::new(free)].map(|scene| rendered(&scene, &exact()));
    assert_eq!((off.stats.damping_changes, free.stats.damping_changes), (0, 0));
    assert!(are_same(&off, &free) && !are_same(&off, &on));
}

/// What rests is no longer simulated after a while, and stays damped.
#[test]
fn a_body_that_sleeps_stays_damped() {
    let text = |held: &str| {
        format!(
            "seconds = 6\nfull_scale_pa = 1\nground = \"wood\"\nacceleration_noise = false\n\
             [listener]\nposition = [0, -20, 1]\n[[object]]\nname = \"bar\"\nshape = \"bar:300x30x8mm\"\n\
             material = \"aluminium\"\nposition = [0, 0, 0.0041]\n{held}\n\
             [[strike]]\nobject = \"bar\"\nat_s = 0.2\nplace = [0, 0, 0]\n\
             [[strike]]\nobject = \"bar\"\nat_s = 5.2\nplace = [0, 0, 0]\n"
        )
    };
    let f = first_hz();
    let lying = render_text(&text(""));
    let [early, late] = [[0.22, 0.4], [5.22, 5.4]].map(|span| decay(&lying, f, span));
    let free = decay(&render_text(&text("held = \"free\"")), f, [5.22, 5.4]);
    let asleep = common::sound::contacts(&lying.events).filter(|contact| contact.over);
    assert!(asleep.count() > 0, "it has fallen asleep");
    println!("early {early:.2}, late {late:.2}, free {free:.2} 1/s");
    assert!((late / early - 1.0).abs() < 0.25 && late > 10.0 * free);
}

#[test]
fn what_cannot_be_mounted_is_named_with_a_remedy() {
    let pane = "shape = \"plate:300x200x2mm,edges=supported\"";
    let cases = [
        ("mesh = \"bowl\"\nmotion = \"fixed\"", "edges=supported"),
        ("shape = \"plate:300x200x2mm\"\nmotion = \"fixed\"", "edges=supported"),
        (pane, "motion = \"fixed\""),
    ];
    for ((body, remedy), check) in cases.into_iter().flat_map(|case| [(case, false), (case, true)])
    {
        let scene = scene(&format!(
            "[[object]]\nname = \"pot\"\nmaterial = \"steel\"\nheld = \"mounted\"\n{body}"
        ));
        let error = match check {
            true => foley_scene::sonify::check(&scene).unwrap_err().to_string(),
            false => scene.prepare(&ModelCache::none(), &mut |_| true).unwrap_err().to_string(),
        };
        assert!(error.contains("\"pot\"") && error.contains("`held`"), "{error}");
        assert!(error.contains(remedy), "{error}");
    }
}

/// Fixed objects are held as named, wherever gravity points from.
#[test]
fn fixed_objects_rest_and_are_mounted() {
    let decays = |object: &str| {
        let text = format!("[[object]]\nmotion = \"fixed\"\n{object}");
        let prepared = prepared(&scene(&text));
        let model = prepared.objects[0].model.clone().unwrap();
        model.decays.iter().take(8).sum::<f64>()
    };
    let disc = "shape = \"disc:220x1mm\"\nmaterial = \"pewter\"\nmax_modes = 40";
    let pane =
        "shape = \"plate:400x300x2mm,edges=supported\"\nmaterial = \"steel\"\nmax_modes = 40";
    let held = |what: &str, word: &str| decays(&format!("{what}\nheld = \"{word}\""));
    println!("disc {} {}", decays(disc), held(disc, "resting"));
    assert!(held(disc, "resting") > 1.2 * decays(disc));
    assert_eq!(held(disc, "free"), decays(disc));
    assert!(held(pane, "mounted") > 10.0 * decays(pane));
    // On its edge it moves along the table, which does not damp it.
    let upright = format!("{disc}\nrotation = [90, 0, 0]");
    assert!(held(&upright, "resting") < 1.001 * decays(disc));
}

/// Each held object keeps the modes of its own shape, however many there are.
#[test]
fn held_objects_have_the_modes_of_their_own_shapes() {
    let panes = |held: &str| {
        let pane = |i: u32| {
            let (length, x) = (300 + 20 * i, f64::from(i));
            format!(
                "[[object]]\nname = \"pane {i}\"\nshape = \"plate:{length}x200x3mm,edges=supported\"\n\
                 material = \"glass\"\nmotion = \"fixed\"\nmax_modes = {}\nposition = [{x}, 2, 0]\n{held}\n",
                20 + i
            )
        };
        let text: String = (0..12).map(pane).collect();
        prepared(&scene(&format!("seconds = 1\n{text}")))
    };
    let [free, mounted] = ["", "held = \"mounted\""].map(panes);
    for (free, mounted) in free.objects.iter().zip(&mounted.objects) {
        let [free, mounted] = [free, mounted].map(|object| object.model.as_ref().unwrap());
        assert_eq!(free.frequencies_hz, mounted.frequencies_hz, "{}", free.name);
        assert!(mounted.decays[0] > free.decays[0], "{}", free.name);
    }
}
