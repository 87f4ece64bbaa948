//! Benchmarks of whole scenes. Figures are this machine's; here only that they are all there.

use crate::common;

use common::{Foley, check_figures, check_png, number};
use serde_json::Value;

/// Few objects and impacts.
const SMALL: [&str; 6] = ["bench", "pruning", "--plates", "6", "--rounds", "1"];

fn rows(of: &Value) -> &[Value] {
    of["rules"].as_array().unwrap()
}

#[test]
fn pruning_compares_every_rule() {
    let foley = Foley::new();
    let report = foley.facts(&[&SMALL[..], &["--wavs", "sounds", "--report", "a.json"]].concat());
    assert!(report["objects"].is_null() && report["quality_metric"].is_null());
    assert_eq!(number(&report, "playback_db"), 80.0);
    assert_eq!(serde_json::from_slice::<Value>(&foley.read("a.json")).unwrap(), report);
    let scene = &report["scenes"][0];
    assert_eq!((&scene["name"], &scene["modes"]), (&"plates".into(), &120.into()));
    let keys: Vec<&str> = rows(scene).iter().map(|row| row["rule"].as_str().unwrap()).collect();
    let paper = ["paper-0", "paper-2.5", "paper-5", "paper-10", "paper-20", "paper-100"];
    assert_eq!(keys, [&["samples", "blocks"], &paper[..], &["partials"]].concat());
    let full = foley.wav_of("sounds/plates-samples.wav", 2);
    for (row, key) in rows(scene).iter().zip(keys) {
        for key in ["cpu_percent", "times_faster", "block"] {
            assert!(number(row, key) > 0.0, "{key}: {row}");
        }
        assert!((0.0..=1.0).contains(&number(row, "share_of_modes")), "{row}");
        assert!(row["zimtohrli_mos"].is_null() && row["visqol_mos"].is_null());
        let decides = !["samples", "blocks"].contains(&key);
        assert_eq!(number(row, "deciding_percent") > 0.0, decides, "{row}");
        // Nothing where nothing is decided, or nothing saved.
        let part = row.get("deciding_of_saved_percent").unwrap();
        assert!(part.is_null() || (decides && part.as_f64() > Some(0.0)), "{row}");
        let sound = foley.wav_of(&format!("sounds/plates-{key}.wav"), 2);
        assert_eq!(sound.len(), full.len(), "{key}");
        assert!(sound.iter().any(|y| y.abs() > 0.05), "{key}");
    }
    let targets = scene["targets"].as_array().unwrap();
    assert_eq!(targets.len(), 3);
    // A scene so small may save nothing; then no part of that goes into deciding.
    let reported =
        |p: &Value| p["figure"].is_f64() || (p["key"] == "deciding" && p["met"] == false);
    assert!(targets.iter().all(|p| p["met"].is_boolean() && reported(p)), "{scene}");
    let said = foley.good(&SMALL);
    assert!(
        said.contains("the paper's rule, a_v = 2.5 dB") && said.contains("make quality"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn a_quality_metric_rates_every_sound() {
    let foley = Foley::new();
    let metric = script(
        &foley,
        "metric",
        r#"while read -r a b; do echo '{"zimtohrli_mos": 4.75, "visqol_mos": 4.5}'; done"#,
    );
    let options = ["--quality-metric", &metric, "--curve", "--picture", "a.png"];
    let report = foley.facts(&[&SMALL[..], &options].concat());
    let scene = &report["scenes"][0];
    assert_eq!(rows(scene).len(), 24);
    check_figures(&report, "bench pruning", "/scenes/0/");
    assert_eq!(rows(scene)[8]["rule"], "partials");
    for row in rows(scene) {
        assert_eq!((number(row, "zimtohrli_mos"), number(row, "visqol_mos")), (4.75, 4.5));
    }
    let mos = scene["targets"].as_array().unwrap().iter().find(|p| p["key"] == "mos").unwrap();
    assert_eq!(mos["met"], true);
    check_png(&foley.read("a.png"));
}

#[cfg(unix)]
#[test]
fn a_quality_metric_that_fails_is_reported() {
    let foley = Foley::new();
    let cases = [
        ("deaf", "exit 3", "stopped"),
        ("odd", "while read -r a; do echo what; done", "answered `what`"),
        ("sorry", r#"while read -r a; do echo '{"error": "too short"}'; done"#, "too short"),
    ];
    for (name, does, says) in cases {
        let metric = script(&foley, name, does);
        foley.refuses(
            1,
            &[&SMALL[..], &["--quality-metric", &metric]].concat(),
            &["the quality metric", says],
        );
    }
    let none = foley.path("none").display().to_string();
    foley.refuses(
        1,
        &[&SMALL[..], &["--quality-metric", &none]].concat(),
        &["cannot run the quality metric", "none"],
    );
}

/// A program of one line.
#[cfg(unix)]
fn script(foley: &Foley, name: &str, does: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    foley.write(name, format!("#!/bin/sh\n{does}\n"));
    let path = foley.path(name);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[test]
fn invalid_measurements_are_refused() {
    let foley = Foley::new();
    let known = "choose one of drizzle, hail, downpour, roof, table, dozen, rings";
    let two = ["bench", "pruning", "--scene", "hail", "--scene", "snow"];
    foley.refuses(2, &two, &["there is no scene `snow`", known]);
    foley.refuses(2, &["bench", "pruning", "--all", "--scene", "hail"], &["cannot be used with"]);
    foley.refuses(2, &["bench", "pruning", "--rounds", "0"], &["between 1 and 1000"]);
    foley.refuses(2, &["bench", "pruning", "--picture", "a.png"], &["--quality-metric"]);
    foley.refuses(2, &["bench", "objects", "--objects", "0"], &["between 1 and"]);
    foley.refuses(2, &["bench", "objects", "--contacts", "-1"], &["between 0 and 100000"]);
    foley.refuses(2, &["bench", "objects", "--contacts", "99999999999"], &["between 0 and"]);
    foley.refuses(2, &["bench", "pruning", "--plates", "0"], &["between 1 and 100000"]);
    foley.refuses(2, &["bench", "pruning", "--plates", "999999999"], &["between 1 and 100000"]);
    foley.refuses(2, &["bench", "bake", "--vertices", "0"], &["between 100 and 1000000"]);
    foley.refuses(2, &["bench", "hail", "--seconds", "-1"], &["between 0.1 and 60"]);
    foley.refuses(2, &["bench", "objects", "--seconds", "0"], &["above 0, at most 600"]);
    foley.refuses(2, &["bench", "objects", "-o", "a.jpg"], &["a.jpg"]);
}

#[test]
fn many_objects_are_measured_with_each_acceleration() {
    let foley = Foley::new();
    let args = ["bench", "objects", "--objects", "30", "--impacts", "200", "--seconds", "0.5"];
    let args = [&args[..], &["--contacts", "5"]].concat();
    let small = [&args[..], &["--rounds", "1", "--no-rings"]].concat();
    let report = foley.facts(&small);
    assert!(report["rings"].is_null());
    check_figures(&report, "bench objects", "/plates/");
    let plates = &report["plates"];
    assert_eq!((&plates["objects"], &plates["modes"]), (&30.into(), &3000.into()));
    let keys: Vec<&str> = rows(plates).iter().map(|row| row["rule"].as_str().unwrap()).collect();
    assert_eq!(keys, ["samples", "blocks", "partials", "threshold", "masking"]);
    for row in rows(plates) {
        for key in ["cpu_percent", "preparing_percent", "busiest_percent", "share_of_modes"] {
            assert!(number(row, key) > 0.0, "{key}: {row}");
        }
    }
    assert_eq!(plates["targets"][0]["met"], true);
    let said = foley.good(&small);
    assert!(said.contains("30 moving objects, 3000 modes") && said.contains("+ masking"), "{said}");
}

/// MEASURED.md takes rows by their number.
#[test]
fn kernels_are_measured_in_the_order_of_the_targets() {
    let report = Foley::new().facts(&["bench", "modes", "--rounds", "1", "--no-klank"]);
    check_figures(&report, "bench modes", "/naive_modes");
    check_figures(&report, "bench modes", "/jobs/");
    for (row, name, modes, block) in [
        (0, "per-sample, driven", 1_920, 512),
        (2, "spectral, dense force", 15_360, 512),
        (3, "spectral, dense force", 122_880, 512),
        (4, "spectral, dense force", 15_360, 64),
        (7, "spectral, free", 122_880, 512),
        (9, "spectral, dense force, AVX2", 15_360, 512),
    ] {
        let row = &report["jobs"][row];
        assert_eq!(
            (&row["name"], &row["modes"], &row["block"]),
            (&name.into(), &modes.into(), &block.into())
        );
    }
}
