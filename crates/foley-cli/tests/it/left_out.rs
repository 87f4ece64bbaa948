//! What is left out, limited or lost is said in words, not only in JSON.

use crate::common;

use common::{BAR, Foley};
use hound::{SampleFormat, WavSpec, WavWriter};

fn has_line(said: &str, parts: &[&str]) -> bool {
    said.lines().any(|line| parts.iter().all(|part| line.contains(part)))
}

/// Renders a trace of two bars.
fn traced(events: impl Iterator<Item = String>) -> String {
    let foley = Foley::new();
    let object = |name: &str| {
        format!("[[object]]\nname = \"{name}\"\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n")
    };
    let (one, other) = (object("one"), object("other"));
    foley.write("traced.toml", format!("seconds = 0.5\ntrace = \"events.trace\"\n{one}{other}"));
    let header = "{\"foley_trace\":1,\"bodies\":[\"one\",\"other\"]}".to_owned();
    foley.write("events.trace", [header].into_iter().chain(events).collect::<Vec<_>>().join("\n"));
    foley.good(&["render", "traced.toml"])
}

#[test]
fn sustained_contacts_beyond_the_places_of_an_object() {
    let contact = |k: usize| {
        format!(
            "{{\"touch\":{{\"at_s\":0.1,\"contact\":{k},\"bodies\":[0,1],\"places\":[[0,0,0],[0,0,0]],\
             \"normal\":[0,0,1],\"force_n\":1,\"slip_m_s\":1,\"roll_m_s\":0}}}}"
        )
    };
    let said = traced((0..9).map(contact));
    assert!(has_line(&said, &["left out: 10 sliding or rolling contacts"]), "{said}");
    let said = traced((0..3).map(contact));
    assert!(!has_line(&said, &["left out"]), "{said}");
}

/// More at one moment than the engine can hold.
#[test]
fn impacts_that_are_refused() {
    let impact = |_| {
        "{\"impact\":{\"at_s\":0.1,\"bodies\":[0,1],\"places\":[[0,0,0],[0,0,0]],\"normal\":[0,0,1],\
         \"impulse_ns\":0.01,\"speed_m_s\":1}}"
            .to_owned()
    };
    let said = traced((0..18_000).map(impact));
    assert!(has_line(&said, &["left out: ", "impacts or contacts were refused"]), "{said}");
    let said = traced((0..90).map(impact));
    assert!(!has_line(&said, &["left out"]), "{said}");
}

#[test]
fn modes_beyond_the_limit() {
    let foley = Foley::new();
    let limited = ["--max-modes", "3"];
    let says = ["note: limited to the lowest 3 modes"];
    for command in ["modes", "strike"] {
        let said = foley.good(&[&[command], &BAR[..], &limited].concat());
        assert!(has_line(&said, &says), "{said}");
        let facts = foley.facts(&[&[command], &BAR[..], &limited].concat());
        assert_eq!(facts["notes"].as_array().unwrap().len(), 1, "{facts}");
        // All modes: nothing was limited.
        let said = foley.good(&[&[command], &BAR[..]].concat());
        assert!(!has_line(&said, &["limited"]), "{said}");
        let ring = [command, "ring", "--detail", "coarse", "-m", "steel", "--max-modes", "3"];
        let said = foley.good(&ring);
        assert!(has_line(&said, &says), "{said}");
    }
    foley.write(
        "scene.toml",
        "seconds = 0.1\n[[object]]\nname = \"thing\"\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n\
         max_modes = 3\n",
    );
    let said = foley.good(&["render", "scene.toml"]);
    assert!(has_line(&said, &["note: \"thing\": limited to the lowest 3 modes"]), "{said}");
}

#[test]
fn channels_and_modes_that_a_fit_leaves_out() {
    let foley = Foley::new();
    let spec = WavSpec {
        channels: 2,
        sample_rate: 48_000,
        bits_per_sample: 32,
        sample_format: SampleFormat::Float,
    };
    let mut writer = WavWriter::create(foley.path("two.wav"), spec).unwrap();
    for n in 0..48_000 {
        let t = n as f64 / 48e3 - 0.1;
        let ring = |f: f64, d: f64| (-d * t).exp() * (std::f64::consts::TAU * f * t).sin();
        let y = if t < 0.0 { 0.0 } else { 0.4 * ring(700.0, 9.0) + 0.3 * ring(1900.0, 12.0) };
        writer.write_sample(0.1 * y as f32).unwrap();
        writer.write_sample(y as f32).unwrap();
    }
    writer.finalize().unwrap();
    let said = foley.good(&["fit", "two.wav", "--max-modes", "1"]);
    assert!(has_line(&said, &["note: two.wav: channel 2 of 2 was used"]), "{said}");
    assert!(has_line(&said, &["note: limited to the 1 clearest modes"]), "{said}");
}

/// Everything that JSON calls lost, refused or left out has a line for people.
#[test]
fn demos_say_what_scenes_say() {
    let foley = Foley::new();
    let said = foley.good(&["demo", "ribbed", "-o", "out"]);
    let facts = foley.facts(&["demo", "ribbed", "-o", "out"]);
    let notes = facts["notes"].as_array().unwrap();
    for note in notes {
        assert!(said.contains(note.as_str().unwrap()), "{said}");
    }
    for (key, line) in [("refused", "refused"), ("sustained_left_out", "left out for a time")] {
        let count = facts["heard"][key].as_u64().unwrap();
        assert_eq!(said.contains(line), count > 0, "{key} {count}: {said}");
    }
    // A demo has its own loudness, whatever the render of its scene reached.
    let said = foley.good(&["demo", "marbles", "-o", "out"]);
    assert!(said.contains(": -16.") && !said.contains("the loudness is"), "{said}");
    assert!(foley.good(&["render", "out/marbles.toml"]).contains("note: the loudness is"));
}

/// A bar, and these lines.
fn bar_and(lines: &str) -> String {
    format!(
        "seconds = 0.5\n{lines}\n[[object]]\nname = \"bar\"\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n"
    )
}

/// Returns the notes of a scene, which `foley check` and `foley render` have in common.
fn common_notes(foley: &Foley, scene: &str) -> Vec<String> {
    foley.write("scene.toml", scene);
    let notes = |command: &str| {
        let said = foley.good(&[command, "scene.toml"]);
        let facts = foley.facts(&[command, "scene.toml"]);
        let notes = facts["notes"].as_array().unwrap().clone();
        let notes = notes.iter().map(|note| note.as_str().unwrap().to_owned());
        // Level and radiation are only known when the scene is rendered.
        let is_level = |note: &String| {
            let words = ["the sound is silent", "the loudness", "radiation was"];
            words.iter().any(|words| note.contains(words))
        };
        let notes: Vec<String> = notes.filter(|note| !is_level(note)).collect();
        assert!(notes.iter().all(|note| said.contains(&format!("note: {note}\n"))), "{said}");
        notes
    };
    let checked = notes("check");
    assert_eq!(checked, notes("render"), "{scene}");
    checked
}

#[test]
fn what_begins_after_the_end_of_a_scene() {
    let foley = Foley::new();
    let late = bar_and(
        "[[strike]]\nobject = \"bar\"\nat_s = 0.5\n[[strike]]\nobject = \"bar\"\nat_s = 7\n\
         [[strike]]\nobject = \"bar\"\n[[scrape]]\nobject = \"bar\"\nat_s = 3\n\
         along = [[-0.1, 0, 0], [0.1, 0, 0]]\n[hail]\nfrom_s = 2\n",
    );
    let notes = common_notes(&foley, &format!("{late}motion = \"fixed\"\n"));
    let note = "after the end of the scene at 0.5 s: 2 strikes, 1 scrape, hail (the last at 7 s); write a larger \
                `seconds`";
    assert_eq!(notes, [note]);
    assert_eq!(
        common_notes(&foley, &bar_and("[[strike]]\nobject = \"bar\"\nat_s = 0.49\n")),
        [""; 0]
    );
    let notes = common_notes(&foley, &format!("{}release_s = 9\n", bar_and("")));
    assert!(notes[0].contains("at 0.5 s: 1 release (the last at 9 s); write"), "{notes:?}");
}

#[test]
fn contacts_of_a_trace_after_the_end_of_its_scene() {
    let foley = Foley::new();
    let impact = |at_s: f64| {
        format!(
            "{{\"impact\":{{\"at_s\":{at_s},\"bodies\":[0,0],\"places\":[[0,0,0],[0,0,0]],\"normal\":[0,0,1],\
             \"impulse_ns\":0.01,\"speed_m_s\":1}}}}\n"
        )
    };
    let trace = |times_s: &[f64]| {
        let lines: String = times_s.iter().map(|at_s| impact(*at_s)).collect();
        foley.write("t.jsonl", format!("{{\"foley_trace\":1,\"bodies\":[\"bar\"]}}\n{lines}"));
        common_notes(&foley, &bar_and("trace = \"t.jsonl\""))
    };
    assert_eq!(trace(&[0.1, 0.2]), [""; 0]);
    let note = "t.jsonl: after the end of the scene at 0.5 s: 2 contacts (the last at 0.75 s); write a larger \
                `seconds`";
    assert_eq!(trace(&[0.1, 0.5, 0.75]), [note]);
    assert!(trace(&[0.1, 0.5])[0].contains("at 0.5 s: 1 contact (the last at 0.5 s)"));
    // A trace that a render wrote ends with its scene.
    let falling = "seconds = 0.5\nground = \"stone\"\n[[object]]\nname = \"bar\"\nshape = \"bar:300x30x8mm\"\n\
                   material = \"steel\"\nposition = [0, 0, 0.05]\n";
    foley.write("falls.toml", falling);
    foley.good(&["render", "falls.toml", "--trace", "t.jsonl"]);
    assert_eq!(common_notes(&foley, &format!("trace = \"t.jsonl\"\n{falling}")), [""; 0]);
}

/// The object is not in the scene until its release.
#[test]
fn strikes_and_scrapes_before_the_release_of_their_object() {
    let foley = Foley::new();
    let scene = |at_s: f64| {
        let events = format!(
            "[[strike]]\nobject = \"bar\"\nat_s = {at_s}\n[[scrape]]\nobject = \"bar\"\nat_s = {at_s}\n\
             along = [[-0.1, 0, 0], [0.1, 0, 0]]\nseconds = 0.1\n"
        );
        format!("{}release_s = 0.3\n", bar_and(&events))
    };
    let notes = common_notes(&foley, &scene(0.1));
    let struck = "1 strike of \"bar\" is before its release at 0.3 s and makes no sound; write a later `at_s`";
    let scraped = "1 scrape of \"bar\" is silent until its release at 0.3 s; write a later `at_s`";
    assert_eq!(notes, [struck, scraped]);
    assert!(foley.wav_of("scene.wav", 2).iter().all(|y| *y == 0.0));
    assert_eq!(foley.facts(&["render", "scene.toml"])["strikes"], 0);
    assert_eq!(common_notes(&foley, &scene(0.35)), [""; 0]);
    assert!(foley.wav_of("scene.wav", 2).iter().any(|y| *y != 0.0));
    let two = "[[strike]]\nobject = \"bar\"\n".repeat(2);
    let notes = common_notes(&foley, &format!("{}release_s = 0.3\n", bar_and(&two)));
    let note = "2 strikes of \"bar\" are before its release at 0.3 s and make no sound; write a later `at_s`";
    assert_eq!(notes, [note]);
}

#[test]
fn places_off_the_surface_of_their_object() {
    let foley = Foley::with_bar();
    let place =
        |place: &str| format!("[[strike]]\nobject = \"bar\"\nat_s = 0.2\nplace = {place}\n");
    let notes = common_notes(&foley, &bar_and(&place("[5, 0, 0]")));
    let note = "\"bar\": the strike at 0.2 s is at [5, 0, 0], 4.85 m from the surface, and was moved to [0.15, 0, 0]; \
                write a `place` on the surface";
    assert_eq!(notes, [note]);
    for near in ["[0.15, 0.02, 0]", "[0, 0, 0.02]", "3"] {
        assert_eq!(common_notes(&foley, &bar_and(&place(near))), [""; 0], "{near}");
    }
    // A wide bar, whose model is a line in its middle.
    let wide = bar_and(&place("[0, 0.04, 0]")).replace("300x30x8mm", "100x80x8mm");
    assert_eq!(common_notes(&foley, &wide), [""; 0]);
    let scrape = "[[scrape]]\nobject = \"bar\"\nalong = [[0, 0, 0], [0, 1, 0], [0, 2, 0]]\n";
    let notes = common_notes(&foley, &bar_and(scrape));
    for says in [
        "a point of `along` of the scrape at 0 s is at [0, 2, 0], 1.99 m from the surface",
        "as the farthest of 2 places; write points of `along` on the surface",
    ] {
        assert!(notes[0].contains(says), "{notes:?}");
    }
    // Of a model file, of a mesh and of one that is scaled.
    for (body, distance) in [
        ("model = \"bar.modal\"", "0.85 m"),
        ("mesh = \"ring\"\nmaterial = \"steel\"", "0.96 m"),
        ("shape = \"ring:80x8mm\"\nmaterial = \"steel\"", "0.96 m"),
        ("shape = \"ring:80x8mm\"\nmaterial = \"steel\"\nsize = 2", "0.91 m"),
    ] {
        let (strike, limit) = (place("[1, 0, 0]"), "motion = \"fixed\"\n");
        let object = format!("[[object]]\nname = \"bar\"\n{body}\n{limit}");
        let notes = common_notes(&foley, &format!("seconds = 0.25\n{strike}{object}"));
        assert!(notes.iter().any(|note| note.contains(distance)), "{body}: {notes:?}");
    }
}
