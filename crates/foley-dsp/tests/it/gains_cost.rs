//! Cost of interpolating the gains of all modes, against a loop over modes.

use foley_dsp::model::{ContactBody, Gains, ModalModel, ModalParts};
use std::hint::black_box;
use std::time::Instant;

const SIDE: usize = 40;
const MODES: usize = 333;

/// Makes a square grid in which every mode is a wave.
fn plate() -> ModalModel {
    let place = |k: usize| [(k % SIDE) as f64, (k / SIDE) as f64, 0.0];
    let points: Vec<[f64; 3]> = (0..SIDE * SIDE).map(place).collect();
    let mut triangles = Vec::new();
    for k in (0..SIDE * (SIDE - 1)).filter(|k| k % SIDE + 1 < SIDE) {
        let [a, b, c, d] = [k, k + 1, k + SIDE, k + SIDE + 1].map(|k| k as u32);
        triangles.extend([[a, b, d], [a, d, c]]);
    }
    let wave = |n: usize, p: &[f64; 3]| {
        let phase = 0.01 * (n + 1) as f64 * (p[0] + 0.7 * p[1]);
        [0.1 * phase.cos(), 1e-5 * phase.sin(), phase.sin()].map(|x| x as f32)
    };
    let modes: Vec<Vec<[f32; 3]>> =
        (0..MODES).map(|n| points.iter().map(|p| wave(n, p)).collect()).collect();
    ModalModel::new(ModalParts {
        name: "plate".into(),
        frequencies_hz: (0..MODES).map(|n| 60.0 * (n + 1) as f64).collect(),
        decays: vec![3.0; MODES],
        gains: Gains::vectors(&modes),
        points,
        triangles,
        body: ContactBody { mass_kg: 1.0, young_pa: 2e11, poisson: 0.3, radius_m: f64::INFINITY },
        ..ModalParts::default()
    })
    .unwrap()
}

/// Interpolates within the triangle above the diagonal of a grid cell, whose corners are known.
fn mode_by_mode(model: &ModalModel, [x, y, _]: [f64; 3], e: [f64; 3]) -> Vec<f32> {
    let Gains::Vector { levels, shapes } = &model.gains else { panic!("no vectors") };
    let k = x as usize + SIDE * y as usize;
    let (u, v) = (x.fract(), y.fract());
    let corners = [(k, 1.0 - u), (k + 1, u - v), (k + SIDE + 1, v)];
    let gain = |n: usize| -> f32 {
        let at = |(k, w): (usize, f64)| {
            let shape = &shapes[3 * (k * MODES + n)..][..3];
            let along: f64 = shape.iter().zip(e).map(|(s, e)| s.to_f64() * e).sum();
            w * (f64::from(levels[n]) * along)
        };
        corners.into_iter().map(at).sum::<f64>() as f32
    };
    (0..MODES).map(gain).collect()
}

/// Returns points all over the plate, below the diagonals.
fn places() -> impl Iterator<Item = [f64; 3]> {
    let step = |i: usize, of: usize| (i * of % (SIDE - 1)) as f64;
    (0..2_000).map(move |i| [step(i, 7) + 0.75, step(i, 11) + 0.25, 0.0])
}

const ALONG: [f64; 3] = [0.36, 0.48, -0.8];

#[test]
fn gains_are_those_of_every_mode_alone() {
    let model = plate();
    let mut errors = Vec::new();
    for place in places() {
        let (got, want) = (model.gains_along(place, ALONG), mode_by_mode(&model, place, ALONG));
        errors.extend(got.iter().zip(&want).map(|(got, want)| f64::from((got - want).abs())));
    }
    foley_measured::check!("resonators.interpolated_gains", foley_measured::largest(errors));
}

#[test]
#[ignore = "measures this machine: `make bench` runs it"]
fn gains_take_a_part_of_the_time_of_every_mode_alone() {
    let model = plate();
    let mut ratios = Vec::new();
    for _ in 0..15 {
        let began = Instant::now();
        places().for_each(|place| drop(black_box(model.gains_along(place, ALONG))));
        let fast = began.elapsed();
        let began = Instant::now();
        places().for_each(|place| drop(black_box(mode_by_mode(&model, place, ALONG))));
        ratios.push((fast.as_secs_f64() / began.elapsed().as_secs_f64(), fast / 2_000));
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, each) = ratios[ratios.len() / 2];
    eprintln!("gains of {MODES} modes in {each:?}: {ratio:.2} of the time of each alone");
    // A quarter or less is usual.
    foley_measured::check!(
        "resonators.gains_cost",
        ratio,
        "cargo test --release -p foley-dsp --test it gains_cost:: -- --ignored"
    );
}
