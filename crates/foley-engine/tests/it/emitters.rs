//! Objects with positions and a listener who moves.

use crate::common;

use common::snr_db;
use foley_dsp::excitation::Impact;
use foley_dsp::model::{ContactBody, ModalModel, ModalParts};
use foley_dsp::output::OutputSettings;
use foley_engine::{
    Engine, Listener, ObjectHandle, Renderer, Settings, Source, SpatialSettings, SurfacePoint,
    Synthesis,
};
use foley_measured::largest;
use std::f64::consts::PI;
use std::sync::Arc;

const RATE: f64 = 48_000.0;

fn settings() -> Settings {
    let output = OutputSettings::default().with_limiter(None);
    Settings::default().audible().spatial().with_output(output).with_block(256)
}

/// A model with modes of equal gain that fall by 60 dB in `t60_s`.
fn model(f: &[f64], t60_s: f64) -> Arc<ModalModel> {
    let decay = 1000f64.ln() / t60_s;
    let body = ContactBody { mass_kg: 1.0, radius_m: 0.1, young_pa: 1e11, poisson: 0.3 };
    let model = ModalModel::new(ModalParts {
        name: "test".into(),
        frequencies_hz: f.to_vec(),
        decays: vec![decay; f.len()],
        points: vec![[0.0; 3]],
        triangles: vec![],
        gains: vec![0.3; f.len()].into(),
        body,
        ..ModalParts::default()
    });
    Arc::new(model.unwrap())
}

struct Scene {
    engine: Engine,
    renderer: Renderer,
}

impl Scene {
    fn new(settings: Settings) -> Self {
        let (engine, renderer) = Engine::new(settings).unwrap();
        Self { engine, renderer }
    }

    fn ringing(&mut self, f: &[f64], t60_s: f64, at_m: [f64; 3]) -> ObjectHandle {
        let object = self.engine.add_at(model(f, t60_s), at_m).unwrap();
        let impact = Impact::new(1.0, 1e-5).unwrap();
        self.engine.strike_with(object, SurfacePoint::Point(0), impact, 0.0).unwrap();
        object
    }

    /// Renders; `before` is called with the time at which positions are taken next.
    fn render(&mut self, seconds: f64, mut before: impl FnMut(f64, &mut Engine)) -> [Vec<f32>; 2] {
        let block = self.renderer.block();
        let mut ears = [Vec::new(), Vec::new()];
        let mut frames = vec![0.0; 2 * block];
        for _ in 0..(seconds * RATE) as usize / block {
            before(self.engine.next_tick_s(), &mut self.engine);
            self.engine.update();
            self.renderer.fill(&mut frames);
            for frame in frames.chunks_exact(2) {
                ears[0].push(frame[0]);
                ears[1].push(frame[1]);
            }
        }
        ears
    }
}

fn power_db(samples: &[f32]) -> f64 {
    let sum: f64 = samples.iter().map(|y| f64::from(*y).powi(2)).sum();
    10.0 * (sum / samples.len() as f64).log10()
}

fn both_db([left, right]: &[Vec<f32>; 2], at_s: f64) -> f64 {
    let range = (at_s * RATE) as usize..((at_s + 0.05) * RATE) as usize;
    let [l, r] = [left, right].map(|ear| 10f64.powf(power_db(&ear[range.clone()]) / 10.0));
    10.0 * (l + r).log10()
}

/// While an object rings and the listener walks away, its level falls 6 dB per doubling of distance.
#[test]
fn level_falls_six_decibels_per_doubling_while_the_listener_walks_away() {
    let (start_m, speed) = (1.0, 4.0);
    let mut scene = Scene::new(settings());
    let t60 = 40.0;
    scene.ringing(&[400.0, 700.0], t60, [0.0; 3]);
    let heard = scene.render(4.1, |t, engine| {
        let at = Listener::at([start_m + speed * t, 0.0, 0.0]).with_velocity([speed, 0.0, 0.0]);
        engine.set_listener(at).unwrap();
    });
    let distance = |t: f64| start_m + speed * t;
    // Without the decay of the modes, which was that of the time of emission.
    let level = |t: f64| {
        let middle = t + 0.025;
        both_db(&heard, t) + 60.0 / t60 * (middle - distance(middle) / 343.2)
    };
    for (near_s, far_s) in [(0.25, 0.75), (0.75, 1.75), (1.75, 3.75)] {
        let fall = level(near_s) - level(far_s);
        let want = 20.0 * (distance(far_s + 0.025) / distance(near_s + 0.025)).log10();
        println!("{near_s} to {far_s} s: {fall} dB, by law {want}");
        // Air absorbs 0.002 dB per metre at these frequencies.
        foley_measured::check!("emitters.distance_law", (fall - want).abs());
    }
}

#[test]
fn turning_the_head_moves_a_ringing_object() {
    let mut scene = Scene::new(settings());
    scene.ringing(&[500.0], 40.0, [2.0, 0.0, 0.0]);
    let heard = scene.render(2.0, |t, engine| {
        // From looking along y, the object to the right, to looking along −y.
        let angle = PI * (t / 1.8).min(1.0);
        let forward = [angle.sin(), angle.cos(), 0.0];
        engine.set_listener(Listener::at([0.0; 3]).facing(forward)).unwrap();
    });
    let difference = |t: f64| {
        let range = (t * RATE) as usize..((t + 0.02) * RATE) as usize;
        power_db(&heard[1][range.clone()]) - power_db(&heard[0][range])
    };
    foley_measured::check!("emitters.head_right", difference(0.1));
    foley_measured::check!("emitters.head_ahead", difference(0.89).abs());
    foley_measured::check!("emitters.head_left", -difference(1.9));
}

/// An object struck at 200 m and approached to 1 m while it rings is heard as by exact synthesis.
#[test]
fn an_object_struck_far_away_and_approached_sounds_like_the_exact_render() {
    let rendered = |synthesis| {
        let mut scene = Scene::new(settings().with_synthesis(synthesis));
        let modes: Vec<f64> = (0..12).map(|k| 200.0 * 1.4f64.powi(k)).collect();
        scene.ringing(&modes, 30.0, [0.0; 3]);
        // 200 m in 9 s, then at rest at 1 m.
        scene.render(10.0, |t, engine| {
            let distance = (200.0 - 22.2 * t).max(1.0);
            engine.set_listener(Listener::at([0.0, -distance, 0.0])).unwrap();
        })
    };
    let (exact, audible) = (rendered(Synthesis::Exact), rendered(settings().synthesis));
    for t in [7.0, 8.0, 8.6, 9.2, 9.8] {
        let error = both_db(&audible, t) - both_db(&exact, t);
        println!("{t} s: {error} dB");
        foley_measured::check!("emitters.approached", error.abs());
    }
}

/// 30 m/s past the listener at 2 m: the phase of a tone, and so its Doppler shift, is the analytic one.
#[test]
fn a_passing_object_has_the_analytic_doppler_shift() {
    let (f, speed, c) = (1_000.0, 30.0, 343.2);
    let place = |t: f64| [speed * (t - 1.0), 2.0, 0.0];
    let mut scene = Scene::new(settings());
    let object = scene.ringing(&[f], 1e4, place(0.0));
    let heard = scene.render(2.0, |t, engine| {
        let velocity = Some([speed, 0.0, 0.0]);
        engine.move_at(object, place(t), velocity, t).unwrap();
    });
    let sound: Vec<f64> =
        heard[0].iter().zip(&heard[1]).map(|(l, r)| f64::from(*l) + f64::from(*r)).collect();
    // The time of emission of what is heard at t: c τ = |p(t − τ)|.
    let emitted = |t: f64| {
        let (a, b) = (c * c - speed * speed, speed * speed * (t - 1.0));
        let q = speed * speed * (t - 1.0).powi(2) + 4.0;
        t - (-b + (b * b + a * q).sqrt()) / a
    };
    // The phase against the analytic one, over 5 ms; its slope is the error of the frequency.
    let phase = |t: f64| {
        let (mut re, mut im) = (0.0, 0.0);
        let middle = (t * RATE) as usize;
        let part = sound[middle - 240..middle + 240].iter();
        for (y, n) in part.zip(middle - 240..) {
            let window = 0.5 + 0.5 * (PI * (n as f64 - middle as f64) / 240.0).cos();
            let angle = 2.0 * PI * f * emitted(n as f64 / RATE);
            re += window * y * angle.cos();
            im -= window * y * angle.sin();
        }
        im.atan2(re)
    };
    let mut errors = Vec::new();
    for i in 0..150 {
        let t = 0.3 + 0.01 * f64::from(i);
        let mut phase_step = phase(t + 0.005) - phase(t - 0.005);
        phase_step -= 2.0 * PI * (phase_step / (2.0 * PI)).round();
        let cents = 1200.0 * (1.0 + phase_step / (2.0 * PI * 0.01) / f).log2();
        errors.push(cents.abs());
    }
    foley_measured::check!("emitters.doppler", largest(errors));
}

/// Splitting one emitter into eight at the same place changes neither sound nor partials.
#[test]
fn eight_emitters_in_one_place_sound_like_one() {
    let rendered = |emitters: usize| {
        let spatial = SpatialSettings::default().with_emitters(emitters);
        let mut scene = Scene::new(settings().with_spatial(spatial));
        for slot in 0..8 {
            let mode = |k: usize| 100.0 * 1.2f64.powi((8 * k + slot) as i32);
            let modes: Vec<f64> = (0..3).map(mode).collect();
            scene.ringing(&modes, 3.0, [0.0, 2.0, 0.0]);
        }
        let mut computed = 0;
        let heard = scene.render(2.0, |_, engine| computed += engine.report().computed);
        assert_eq!(scene.engine.report().emitters, emitters.min(8) as u64);
        (heard, computed)
    };
    let ((one, few), (eight, many)) = (rendered(1), rendered(16));
    println!("{few} partials became {many}");
    let change = 100.0 * (many as f64 / few as f64 - 1.0).abs();
    foley_measured::check!("emitters.split_partials_heard", change);
    foley_measured::check!("emitters.split_sound_heard", snr_db(&one[0], &eight[0]));
}

/// Voices are given back when they are silent, and taken again when they are struck again.
#[test]
fn voices_are_given_back_when_they_are_silent() {
    for synthesis in [Synthesis::Exact, settings().synthesis] {
        let mut scene = Scene::new(settings().with_objects(40).with_synthesis(synthesis));
        let model = model(&[700.0, 900.0], 0.1);
        let objects: Vec<ObjectHandle> = (0..40)
            .map(|i| scene.engine.add_at(Arc::clone(&model), [f64::from(i), 5.0, 0.0]).unwrap())
            .collect();
        let impact = Impact::new(1e-3, 1e-5).unwrap();
        let mut most = 0;
        for round in 0..5 {
            for (i, object) in objects.iter().enumerate() {
                let at = f64::from(round) * 2.0 + i as f64 * 0.01;
                scene
                    .engine
                    .strike_with(*object, SurfacePoint::Point(0), impact.clone(), at)
                    .unwrap();
            }
            let heard = scene.render(2.0, |_, engine| most = most.max(engine.report().voices));
            assert!(power_db(&heard[0]) > -120.0);
            println!("round {round}, {synthesis:?}");
            let left = scene.engine.report().voices;
            foley_measured::check!("emitters.voices_given_back", left as f64);
            assert_eq!(scene.engine.report().refused, 0);
        }
        assert!((2..=40).contains(&most), "{most}");
    }
}

/// A jump of the object, of the listener or of the head is heard as in a scene that began that way,
/// without a click.
#[test]
fn jumps_are_cross_faded() {
    let f = 997.0;
    let jump = |engine: &mut Engine, object: ObjectHandle, kind: usize| match kind {
        0 => engine.place(object, [-1.0, 3.0, 0.0]).unwrap(),
        1 => engine.place_listener(Listener::at([1.5, -1.0, 0.0])).unwrap(),
        _ => engine.set_listener(Listener::at([0.0; 3]).facing([1.0, 0.0, 0.0])).unwrap(),
    };
    for kind in 0..3 {
        let rendered = |at: usize| {
            let mut scene = Scene::new(settings());
            let object = scene.ringing(&[f], 1e4, [1.0, 2.0, 0.0]);
            let mut block = 0;
            scene.render(1.0, |_, engine| {
                if block == at {
                    jump(engine, object, kind);
                }
                block += 1;
            })
        };
        let (jumped, began) = (rendered(90), rendered(0));
        let from = 91 * 256 + 4_800;
        for ear in 0..2 {
            let db = snr_db(&began[ear][from..], &jumped[ear][from..]);
            println!("kind {kind}, ear {ear}");
            foley_measured::check!("emitters.after_jump", db);
            let (_, outside) = band_db(&jumped[ear], f, 200.0);
            foley_measured::check!("emitters.jump_click", outside);
        }
    }
}

/// A new gain, and the end of an object, do not click either, in blocks of the length for playing.
/// Gains are linear within a block, so more of the fade is near the tone than of a jump.
#[test]
fn gains_and_removals_are_faded() {
    let f = 997.0;
    for kind in 0..2 {
        let mut scene = Scene::new(settings().with_block(128));
        let object = scene.ringing(&[f], 1e4, [1.0, 2.0, 0.0]);
        let mut block = 0;
        let heard = scene.render(1.0, |_, engine| {
            if block == 180 && kind == 0 {
                engine.set_gain_db(object, -20.0).unwrap();
            } else if block == 180 {
                engine.remove(object).unwrap();
            }
            block += 1;
        });
        let (before, after) =
            (power_db(&heard[0][..20_000][10_000..]), power_db(&heard[0][40_000..]));
        match kind {
            0 => foley_measured::check!("emitters.gain", (after - before + 20.0).abs()),
            _ => assert!(heard[0][40_000..].iter().all(|y| *y == 0.0)),
        }
        let (_, outside) = band_db(&heard[0], f, 300.0);
        println!("kind {kind}: {outside:.1} dB outside");
        foley_measured::check!("emitters.fade_click", outside);
    }
}

/// 64 busy emitters in blocks of 256 samples cost at most 10 % of a core more than one.
#[test]
#[ignore = "measures this machine: `make bench` runs it"]
fn sixty_four_busy_emitters_cost_at_most_a_tenth_of_a_core() {
    let seconds = 4.0;
    let cost = |emitters: usize| {
        let spatial = SpatialSettings::default().with_emitters(emitters);
        let mut scene = Scene::new(settings().with_spatial(spatial));
        for i in 0..64 {
            let angle = f64::from(i) * PI / 32.0;
            let modes: Vec<f64> =
                (0..30).map(|k| 90.0 * 1.17f64.powi(k) * (1.0 + 1e-3 * f64::from(i))).collect();
            scene.ringing(&modes, 60.0, [2.0 * angle.cos(), 2.0 * angle.sin(), 0.0]);
        }
        let began = foley_engine::cpu_time::thread_cpu_s();
        scene.render(seconds, |t, engine| {
            engine.set_listener(Listener::at([0.1 * t.sin(), 0.0, 0.0])).unwrap();
        });
        100.0 * (foley_engine::cpu_time::thread_cpu_s() - began) / seconds
    };
    let mut extra: Vec<f64> = (0..5).map(|_| cost(72) - cost(1)).collect();
    extra.sort_by(f64::total_cmp);
    println!("64 busy emitters: {:.2} % of a core above one ({:.2} %)", extra[2], cost(1));
    foley_measured::check!(
        "emitters.cost_of_64",
        extra[2],
        "cargo test --release -p foley-engine --test it emitters:: -- --ignored"
    );
}

/// Frames of a game, 60 a second, do not divide into blocks: positions given frame by frame still have the
/// right velocity, so the right pitch.
#[test]
fn positions_given_once_a_frame_have_the_doppler_shift_of_an_even_flight() {
    let (f, speed, c) = (1_000.0, 20.0, 343.2);
    let at = |t: f64| [speed * t - 30.0, 15.0, 0.0];
    let mut errors = Vec::new();
    for moves_listener in [false, true] {
        let mut scene = Scene::new(settings().with_block(512));
        let still = [0.0; 3];
        let object = scene.ringing(&[f], 60.0, if moves_listener { still } else { at(0.0) });
        let mut ear = Vec::new();
        let mut frames = vec![0.0; 2 * 800];
        for frame in 0..150 {
            let t = f64::from(frame) / 60.0;
            match moves_listener {
                true => scene.engine.set_listener(Listener::at(at(t))).unwrap(),
                false => scene.engine.move_to(object, at(t)).unwrap(),
            }
            scene.engine.update();
            scene.renderer.fill(&mut frames);
            ear.extend(frames.chunks_exact(2).map(|frame| f64::from(frame[0] + frame[1])));
        }
        let phase = |middle: usize, hz: f64| {
            let (mut re, mut im) = (0.0, 0.0);
            for (n, y) in (middle - 480..middle + 480).map(|n| (n, ear[n])) {
                let window = 0.5 + 0.5 * (PI * (n as f64 - middle as f64) / 480.0).cos();
                let angle = 2.0 * PI * hz * n as f64 / RATE;
                re += window * y * angle.cos();
                im -= window * y * angle.sin();
            }
            f64::atan2(im, re)
        };
        for step in 20..110 {
            let t = 0.02 * f64::from(step);
            let mut tau = 0.0;
            let radial = |t: f64| {
                let [x, y, _] = at(t);
                (speed * x / x.hypot(y), x.hypot(y))
            };
            for _ in 0..40 {
                tau = radial(t - tau).1 / c;
            }
            let want = match moves_listener {
                true => f * (c - radial(t).0) / c,
                false => f * c / (c + radial(t - tau).0),
            };
            let middle = (t * RATE) as usize;
            let advance = phase(middle + 240, want) - phase(middle - 240, want);
            let advance = advance - 2.0 * PI * (advance / (2.0 * PI)).round();
            let cents = 1200.0 * (1.0 + advance / (2.0 * PI * 0.01 * want)).log2();
            println!("listener {moves_listener}, {t} s: {cents} cents");
            errors.push(cents.abs());
        }
    }
    foley_measured::check!("emitters.doppler_by_frames", largest(errors));
}

/// Returns the level inside and the level outside of a band around f, relative to the inside, of the
/// last 0.9 s.
fn band_db(sound: &[f32], f: f64, half_width_hz: f64) -> (f64, f64) {
    let part = &sound[sound.len() - 43_000..];
    let count = part.len();
    let window = |n: usize| {
        let x = 2.0 * PI * n as f64 / count as f64;
        0.358_75 - 0.488_29 * x.cos() + 0.141_28 * (2.0 * x).cos() - 0.011_68 * (3.0 * x).cos()
    };
    let windowed: Vec<f64> =
        part.iter().enumerate().map(|(n, y)| f64::from(*y) * window(n)).collect();
    let (mut inside, mut outside) = (0.0, 0.0);
    for k in 1..4_000 {
        let hz = f64::from(k) * 2.0;
        let twice_cos = 2.0 * (2.0 * PI * hz / RATE).cos();
        let (mut a, mut b) = (0.0, 0.0);
        for x in &windowed {
            (a, b) = (x + twice_cos * a - b, a);
        }
        let power = a * a + b * b - twice_cos * a * b;
        *(if (hz - f).abs() <= half_width_hz { &mut inside } else { &mut outside }) += power;
    }
    (10.0 * f64::log10(inside), 10.0 * f64::log10(outside / inside))
}

/// A pane in the plane z = 0 that lies along x.
fn pane(length_m: f64, width_m: f64) -> Arc<ModalModel> {
    let mut parts = (*model(&[400.0, 700.0], 40.0)).clone().into_parts();
    let [x, y] = [0.5 * length_m, 0.5 * width_m];
    parts.points = vec![[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]];
    parts.triangles = vec![[0, 1, 2], [0, 2, 3]];
    parts.gains = vec![0.3; 8].into();
    Arc::new(ModalModel::new(parts).unwrap())
}

/// A large pane is heard from its whole surface: next to it the level rises far less than by 1/r, and depends on its rotation.
#[test]
fn next_to_a_pane_it_is_as_loud_as_all_its_parts() {
    let (length_m, width_m) = (1.4, 0.6);
    let level = |at_m: [f64; 3], upright: bool| {
        let mut scene = Scene::new(settings());
        let object = scene.engine.add_at(pane(length_m, width_m), [0.0; 3]).unwrap();
        if upright {
            // A quarter turn about x: y of the pane becomes z of the world.
            let half = std::f64::consts::FRAC_1_SQRT_2;
            scene.engine.set_rotation(object, [half, 0.0, 0.0, half]).unwrap();
        }
        scene.engine.place_listener(Listener::at(at_m)).unwrap();
        let impact = Impact::new(1e-3, 1e-5).unwrap();
        scene.engine.strike_with(object, SurfacePoint::Point(0), impact, 0.0).unwrap();
        let heard = scene.render(0.3, |_, _| {});
        both_db(&heard, 0.2)
    };
    let sum_db = |at_m: [f64; 3], upright: bool| {
        let parts = 300;
        let share = |k: i32| (f64::from(k) + 0.5) / f64::from(parts) - 0.5;
        let mut sum = 0.0;
        for i in 0..parts {
            for j in 0..parts {
                let (x, y) = (length_m * share(i), width_m * share(j));
                let part = if upright { [x, 0.0, y] } else { [x, y, 0.0] };
                let square: f64 = part.iter().zip(at_m).map(|(a, b)| (a - b).powi(2)).sum();
                sum += 1.0 / square;
            }
        }
        10.0 * (sum / f64::from(parts * parts)).log10()
    };
    // On one line with the origin: the ears hear each place from the same direction.
    let far = [0.0, 0.0, 10.0];
    for (near, upright) in
        [([0.0, 0.0, 0.3], false), ([0.0, 0.0, 0.5], true), ([0.0, 0.0, 1.0], false)]
    {
        let travelled_db = 60.0 / 40.0 * (10.0 - near[2]) / 343.2;
        let rise = level(near, upright) - level(far, upright) + travelled_db;
        let want = sum_db(near, upright) - sum_db(far, upright);
        println!("{near:?}, upright {upright}: {rise:.2} dB, of the parts {want:.2} dB");
        foley_measured::check!("emitters.pane_heard", (rise - want).abs());
    }
}
