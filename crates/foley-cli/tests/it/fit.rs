//! `foley fit`, from recordings that Foley itself struck and from invalid files.

use crate::common;

use common::{Foley, check_png, check_svg, number};
use foley::dsp::excitation::{Impact, PATIENCE_S, Striker};
use foley::dsp::model::ModalModel;
use foley::geometry::rng::SplitMix64;
use hound::{SampleFormat, WavSpec, WavWriter};
use serde_json::Value;
use std::f64::consts::TAU;

/// The click of the striker is no mode.
const MODES_ONLY: &str = "--no-acceleration-noise";

fn float_wav(channels: u16, sample_rate: u32) -> WavSpec {
    WavSpec { channels, sample_rate, bits_per_sample: 32, sample_format: SampleFormat::Float }
}

fn write(foley: &Foley, name: &str, spec: WavSpec, samples: &[f32]) {
    let mut writer = WavWriter::create(foley.path(name), spec).unwrap();
    samples.iter().for_each(|y| writer.write_sample(*y).unwrap());
    writer.finalize().unwrap();
}

fn load(foley: &Foley, name: &str) -> ModalModel {
    foley::modal::file::load(foley.path(name)).unwrap()
}

/// 440 and 1000 Hz, after a tenth of a second.
fn two_tones(seconds: f64, rate: f64) -> Vec<f32> {
    let tone = |t: f64, f: f64, d: f64| (-d * t).exp() * (TAU * f * t).sin();
    (0..(seconds * rate) as usize)
        .map(|m| m as f64 / rate - 0.1)
        .map(|t| if t < 0.0 { 0.0 } else { 0.4 * tone(t, 440.0, 5.0) + 0.2 * tone(t, 1000.0, 9.0) })
        .map(|y| y as f32)
        .collect()
}

/// Buries a sound in white noise 40 dB below its mean power; its standard deviation.
fn bury(foley: &Foley, name: &str, seed: u64) -> f64 {
    let mut samples = foley.wav(name);
    let power = samples.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>() / samples.len() as f64;
    let (sigma, mut rng) = (1e-2 * power.sqrt(), SplitMix64::new(seed));
    samples.iter_mut().for_each(|y| *y += (sigma * rng.normal_pair()[0]) as f32);
    write(foley, name, float_wav(1, 48_000), &samples);
    sigma
}

/// The impact of `foley strike` at a place.
fn strike_impact(model: &ModalModel, place: [f64; 3], striker: &str) -> Impact {
    let striker = Striker::named(striker).unwrap();
    let restitution = striker.contact_restitution();
    let gains = model.gains_at(place);
    model.strike(&striker, &gains, 1.0, restitution, PATIENCE_S).unwrap().unwrap().impact
}

/// Thirty modes of a pane of glass, struck by the engine at two places, in noise: every mode
/// that stands 20 dB above the noise in its own band and duration comes back.
#[test]
fn a_struck_pane_comes_back_from_its_recordings() {
    let foley = Foley::new();
    let pane = ["modes", "plate:300x200x2mm", "-m", "glass", "--max-modes", "30"];
    foley.good(&[&pane[..], &["-o", "pane.modal"]].concat());
    let truth = load(&foley, "pane.modal");
    let places = [[0.1, 0.05, 0.0], [-0.11, 0.083, 0.0]];
    let mut sigmas = Vec::new();
    for (k, [x, y, _]) in places.iter().enumerate() {
        let (at, name) = (format!("--at={x},{y}"), format!("{k}.wav"));
        let strike = ["strike", "pane.modal", "--physical", "--with", "hailstone", MODES_ONLY];
        foley.good(&[&strike[..], &[&at, "--seconds", "6", "-o", &name]].concat());
        sigmas.push(bury(&foley, &name, 7 + k as u64));
    }
    let impacts = places.map(|place| strike_impact(&truth, place, "hailstone"));
    let impulse = impacts[0].impulse_ns().to_string();
    let fit = ["fit", "0.wav", "1.wav", "--at=0.1,0.05", "--at=-0.11,0.083,0", "-o", "fit.modal"];
    let facts = foley.facts(&[&fit[..], &["--impulse", &impulse]].concat());

    let fitted = load(&foley, "fit.modal");
    assert_eq!(fitted.points, places);
    let mut loud = 0;
    for n in 0..truth.mode_count() {
        let (f, d) = (truth.frequencies_hz[n], truth.decays[n]);
        let off = |m: &usize| (fitted.frequencies_hz[*m] - f).abs();
        let m = (0..fitted.mode_count()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap();
        for k in 0..2 {
            // The impact colours the gains by its spectrum; its impulse depends on the place.
            let colour = impacts[k].response(TAU * f).norm() * impacts[k].impulse_ns();
            let gain = f64::from(truth.gains_at(places[k])[n]) * colour / impacts[0].impulse_ns();
            let energy = (gain * impacts[0].impulse_ns()).powi(2) / (4.0 * d);
            let noise = 2.0 * sigmas[k].powi(2) / 48_000.0 * 30.0 * 10f64.ln();
            if 10.0 * (energy / noise).log10() < 20.0 {
                continue;
            }
            loud += 1;
            let found = f64::from(fitted.gains_of_point(k)[m]);
            let errors = [
                (fitted.frequencies_hz[m] / f - 1.0).abs(),
                (fitted.decays[m] / d - 1.0).abs(),
                (20.0 * (found / gain).log10()).abs(),
            ];
            let [ef, ed, ea] = errors;
            println!("{f} Hz at #{k}: {errors:?}");
            foley_measured::check!("commands.fit_frequency", 100.0 * ef);
            foley_measured::check!("commands.fit_decay", 100.0 * ed);
            // A gain of the wrong sign has no logarithm, and fails.
            foley_measured::check!("commands.fit_gain", ea);
        }
    }
    foley_measured::check!("commands.fit_found", f64::from(loud));
    for recording in facts["recordings"].as_array().unwrap() {
        assert!((number(recording, "residual_db") + 40.0).abs() < 1.5, "{recording}");
        assert!((number(recording, "noise_db") + 40.0).abs() < 1.5, "{recording}");
    }
}

/// A model from recordings is a model: it can be struck, drawn and checked.
#[test]
fn the_model_is_used_like_any_other() {
    let foley = Foley::new();
    write(&foley, "a.wav", float_wav(1, 48_000), &two_tones(1.5, 48_000.0));
    let louder: Vec<f32> = two_tones(2.0, 48_000.0).iter().map(|y| 2.0 * y).collect();
    write(&foley, "b.wav", float_wav(1, 48_000), &louder);
    foley.good(&["fit", "a.wav", "b.wav", "--at=-0.1,0,0", "--at=0.1,0,0", "-o", "m.modal"]);
    foley.good(&["plot", "m.modal"]);
    check_png(&foley.read("m.png"));
    assert!(foley.good(&["check", "m.modal"]).ends_with("m.modal: good\n"));
    let strike = |at: &[&str]| {
        let physical = ["strike", "m.modal", "--physical", "--seconds", "0.5", MODES_ONLY];
        foley.good(&[&physical[..], at].concat());
        foley.wav("strike.wav")
    };
    // The first recording's place, unless another is named.
    let first = strike(&[]);
    assert!(first == strike(&["--at", "#0"]) && first == strike(&["--at", "-0.1"]));
    let second = strike(&["--at", "#1"]);
    let energy = |y: &[f32]| y.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
    let db = 10.0 * (energy(&second) / energy(&first)).log10();
    assert!((db - 6.02).abs() < 0.05, "{db} dB");
}

/// Full scale in pascals over the impulse in N·s.
#[test]
fn levels_can_be_told() {
    let foley = Foley::new();
    write(&foley, "a.wav", float_wav(1, 48_000), &two_tones(1.5, 48_000.0));
    let gain = |more: &[&str]| {
        let facts = foley.facts(&[&["fit", "a.wav"], more].concat());
        facts["modes"][0]["gains"][0].as_f64().unwrap()
    };
    let plain = gain(&[]);
    assert!((plain.abs() - 0.4).abs() < 0.01, "{plain}");
    let reported = gain(&["--full-scale", "20", "--impulse", "0.05"]);
    assert!((reported / plain - 400.0).abs() < 1e-3, "{reported}");
}

#[test]
fn resynthesis_and_residual_add_up_to_the_recording() {
    let foley = Foley::new();
    write(&foley, "a.wav", float_wav(1, 48_000), &two_tones(1.5, 48_000.0));
    bury(&foley, "a.wav", 3);
    write(&foley, "b.wav", float_wav(1, 48_000), &two_tones(1.0, 48_000.0));
    bury(&foley, "b.wav", 4);
    let said = foley.good(&[
        "fit",
        "a.wav",
        "b.wav",
        "-o",
        "m.modal",
        "--residual",
        "r.wav",
        "--picture",
        "p.png",
    ]);
    for name in ["m.modal", "m-resynthesis-1.wav", "m-resynthesis-2.wav", "r-1.wav", "r-2.wav"] {
        assert!(said.contains(&format!("written: {name}\n")), "{name}: {said}");
    }
    assert!(said.contains("a: 2 modes, 2 places"), "{said}");
    for (recording, k) in [("a.wav", 1), ("b.wav", 2)] {
        let y = foley.wav(recording);
        let (modes, rest) = (format!("m-resynthesis-{k}.wav"), format!("r-{k}.wav"));
        let (modes, rest) = (foley.wav(&modes), foley.wav(&rest));
        assert_eq!((modes.len(), rest.len()), (y.len(), y.len()));
        let off = (0..y.len()).map(|i| (modes[i] + rest[i] - y[i]).abs()).fold(0.0, f32::max);
        assert!(off < 1e-3, "{recording}: {off}");
        let energy = |y: &[f32]| y.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
        let db = 10.0 * (energy(&rest) / energy(&y)).log10();
        assert!((db + 40.0).abs() < 1.0, "{recording}: {db} dB");
        check_png(&foley.read(&format!("p-{k}.png")));
    }
}

#[test]
fn one_recording_needs_no_numbers_and_pictures_say_what_they_show() {
    let foley = Foley::new();
    write(&foley, "bell.wav", float_wav(1, 44_100), &two_tones(1.5, 44_100.0));
    let facts = foley.facts(&["fit", "bell.wav", "--picture", "bell.svg", "--residual", "r.flac"]);
    assert_eq!((&facts["written"], &facts["name"]), (&"bell.modal".into(), &"bell".into()));
    let recording = &facts["recordings"][0];
    for (key, value) in [
        ("file", "bell.wav"),
        ("resynthesis", "bell-resynthesis.wav"),
        ("residual", "r.flac"),
        ("picture", "bell.svg"),
    ] {
        assert_eq!(recording[key], value, "{facts}");
        assert!(foley.path(value).is_file(), "{value}");
    }
    assert!((number(recording, "onset_s") - 0.1).abs() < 1e-3, "{facts}");
    assert!(number(recording, "residual_db") < -100.0, "{facts}");
    check_svg(&foley.read("bell.svg"), "bell: 2 modes");
    let picture = String::from_utf8(foley.read("bell.svg")).unwrap();
    for name in [">recording<", ">resynthesis<"] {
        assert!(picture.contains(name), "no {name} in the picture");
    }
    assert!(!picture.contains(">Left<"));
    // Once more, the same bytes.
    let before = foley.files();
    foley.facts(&["fit", "bell.wav", "--picture", "bell.svg", "--residual", "r.flac"]);
    assert!(foley.files() == before);
}

/// Frequencies of the modes found.
fn frequencies(facts: &Value) -> Vec<f64> {
    facts["modes"].as_array().unwrap().iter().map(|m| number(m, "frequency_hz").round()).collect()
}

#[test]
fn clipped_recordings_are_fitted_and_said_to_be() {
    let foley = Foley::new();
    let spec = WavSpec {
        channels: 1,
        sample_rate: 48_000,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let mut writer = WavWriter::create(foley.path("loud.wav"), spec).unwrap();
    for y in two_tones(1.5, 48_000.0) {
        let y = (4.0 * f64::from(y) * 32_768.0).round().clamp(-32_768.0, 32_767.0);
        writer.write_sample(y as i16).unwrap();
    }
    writer.finalize().unwrap();
    let said = foley.good(&["fit", "loud.wav"]);
    assert!(said.contains("note: loud.wav is clipped at ") && said.contains(" samples"), "{said}");
    let facts = foley.facts(&["fit", "loud.wav"]);
    assert_eq!(frequencies(&facts), [440.0, 1000.0]);
    assert!(number(&facts["recordings"][0], "clipped_samples") > 100.0, "{facts}");
    // What was cut off is known from what came after it.
    for (n, gain) in [(0, 1.6), (1, 0.8)] {
        let found = facts["modes"][n]["gains"][0].as_f64().unwrap().abs();
        assert!((20.0 * (found / gain).log10()).abs() < 1.0, "{found} instead of {gain}");
    }
}

#[test]
fn of_two_channels_the_louder_is_heard() {
    let foley = Foley::new();
    // Opposite and half as loud: a mean would be a half, and equally loud ones silent.
    let frames = two_tones(1.0, 48_000.0).into_iter().flat_map(|y| [-0.5 * y, y]);
    write(&foley, "stereo.wav", float_wav(2, 48_000), &frames.collect::<Vec<_>>());
    let facts = foley.facts(&["fit", "stereo.wav"]);
    assert_eq!(frequencies(&facts), [440.0, 1000.0]);
    assert_eq!(facts["recordings"][0]["channel"], 1);
    let gain = facts["modes"][0]["gains"][0].as_f64().unwrap();
    assert!((gain.abs() - 0.4).abs() < 0.01, "{gain}");
}

#[test]
fn what_is_no_recording_is_refused() {
    let foley = Foley::new();
    let mono = float_wav(1, 48_000);
    let good = two_tones(1.0, 48_000.0);
    write(&foley, "good.wav", mono, &good);
    write(&foley, "slow.wav", float_wav(1, 44_100), &good);
    write(&foley, "silent.wav", mono, &[0.0; 48_000]);
    write(&foley, "offset.wav", mono, &[0.3; 48_000]);
    write(&foley, "ten.wav", mono, &good[4800..4810]);
    write(&foley, "none.wav", mono, &[]);
    let mut broken = good.clone();
    broken[777] = f32::NAN;
    write(&foley, "nan.wav", mono, &broken);
    broken[777] = f32::INFINITY;
    write(&foley, "inf.wav", mono, &broken);
    foley.write("text.wav", b"Dear diary, today I struck a bar.");
    foley.write("empty.wav", b"");
    let complete = foley.read("good.wav");
    foley.write("cut.wav", &complete[..complete.len() / 2]);
    // A header that promises 4 GiB.
    let mut huge = complete.clone();
    let data = huge.windows(4).position(|w| w == b"data").unwrap();
    huge[4..8].copy_from_slice(&0xffff_fff0u32.to_le_bytes());
    huge[data + 4..data + 8].copy_from_slice(&0xffff_ff00u32.to_le_bytes());
    foley.write("huge.wav", &huge);
    std::fs::create_dir(foley.path("folder.wav")).unwrap();
    for (name, says) in [
        ("silent.wav", "is silent; is it the right file or channel?"),
        ("offset.wav", "is silent"),
        ("ten.wav", "at least 0.04 s are needed"),
        ("none.wav", "holds no samples"),
        ("nan.wav", "sample 777 of channel 0 is NaN, which is not a sound; repair the file"),
        ("inf.wav", "sample 777 of channel 0 is inf"),
        ("text.wav", "neither WAV nor FLAC"),
        ("empty.wav", "neither WAV nor FLAC"),
        ("cut.wav", "breaks off or is damaged at sample"),
        ("huge.wav", "cut the recordings to the strikes"),
        ("folder.wav", "this is not a regular file"),
        ("missing.wav", "cannot open the file"),
    ] {
        foley.refuses(1, &["fit", name], &[name, says]);
        foley.refuses(1, &["fit", "good.wav", name], &[name, says]);
    }
    let says = ["slow.wav", "44100 samples per second; the first has 48000"];
    foley.refuses(1, &["fit", "good.wav", "slow.wav"], &says);
    let mut rng = SplitMix64::new(5);
    let noise: Vec<f32> = (0..48_000).map(|_| (0.1 * rng.normal_pair()[0]) as f32).collect();
    write(&foley, "noise.wav", mono, &noise);
    foley.refuses(1, &["fit", "noise.wav"], &["noise.wav", "no mode stands above the noise"]);
}

#[test]
fn wrong_options_are_refused_and_nothing_is_written() {
    let foley = Foley::new();
    write(&foley, "a.wav", float_wav(1, 48_000), &two_tones(1.0, 48_000.0));
    let loud: Vec<f32> = two_tones(1.0, 48_000.0).iter().map(|y| 5.0 * y).collect();
    write(&foley, "loud.wav", float_wav(1, 48_000), &loud);
    let refused = |code: i32, more: &[&'static str], says: &[&str]| {
        foley.refuses(code, &[&["fit", "a.wav"], more].concat(), says);
    };
    let fit = |more: &[&'static str], says: &[&str]| refused(2, more, says);
    fit(&["--at", "0,0,0", "--at", "1,0,0"], &["--at is given 2 times for 1 recordings"]);
    fit(&["-o", "a.wav"], &["a.wav: end its name with .modal"]);
    fit(&["-o", "model"], &["model: end its name with .modal"]);
    fit(&["--residual", "r.mp3"], &["r.mp3", "use .wav or .flac"]);
    fit(&["--picture", "p.gif"], &["p.gif", ".png or .svg"]);
    fit(&["--material", "stel"], &["did you mean `steel`?"]);
    let fit = |more: &[&'static str], says: &[&str]| refused(1, more, says);
    fit(&["-o", "none/a.modal"], &["none/a.modal", "there is no folder none"]);
    fit(&["--residual", "none/r.wav"], &["none/r.wav", "there is no folder none"]);
    fit(&["--picture", "none/p.png"], &["none/p.png", "there is no folder none"]);
    let flac = ["fit", "loud.wav", "--resynthesis", "s.flac"];
    foley.refuses(1, &flac, &["s.flac", "louder than full scale", "use .wav"]);
    for (flag, value, says) in [
        ("--at", "#3", "write metres as 0.1,0,0"),
        ("--at", "nan", "write metres as 0.1,0,0"),
        ("--impulse", "0", "choose between"),
        ("--full-scale", "-1", "choose between"),
        ("--mass", "nan", "choose between"),
        ("--max-modes", "0", "choose between 1 and"),
        ("--max-frequency", "5", "e.g. 8kHz or 8000"),
    ] {
        foley.refuses(2, &["fit", "a.wav", flag, value], &[flag, says, "see `foley fit --help`"]);
    }
    foley.refuses(2, &["fit"], &["were not provided: <RECORDINGS>", "see `foley fit --help`"]);
    // Absolute levels depend on --full-scale and --impulse; the help says so.
    let help = foley.good(&["fit", "--help"]);
    assert!(help.contains("pascals at 1 m per N·s, and a recording tells neither"), "{help}");
}

/// A header may say anything.
#[test]
fn headers_that_lie_cannot_break_it() {
    let foley = Foley::new();
    write(&foley, "a.wav", float_wav(1, 48_000), &two_tones(0.2, 48_000.0));
    let complete = foley.read("a.wav");
    let header = complete.windows(4).position(|w| w == b"data").unwrap() + 8;
    for at in 0..header {
        let mut bytes = complete.clone();
        bytes[at] ^= 0xff;
        foley.write("lie.wav", bytes);
        let output = foley.command(&["fit", "lie.wav"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "byte {at}: {said}");
        assert!(said.is_empty() || said.contains("lie.wav"), "byte {at}: {said}");
    }
}
