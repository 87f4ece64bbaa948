//! `foley check` on scenes.

use crate::common;

use common::Foley;

const SCENE: &str = r#"
ground = "concrete"
[[object]]
name = "bell"
mesh = "bell"
material = "bronze"
position = [0, 0, 1]
[[object]]
name = "ring"
shape = "ring:80x8mm"
material = "steel"
copies = 3
[[strike]]
object = "bell"
"#;

#[test]
fn a_good_scene_is_told() {
    let foley = Foley::new();
    foley.write("scene.toml", SCENE);
    let out = foley.good(&["check", "scene.toml"]);
    for text in ["5 objects, 1 of them silent; 1 strike, ", "  ring 3: ring:", "capsules", "good"] {
        assert!(out.contains(text), "{out}");
    }
    let facts = foley.facts(&["check", "scene.toml"]);
    assert_eq!(facts["ok"], true);
    assert_eq!(facts["objects"][2]["name"], "ring 1");
    // 2π² R r² ρ.
    let kg = 2.0 * std::f64::consts::PI.powi(2) * 0.04 * 0.004f64.powi(2) * 7850.0;
    assert!((facts["objects"][2]["mass_kg"].as_f64().unwrap() / kg - 1.0).abs() < 1e-9);
}

/// A model has numbers of its own and no material.
#[test]
fn a_model_is_listed_with_its_elasticity() {
    let foley = Foley::with_bar();
    foley.write("scene.toml", "[[object]]\nname = \"bar\"\nmodel = \"bar.modal\"\n");
    let out = foley.good(&["check", "scene.toml"]);
    assert!(out.contains("bar.modal, E 200 GPa, ν 0.29") && !out.contains("stone"), "{out}");
    let facts = foley.facts(&["check", "scene.toml"]);
    let bar = &facts["objects"][0];
    assert!(bar["material"].is_null() && bar["young_pa"] == 2e11, "{bar}");
}

#[test]
fn one_problem_is_one_line_and_many_are_a_list() {
    let foley = Foley::new();
    foley.write(
        "scene.toml",
        SCENE.replace("material = \"bronze\"", "materail = \"bronze\"\nsilent = true\nmass_kg = 1"),
    );
    foley.refuses(
        1,
        &["check", "scene.toml"],
        &["scene.toml:6:1: object \"bell\": unknown key `materail`; did you mean `material`?"],
    );
    foley.write(
        "scene.toml",
        SCENE.replace("bronze", "brnze").replace("copies = 3", "copies = 1e12"),
    );
    let output = foley.command(&["check", "scene.toml", "--json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let reported: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines: Vec<_> = (0..2).map(|i| reported["problems"][i]["line"].as_u64().unwrap()).collect();
    assert_eq!(
        (reported["ok"].as_bool(), reported["count"].as_u64(), lines),
        (Some(false), Some(2), vec![6, 12])
    );
    let output = foley.command(&["check", "scene.toml"]).output().unwrap();
    assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 2);
    assert!(String::from_utf8(output.stderr).unwrap().contains("scene.toml: 2 problems"));
    foley.refuses(1, &["check", "none.toml"], &["none.toml: cannot open the file"]);
    foley.write("x.wav", "");
    foley.refuses(2, &["check", "x.wav", "--scene"], &["scenes are .toml"]);
}
