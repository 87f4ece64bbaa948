//! A small scene that several tests render.
#![allow(dead_code, unreachable_pub)]

use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair, Striker};
use foley_dsp::model::{ContactBody, ModalModel, ModalParts};
use foley_engine::{Engine, ObjectHandle, RecordedForce, Renderer, Settings, SurfacePoint};

/// An object with modes spread over the spectrum and two places to strike.
pub fn model(modes: usize, lowest_hz: f64) -> ModalModel {
    let f: Vec<f64> = (0..modes).map(|i| lowest_hz * (1.0 + 1.37 * i as f64)).collect();
    let gain = |k: usize, i: usize| ((i * (3 + 4 * k)) as f32 * 0.7).cos() / (1.0 + i as f32);
    ModalModel::new(ModalParts {
        name: "test".into(),
        decays: f.iter().map(|f| 2.0 + f / 500.0).collect(),
        frequencies_hz: f,
        points: vec![[0.0; 3], [1.0, 0.0, 0.0]],
        triangles: vec![[0, 1, 1]],
        gains: (0..2).flat_map(|k| (0..modes).map(move |i| gain(k, i))).collect(),
        body: ContactBody { mass_kg: 0.5, young_pa: 2e11, poisson: 0.3, radius_m: f64::INFINITY },
        ..ModalParts::default()
    })
    .unwrap()
}

/// Two objects, hard and soft strikes at odd times, a scraped contact that moves.
pub fn scene(settings: Settings) -> (Engine, Renderer, Vec<ObjectHandle>) {
    let (mut engine, renderer) = Engine::new(settings).unwrap();
    let small = engine.add(model(12, 300.0)).unwrap();
    let large = engine.add(model(150, 90.0)).unwrap();
    let place = |x| SurfacePoint::At([x, 0.0, 0.0]);
    for (i, name) in ["steel ball", "rubber eraser", "wooden mallet"].iter().enumerate() {
        let body = model(1, 100.0).body;
        let pair = HertzPair::new(&Striker::named(name).unwrap(), &body).unwrap();
        let impact = |v| pair.impact(v, DEFAULT_RESTITUTION).unwrap().unwrap();
        let at = 0.01 + 0.0371 * i as f64;
        engine.strike_with(small, place(0.3), impact(1.0 + i as f64), at).unwrap();
        engine.strike_with(large, place(0.1 * i as f64), impact(2.0), 1.3 * at).unwrap();
    }
    let mut state = 1u32;
    let samples = (0..6000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 * 1e-11
    });
    engine.move_contact(large, 0, place(0.2)).unwrap();
    engine
        .attach_force(large, 0, RecordedForce { start: 3000, samples: samples.collect() })
        .unwrap();
    (engine, renderer, vec![small, large])
}

/// Ratio of a signal to its difference from another, dB: NaN where a sample is not a number.
pub fn snr_db(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    let power: f64 = a.iter().map(|a| f64::from(*a).powi(2)).sum();
    let error: f64 = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
    assert!(power > 0.0, "silent");
    10.0 * (power / error).log10()
}
