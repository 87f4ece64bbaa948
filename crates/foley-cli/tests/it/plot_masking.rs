//! `foley plot --masking` and `--masking-curves`: what is heard, what is drawn, what is refused.

use crate::common;

use common::{Foley, check_png, check_svg};
use foley::dsp::perception::{Audibility, Calibration, Masking, Tone, prune_2004};
use foley::modal::{Gains, ModalModel, ModalParts, file};
use serde_json::{Value, json};

/// With `plate.modal`, a steel plate of some hundred modes.
fn with_plate() -> Foley {
    let foley = Foley::new();
    foley.good(&["modes", "plate:500x320x1.5mm", "-m", "steel", "-o", "plate.modal"]);
    foley
}

/// How many modes are audible, masked and unheard, by the paper's pseudo-code; energies are
/// gains squared, at one point or as their mean over all.
fn counted(model: &ModalModel, point: Option<usize>, playback_db: f64, a_v_db: f64) -> Value {
    let points = point.map_or(0..model.point_count(), |k| k..k + 1);
    let mut energies = vec![0.0; model.mode_count()];
    for k in points {
        for (energy, gain) in energies.iter_mut().zip(model.gains_of_point(k)) {
            *energy += f64::from(gain) * f64::from(gain);
        }
    }
    let calibration = Calibration::to_playback_level(energies.iter().copied(), playback_db);
    let modes = model.frequencies_hz.iter().zip(&energies);
    let tones: Vec<Tone> = modes.map(|(f, e)| Tone::new(*f, calibration.level_db(*e))).collect();
    let verdicts = prune_2004(Masking::new(a_v_db), &tones, None);
    let count = |verdict| verdicts.iter().filter(|f| **f == verdict).count();
    json!([
        count(Audibility::Audible),
        count(Audibility::Masked),
        count(Audibility::BelowThreshold)
    ])
}

#[test]
fn as_many_modes_are_heard_as_the_paper_says() {
    let foley = with_plate();
    let model = file::load(foley.path("plate.modal")).unwrap();
    let ways: [(&[&str], _, _, _); 4] = [
        (&[], None, 70.0, 5.0),
        (&["--point", "3"], Some(3), 70.0, 5.0),
        (&["--playback-db", "40", "--a-v", "2.5"], None, 40.0, 2.5),
        (&["--point", "0", "--a-v", "200"], Some(0), 70.0, 200.0),
    ];
    let mut seen = Vec::new();
    for (flags, point, playback_db, a_v_db) in ways {
        let args = [&["plot", "plate.modal", "--masking"], flags].concat();
        let facts = foley.facts(&args);
        let at = point.map_or(String::new(), |k| format!("-point-{k}"));
        let picture = format!("plate-masking{at}.png");
        assert_eq!(facts["written"], picture);
        check_png(&foley.read(&picture));
        let counts = json!([facts["audible"], facts["masked"], facts["unheard"]]);
        assert_eq!(counts, counted(&model, point, playback_db, a_v_db), "{flags:?}");
        seen.push(counts);
        let said = foley.good(&[&args[..], &["-o", "m.svg"]].concat());
        let [heard, masked, quiet] = ["audible", "masked", "unheard"].map(|k| &facts[k]);
        let modes = format!("modes: {heard} heard, {masked} masked, {quiet} too quiet\n");
        assert_eq!(said, modes + "written: m.svg\n");
        let svg = foley.read("m.svg");
        check_svg(&svg, &format!(">{heard} heard</text>"));
        check_svg(&svg, &format!(">{masked} masked by louder modes</text>"));
        check_svg(&svg, &format!(">{quiet} too quiet to be heard</text>"));
    }
    seen.dedup();
    assert_eq!(seen.len(), 4);
}

#[test]
fn a_silent_model_is_drawn_unheard() {
    let foley = Foley::with_bar();
    let parts = file::load(foley.path("bar.modal")).unwrap().into_parts();
    let gains = Gains::Normal(vec![0.0; parts.points.len() * 4]);
    let silent = ModalModel::new(ModalParts { gains, ..parts }).unwrap();
    file::save(&silent, foley.path("silent.modal")).unwrap();
    let facts = foley.facts(&["plot", "silent.modal", "--masking"]);
    assert_eq!((&facts["audible"], &facts["unheard"]), (&json!(0), &json!(4)));
}

#[test]
fn masking_curves_need_no_file() {
    let foley = Foley::new();
    let facts = foley.facts(&["plot", "--masking-curves", "440"]);
    assert_eq!(facts, json!({ "written": "masking-440hz.png" }));
    check_png(&foley.read("masking-440hz.png"));
    let said = foley.good(&["plot", "--masking-curves", "1.5kHz", "--a-v", "7", "-o", "c.svg"]);
    assert_eq!(said, "written: c.svg\n");
    let svg = foley.read("c.svg");
    check_svg(&svg, ">What a tone of 1500 Hz masks</text>");
    check_svg(&svg, "a_v = 7 dB");
    for level in [20, 40, 60, 80, 100] {
        check_svg(&svg, &format!(">{level} dB"));
    }
    check_svg(&svg, ">hearing threshold</text>");
}

#[test]
fn what_cannot_be_drawn_is_said_and_nothing_is_written() {
    let foley = Foley::with_bar();
    let misuse = |flags: &[&str], says: &[&str]| {
        foley.refuses(
            2,
            &[&["plot"], flags].concat(),
            &[says, &["see `foley plot --help`"]].concat(),
        );
    };
    misuse(&["--masking"], &["were not provided: <FILE>"]);
    misuse(&["-o", "a.png"], &["were not provided: <FILE>"]);
    misuse(&["bar.modal", "--masking-curves", "440"], &["cannot be used with", "FILE"]);
    misuse(&["--masking", "--masking-curves", "440"], &["cannot be used with"]);
    misuse(&["--masking-curves", "440", "--point", "1"], &["cannot be used with", "--point"]);
    misuse(&["bar.modal", "--masking", "--mode", "1"], &["cannot be used with", "--mode"]);
    misuse(&["bar.modal", "--masking", "--sound-map"], &["cannot be used with", "--sound-map"]);
    misuse(&["bar.modal", "--a-v", "5"], &["were not provided", "--masking"]);
    misuse(&["bar.modal", "--playback-db", "60"], &["were not provided", "--masking"]);
    misuse(&["--masking-curves", "440", "--playback-db", "60"], &["cannot be used with"]);
    for hz in ["0", "-440", "nan", "inf", "30kHz", "loud", ""] {
        misuse(&["--masking-curves", hz], &["above 20 Hz and up to 20kHz"]);
    }
    for a_v in ["-1", "nan", "201", "x"] {
        misuse(&["bar.modal", "--masking", "--a-v", a_v], &["between 0 and 200 dB"]);
    }
    for db in ["-1", "nan", "inf", "141"] {
        misuse(&["bar.modal", "--masking", "--playback-db", db], &["between 0 and 140 dB"]);
    }
    foley.refuses(1, &["plot", "bar.modal", "--masking", "--point", "41"], &["--point 41"]);
    foley.refuses(2, &["plot", "bar.modal", "--masking", "-o", "a.gif"], &["a.gif"]);
    foley.refuses(2, &["plot", "--masking-curves", "440", "-o", "a.gif"], &["a.gif"]);
    foley.refuses(1, &["plot", "none.modal", "--masking"], &["none.modal"]);
    foley.good(&["strike", "bar.modal", "-o", "a.wav", "--seconds", "0.3"]);
    foley.refuses(2, &["plot", "a.wav", "--masking"], &["a.wav", "leave --masking out"]);
}
