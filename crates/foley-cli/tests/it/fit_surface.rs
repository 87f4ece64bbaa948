//! `foley fit --surface`, from scraping that Foley itself made and from files that are none.

use crate::common;

use common::{Foley, number};
use foley::dsp::excitation::{AudioForce, Coupling, Motion, Profile, Scrape, Surface};
use hound::{SampleFormat, WavSpec, WavWriter};
use std::sync::Arc;

const MONO: WavSpec = WavSpec {
    channels: 1,
    sample_rate: 48_000,
    bits_per_sample: 32,
    sample_format: SampleFormat::Float,
};

fn write(foley: &Foley, name: &str, samples: &[f32]) {
    let mut writer = WavWriter::create(foley.path(name), MONO).unwrap();
    samples.iter().for_each(|y| writer.write_sample(*y).unwrap());
    writer.finalize().unwrap();
}

/// Eight seconds of scraping at half a metre per second.
fn scraped(surface: &Surface) -> Vec<f32> {
    let profile = Arc::new(Profile::new(surface, 48_000.0, 2).unwrap());
    let mut scrape = Scrape::new(profile, Coupling::default(), 5).unwrap();
    scrape.aim(Motion { speed_m_s: 0.5, normal_force_n: 1.0 }, 480);
    let mut y = vec![0.0; 8 * 48_000];
    scrape.add(&mut y);
    let peak = y.iter().fold(0.0f32, |p, y| p.max(y.abs()));
    y.iter().map(|y| 0.5 * y / peak).collect()
}

#[test]
fn a_scraped_surface_comes_back_as_a_table() {
    let foley = Foley::new();
    let truth = Surface::fractal(-1.8).unwrap().with_reson(0.4e-3, 0.2).unwrap();
    write(&foley, "wood.wav", &scraped(&truth));
    let facts = foley.facts(&["fit", "--surface", "wood.wav", "--speed", "0.5"]);
    assert!((number(&facts, "beta") + 1.8).abs() < 0.1, "{facts}");
    assert!((number(&facts, "dimension") - 1.6).abs() < 0.05, "{facts}");
    assert!((number(&facts["reson"], "frequency_hz") / 1250.0 - 1.0).abs() < 0.02, "{facts}");
    assert_eq!(facts["written"], "wood.toml");
    let text = String::from_utf8(foley.read("wood.toml")).unwrap();
    assert!(text.starts_with("# wood.wav, scraped at 0.5 m/s; fractal dimension 1.6"), "{text}");
    assert!(text.contains("kind = \"fractal\"\n"), "{text}");
    // The table holds the numbers of the facts.
    let table: toml::Table = toml::from_str(&text).unwrap();
    let wavelength_m = table["reson_wavelength_m"].as_float().unwrap();
    assert!((wavelength_m / 0.4e-3 - 1.0).abs() < 0.02, "{text}");
    assert_eq!(number(&facts["surface"], "reson_wavelength_m"), wavelength_m);

    // In words, elsewhere, and at a speed that has to be guessed.
    let said = foley.good(&["fit", "--surface", "wood.wav", "-o", "table.toml"]);
    for text in ["a peak at 12", "set it with --speed", "written: table.toml"] {
        assert!(said.contains(text), "no `{text}` in {said}");
    }
    let table = String::from_utf8(foley.read("table.toml")).unwrap();
    assert!(table.contains("reson_wavelength_m = 0.000"), "{table}");
}

#[test]
fn noise_without_a_peak_has_none() {
    let foley = Foley::new();
    write(&foley, "plain.wav", &scraped(&Surface::fractal(-2.0).unwrap()));
    let said = foley.good(&["fit", "--surface", "plain.wav"]);
    assert!(said.contains("no peak") && !said.contains("--speed"), "{said}");
    let table = String::from_utf8(foley.read("plain.toml")).unwrap();
    assert!(!table.contains("reson"), "{table}");
}

#[test]
fn what_is_no_scraping_is_refused() {
    let foley = Foley::new();
    write(&foley, "silent.wav", &[0.0; 48_000]);
    let wave: Vec<f32> = (0..9000).map(|n| (n as f32 * 0.37).sin()).collect();
    write(&foley, "short.wav", &wave);
    foley.write("text.wav", b"scratch, scratch");
    for (name, says) in [
        ("silent.wav", "is silent"),
        ("short.wav", "at least 0.5 s of scraping are needed"),
        ("text.wav", "is neither WAV nor FLAC"),
        ("missing.wav", "cannot open the file"),
    ] {
        foley.refuses(1, &["fit", "--surface", name], &[name, says]);
    }
    write(
        &foley,
        "good.wav",
        &scraped(&Surface::fractal(-2.0).unwrap().with_reson(0.5e-3, 0.1).unwrap()),
    );
    let fit = |more: &[&'static str], code: i32, says: &[&str]| {
        foley.refuses(code, &[&["fit", "--surface", "good.wav"], more].concat(), says);
    };
    fit(&["-o", "table.json"], 2, &["table.json: end its name with .toml"]);
    fit(&["-o", "none/a.toml"], 1, &["none/a.toml", "there is no folder none"]);
    fit(&["good.wav"], 2, &["--surface takes one recording, and 2 are given"]);
    fit(&["--speed", "0.001"], 1, &["good.wav: at 0.001 m/s", "reson_wavelength_m is", "2.5e-5"]);
    fit(&["--speed", "0"], 2, &["--speed", "choose between"]);
    fit(&["--speed", "nan"], 2, &["--speed", "choose between"]);
    fit(&["--speed", "1", "--mass", "3"], 2, &["cannot be used with"]);
    fit(&["--mass", "3"], 2, &["--surface", "--mass"]);
    foley.refuses(2, &["fit", "good.wav", "--speed", "1"], &["--surface"]);
    foley.refuses(2, &["fit", "good.wav", "--speed", "1", "--mass", "3"], &["--mass"]);
}
