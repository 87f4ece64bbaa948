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
}
