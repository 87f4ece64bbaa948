//! `foley check` and the commands that use a file give the same verdict on it.

use crate::common;

use common::Foley;
use hound::{SampleFormat, WavSpec, WavWriter};

fn wav(foley: &Foley, name: &str, sample_rate: u32, samples: &[f32]) {
    let spec = WavSpec {
        channels: 1,
        sample_rate: 48_000,
        bits_per_sample: 32,
        sample_format: SampleFormat::Float,
    };
    let mut writer = WavWriter::create(foley.path(name), spec).unwrap();
    samples.iter().for_each(|y| writer.write_sample(*y).unwrap());
    writer.finalize().unwrap();
    // `hound` computes bytes a second, which overflow for the fastest.
    let mut bytes = foley.read(name);
    bytes[24..28].copy_from_slice(&sample_rate.to_le_bytes());
    foley.write(name, bytes);
}

/// Whether a command accepts a file. Nothing panics, and a refusal names the file.
fn accepts(foley: &Foley, args: &[&str], file: &str) -> bool {
    let output = foley.command(args).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    match output.status.code() {
        Some(0) => true,
        Some(1) => {
            assert!(err.contains(file) || err.contains("specimen"), "{args:?}: {err}");
            false
        }
        other => panic!("{args:?}: {other:?}, {err}"),
    }
}

#[test]
fn of_sounds() {
    let foley = Foley::new();
    let tone: Vec<f32> = (0..4800).map(|n| 0.3 * (0.1 * n as f32).sin()).collect();
    let with = |value: f32| {
        let mut samples = tone.clone();
        samples[4000] = value;
        samples
    };
    let table: [(&str, u32, &[f32], bool); 9] = [
        ("good.wav", 48_000, &tone, true),
        ("loud.wav", 48_000, &with(1e6), true),
        ("slow.wav", 8_000, &tone, true),
        ("nan.wav", 48_000, &with(f32::NAN), false),
        ("infinite.wav", 48_000, &with(f32::INFINITY), false),
        ("huge.wav", 48_000, &with(-1e30), false),
        ("slowest.wav", 1, &tone, false),
        ("fastest.wav", 4_000_000_000, &tone, false),
        ("empty.wav", 48_000, &[], false),
    ];
    for (name, rate, samples, is_good) in table {
        wav(&foley, name, rate, samples);
        assert_eq!(accepts(&foley, &["check", name], name), is_good, "check {name}");
        assert_eq!(accepts(&foley, &["plot", name], name), is_good, "plot {name}");
        let scene = format!(
            "seconds = 0.1\n[[object]]\nname = \"specimen\"\nshape = \"bar:200x30x8mm\"\nmaterial = \"steel\"\n\
             surface = {{ kind = \"recorded\", file = \"{name}\", metres_per_sample = 1e-4 }}\n"
        );
        foley.write("scene.toml", scene);
        assert_eq!(
            accepts(&foley, &["check", "scene.toml"], name),
            is_good,
            "check surface {name}"
        );
        assert_eq!(
            accepts(&foley, &["render", "scene.toml"], name),
            is_good,
            "render surface {name}"
        );
    }
}

#[test]
fn of_scenes() {
    let foley = Foley::with_bar();
    foley.write("short.trace", b"not a trace");
    let specimen = "seconds = 0.05\n[[object]]\nname = \"specimen\"\nmaterial = \"steel\"\n";
    let bar = format!("{specimen}shape = \"bar:200x30x8mm\"\n");
    let ball = format!("{specimen}shape = \"ball:16mm\"\n");
    let table = [
        (bar.clone(), true),
        (format!("{bar}velocity = [400, 0, 0]\n"), true),
        (format!("{ball}size = 2\n"), true),
        (format!("{specimen}mesh = \"ring\"\ndetail = \"coarse\"\n"), true),
        (format!("{bar}[[strike]]\nobject = \"specimen\"\n"), true),
        ("seconds = 0.05\n[[object]]\nname = \"specimen\"\nmodel = \"bar.modal\"\n".into(), true),
        // Faster than the simulation allows, by the variation of instances.
        (
            format!(
                "{bar}velocity = [400, 0, 0]\ncount = 9\njitter = {{ velocity = [400, 0, 0] }}\n"
            ),
            false,
        ),
        (
            format!(
                "{bar}velocity = [400, 0, 0]\ncount = 9\njitter = {{ velocity = [400, 0, 0] }}\nrelease_s = 1\n"
            ),
            false,
        ),
        // Larger and smaller than the simulation and the modal analysis allow.
        (format!("{ball}size = 1e6\n"), false),
        (format!("{bar}size = 1e6\n"), false),
        (format!("{bar}size = 1e-6\n"), false),
        (
            format!(
                "{specimen}mesh = \"ring\"\nthickness_m = 1e9\nmethod = \"shell\"\nsize = 1e6\n"
            ),
            false,
        ),
        // A model of recordings or shapes has one size.
        (
            "seconds = 0.05\n[[object]]\nname = \"specimen\"\nmodel = \"bar.modal\"\nsize = 2\n"
                .into(),
            false,
        ),
        (format!("trace = \"short.trace\"\n{bar}"), false),
    ];
    for (text, is_good) in table {
        foley.write("scene.toml", &text);
        assert_eq!(
            accepts(&foley, &["check", "scene.toml"], "scene.toml"),
            is_good,
            "check\n{text}"
        );
        let names = if text.contains("trace") { "short.trace" } else { "scene.toml" };
        assert_eq!(accepts(&foley, &["render", "scene.toml"], names), is_good, "render\n{text}");
    }
}

#[test]
fn of_meshes() {
    let foley = Foley::new();
    let tetrahedron = |size: &str| {
        format!(
            "v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
        )
    };
    for (name, text, is_good) in [
        ("good.obj", tetrahedron("0.1"), true),
        ("nan.obj", tetrahedron("nan"), false),
        ("huge.obj", tetrahedron("1e30"), false),
        ("tiny.obj", tetrahedron("1e-9"), false),
        ("tiniest.obj", tetrahedron("1e-30"), false),
        ("mountain.obj", tetrahedron("1e5"), false),
        ("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n".to_owned(), false),
        ("empty.obj", String::new(), false),
    ] {
        foley.write(name, text);
        assert_eq!(accepts(&foley, &["check", name], name), is_good, "check {name}");
        let modes = ["modes", name, "-m", "steel", "--max-modes", "3", "-o", "a.modal"];
        assert_eq!(accepts(&foley, &modes, name), is_good, "modes {name}");
    }
}

/// Returns what `foley check` says of a scene that is refused, after it checked that `foley render` says the same.
fn refusal(foley: &Foley, scene: &str) -> String {
    foley.write("scene.toml", scene);
    let [checked, rendered] = ["check", "render"].map(|command| {
        let output = foley.command(&[command, "scene.toml"]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}: {said}\n{scene}");
        said
    });
    let problem = |said: &str| {
        let said = said.trim_start_matches("foley: ").trim_start_matches("scene.toml: ");
        said.to_owned()
    };
    assert_eq!(problem(&checked), problem(&rendered));
    problem(&checked)
}

/// Contacts take memory and time, and bodies at one place all touch each other.
#[test]
fn of_bodies_that_start_inside_each_other() {
    let foley = Foley::new();
    let balls = |shape: &str, lines: &str| {
        format!(
            "seconds = 0.02\nground = \"stone\"\n[[object]]\nname = \"ball\"\n{shape}\nmaterial = \"glass\"\n\
             silent = true\nposition = [0, 0, 1]\n{lines}\n"
        )
    };
    let (ball, bowl) = ("shape = \"ball:16mm\"", "mesh = \"bowl\"");
    for (shape, lines) in [
        (ball, "copies = 2000"),
        (ball, "copies = 2000\nrelease_s = 0.01"),
        (ball, "copies = 2000\nstep = [1e-5, 0, 0]"),
        ("shape = \"ring:80x8mm\"", "copies = 2000"),
        (bowl, "copies = 2000"),
    ] {
        let said = refusal(&foley, &balls(shape, lines));
        let says = "more than 100000 pairs of bodies start inside each other, `ball ";
        assert!(said.starts_with(says) && said.contains("place them apart"), "{said}");
    }
    // Separate ones, also close together, are good; so are some at one place.
    for (shape, lines) in [
        (ball, "grid = [20, 10, 10]\nspacing = [0.0161, 0.0161, 0.0161]"),
        (
            "shape = \"bar:60x8x2mm\"\nrotation = [0, 0, 45]",
            "grid = [50, 40, 1]\nspacing = [0.012, 0.012, 0]",
        ),
        (ball, "copies = 60"),
    ] {
        foley.write("scene.toml", balls(shape, lines));
        for command in ["check", "render"] {
            assert!(accepts(&foley, &[command, "scene.toml"], "scene.toml"), "{command} {lines}");
        }
    }
}

#[test]
fn of_surface_points() {
    let foley = Foley::with_bar();
    let strike = |body: &str, place: u32| {
        format!(
            "seconds = 0.05\n[[object]]\nname = \"it\"\n{body}\n[[strike]]\nobject = \"it\"\nat_s = 0.01\n\
             place = {place}\n"
        )
    };
    for body in ["model = \"bar.modal\"", "shape = \"bar:300x30x8mm\"\nmaterial = \"steel\""] {
        let said = refusal(&foley, &strike(body, 99_999));
        let says =
            "the strike on \"it\" at 0.01 s: there is no surface point 99999; its model has ";
        assert!(said.starts_with(says), "{said}");
        let count: u32 = said[says.len()..].split(',').next().unwrap().parse().unwrap();
        refusal(&foley, &strike(body, count));
        foley.write("scene.toml", strike(body, count - 1));
        for command in ["check", "render"] {
            assert!(accepts(&foley, &[command, "scene.toml"], "scene.toml"), "{command} {body}");
        }
    }
    // A check does not compute the modes of a mesh, and says so.
    foley.write("scene.toml", strike("mesh = \"ring\"\nmaterial = \"steel\"", 99_999));
    let said = foley.good(&["check", "scene.toml"]);
    assert!(said.contains("only known when its modes are computed"), "{said}");
    foley.refuses(1, &["render", "scene.toml"], &["no surface point 99999"]);
}

#[test]
fn of_values_of_a_trace() {
    let foley = Foley::new();
    let scene = "seconds = 0.5\ntrace = \"t.jsonl\"\n[[object]]\nname = \"a\"\nshape = \"bar:300x30x8mm\"\n\
                 material = \"steel\"\n";
    let impact = "\"impulse_ns\":0.1,\"speed_m_s\":1}}";
    for (value, key) in [
        (
            impact.replace("0.1", "1e30"),
            "impact.impulse_ns` is 1e30; it must be from 0 to 1e13 N·s",
        ),
        (
            impact.replace(":1}", ":1e30}"),
            "impact.speed_m_s` is 1e30; it must be from 0 to 1e6 m/s",
        ),
        (impact.replace("0.1", "-1"), "impact.impulse_ns` is -1; it must be"),
    ] {
        let line = format!(
            "{{\"foley_trace\":1,\"bodies\":[\"a\"]}}\n{{\"impact\":{{\"at_s\":0.1,\"bodies\":[0,0],\
             \"places\":[[0,0,0],[0,0,0]],\"normal\":[0,0,1],{value}\n"
        );
        foley.write("t.jsonl", line);
        let said = refusal(&foley, scene);
        assert!(said.starts_with(&format!("t.jsonl: line 2: `{key}")), "{said}");
    }
    foley.write("t.jsonl", format!(
        "{{\"foley_trace\":1,\"bodies\":[\"a\"]}}\n{{\"impact\":{{\"at_s\":0.1,\"bodies\":[0,0],\
         \"places\":[[0,0,0],[0,0,0]],\"normal\":[0,0,1],{impact}\n"
    ));
    foley.good(&["render", "scene.toml"]);
}

/// A model from recordings has points and no surface.
#[test]
fn of_models_without_a_surface() {
    let foley = Foley::new();
    let model = |name: &str, points: &[[f64; 3]]| {
        let parts = foley::dsp::model::ModalParts {
            name: name.into(),
            frequencies_hz: vec![440.0],
            decays: vec![5.0],
            points: points.to_vec(),
            triangles: Vec::new(),
            gains: vec![1.0; points.len()].into(),
            body: foley::dsp::model::ContactBody {
                mass_kg: 1.0,
                young_pa: 7e10,
                poisson: 0.3,
                radius_m: f64::INFINITY,
            },
            ..foley::dsp::model::ModalParts::default()
        };
        let model = foley::dsp::model::ModalModel::new(parts).unwrap();
        let path = foley.path(name);
        foley::modal::file::save(&model, &path).unwrap();
    };
    let corner = |x: f64, y: f64| [x, y, 0.5 * x + 0.25 * y];
    let square = [corner(0.0, 0.0), corner(0.2, 0.0), corner(0.2, 0.2), corner(0.0, 0.2)];
    let line = [0.0, 0.1, 0.3].map(|x| [x, x, 0.5 * x]);
    let solid = [[0.0; 3], [0.2, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.2]];
    // A kilogram of steel is a ball of 31 mm; 0.45 m and 0.5 % of it.
    for (name, points, collider) in [
        ("point.modal", &[[0.0; 3]][..], "a ball of 31.2 mm radius"),
        ("points.modal", &[[0.1, 0.0, 0.0]; 3][..], "a ball of 31.2 mm radius"),
        ("line.modal", &line[..], "450.0 × 2.3 × 2.3 mm"),
        ("square.modal", &square[..], " 1."),
        ("solid.modal", &solid[..], "their convex hull"),
    ] {
        model(name, points);
        let scene = format!(
            "seconds = 0.5\nground = \"stone\"\n[[object]]\nname = \"bell\"\nmodel = \"{name}\"\n\
             material = \"steel\"\nposition = [0, 0, 0.1]\n"
        );
        foley.write("scene.toml", &scene);
        for command in ["check", "render"] {
            let said = foley.good(&[command, "scene.toml"]);
            let note = said
                .lines()
                .find(|line| line.starts_with("note: \"bell\": its model has no surface"));
            assert!(note.is_some_and(|note| note.contains(collider)), "{command} {name}: {said}");
        }
        let facts = foley.facts(&["render", "scene.toml"]);
        assert!(facts["impacts"]["count"].as_u64().unwrap() > 0, "{name}: {facts}");
        assert_eq!(facts["lost"], serde_json::json!([]), "{name}");
        if collider.contains("31.2 mm") {
            // A given mass is that of the object at its size, the mass of the model is that at size 1. A model without
            // provenance cannot sound at another size.
            for (keys, radius) in [
                ("mass_kg = 1\nsize = 2", "31.2 mm"),
                ("mass_kg = 8", "62.4 mm"),
                ("size = 2", "62.4 mm"),
            ] {
                foley.write("scene.toml", format!("{scene}silent = true\n{keys}\n"));
                let said = foley.good(&["check", "scene.toml"]);
                let ball =
                    format!("a ball of {radius} radius, with its mass and the density of steel;");
                assert!(said.contains(&ball), "{name} {keys}: {said}");
            }
        }
        // Those that are named have an extent, too.
        for kind in ["box", "ball", "cylinder"] {
            foley.write("scene.toml", format!("{scene}collider = \"{kind}\"\n"));
            assert!(accepts(&foley, &["check", "scene.toml"], "scene.toml"), "{name} {kind}");
        }
    }
}
