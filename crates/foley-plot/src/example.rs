//! Models and sounds for tests.

use foley_dsp::model::{ContactBody, ModalModel, ModalParts};

/// A model with one surface point from (frequency, decay rate, gain) triples.
pub(crate) fn model(name: &str, modes: &[(f64, f64, f32)]) -> ModalModel {
    ModalModel::new(ModalParts {
        name: name.into(),
        frequencies_hz: modes.iter().map(|m| m.0).collect(),
        decays: modes.iter().map(|m| m.1).collect(),
        points: vec![[0.0; 3]],
        triangles: vec![],
        gains: modes.iter().map(|m| m.2).collect::<Vec<_>>().into(),
        body: ContactBody { mass_kg: 1.0, young_pa: 7e10, poisson: 0.3, radius_m: f64::INFINITY },
        ..ModalParts::default()
    })
    .unwrap()
}

/// A model like a stiff bar: stretched partials, a loss factor that varies a little, and
/// some loss to the air.
pub(crate) fn bar(name: &str, lowest_hz: f64, count: usize, loss: f64) -> ModalModel {
    let modes: Vec<(f64, f64, f32)> = (1..=count)
        .map(|n| {
            let stretch = (n as f64 * 0.7 + 0.5).powf(1.45) / 1.2f64.powf(1.45);
            let f = lowest_hz * stretch * (1.0 + 0.02 * (n as f64 * 2.4).sin());
            let d = std::f64::consts::PI * f * loss * (1.0 + 0.5 * (n as f64 * 5.1).sin()) + 0.8;
            let a = 3.0 * (n as f64 * 1.9).sin() / (n as f64).powf(0.6);
            (f, d, a as f32)
        })
        .collect();
    model(name, &modes)
}

/// The sound of a unit impulse at a model's point 0.
pub(crate) fn strike(model: &ModalModel, seconds: f64, sample_rate: u32) -> Vec<f32> {
    let count = (seconds * f64::from(sample_rate)) as usize;
    let mut sound = vec![0.0; count];
    for (n, gain) in model.gains_of_point(0).into_iter().enumerate() {
        let (f, d) = (model.frequencies_hz[n], model.decays[n]);
        for (i, y) in sound.iter_mut().enumerate() {
            let t = i as f64 / f64::from(sample_rate);
            let angle = std::f64::consts::TAU * f * t;
            *y += (f64::from(gain) * (-d * t).exp() * angle.sin()) as f32;
        }
    }
    sound
}
