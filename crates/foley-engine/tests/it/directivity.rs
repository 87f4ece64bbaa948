//! Objects that radiate more in some directions than in others, and a listener around them.

use foley_dsp::excitation::Impact;
use foley_dsp::model::{ModalModel, ModalParts};
use foley_dsp::output::OutputSettings;
use foley_engine::{Engine, Listener, Settings, Source, SurfacePoint};
use foley_measured::check;
use foley_modal::{Material, Shape, ShapeOptions};
use realfft::RealFftPlanner;
use std::f64::consts::TAU;
use std::sync::{Arc, LazyLock};

const RATE: usize = 48_000;
/// A steel plate that lies in the plane of x and y.
static PLATE: LazyLock<Arc<ModalModel>> = LazyLock::new(|| {
    let shape: Shape = "plate:300x200x2mm".parse().unwrap();
    let options = ShapeOptions::default().with_max_hz(4e3);
    Arc::new(shape.model(Material::named("steel").unwrap(), &options).unwrap())
});

fn settings() -> Settings {
    let output = OutputSettings::default().with_limiter(None);
    Settings::default().spatial().with_output(output).with_block(256).with_full_scale_pa(100.0)
}

/// Renders the struck plate; `before` is called with the time at which positions are taken next.
fn render(
    settings: Settings,
    model: &Arc<ModalModel>,
    rotation: [f64; 4],
    seconds: f64,
    mut before: impl FnMut(f64, &mut Engine),
) -> [Vec<f32>; 2] {
    let (mut engine, mut renderer) = Engine::new(settings).unwrap();
    let plate = engine.add_at(Arc::clone(model), [0.0; 3]).unwrap();
    engine.set_rotation(plate, rotation).unwrap();
    before(engine.next_tick_s(), &mut engine);
    let impact = Impact::new(0.01, 1e-4).unwrap();
    engine.strike_with(plate, SurfacePoint::At([0.11, 0.07, 0.0]), impact, 0.01).unwrap();
    let block = renderer.block();
    let (mut ears, mut frames) = ([Vec::new(), Vec::new()], vec![0.0; 2 * block]);
    for _ in 0..(seconds * RATE as f64) as usize / block {
        before(engine.next_tick_s(), &mut engine);
        engine.update();
        renderer.fill(&mut frames);
        for frame in frames.chunks_exact(2) {
            ears[0].push(frame[0]);
            ears[1].push(frame[1]);
        }
    }
    ears
}

const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

fn heard_from(settings: Settings, direction: [f64; 3]) -> [Vec<f32>; 2] {
    render(settings, &PLATE, UPRIGHT, 1.0, |_, engine| {
        let at = Listener::at(direction.map(|x| 2.0 * x)).looking_at([0.0; 3]);
        engine
            .set_listener(if direction[2].abs() > 0.9 { at.with_up([1.0, 0.0, 0.0]) } else { at })
            .unwrap();
    })
}

/// Returns the energy of both ears between two frequencies.
fn energy(ears: &[Vec<f32>; 2], from_hz: f64, to_hz: f64) -> f64 {
    weighted_energy(ears, from_hz, to_hz, |_| 1.0)
}

/// Returns the same with a weight at each frequency.
fn weighted_energy(
    ears: &[Vec<f32>; 2],
    from_hz: f64,
    to_hz: f64,
    weight: impl Fn(f64) -> f64,
) -> f64 {
    let of = |ear: &Vec<f32>| {
        let mut samples = ear.clone();
        let forward = RealFftPlanner::<f32>::new().plan_fft_forward(samples.len());
        let mut spectrum = forward.make_output_vec();
        forward.process(&mut samples, &mut spectrum).unwrap();
        let hz = |i: usize| i as f64 * RATE as f64 / ear.len() as f64;
        let bins = spectrum.iter().enumerate().filter(|(i, _)| (from_hz..to_hz).contains(&hz(*i)));
        bins.map(|(i, x)| weight(hz(i)) * f64::from(x.norm_sqr())).sum::<f64>()
    };
    ears.iter().map(of).sum()
}

fn db(ratio: f64) -> f64 {
    10.0 * ratio.log10()
}

/// In front of the plate, aside and at its edge: each band is as much louder or softer than without directivity as the model
/// says at the frequencies of its modes.
#[test]
fn a_plate_sounds_as_its_directivity_says() {
    let map = PLATE.directivity.as_ref().unwrap();
    let off = settings().with_directivity(false);
    let (mut worst, mut compared) = (0.0_f64, 0);
    for direction in
        [[0.0, 0.0, 1.0], [0.6, 0.0, 0.8], [0.48, 0.64, 0.6], [0.0, 0.98, 0.2], [1.0, 0.0, 0.0]]
    {
        let (on, off) = (heard_from(settings(), direction), heard_from(off.clone(), direction));
        let all = energy(&off, 20.0, 20e3);
        let powers: Vec<f64> = map.toward(direction, 0.004).collect();
        // A mode between two bands has a share in both.
        let power_at = |hz: f64| {
            let at = (3.0 * (hz / map.first_hz()).log2()).clamp(0.0, (powers.len() - 1) as f64);
            let band = (at as usize).min(powers.len() - 2);
            powers[band] + (at - band as f64) * (powers[band + 1] - powers[band])
        };
        for (band, power) in powers.iter().enumerate() {
            let hz = map.hz_of_band(band);
            let [from, to] = [-0.5, 0.5].map(|x: f64| hz * (x / 3.0).exp2());
            let [with, without] = [&on, &off].map(|ears| energy(ears, from, to));
            if without > 1e-4 * all {
                let error = db(with / weighted_energy(&off, from, to, power_at));
                println!("{direction:.2?} {hz:.0} Hz: {:.1} dB, {error:+.2}", db(*power));
                worst = worst.max(error.abs());
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "{compared}");
    check!("directivity.front_and_edge", worst);
}

/// The gains of modes are those of the mean over all directions.
#[test]
fn the_mean_over_all_directions_keeps_the_energy() {
    let count = 60;
    let mean = (0..count).map(|i| {
        let z = (2.0 * f64::from(i) + 1.0) / f64::from(count) - 1.0;
        let (sin, cos) = (2.399_963 * f64::from(i)).sin_cos();
        let s = (1.0 - z * z).sqrt();
        energy(&heard_from(settings(), [s * cos, s * sin, z]), 20.0, 20e3) / f64::from(count)
    });
    let mean: f64 = mean.sum();
    let without =
        energy(&heard_from(settings().with_directivity(false), [0.0, 0.0, 1.0]), 20.0, 20e3);
    check!("directivity.mean", db(mean / without).abs());
}

/// Turning the plate is the same as walking around it.
#[test]
fn a_turned_plate_is_heard_from_its_edge() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let front = |engine: &mut Engine| {
        let at = Listener::at([0.0, 0.0, 2.0]).looking_at([0.0; 3]).with_up([1.0, 0.0, 0.0]);
        engine.set_listener(at).unwrap();
    };
    let rotated =
        render(settings(), &PLATE, [0.0, half, 0.0, half], 1.0, |_, engine| front(engine));
    let edge = heard_from(settings(), [-1.0, 0.0, 0.0]);
    let difference = db(energy(&rotated, 20.0, 20e3) / energy(&edge, 20.0, 20e3));
    assert!(difference.abs() < 0.1, "{difference}");
}

/// The setting changes nothing for models without directivity, and turns it off for those with it: bit for bit.
#[test]
fn without_directivity_no_bit_changes() {
    let parts = ModalParts { directivity: None, ..(**PLATE).clone().into_parts() };
    let plain = Arc::new(ModalModel::new(parts).unwrap());
    let around = |t: f64, engine: &mut Engine| {
        let (sin, cos) = (TAU * t).sin_cos();
        engine.set_listener(Listener::at([2.0 * cos, 0.3, 2.0 * sin])).unwrap();
    };
    let off = settings().with_directivity(false);
    let heard = [
        render(settings(), &plain, UPRIGHT, 0.3, around),
        render(off.clone(), &plain, UPRIGHT, 0.3, around),
        render(off, &PLATE, UPRIGHT, 0.3, around),
    ];
    let bits = heard.map(|ears| ears.concat().iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    assert!(bits[0] == bits[1] && bits[1] == bits[2]);
    let on = render(settings(), &PLATE, UPRIGHT, 0.3, around);
    assert!(on.concat().iter().zip(&bits[2]).any(|(x, bits)| x.to_bits() != *bits));
}

/// A listener who circles the plate once a second hears its level rise and fall, and nothing above the modes that was not there
/// before.
#[test]
fn a_listener_who_moves_hears_no_clicks() {
    let circle = |settings: Settings| {
        render(settings, &PLATE, UPRIGHT, 1.0, |t, engine| {
            let (sin, cos) = (TAU * t).sin_cos();
            let listener = Listener::at([2.0 * cos, 0.0, 2.0 * sin]).looking_at([0.0; 3]);
            engine.set_listener(listener.with_up([0.0, 1.0, 0.0])).unwrap();
        })
    };
    let late = |ears: [Vec<f32>; 2]| {
        ears.map(|ear| {
            // After the impact, faded in and out, so that the ends make no spectrum of their own.
            let part = &ear[RATE / 10..];
            let window = |n: usize| (0.5 - 0.5 * (TAU * n as f64 / part.len() as f64).cos()) as f32;
            part.iter().enumerate().map(|(n, x)| x * window(n) * window(n)).collect::<Vec<f32>>()
        })
    };
    let heard = late(circle(settings()));
    let above = db(energy(&heard, 6e3, 20e3) / energy(&heard, 20.0, 20e3));
    check!("directivity.moving_listener", above);
}
