//! Clicks of struck and striking bodies through the engine.

use crate::common::snr_db;
use foley_dsp::excitation::{
    AcceleratedBody, HertzPair, Impact, PATIENCE_S, RigidRadiation, Striker,
};
use foley_dsp::model::{ContactBody, ModalModel, ModalParts, Vibration};
use foley_dsp::output::OutputSettings;
use foley_engine::{
    AudioBuffer, Engine, Listening, MetresPerSecond, NewtonSeconds, Offline, Settings,
    SurfacePoint, Synthesis, Time,
};
use foley_measured::check;

const POINT: SurfacePoint = SurfacePoint::Point(0);

/// A steel ball of 30 mm whose only mode has this gain.
fn ball(gain: f32, free: bool) -> ModalModel {
    ModalModel::new(ModalParts {
        name: "ball".into(),
        frequencies_hz: vec![900.0],
        decays: vec![40.0],
        points: vec![[0.0; 3]],
        gains: vec![gain].into(),
        body: ContactBody { mass_kg: 0.111, young_pa: 2e11, poisson: 0.29, radius_m: 0.015 },
        vibration: Some(Vibration { pressures_pa: vec![1.0], free }),
        rigid: Some([RigidRadiation::sphere(0.015); 3]),
        ..ModalParts::default()
    })
    .unwrap()
}

fn settings() -> Settings {
    Settings::default().with_output(OutputSettings::default().with_limiter(None))
}

fn rendered(engine: Engine, renderer: foley_engine::Renderer, seconds: f64) -> Vec<f32> {
    let mut scene = Offline::new(engine, renderer);
    AudioBuffer::render(&mut scene, seconds, |_| ()).samples
}

/// A strike at 0.01 s with a steel ball at 1 m/s.
fn struck(settings: Settings, model: ModalModel) -> Vec<f32> {
    let (mut engine, renderer) = Engine::new(settings).unwrap();
    let object = engine.add(model).unwrap();
    let striker = Striker::named("steel ball").unwrap();
    engine.strike(object, POINT, &striker, MetresPerSecond(1.0), 0.01).unwrap();
    rendered(engine, renderer, 0.1)
}

/// The samples of the same strike by hand.
fn expected(model: &ModalModel) -> Vec<f32> {
    let striker = Striker::named("steel ball").unwrap();
    let gains = POINT.gains(model).unwrap();
    let restitution = striker.contact_restitution();
    let solved = model.strike(&striker, &gains, 1.0, restitution, PATIENCE_S).unwrap().unwrap();
    let mut bodies: Vec<_> = model.accelerated_body([0.0, 0.0, 1.0]).into_iter().collect();
    bodies.push(striker.accelerated_body().unwrap().striking(bodies.first()));
    let burst = solved.impact.acceleration_noise(&bodies, 48e3, 480.0).unwrap();
    let mut sound = vec![0.0; 4800];
    let first = burst.first_sample() as usize;
    sound[first..].iter_mut().zip(burst.samples()).for_each(|(y, b)| *y += b);
    sound
}

#[test]
fn a_strike_clicks_in_every_synthesis_and_is_silent_without_the_setting() {
    let truth = expected(&ball(0.0, true));
    let peak = truth.iter().fold(0f32, |a, b| a.max(b.abs()));
    let db_spl = 20.0 * (f64::from(peak) / 20e-6).log10();
    println!("{db_spl:.1} dB SPL at 1 m");
    // Two hard steel balls of a few centimetres at 1 m/s.
    assert!((80.0..110.0).contains(&db_spl));
    let masked = Synthesis::Masking2004(Listening::default(), 5.0);
    for settings in [
        settings(),
        settings().with_block(64),
        settings().audible(),
        settings().with_synthesis(masked).with_block(128),
    ] {
        let found = struck(settings.clone(), ball(0.0, true));
        check!("click.through_the_engine", snr_db(&truth, &found));
        let off = struck(settings.with_acceleration_noise(false), ball(0.0, true));
        assert!(off.iter().all(|y| *y == 0.0));
    }
}

#[test]
fn a_body_that_is_held_does_not_click() {
    let [free, held] = [true, false].map(|free| expected(&ball(0.0, free)));
    assert!(snr_db(&free, &held) < 20.0);
    let found = struck(settings(), ball(0.0, false));
    check!("click.through_the_engine", snr_db(&held, &found));
}

/// A change of synthesis in the middle of a click changes nothing of it.
#[test]
fn clicks_go_on_while_the_synthesis_changes() {
    let truth = expected(&ball(0.0, true));
    let (mut engine, renderer) = Engine::new(settings().with_block(32)).unwrap();
    let object = engine.add(ball(0.0, true)).unwrap();
    let striker = Striker::named("steel ball").unwrap();
    engine.strike(object, POINT, &striker, MetresPerSecond(1.0), 0.01).unwrap();
    let mut scene = Offline::new(engine, renderer);
    let mut found = AudioBuffer::render(&mut scene, 490.0 / 48e3, |_| ()).samples;
    scene.engine.set_synthesis(Synthesis::Perceptual(Listening::default()));
    found.extend(AudioBuffer::render(&mut scene, 0.1 - 490.0 / 48e3, |_| ()).samples);
    found.resize(truth.len(), 0.0);
    check!("click.through_the_engine", snr_db(&truth, &found));
}

/// Equal balls in an engine without positions: the second is delayed by their distance, as the mean over directions is.
#[test]
fn two_balls_that_collide_both_click() {
    let (mut engine, renderer) = Engine::new(settings()).unwrap();
    let [a, b] = [0, 1].map(|_| engine.add(ball(0.0, true)).unwrap());
    engine.collide(a, b, [0.0; 3], NewtonSeconds(0.05), Time::Seconds(0.01)).unwrap();
    let both = rendered(engine, renderer, 0.1);
    // A free blow of J on both masses: the approach has J (1/m + 1/m) / (1 + e) without modes that ring.
    let body = ball(0.0, true).accelerated_body([0.0, 0.0, 1.0]).unwrap();
    let energy = |sound: &[f32]| sound.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>();
    let click = |bodies: &[AcceleratedBody], duration_s: f64| {
        let impact = Impact::new(0.05, duration_s).unwrap();
        let burst = impact.acceleration_noise(bodies, 48e3, 480.0).unwrap();
        energy(burst.samples())
    };
    let pair = HertzPair::of_bodies(&ball(0.0, true).body, &ball(0.0, true).body).unwrap();
    let speed_m_s = 0.05 * 2.0 / 0.111 / 2.0;
    let duration_s = pair.contact_time_s(speed_m_s);
    let together = click(&[body, body.striking(Some(&body))], duration_s);
    let in_phase = click(&[body, AcceleratedBody::new(body.radiation, body.mass_kg)], duration_s);
    let db = 10.0 * (energy(&both) / together).log10();
    println!("{db:.2} dB from the solved pulse of {duration_s:.2e} s");
    assert!(db.abs() < 1.0, "{db} dB");
    let gain_db = 10.0 * (in_phase / together).log10();
    println!("in phase they would be {gain_db:.2} dB louder");
    check!("click.opposed", gain_db);
}
