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
