//! Two objects collide: both sound, at the point where they meet.

use foley_dsp::model::{ContactBody, ModalModel, ModalParts};
use foley_dsp::output::OutputSettings;
use foley_engine::{Engine, EngineError, NewtonSeconds, Settings, Source, Time};
use std::f64::consts::FRAC_1_SQRT_2;
use std::sync::Arc;

/// A bar along x with one mode, which is only excited at its end x = 1.
fn bar(frequency_hz: f64, radius_m: f64) -> Arc<ModalModel> {
    let model = ModalModel::new(ModalParts {
        name: "bar".into(),
        frequencies_hz: vec![frequency_hz],
        decays: vec![3.0],
        points: vec![[0.0; 3], [1.0, 0.0, 0.0]],
        triangles: vec![],
        gains: vec![0.0, 0.3].into(),
        body: ContactBody { mass_kg: 1.0, radius_m, young_pa: 1e11, poisson: 0.3 },
        ..ModalParts::default()
    });
    Arc::new(model.unwrap())
}

/// Returns the power of two bars of 500 and 800 Hz after a collision at a point.
fn powers(radii_m: [f64; 2], point_m: [f64; 3], impulse_ns: f64) -> Result<[f64; 2], EngineError> {
    let output = OutputSettings::default().with_limiter(None);
    let settings = Settings::default().spatial().with_output(output);
    let (mut engine, mut renderer) = Engine::new(settings)?;
    let a = engine.add_at(bar(500.0, radii_m[0]), [0.0; 3])?;
    // It points down, from 1 m above the end of the other.
    let b = engine.add_at(bar(800.0, radii_m[1]), [1.0, 0.0, 1.0])?;
    engine.set_rotation(b, [0.0, FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2])?;
    engine.collide(a, b, point_m, NewtonSeconds(impulse_ns), Time::Now)?;
    engine.update();
    let mut frames = vec![0.0; 2 * 24_000];
    renderer.fill(&mut frames);
    Ok([500.0, 800.0].map(|hz| {
        let turn = |n: usize| 2.0 * std::f64::consts::PI * hz * n as f64 / 48_000.0;
        let part = |wave: fn(f64) -> f64| {
            let product = |(n, y): (usize, &f32)| f64::from(*y) * wave(turn(n));
            frames.iter().step_by(2).enumerate().map(product).sum::<f64>()
        };
        part(f64::cos).powi(2) + part(f64::sin).powi(2)
    }))
}

const END: [f64; 3] = [1.0, 0.0, 0.0];

#[test]
fn both_sound_where_they_meet_and_nothing_elsewhere() {
    let at_end = powers([0.1, 0.1], END, 0.01).unwrap();
    assert!(at_end.iter().all(|power| *power > 0.0), "{at_end:?}");
    // In the middle of the first one neither of them is excited.
    let elsewhere = powers([0.1, 0.1], [0.0, 0.0, 1.0], 0.01).unwrap();
    assert!(elsewhere[0] + elsewhere[1] < 1e-6 * at_end[0].min(at_end[1]), "{elsewhere:?}");
}

#[test]
fn flat_bodies_meet_at_an_edge() {
    let flat = powers([f64::INFINITY, f64::INFINITY], END, 0.01).unwrap();
    assert!(flat.iter().all(|power| *power > 0.0), "{flat:?}");
    // An edge of 2 mm is sharper than a ball of 100 mm: softer, so longer, and duller.
    let round = powers([0.1, 0.1], END, 0.01).unwrap();
    assert!(flat[1] / flat[0] < round[1] / round[0], "{flat:?} {round:?}");
}

#[test]
fn an_invalid_impulse_is_refused() {
    for impulse_ns in [-0.1, f64::NAN, f64::INFINITY] {
        let error = powers([0.1, 0.1], END, impulse_ns).unwrap_err();
        assert!(error.to_string().contains("impulse"), "{error}");
    }
    assert_eq!(powers([0.1, 0.1], END, 0.0).unwrap(), [0.0; 2]);
}
