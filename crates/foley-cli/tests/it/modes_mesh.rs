//! `foley modes` of meshes, and what follows from them.

use crate::common;

use common::{BAR, Foley};
use foley::geometry::mesh::{self, Density, Mesh};
use serde_json::Value;

/// A coarse bowl of glass, its modes up to 4 kHz.
const BOWL: [&str; 6] = ["modes", "bowl", "-m", "glass", "--max-frequency", "4kHz"];

fn frequencies(facts: &Value) -> Vec<f64> {
    let list = facts["frequencies_hz"].as_array().unwrap();
    assert!(!list.is_empty(), "{facts}");
    list.iter().map(|f| f.as_f64().unwrap()).collect()
}

fn bowl(foley: &Foley, more: &[&str]) -> Value {
    foley.facts(&[&BOWL[..], &["--detail", "coarse"], more].concat())
}

fn obj(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    mesh::write_obj(mesh, &mut bytes).unwrap();
    bytes
}

fn alike(found: &[f64], wanted: &[f64], within: f64) {
    assert_eq!(found.len(), wanted.len(), "{found:?} {wanted:?}");
    for (a, b) in found.iter().zip(wanted) {
        assert!((a / b - 1.0).abs() < within, "{a} Hz, not {b} Hz");
    }
}

#[test]
fn files_sound_as_the_mesh_in_them() {
    let foley = Foley::new();
    let built_in = bowl(&foley, &["-o", "bowl.modal"]);
    let wanted = frequencies(&built_in);
    let provenance = &built_in["provenance"];
    assert_eq!(provenance["method"], "shell", "{provenance}");
    assert!(provenance["reason"].as_str().unwrap().contains("the mesh is open"), "{provenance}");
    assert!(provenance["notes"].is_array(), "{provenance}");
    assert_eq!(provenance["thickness_m"], 3e-3);

    let metres = mesh::builtin("bowl", Density::Coarse).unwrap();
    foley.write("bowl.obj", obj(&metres));
    let mut stl = Vec::new();
    mesh::write_stl(&metres, &mut stl).unwrap();
    foley.write("bowl.stl", stl);
    let mut millimetres = metres;
    millimetres.vertices.iter_mut().flatten().for_each(|x| *x *= 1e3);
    foley.write("small.obj", obj(&millimetres));
    for (file, units, within) in
        [("bowl.obj", "m", 1e-9), ("bowl.stl", "m", 1e-4), ("small.obj", "mm", 1e-9)]
    {
        let more = ["-m", "glass", "--max-frequency", "4kHz", "--thickness", "3mm"];
        let args = [&["modes", file, "--units", units, "-o", "a.modal"][..], &more].concat();
        alike(&frequencies(&foley.facts(&args)), &wanted, within);
    }
    // Without a thickness one is guessed, and said to be.
    let guessed = foley.good(&["modes", "bowl.obj", "-m", "glass", "--max-frequency", "2kHz"]);
    assert!(guessed.contains("no thickness given") && guessed.contains("bowl-glass"), "{guessed}");
}

#[test]
fn models_change_size_and_material() {
    let foley = Foley::new();
    let wanted = frequencies(&bowl(&foley, &["-o", "bowl.modal", "--no-compression"]));
    let change = |args: &[&str]| {
        let all = [&["modes", "bowl.modal", "-o", "new.modal"], args].concat();
        frequencies(&foley.facts(&all))
    };
    let halves: Vec<f64> = wanted.iter().map(|f| 0.5 * f).collect();
    alike(&change(&["--size", "2"]), &halves, 1e-3);
    let speed = |name| {
        let material = foley::modal::Material::named(name).unwrap();
        (material.young_pa / material.density).sqrt()
    };
    let ratio = speed("steel") / speed("glass");
    let other: Vec<f64> = wanted.iter().map(|f| ratio * f).collect();
    alike(&change(&["--material", "steel"]), &other, 1e-3);
    assert!(foley.good(&["check", "new.modal"]).contains("steel"));

    foley.good(&["modes", BAR[0], BAR[1], BAR[2], "-o", "bar.modal"]);
    let says = ["bar.modal does not say how it was made", "bake a mesh with `foley modes`"];
    foley.refuses(1, &["modes", "bar.modal", "--size", "2", "-o", "b.modal"], &says);
    foley.refuses(2, &["modes", "bowl.modal"], &["say --size or --material"]);
    foley.refuses(2, &["modes", "bowl.modal", "--size", "2"], &["say with -o where"]);
    foley.refuses(2, &["modes", "bowl", "-m", "glass", "--size", "2"], &["make one first"]);
    for size in ["0", "-1", "nan", "big"] {
        foley.refuses(2, &["modes", "bowl.modal", "--size", size, "-o", "b.modal"], &["--size"]);
    }
}

#[test]
fn places_and_directions_sound_different() {
    let foley = Foley::new();
    bowl(&foley, &["-o", "bowl.modal"]);
    let strike = |at: &str, direction: &str| {
        let strike = ["--at", at, "--direction", direction, "--seconds", "0.3", "-o", "a.wav"];
        foley.good(&[&["strike", "bowl.modal"], &strike[..]].concat());
        foley.wav("a.wav")
    };
    let side = strike("0.072,0,0.065", "-1,0,0");
    assert!(side.iter().any(|y| y.abs() > 0.01));
    assert!(side == strike("0.072,0,0.065", "-1,0,0"));
    assert!(side != strike("0.072,0,0.065", "0,0,-1"));
    assert!(side != strike("0.04,0,0.02", "-1,0,0"));
    let none = ["strike", "bowl.modal", "--direction", "0,0,0"];
    foley.refuses(2, &none, &["--direction", "its length is zero"]);
    for direction in ["up", "1,nan,0", ""] {
        foley.refuses(2, &["strike", "bowl.modal", "--direction", direction], &["--direction"]);
    }
}

#[test]
fn what_cannot_be_baked_is_refused() {
    let foley = Foley::new();
    foley.write("die.obj", obj(&mesh::builtin("die", Density::Coarse).unwrap()));
    foley.write("empty.obj", b"");
    foley.write("noise.stl", [7; 200]);
    foley.write("notes.md", b"hello");
    foley.refuses(1, &["modes", "notes.md"], &["notes.md is neither a mesh nor a model"]);
    foley.write("points.obj", b"v 0 0 0\nv 1 0 0\n");
    std::fs::create_dir(foley.path("folder.obj")).unwrap();
    for command in ["modes", "strike"] {
        for (code, args, says) in [
            (2, &["die.obj"][..], "it needs a material, e.g. --material steel"),
            (2, &["bell"], "it needs a material, e.g. --material steel"),
            (2, &["bel", "-m", "steel"], "did you mean `bell`?"),
            (2, &["bell", "-m", "steal"], "did you mean `steel`?"),
            (2, &["bell", "-m", "steel", "--units", "mm"], "leave --units out"),
            (2, &["die.obj", "-m", "steel", "--detail", "fine"], "leave --detail out"),
            (
                2,
                &[BAR[0], "-m", "steel", "--thickness", "2mm"],
                "is a shape: its wall thickness cannot be chosen; leave --thickness out",
            ),
            (2, &[BAR[0], "-m", "steel", "--method", "shell"], "leave --method out"),
            (1, &["none.obj", "-m", "steel"], "none.obj: cannot open the file"),
            (1, &["folder.obj", "-m", "steel"], "folder.obj: this is not a regular file"),
            (1, &["empty.obj", "-m", "steel"], "empty.obj: "),
            (1, &["points.obj", "-m", "steel"], "there are no triangles"),
            (1, &["noise.stl", "-m", "steel"], "noise.stl: "),
        ] {
            foley.refuses(code, &[&[command], args].concat(), &[says]);
        }
        for (flag, values) in [
            ("--thickness", &["0", "-1", "abc", "nan", "2 parsecs", ""][..]),
            ("--method", &["xyz", ""]),
            ("--units", &["parsec"]),
            ("--detail", &["finest"]),
            ("--memory", &["0", "-1", "lots", "nan"]),
        ] {
            for value in values {
                let says = [flag, &format!("see `foley {command} --help`")];
                foley.refuses(2, &[command, "die.obj", "-m", "steel", flag, value], &says);
            }
        }
    }
    // A number without a unit is in metres.
    for (mesh, thickness, says) in [
        ("bell", "3", " mm): check the thickness and its unit; did you mean 3 mm?"),
        ("bell", "25", " mm): check the thickness and its unit"),
        ("mug-closed", "3", "did you mean 3 mm?"),
    ] {
        let modes = ["modes", mesh, "-m", "bronze", "--thickness", thickness];
        foley.refuses(1, &modes, &["m is thicker than the object (1", says]);
    }
    let large = ["modes", "garbage-can", "-m", "steel", "--detail", "fine", "--memory", "0.1"];
    foley.refuses(1, &large, &["vertices need about", "reduce the mesh to", "more memory"]);
}
