//! `foley render`: what it writes beside the sound.

use crate::common;

use common::{Foley, check_png, loudness_of, number, peak_dbfs};
use serde_json::Value;
use std::f64::consts::PI;
use std::process::Command;

const SCENE: &str = r#"
title = "Two falls"
seconds = 1
ground = "concrete"
[[object]]
name = "bar"
shape = "bar:200x30x8mm"
material = "steel"
position = [-0.1, 0, 0.15]
rotation = [0, 12, 0]
[[object]]
name = "ball"
shape = "ball:40mm"
material = "glass"
position = [0.2, 0, 0.2]
velocity = [0.3, 0, 0]
[[strike]]
object = "bar"
at_s = 0.8
"#;

/// Frames of a film of one second.
const FRAMES: usize = 30;

fn with_scene() -> Foley {
    let foley = Foley::new();
    foley.write("falls.toml", SCENE);
    foley
}

#[test]
fn stats_tell_what_happened() {
    let foley = with_scene();
    let reported = foley.facts(&["render", "falls.toml", "--stats", "stats.json"]);
    let kept: Value = serde_json::from_slice(&foley.read("stats.json")).unwrap();
    for (key, value) in kept.as_object().unwrap() {
        assert_eq!(&reported[key], value, "{key}");
    }
    let impacts = &kept["impacts"];
    let times: Vec<f64> =
        impacts["times_s"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
    assert_eq!(impacts["count"].as_u64().unwrap() as usize, times.len());
    assert!(times.len() >= 2 && times.windows(2).all(|pair| pair[0] <= pair[1]), "{times:?}");
    // The ball's lowest point falls 18 cm.
    let falls_s = (2.0 * 0.18 / 9.81f64).sqrt();
    assert!(times.iter().any(|t| (t - falls_s).abs() < 2e-3), "{falls_s}: {times:?}");
    let histogram = &impacts["histogram"];
    let counts = histogram["counts"].as_array().unwrap();
    let counted: u64 = counts.iter().map(|c| c.as_u64().unwrap()).sum();
    assert_eq!(counted, times.len() as u64);
    assert_eq!(histogram["edges_ns"].as_array().unwrap().len(), counts.len() + 1);
    assert_eq!((&kept["strikes"], &kept["lost"]), (&1.into(), &Value::Array(vec![])));
    // What is lost in impacts is computed from impulses and speeds, one by one; it adds up to the
    // energy there was: m g h of both, what the ball had at the start, and what the wooden mallet
    // brings (20 g at 1 m/s), but for what they still have and what friction took. Never more.
    let (bar_kg, ball_kg) = (0.2 * 0.03 * 0.008 * 7850.0, 0.04f64.powi(3) / 6.0 * PI * 2500.0);
    let there_was_j = 9.81 * (bar_kg * 0.146 + ball_kg * 0.18) + 0.5 * ball_kg * 0.09;
    let there_was_j = there_was_j + 0.5 * 0.020;
    let lost_j = kept["lost_j"].as_f64().unwrap();
    assert!((0.8..=1.0).contains(&(lost_j / there_was_j)), "{lost_j} of {there_was_j} J");
    assert!(kept["sustained_contacts"].as_u64().unwrap() >= 1);
    let shares = kept["modes"]["shares"].as_array().unwrap();
    assert!(shares.len() >= 15 && shares.iter().any(|s| s.as_f64().unwrap() > 0.0));
    for key in ["physics_s", "sound_s", "sound_share", "times_real_time"] {
        assert!(kept["processor"][key].as_f64().unwrap() > 0.0, "{key}");
    }
    // A scene that is loud enough needs no second time to be levelled.
    assert!(kept["processor"]["level_s"].as_f64().unwrap() >= 0.0);
    assert!((-30.0..-10.0).contains(&kept["loudness_lufs"].as_f64().unwrap()));
}

#[test]
fn plots_and_a_still_are_drawn() {
    let foley = with_scene();
    let args = ["render", "falls.toml", "--plots", "out/plots", "--picture", "still.png"];
    let out = foley.good(&args);
    for name in ["forces", "impulses", "modes", "spectrogram"] {
        check_png(&foley.read(&format!("out/plots/{name}.png")));
        assert!(out.contains(&format!("{name}.png")), "{out}");
    }
    let still = foley.read("still.png");
    check_png(&still);
    let still = tiny_skia::Pixmap::decode_png(&still).unwrap();
    assert_eq!((still.width(), still.height()), (1280, 720));
}

/// A program in the place of ffmpeg that keeps what it is given.
#[cfg(unix)]
#[test]
fn frames_are_given_one_for_each_thirtieth_of_a_second() {
    use std::os::unix::fs::PermissionsExt;
    let foley = with_scene();
    let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.args\"\nfor last; do :; done\n\
                  cat > \"${last#file:}\"\n";
    std::fs::create_dir(foley.path("bin")).unwrap();
    foley.write("bin/ffmpeg", script);
    let may_run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(foley.path("bin/ffmpeg"), may_run).unwrap();
    let path = format!("{}:{}", foley.path("bin").display(), std::env::var("PATH").unwrap());
    let mut command = foley.command(&["render", "falls.toml", "--video", "falls.mp4"]);
    let output = command.env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let frames = foley.read("falls.mp4");
    assert_eq!(frames.len(), FRAMES * 640 * 360 * 3);
    let args = String::from_utf8(foley.read("bin/ffmpeg.args")).unwrap();
    for text in ["rgb24", "640x360", "30", "file:falls.wav"] {
        assert!(args.lines().any(|line| line == text), "{args}");
    }
    // Something moves while it falls, and nothing is left beside the film.
    let frame = |k: usize| &frames[k * 640 * 360 * 3..(k + 1) * 640 * 360 * 3];
    assert_ne!(frame(0), frame(5));
    let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with(".foley");
    let mut left = std::fs::read_dir(foley.folder()).unwrap();
    assert!(!left.any(|entry| hidden(&entry.unwrap().file_name())));
}

#[test]
fn a_film_has_picture_and_sound() {
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        println!("skipped: ffmpeg is not installed");
        return;
    }
    let foley = with_scene();
    foley.good(&["render", "falls.toml", "--video", "falls.mp4"]);
    let decode = |stream: &str, format: &[&str]| {
        let mut command = Command::new("ffmpeg");
        command.args(["-loglevel", "error", "-i"]).arg(foley.path("falls.mp4"));
        command.args(["-map", stream]).args(format).arg("-").output().unwrap().stdout
    };
    let frames = decode("0:v", &["-f", "rawvideo", "-pix_fmt", "rgb24"]);
    assert_eq!(frames.len(), FRAMES * 640 * 360 * 3);
    let sound = decode("0:a", &["-f", "s16le", "-ac", "1", "-ar", "48000"]);
    let seconds = sound.len() as f64 / 2.0 / 48_000.0;
    assert!((seconds - 1.0).abs() < 0.06, "{seconds}");
}

#[test]
fn without_ffmpeg_a_film_is_refused_before_the_work_starts() {
    let foley = with_scene();
    let args = ["render", "falls.toml", "--video", "falls.mp4", "--stats", "s.json"];
    let mut command = foley.command(&args);
    command.env("PATH", foley.folder());
    let says = ["falls.mp4: ffmpeg is not installed; install it, or leave --video out"];
    foley.check_refusal(1, &mut command, &says);
}

/// A file of this name that cannot be executed is not ffmpeg.
#[cfg(unix)]
#[test]
fn an_ffmpeg_that_cannot_be_executed_is_refused_before_the_work_starts() {
    let foley = with_scene();
    std::fs::create_dir(foley.path("bin")).unwrap();
    foley.write("bin/ffmpeg", "#!/bin/sh\n");
    let args = ["render", "falls.toml", "--video", "falls.mp4", "--stats", "s.json"];
    let mut command = foley.command(&args);
    command.env("PATH", foley.path("bin"));
    let says = ["falls.mp4: ffmpeg is not installed; install it, or leave --video out"];
    foley.check_refusal(1, &mut command, &says);
}

/// Whether names that differ in case are one folder is known only when it exists: such a folder is not counted
/// on.
#[test]
fn outputs_in_folders_that_no_option_makes_are_refused_before_the_work_starts() {
    let foley = with_scene();
    let long = format!("new/{}", "n".repeat(300));
    for (plots, trace, says) in [
        ("New", "new/t", "there is no folder new"),
        ("new", &long, "choose a shorter or simpler name"),
    ] {
        let args = ["render", "falls.toml", "--plots", plots, "--trace", trace];
        foley.refuses(1, &args, &["cannot write new/", says]);
    }
}

#[test]
fn misuse_and_missing_files_are_told() {
    let foley = with_scene();
    foley.refuses(2, &["render"], &["<SCENE>"]);
    foley.refuses(2, &["render", "falls.toml", "--films", "x"], &["--films"]);
    foley.refuses(1, &["render", "none.toml"], &["none.toml"]);
    foley.refuses(2, &["render", "cup.obj"], &["cup.obj is a mesh, not a scene", "foley modes"]);
    foley.refuses(2, &["render", "falls.toml", "-o", "x.mp3"], &["x.mp3: the format .mp3"]);
    foley.refuses(2, &["render", "falls.toml", "--video", "x.avi"], &["x.avi", ".mp4"]);
    foley.refuses(2, &["render", "falls.toml", "--picture", "x.jpg"], &["x.jpg", ".png"]);
    foley.refuses(2, &["play", "falls.toml", "--mock", "--device", "x"], &["--device"]);
    foley.refuses(2, &["play"], &["<SCENE>"]);
    foley.refuses(1, &["play", "none.toml", "--mock"], &["none.toml"]);
}

/// In real time, beside an audio thread: nothing is lost and nothing is bad. That nothing is
/// late either is asked in virtual time, where a busy machine does not matter.
#[test]
fn a_scene_played_is_the_scene_rendered() {
    let foley = with_scene();
    let rendered = foley.facts(&["render", "falls.toml"]);
    let played = foley.facts(&["play", "falls.toml", "--mock"]);
    let bad = common::number(&played, "bad_blocks") + common::number(&played, "dropped");
    foley_measured::check!("live.mock_bad", bad);
    assert_eq!(played["heard"]["impacts"], rendered["heard"]["impacts"]);
    assert_eq!(played["heard"]["excitations"], rendered["heard"]["excitations"]);
    assert_eq!(played["full_scale_pa"], rendered["full_scale_pa"]);
    println!("gaps: {}, late: {}", played["gaps"], played["late"]);
}

/// With CPU or GPU hail: the same sound, bit for bit, also where nothing is heard.
#[test]
fn hail_sounds_the_same_on_the_gpu() {
    let foley = Foley::new();
    let glass = "material = \"glass\"\nmax_modes = 60";
    let scene = |per_second: u32, x: u32, made_of: &str| {
        format!(
            r#"
            title = "Hail on glass"
            seconds = 1
            [hail]
            per_second = {per_second}
            fall = "accelerated"
            cloud = {{ position = [{x}, 0, 6], size = [2, 2] }}
            [[object]]
            shape = "plate:600x400x4mm"
            {made_of}
            motion = "fixed"
            position = [0, 0, 0.5]
            rotation = [0, 20, 0]
            "#
        )
    };
    foley.write("hail.toml", scene(3000, 0, glass));
    // Where there is none, it says what to do.
    let mut blind = foley.command(&["render", "hail.toml", "--gpu", "on"]);
    let says = ["no GPU found", "install", "--gpu off"];
    foley.check_refusal(1, blind.env("WGPU_BACKEND", "metal"), &says);

    let required = std::env::var("FOLEY_REQUIRE_GPU").map_or(true, |value| value != "0");
    let tried = foley.command(&["render", "hail.toml", "--gpu", "on"]).output().unwrap();
    if !tried.status.success() && !required {
        println!("SKIPPED: {}", String::from_utf8_lossy(&tried.stderr));
        return;
    }
    let cases = [
        (scene(3000, 0, glass), 100..1000),
        // No hail, a cloud far away, and only something silent below it.
        (scene(0, 0, glass), 0..1),
        (scene(3000, 9000, glass), 0..1),
        (scene(3000, 0, "silent = true"), 0..1),
    ];
    for (text, expected) in cases {
        foley.write("hail.toml", &text);
        let render = |when: &str, file: &str| {
            let found = foley.facts(&["render", "hail.toml", "--gpu", when, "-o", file]);
            (found["hail_found_by"].as_str().unwrap().to_owned(), found["heard"].clone())
        };
        let (by_cpu, on_cpu) = render("off", "cpu.wav");
        let (by_gpu, on_gpu) = render("on", "gpu.wav");
        assert!(by_cpu == "CPU" && !by_gpu.starts_with("CPU"), "{by_cpu}, {by_gpu}");
        assert!(expected.contains(&on_cpu["hail"]["sounded"].as_u64().unwrap()), "{on_cpu}");
        assert_eq!(on_cpu, on_gpu);
        let (cpu, gpu) = (foley.read("cpu.wav"), foley.read("gpu.wav"));
        assert_eq!(cpu.len(), gpu.len());
        let differ = cpu.iter().zip(&gpu).filter(|(a, b)| a != b).count();
        foley_measured::check!("commands.gpu_sound", differ as f64);
    }
}

/// A struck bar of a scene of this length.
fn bar_scene(seconds: f64, level: &str, strike: &str) -> String {
    format!(
        "seconds = {seconds}\n{level}\n[[object]]\nname = \"bar\"\nshape = \"bar:300x30x8mm\"\n\
         material = \"steel\"\nmotion = \"fixed\"\n[[strike]]\nobject = \"bar\"\n{strike}\n"
    )
}

/// Also scenes shorter than a block of the meter, and strikes that are inaudible at the level of most scenes.
#[test]
fn a_scene_has_its_loudness_whatever_its_length() {
    let foley = Foley::new();
    for (seconds, lufs, strike) in [
        (0.1, -30.0, ""),
        (0.3, -30.0, ""),
        (0.45, -30.0, ""),
        (1.0, -30.0, ""),
        (1.05, -30.0, "at_s = 0.7"),
        (5.0, -30.0, ""),
        (1.0, -20.0, "at_s = 0.97"),
        (1.0, -16.0, "speed_m_s = 1e-4"),
        (1.0, -16.0, "speed_m_s = 0.01"),
    ] {
        foley.write("a.toml", bar_scene(seconds, &format!("loudness_lufs = {lufs}"), strike));
        let facts = foley.facts(&["render", "a.toml"]);
        let sound = foley.wav_of("a.wav", 2);
        let found = loudness_of(&sound, 2);
        let place = format!("{seconds} s, {strike}: {found} LUFS, {facts}");
        assert!((found - number(&facts, "loudness_lufs")).abs() < 0.01, "{place}");
        assert!((found - lufs).abs() < 0.3, "{place}");
        assert_eq!(facts["notes"], Value::Array(vec![]), "{place}");
    }
}

#[test]
fn a_loudness_that_is_not_reached_is_said() {
    let foley = Foley::new();
    foley.write("knock.toml", bar_scene(0.1, "loudness_lufs = -8", ""));
    let said = foley.good(&["render", "knock.toml"]);
    let facts = foley.facts(&["render", "knock.toml"]);
    let lufs = number(&facts, "loudness_lufs");
    let note = format!(
        "the loudness is {lufs:.1} LUFS instead of -8: the limiter holds the peak; write a lower `loudness_lufs`"
    );
    assert!(lufs < -8.5 && said.contains(&format!("note: {note}\n")), "{said}");
    assert_eq!(facts["notes"], serde_json::json!([note]));
    let peak = peak_dbfs(&foley.wav_of("knock.wav", 2));
    assert!((-1.5..=common::CEILING_DBFS).contains(&peak), "{peak} dBFS");
    // The blocks of the meter end at 1.0 s.
    foley.write("late.toml", bar_scene(1.05, "loudness_lufs = -20", "at_s = 1.02"));
    let facts = foley.facts(&["render", "late.toml"]);
    let note = "the loudness cannot be measured: all sound is in the last 0.1 s, after the last block of the meter; \
                write a larger `seconds`";
    assert_eq!(facts["notes"], serde_json::json!([note]));
}

#[test]
fn silence_is_said() {
    let foley = Foley::new();
    for level in ["", "full_scale_pa = 1"] {
        for (strike, what) in [
            ("speed_m_s = 0", "nothing excites an object that makes a sound"),
            ("at_s = 0.0999999\nspeed_m_s = 1e-4", "it begins after the end"),
        ] {
            foley.write("still.toml", bar_scene(0.1, level, strike));
            let said = foley.good(&["render", "still.toml"]);
            assert!(said.contains("note: the sound is silent") && said.contains(what), "{said}");
            let notes = &foley.facts(&["render", "still.toml"])["notes"];
            assert!(notes[0].as_str().unwrap().contains(what), "{notes}");
        }
    }
}
