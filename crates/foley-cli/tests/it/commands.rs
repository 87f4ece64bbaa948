//! What each command does when all is well.

use crate::common;

use common::{BAR, CEILING_DBFS, Foley, check_png, check_svg, loudness_lufs, number, peak_dbfs};
use std::process::Stdio;

/// f₁ = 4.73004²/(2π L²) √(E h²/12ρ) of 300×30×8 mm of steel.
#[test]
fn modes_writes_a_model_and_tells_its_frequencies() {
    let foley = Foley::new();
    let facts = foley.facts(&["modes", BAR[0], BAR[1], BAR[2]]);
    assert_eq!(facts["written"], "bar-steel.modal");
    assert_eq!(facts["name"], "steel bar:300x30x8mm");
    assert!((facts["frequencies_hz"][0].as_f64().unwrap() - 461.197).abs() < 0.01, "{facts}");
    let modes = facts["modes"].as_u64().unwrap() as usize;
    for key in ["frequencies_hz", "t60_s"] {
        assert_eq!(facts[key].as_array().unwrap().len(), modes, "{key}");
    }
    assert!((number(&facts, "mass_kg") - 0.300 * 0.030 * 0.008 * 7850.0).abs() < 1e-9);
    assert_eq!(&foley.read("bar-steel.modal")[..8], b"FOLEYMOD");
    let said = foley.good(&["modes", BAR[0], BAR[1], BAR[2], "-o", "again.modal"]);
    assert!(said.contains("461.2") && said.contains("written: again.modal"), "{said}");
    assert!(foley.read("again.modal") == foley.read("bar-steel.modal"));
}

#[test]
fn modes_keeps_the_band_and_the_count_asked_for() {
    let foley = Foley::new();
    let few = foley.facts(&["modes", "disc:200x2mm", "-m", "brass", "--max-modes", "3"]);
    assert_eq!(few["modes"], 3);
    for limit in ["2kHz", "2000", "2000 Hz"] {
        let low = foley.facts(&["modes", BAR[0], BAR[1], BAR[2], "--max-frequency", limit]);
        assert_eq!(low["modes"], 2, "{limit}");
    }
}

#[test]
fn modes_exports_json_when_asked_or_when_the_name_ends_so() {
    let foley = Foley::new();
    foley.good(&["modes", " Bar: 300x30x8mm", "-m", "Steel", "--export-json"]);
    foley.good(&["modes", BAR[0], BAR[1], BAR[2], "-o", "mine.json"]);
    assert!(foley.read("mine.json") == foley.read("bar-steel.json"));
    let model: serde_json::Value = serde_json::from_slice(&foley.read("mine.json")).unwrap();
    assert!(model.to_string().contains("frequencies_hz"));
}

/// A model from a file sounds as the shape it was made of, to the last bit.
#[test]
fn strike_writes_the_same_sound_from_a_shape_and_from_its_model() {
    let foley = Foley::new();
    foley.good(&["modes", BAR[0], BAR[1], BAR[2], "-o", "bar.modal"]);
    let said = foley.good(&["strike", BAR[0], BAR[1], BAR[2]]);
    assert!(said.contains("contact 0.261 ms") && said.contains("written: strike.wav"), "{said}");
    foley.good(&["strike", "bar.modal", "-o", "from-model.wav"]);
    assert!(foley.read("strike.wav") == foley.read("from-model.wav"));
    let sound = foley.wav("strike.wav");
    assert!((loudness_lufs(&sound) + 16.0).abs() < 0.5, "{} LUFS", loudness_lufs(&sound));
    assert!(peak_dbfs(&sound) <= CEILING_DBFS);
    // It ends in silence, without a click.
    assert!(sound[sound.len() - 8..].iter().all(|y| y.abs() < 1e-4));
}

/// Perceptual synthesis is inaudibly different.
#[test]
fn strike_computes_what_is_audible_when_asked() {
    let foley = Foley::with_bar();
    foley.good(&["strike", "bar.modal", "--physical", "-o", "all.wav"]);
    foley.good(&["strike", "bar.modal", "--physical", "--audible", "-o", "heard.wav"]);
    let (all, heard) = (foley.wav("all.wav"), foley.wav("heard.wav"));
    let power = |x: &mut dyn Iterator<Item = f32>| x.map(|y| f64::from(y).powi(2)).sum::<f64>();
    let error = power(&mut all.iter().zip(&heard).map(|(a, b)| a - b));
    assert!(all != heard && error < 1e-4 * power(&mut all.iter().copied()), "{error:e}");
    foley.good(&["strike", "bar.modal", "--audible", "--playback-db", "60", "-o", "soft.wav"]);
    foley.refuses(2, &["strike", "bar.modal", "--playback-db", "200"], &["140"]);
}

#[test]
fn strike_tells_the_facts_of_the_file_it_wrote() {
    let foley = Foley::with_bar();
    let args = ["strike", "bar.modal", "--seconds", "0.75", "--loudness", "-23", "-o", "a.WAV"];
    let facts = foley.facts(&args);
    let sound = foley.wav("a.WAV");
    assert_eq!((sound.len(), number(&facts, "seconds")), (36_000, 0.75));
    assert!((number(&facts, "loudness_lufs") - loudness_lufs(&sound)).abs() < 1e-3, "{facts}");
    assert!((number(&facts, "peak_dbfs") - peak_dbfs(&sound)).abs() < 1e-3, "{facts}");
    assert!((number(&facts, "loudness_lufs") + 23.0).abs() < 0.1, "{facts}");
    assert!((0.2..0.3).contains(&number(&facts, "contact_ms")), "{facts}");
    assert!((60.0..110.0).contains(&number(&facts, "peak_db_spl_at_1m")), "{facts}");
    assert!(facts["picture"].is_null() && facts["written"] == "a.WAV", "{facts}");
}

/// The meter reads nothing below −70 LUFS, but a gentle strike is still brought to its loudness.
#[test]
fn gentle_blows_are_as_loud_in_the_file_as_hard_ones() {
    let foley = Foley::with_bar();
    for speed in ["0.0001", "0.01", "10", "1000"] {
        // At the highest speed the click has a peak that no limiter levels.
        foley.good(&["strike", "bar.modal", "--speed", speed, "--no-acceleration-noise"]);
        let loudness = loudness_lufs(&foley.wav("strike.wav"));
        assert!((loudness + 16.0).abs() < 0.5, "{speed} m/s: {loudness} LUFS");
    }
}

#[test]
fn strike_lists_where_the_energy_went() {
    let foley = Foley::new();
    let args = ["strike", BAR[0], "-m", "steel", "--with", "steel ball", "--held", "resting"];
    let args = [&args[..], &["--seconds", "0.1", "--energy"]].concat();
    let said = foley.good(&args);
    for part in ["energy of the striker", "rigid motion", "support", "radiated by modes"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let facts = foley.facts(&args);
    let energy = &facts["energy"];
    let parts = ["striker_after_j", "rigid_j", "contact_j", "clicks_j", "above_j"];
    let losses = ["material", "viscosity", "support", "radiation"];
    let sum: f64 = parts.iter().map(|part| number(energy, part)).sum::<f64>()
        + losses.iter().map(|part| number(&energy["losses_j"], part)).sum::<f64>();
    assert!((sum / number(energy, "striker_before_j") - 1.0).abs() < 0.02, "{energy}");
    assert!(number(&energy["losses_j"], "support") > 0.0, "{energy}");
    assert!(energy["modes"].as_array().is_some_and(|modes| modes.len() > 5), "{energy}");
    assert!(foley.facts(&["strike", BAR[0], "-m", "steel"])["energy"].is_null());
}

#[test]
fn a_striker_that_stands_still_is_silent() {
    let foley = Foley::with_bar();
    let facts = foley.facts(&["strike", "bar.modal", "--speed", "0"]);
    assert!(foley.wav("strike.wav").iter().all(|y| *y == 0.0));
    for key in ["contact_ms", "peak_db_spl_at_1m", "loudness_lufs", "peak_dbfs"] {
        assert!(facts[key].is_null(), "{key}: {facts}");
    }
    assert!(foley.good(&["strike", "bar.modal", "--speed", "0"]).contains("nothing is heard"));
}

/// A knock lasts a tenth of a second and loudness is a mean over 0.4 s.
#[test]
fn what_is_too_short_to_be_loud_is_said() {
    let foley = Foley::new();
    let said = foley.good(&["strike", BAR[0], "-m", "wood"]);
    assert!(said.contains("too short to be louder"), "{said}");
    assert!(peak_dbfs(&foley.wav("strike.wav")) <= CEILING_DBFS);
}

#[test]
fn a_flac_file_holds_the_sound_of_the_wav_file() {
    let foley = Foley::with_bar();
    for name in ["a.wav", "a.flac"] {
        foley.good(&["strike", "bar.modal", "--seconds", "0.5", "-o", name]);
    }
    let wav = foley.wav("a.wav");
    let mut flac = claxon::FlacReader::open(foley.path("a.flac")).unwrap();
    let info = flac.streaminfo();
    assert_eq!((info.channels, info.sample_rate, info.bits_per_sample), (1, 48_000, 24));
    let samples: Vec<f64> =
        flac.samples().map(|y| f64::from(y.unwrap()) / f64::from(1 << 23)).collect();
    assert_eq!(samples.len(), wav.len());
    // Dither is two steps of 24 bits wide.
    let worst =
        wav.iter().zip(&samples).map(|(a, b)| (f64::from(*a) - b).abs()).fold(0.0, f64::max);
    assert!(worst < 3.0 / f64::from(1 << 23), "{worst}");
}

#[test]
fn the_place_can_be_written_in_every_form() {
    let foley = Foley::new();
    let made = foley.facts(&["modes", BAR[0], BAR[1], BAR[2], "-o", "bar.modal"]);
    let strike = |at: &[&str]| {
        foley.good(&[&["strike", "bar.modal", "--seconds", "0.1"], at].concat());
        foley.read("strike.wav")
    };
    let middle = strike(&["--at", "0,0,0"]);
    let point = format!("#{}", made["points"].as_u64().unwrap() / 2);
    for at in ["0", "0,0", " 0, 0.0, -0 ", "0,1,0", &point] {
        assert!(strike(&["--at", at]) == middle, "--at {at}");
    }
    // The ends: alike but for the signs of the modes.
    let left = strike(&["--at", "-0.15"]);
    assert!(left == strike(&["--at=-0.15,0,0"]) && left == strike(&["--at", "#0"]));
    assert!(left == strike(&["--at", "-3"]), "off the bar, its nearest point is struck");
    assert!(left != middle && left != strike(&["--at", "0.15"]) && left != strike(&[]));
}

/// Full scale is 1 Pa, 94 dB; twice the speed is 6 dB more (and a little, for it is shorter).
#[test]
fn physical_files_keep_the_pressure() {
    let foley = Foley::with_bar();
    let peak = |speed: &str| {
        let facts = foley.facts(&["strike", "bar.modal", "--physical", "--speed", speed]);
        let peak = peak_dbfs(&foley.wav("strike.wav"));
        assert!((number(&facts, "peak_db_spl_at_1m") - peak - 93.979).abs() < 1e-2, "{facts}");
        peak
    };
    let (soft, loud, louder) = (peak("0.5"), peak("1"), peak("100"));
    assert!((6.0..9.0).contains(&(loud - soft)), "{soft} dB, {loud} dB");
    assert!(louder > 10.0, "a float file holds what is beyond full scale: {louder} dBFS");
}

#[test]
fn every_striker_and_every_kind_of_shape_sounds() {
    let foley = Foley::with_bar();
    for with in ["steel ball", "Rubber-Eraser", "felt mallet", "fingertip"] {
        foley.good(&["strike", "bar.modal", "--with", with, "--seconds", "0.2"]);
    }
    for shape in [
        "rod:300x12mm",
        "plate:300x200x2mm,edges=clamped",
        "disc:200x2mm",
        "membrane:350mm,tension=2000N/m,density=0.26kg/m2",
        "string:650x1mm,tension=70N",
    ] {
        let few = ["--max-modes", "20", "--seconds", "0.2"];
        foley.good(&[&["strike", shape, "-m", "steel"], &few[..]].concat());
        assert!(peak_dbfs(&foley.wav("strike.wav")) > -30.0, "{shape}");
    }
}

#[test]
fn strike_draws_what_it_struck() {
    let foley = Foley::with_bar();
    let strike = ["strike", "bar.modal", "--seconds", "0.3", "--picture"];
    let facts = foley.facts(&[&strike[..], &["a.png"]].concat());
    assert_eq!(facts["picture"], "a.png");
    check_png(&foley.read("a.png"));
    let said = foley.good(&[&strike[..], &["a.SVG"]].concat());
    assert!(said.contains("written: a.SVG"), "{said}");
    check_svg(&foley.read("a.SVG"), "bar.modal struck with wooden mallet");
}

#[test]
fn plot_draws_models_and_sounds() {
    let foley = Foley::with_bar();
    foley.good(&["strike", "bar.modal", "--seconds", "0.3", "-o", "bar.wav"]);
    for (file, picture) in [("bar.modal", "bar.png"), ("bar.wav", "bar.wav.png")] {
        assert_eq!(foley.facts(&["plot", file])["written"], picture);
        check_png(&foley.read(picture));
        let said = foley.good(&["plot", file, "-o", "b.svg"]);
        assert_eq!(said, "written: b.svg\n");
        check_svg(&foley.read("b.svg"), if file == "bar.wav" { "bar.wav" } else { "steel bar" });
    }
    let everywhere = foley.read("b.svg");
    foley.good(&["plot", "bar.modal", "--point", "3", "-o", "b.svg"]);
    assert!(foley.read("b.svg") != everywhere);
}

/// A picture of a short sound costs the same at any sample rate: it is not drawn by 1,330 transforms of as
/// many samples as a third of a second has. That took fifty times as long.
#[test]
fn short_sounds_of_high_rates_are_drawn_quickly() {
    let foley = Foley::new();
    let least_s = |name: &str, sample_rate: u32| {
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut writer = hound::WavWriter::create(foley.path(name), spec).unwrap();
        (0..20_000).for_each(|n| writer.write_sample((n * 37 % 20_011) as i16).unwrap());
        writer.finalize().unwrap();
        let run = |_| {
            let began = std::time::Instant::now();
            foley.good(&["plot", name]);
            began.elapsed().as_secs_f64()
        };
        (0..3).map(run).fold(f64::INFINITY, f64::min)
    };
    let (usual_s, fast_s) = (least_s("usual.wav", 48_000), least_s("fast.wav", 10_000_000));
    assert!(fast_s < 10.0 * usual_s, "{fast_s} s at 10 MHz, {usual_s} s at 48 kHz");
}

#[test]
fn check_finds_good_files_good() {
    let foley = Foley::with_bar();
    let model = foley.facts(&["check", "bar.modal"]);
    assert!(
        model["ok"] == true && model["modes"] == 4 && model["remarks"] == serde_json::json!([])
    );
    assert!(foley.good(&["check", "bar.modal"]).ends_with("bar.modal: good\n"));
    foley.good(&["strike", "bar.modal", "--seconds", "0.5"]);
    let sound = foley.facts(&["check", "strike.wav"]);
    assert!(sound["ok"] == true && sound["seconds"] == 0.5 && sound["channels"] == 1, "{sound}");
    assert_eq!(sound["sample_rate_hz"], 48_000);
    let said = foley.good(&["check", "strike.wav"]);
    assert_eq!(said, "strike.wav: good, 0.50 s, 1 channel at 48000 Hz\n");
    foley.good(&["strike", "bar.modal", "--speed", "0"]);
    assert!(foley.good(&["check", "strike.wav"]).contains("note: it is silent"));
    foley.good(&["strike", "bar.modal", "--speed", "100", "--physical"]);
    assert!(foley.good(&["check", "strike.wav"]).contains("dB above full scale"));
}

#[test]
fn a_dozen_objects_meet_their_loudness_and_the_ceiling() {
    let foley = Foley::new();
    let facts = foley.facts(&["demo", "dozen", "-o", "a/b"]);
    let files = ["a/b/demo.wav", "a/b/demo-spectrogram.png", "a/b/demo-modes.png"];
    assert_eq!(facts["written"], serde_json::json!(files));
    let sound = foley.wav(files[0]);
    let (loudness, peak) = (loudness_lufs(&sound), peak_dbfs(&sound));
    assert!((loudness + 16.0).abs() < 0.5, "{loudness} LUFS");
    assert!(peak <= CEILING_DBFS, "{peak} dBFS");
    assert!((number(&facts, "loudness_lufs") - loudness).abs() < 1e-3);
    assert!((number(&facts, "peak_dbfs") - peak).abs() < 1e-3);
    files[1..].iter().for_each(|file| check_png(&foley.read(file)));
    // Twelve objects, each of them heard.
    for i in 0..12 {
        let part = &sound[i * 72_000..(i + 1) * 72_000];
        assert!(peak_dbfs(part) > -20.0, "object {i} peaks at {} dBFS", peak_dbfs(part));
    }
}

#[test]
fn the_demos_are_listed() {
    let foley = Foley::new();
    assert!(foley.good(&["demo", "--list"]).starts_with("picnic     a cloud of hail"));
    assert_eq!(foley.facts(&["demo", "--list"])["demos"][0]["name"], "picnic");
    assert!(foley.files().is_empty());
}

/// Figures are this machine's; here only that they are all there.
#[test]
fn scenes_are_rendered_and_described() {
    let foley = Foley::new();
    let facts = foley.facts(&["bench", "scenes", "--plates", "20", "--output", "scenes"]);
    assert_eq!(facts["name"], "plates");
    assert_eq!(facts["modes"], 2000);
    assert_eq!(facts["objects"].as_array().map(Vec::len), Some(20));
    let described: serde_json::Value =
        serde_json::from_slice(&foley.read("scenes/plates.json")).unwrap();
    assert_eq!(described, facts);
    let sound = hound::WavReader::open(foley.path("scenes/plates-full.wav")).unwrap();
    assert_eq!((sound.spec().sample_rate, sound.spec().channels), (48_000, 2));
    let peak = sound.into_samples::<f32>().fold(0f32, |p, s| p.max(s.unwrap().abs()));
    assert!((0.05..0.98).contains(&peak), "{peak}");
    let known = "choose one of drizzle, hail, downpour, roof, table, dozen, rings";
    foley.refuses(2, &["bench", "scenes", "--only", "snow", "--output", "x"], &["`snow`", known]);
    foley.refuses(2, &["bench", "scenes", "--plates", "0", "--output", "x"], &["between 1 and"]);
}

#[test]
fn bench_reports_every_figure() {
    let report = Foley::new().facts(&["bench", "modes", "--rounds", "1", "--no-klank"]);
    for key in ["sample_rate_hz", "rounds", "naive_modes", "fma_peak_glanes"] {
        assert!(number(&report, key) > 0.0, "{key}");
    }
    assert!(number(&report, "fma_peak_glanes_avx2") > 0.0 && report["klank"].is_null());
    let jobs = report["jobs"].as_array().unwrap();
    assert!(jobs.len() >= 8);
    for job in jobs {
        for key in ["modes", "block", "modes_in_real_time", "ratio_to_naive"] {
            assert!(number(job, key) > 0.0, "{key}: {job}");
        }
        assert!(job["name"].is_string() && job["cpu"].is_string() && job["met"].is_boolean());
        for key in ["target_ratio", "share_of_fma_peak"] {
            assert!(job.get(key).is_some_and(|v| v.is_null() || v.is_f64()), "{key}: {job}");
        }
    }
}

#[test]
fn the_same_command_writes_the_same_bytes() {
    let foley = Foley::new();
    for (args, names) in [
        (&["modes", "plate:220x180x4mm", "-m", "glass", "-o"][..], ["a.modal", "b.modal"]),
        (&["strike", BAR[0], BAR[1], BAR[2], "-o"], ["a.wav", "b.wav"]),
        (&["strike", "a.modal", "--with", "rubber eraser", "-o"], ["a.flac", "b.flac"]),
        (&["plot", "a.modal", "-o"], ["a.png", "b.png"]),
        (&["plot", "a.wav", "-o"], ["a.svg", "b.svg"]),
    ] {
        let [a, b] = names.map(|name| {
            foley.good(&[args, &[name]].concat());
            foley.read(name)
        });
        assert!(!a.is_empty() && a == b, "{args:?}");
    }
}

/// `foley modes … | head -1` closes the pipe early: no failure, and no panic.
#[test]
fn a_reader_who_leaves_does_no_harm() {
    let foley = Foley::new();
    for args in [&["demo", "--list"][..], &["modes", BAR[0], BAR[1], BAR[2]], &["--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = foley.command(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "foley {args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "foley {args:?}");
    }
    assert!(foley.path("bar-steel.modal").is_file());
}

/// Names of files need not be text.
#[cfg(unix)]
#[test]
fn file_names_may_be_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let foley = Foley::with_bar();
    let name = OsStr::from_bytes(b"\xff.wav");
    let words = ["strike", "bar.modal", "--seconds", "0.1", "--json", "-o"].map(OsStr::new);
    let output = foley.command(&[&words[..], &[name]].concat()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(foley.folder().join(name).is_file());
    let _: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
}

#[test]
fn help_and_version_go_to_standard_output() {
    let foley = Foley::new();
    let help = foley.good(&["--help"]);
    assert!(help.starts_with("Foley hears physics"), "{help}");
    for command in ["demo", "modes", "fit", "strike", "plot", "bench", "check"] {
        assert!(help.contains(&format!("\n  {command}")), "{command}");
        assert!(foley.good(&[command, "--help"]).contains("Usage: foley"), "{command}");
    }
    assert!(foley.good(&["--version"]).starts_with("foley "));
    // The default of a point is described in words.
    assert!(foley.good(&["strike", "--help"]).contains("37 % of the way"));
}

/// A cube with each corner written anew for every face: welded, closed, one cubic metre.
#[test]
fn check_repairs_and_describes_a_mesh() {
    let foley = Foley::new();
    let corners =
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
    let faces =
        [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
    let mut text = String::new();
    for (n, face) in faces.iter().enumerate() {
        for &corner in face {
            let [x, y, z] = corners[corner];
            text += &format!("v {x} {y} {z}\n");
        }
        let first = 4 * n + 1;
        text += &format!("f {} {} {} {}\n", first, first + 1, first + 2, first + 3);
    }
    foley.write("cube.obj", text);
    let facts = foley.facts(&["check", "cube.obj"]);
    assert_eq!(facts["ok"], true);
    assert_eq!(
        (&facts["repairs"]["welded"], &facts["measures"]["closed"]),
        (&16.into(), &true.into())
    );
    assert!((number(&facts["measures"], "volume_m3") - 1.0).abs() < 1e-9, "{facts}");
    let small = foley.facts(&["check", "cube.obj", "--units", "mm"]);
    assert!((number(&small["measures"], "volume_m3") - 1e-9).abs() < 1e-15, "{small}");
}
