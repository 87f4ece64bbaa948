//! One event, struck and rendered as a scene: the same third-octaves.

use crate::common;

use common::sound::{ahead, exact, prepared, scene};
use foley_dsp::excitation::Striker;
use foley_engine::{MetresPerSecond, Offline, Settings, Source, SurfacePoint};
use foley_modal::source::{ModelOptions, ModelSource};
use foley_scene::sonify::render;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use std::f64::consts::PI;

const RATE_HZ: f64 = 48_000.0;
/// When the scene's strike happens, s.
const AT_S: f64 = 0.05;
/// What is heard of it, s.
const SECONDS: f64 = 1.0;
/// Third-octaves this far below the loudest are compared.
const RANGE_DB: f64 = 60.0;

/// Returns the levels of the third-octaves from 50 Hz to 16 kHz, dB: of the energy of all of a sound.
fn third_octaves(sound: &[f64]) -> Vec<(f64, f64)> {
    let length = (SECONDS * RATE_HZ) as usize;
    let fade = length / 4;
    let part = sound[..length].iter().enumerate().map(|(n, y)| {
        let left = (length - n) as f64 / fade as f64;
        Complex::new(y * 0.5 * (1.0 - (PI * left.min(1.0)).cos()), 0.0)
    });
    let mut spectrum: Vec<Complex<f64>> = part.collect();
    FftPlanner::new().plan_fft_forward(length).process(&mut spectrum);
    let level = |n: i32| {
        let centre = 1e3 * 10f64.powf(f64::from(n) / 10.0);
        let [low, high] =
            [-0.05, 0.05].map(|x| (centre * 10f64.powf(x) * SECONDS).round() as usize);
        let power: f64 = spectrum[low..high].iter().map(|x| x.norm_sqr()).sum();
        (centre, 10.0 * power.log10())
    };
    (-13..=12).map(level).collect()
}

#[test]
fn a_strike_sounds_alike_alone_and_in_a_scene() {
    let mut worst: f64 = 0.0;
    for (shape, material, striker, speed_m_s, place) in [
        ("bar:300x30x8mm", "steel", "steel ball", 1.0, [0.1, 0.004, 0.0]),
        ("bar:300x30x8mm", "rosewood", "felt mallet", 0.5, [0.05, 0.0, 0.0]),
        ("plate:500x500x4mm", "glass", "steel ball", 1.0, [0.09, 0.07, 0.0]),
        ("plate:300x300x1mm", "aluminium", "steel ball", 1.0, [0.06, 0.04, 0.0]),
        ("plate:300x300x1mm", "aluminium", "rubber eraser", 1.0, [0.06, 0.04, 0.0]),
        ("plate:600x400x20mm", "hardwood", "knuckle", 1.0, [0.11, 0.05, 0.0]),
        ("disc:200x3mm", "bronze", "pebble", 2.0, [0.08, 0.0, 0.0]),
        (
            "membrane:350mm,tension=2000N/m,density=0.26kg/m2",
            "plastic",
            "drumstick",
            1.0,
            [0.06, 0.05, 0.0],
        ),
        ("string:650x1mm,tension=70N", "steel", "wooden mallet", 0.5, [0.12, 0.0, 0.0]),
        ("rod:250x6mm", "brass", "glass marble", 1.0, [0.1, 0.0, 0.0]),
    ] {
        let options = ModelOptions::default().with_material(material);
        let model = ModelSource::parse(shape).unwrap().load(&options, None).unwrap().model;
        let point = SurfacePoint::At(place);
        let (striking, speed) = (Striker::named(striker).unwrap(), MetresPerSecond(speed_m_s));
        let settings = Settings::default();
        let mut struck = Offline::of_strike(model, point, &striking, speed, settings).unwrap();
        let mut sound = vec![0.0; (1.1 * SECONDS * RATE_HZ) as usize];
        struck.fill(&mut sound);
        let alone: Vec<f64> = sound.into_iter().map(f64::from).collect();

        let [x, y, z] = place;
        let text = format!(
            "seconds = {}\nfull_scale_pa = 1e4\ngravity = 0\n[listener]\nposition = [0, -1, 0]\n\
             [[object]]\nname = \"struck\"\nshape = \"{shape}\"\nmaterial = \"{material}\"\n\
             [[strike]]\nobject = \"struck\"\nat_s = {AT_S}\nwith = \"{striker}\"\n\
             speed_m_s = {speed_m_s}\nplace = [{x}, {y}, {z}]",
            AT_S + 1.1 * SECONDS
        );
        let scene = scene(&text);
        let rendered = render(&scene, &prepared(&scene), &exact(), &mut |_| true);
        let in_scene = ahead(&rendered.unwrap().unwrap());
        // The sound needs 1 m of way.
        let start = ((AT_S + 1.0 / 343.2) * RATE_HZ).round() as usize;
        let [alone, in_scene] = [&alone[..], &in_scene[start..]].map(third_octaves);
        let loudest = alone.iter().map(|(_, level)| *level).fold(f64::MIN, f64::max);
        let mut differences = Vec::new();
        for ((f, a), (_, b)) in alone.iter().zip(&in_scene) {
            if *a > loudest - RANGE_DB {
                differences.push(format!("{f:.0} Hz {:+.2}", b - a));
                worst = worst.max((b - a).abs());
            }
        }
        println!("{striker} on {material} {shape}: {}", differences.join(", "));
    }
    foley_measured::check!("energy.strike_and_render", worst);
}
