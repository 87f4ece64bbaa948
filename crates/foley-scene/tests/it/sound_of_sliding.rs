//! The physics of scraping and rolling, in the rendered sound.

use crate::common;

use common::sound::{ahead, centroid_hz, exact, prepared, render_text, scene, spectrum};
use foley_scene::sonify::render;
use std::sync::Arc;

fn scraped(surface: &str, speed_m_s: f64) -> (Vec<f64>, u32) {
    scraped_with("\"fingernail\"", surface, speed_m_s)
}

fn scraped_with(tip: &str, surface: &str, speed_m_s: f64) -> (Vec<f64>, u32) {
    let rendered = render_text(&format!(
        "seconds = 1.2\nfull_scale_pa = 1e4\ngravity = 0\n[listener]\nposition = [0, 0, 1]\n\
         forward = [0, 1, 0]\n\
         [[object]]\nname = \"plate\"\nshape = \"plate:600x400x3mm\"\nmaterial = \"wood\"\n\
         max_modes = 60\nmotion = \"fixed\"\nsurface = {surface}\n\
         [[scrape]]\nobject = \"plate\"\nalong = [[-0.05, 0.06, 0], [0.05, 0.06, 0]]\n\
         back_and_forth = true\nseconds = 1.1\nspeed_m_s = {speed_m_s}\nforce_n = 2\nwith = {tip}"
    ));
    // Without beginning and end.
    (ahead(&rendered)[4_800..48_000].to_vec(), rendered.sound.sample_rate_hz)
}

/// Returns the period of a sound by its autocorrelation, s.
fn period_s(sound: &[f64], sample_rate_hz: u32) -> f64 {
    let (least, most) = (48, 1_440);
    let like = |lag: usize| {
        let pairs = sound[..sound.len() - most].iter().zip(&sound[lag..]);
        pairs.map(|(a, b)| a * b).sum::<f64>()
    };
    let all: Vec<f64> = (least..most).map(like).collect();
    let best = all.iter().fold(0f64, |best, x| best.max(*x));
    let first = (1..all.len() - 1)
        .find(|k| all[*k] > 0.9 * best && all[*k] >= all[k - 1] && all[*k] >= all[k + 1]);
    (least + first.unwrap()) as f64 / f64::from(sample_rate_hz)
}

/// A tip does not follow a surface finer than its contact patch: the blunter and the softer the tip, the
/// duller and the quieter the sound.
#[test]
fn blunt_and_soft_tips_are_duller() {
    let rough = "{ kind = \"fractal\", beta = -1, roughness_m = 1e-5 }";
    let heard = |tip: &str| {
        let (sound, rate) = scraped_with(tip, rough, 0.5);
        let power = sound.iter().map(|y| y * y).sum::<f64>();
        (centroid_hz(&spectrum(&sound, rate, 4096)), power)
    };
    let radii = [2e-5, 2e-4, 2e-3, 2e-2]
        .map(|radius_m| heard(&format!("{{ like = \"steel ball\", radius_m = {radius_m} }}")));
    let moduli = [2e11, 2e9, 2e7, 2e5].map(|young_pa| {
        heard(&format!("{{ like = \"steel ball\", radius_m = 2e-4, young_pa = {young_pa} }}"))
    });
    for row in [radii, moduli] {
        let falls = |pair: &[(f64, f64)]| pair[1].0 < pair[0].0 && pair[1].1 < pair[0].1;
        assert!(row.windows(2).all(falls), "{row:?}");
        foley_measured::check!("scenes.blunt", row[3].0 / row[0].0);
    }
}

/// Ribs a millimetre apart.
#[test]
fn twice_as_fast_is_an_octave_higher() {
    let ribbed = "{ kind = \"ribbed\", period_m = 0.001, depth_m = 1e-4 }";
    for (speed_m_s, hz) in [(0.1, 100.0), (0.2, 200.0), (0.4, 400.0)] {
        let (sound, rate) = scraped(ribbed, speed_m_s);
        let heard_hz = 1.0 / period_s(&sound, rate);
        foley_measured::check!("scenes.scrape_pitch", 100.0 * (heard_hz / hz - 1.0).abs());
    }
}

/// A rough surface with a dominant wavelength: at its frequency the spectrum rises against that of the
/// same surface without it.
#[test]
fn the_peak_of_a_surface_moves_with_speed() {
    let rough = "kind = \"fractal\", beta = -1, roughness_m = 1e-5";
    let plain = format!("{{ {rough} }}");
    let peaked = format!("{{ {rough}, reson_wavelength_m = 1e-3, reson_bandwidth = 0.1 }}");
    let peak_hz = |speed: f64| {
        let of = |surface: &str| {
            let (sound, rate) = scraped(surface, speed);
            bands(&spectrum(&sound, rate, 4096))
        };
        let (with, without) = (of(&peaked), of(&plain));
        let rises = with.iter().zip(&without).map(|((f, a), (_, b))| (*f, a / b));
        rises.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
    };
    for (speed_m_s, hz) in [(0.5, 500.0), (1.0, 1000.0), (2.0, 2000.0)] {
        let octaves = (peak_hz(speed_m_s) / hz).log2();
        foley_measured::check!("scenes.scrape_peak", octaves.abs());
    }
}

/// Returns the power in sixths of an octave.
fn bands(spectrum: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let band = |k: i32| {
        let (low, high) = (f64::from(k) / 6.0 - 1.0 / 12.0, f64::from(k) / 6.0 + 1.0 / 12.0);
        let inside = |f: f64| (low..high).contains(&(f / 1000.0).log2());
        let power = spectrum.iter().filter(|(f, _)| inside(*f)).map(|(_, power)| power);
        (1000.0 * (f64::from(k) / 6.0).exp2(), power.sum::<f64>())
    };
    (-9..=12).map(band).collect()
}

/// Balls under one force at one speed, from a trace: nothing but the radius differs.
#[test]
fn larger_balls_roll_duller() {
    let folder = tempfile::tempdir().unwrap();
    let mut trace = "{\"foley_trace\":1,\"bodies\":[\"plate\",\"ball\"]}\n".to_owned();
    for step in 0..240 {
        let at_s = f64::from(step) / 240.0;
        trace += &format!(
            "{{\"touch\":{{\"at_s\":{at_s},\"contact\":1,\"bodies\":[0,1],\"places\":\
             [[0.05,0.06,0],[0,0,0]],\"normal\":[0,0,1],\"force_n\":1,\"slip_m_s\":0,\
             \"roll_m_s\":0.5}}}}\n"
        );
    }
    std::fs::write(folder.path().join("roll.jsonl"), trace).unwrap();
    let centroid_of = |diameter_mm: f64| {
        let text = format!(
            "seconds = 1\nfull_scale_pa = 1e4\n\
             [listener]\nposition = [0, 0, 1]\n\
             [[object]]\nname = \"plate\"\nshape = \"plate:600x400x3mm\"\nmaterial = \"wood\"\n\
             max_modes = 60\nmotion = \"fixed\"\n\
             [[object]]\nname = \"ball\"\nshape = \"ball:{diameter_mm}mm\"\nmaterial = \"steel\"\n\
             silent = true"
        );
        let mut scene = Arc::unwrap_or_clone(scene(&text));
        scene.folder = folder.path().to_owned();
        scene.trace = Some("roll.jsonl".into());
        let prepared = prepared(&scene);
        let rendered = render(&Arc::new(scene), &prepared, &exact(), &mut |_| true);
        let rendered = rendered.unwrap().unwrap();
        assert_eq!(rendered.stats.sustained, 1);
        centroid_hz(&spectrum(&ahead(&rendered)[9_600..], rendered.sound.sample_rate_hz, 4096))
    };
    let centroids = [2.0, 6.0, 20.0, 60.0, 200.0].map(centroid_of);
    for pair in centroids.windows(2) {
        foley_measured::check!("scenes.roll_radius", pair[0] / pair[1]);
    }
    foley_measured::check!("scenes.roll_largest", centroids[0] / centroids[4]);
}
