//! Hostile settings, times, handles and gains: an error, or the same sound as without them.

use crate::common;

use common::model;
use foley_dsp::excitation::Impact;
use foley_engine::{
    AudioBuffer, Engine, EngineError, Listener, Offline, RecordedForce, Renderer, Settings, Source,
    SurfacePoint, Time,
};

const POINT: SurfacePoint = SurfacePoint::Point(0);

fn impulse() -> Impact {
    Impact::new(1e-3, 1e-4).unwrap()
}

fn spatial() -> Settings {
    Settings::default().spatial().with_block(256)
}

/// Renders blocks; returns the largest magnitude of each ear.
fn peaks(engine: &mut Engine, renderer: &mut Renderer, blocks: usize) -> [f32; 2] {
    let mut frames = vec![0.0; 2 * renderer.block()];
    let mut peaks = [0.0f32; 2];
    for _ in 0..blocks {
        engine.update();
        renderer.fill(&mut frames);
        for frame in frames.chunks_exact(2) {
            peaks = [peaks[0].max(frame[0].abs()), peaks[1].max(frame[1].abs())];
        }
    }
    peaks
}

#[test]
fn settings_out_of_range_are_named() {
    let settings = Settings::default;
    let cases = [
        (settings().with_strikes(0), "strikes"),
        (settings().with_strikes(usize::MAX), "strikes"),
        (settings().with_objects(usize::MAX), "objects"),
        (settings().with_contacts(2048), "contacts"),
        (settings().with_channels(usize::MAX), "channels"),
        (settings().with_full_scale_pa(1e-40), "full scale"),
        (settings().with_measure_costs(true).with_block(0), "block"),
        (settings().with_measure_costs(true).with_block(3), "block"),
    ];
    for (settings, name) in cases {
        let error = Engine::new(settings).map(drop).unwrap_err().to_string();
        assert!(error.contains(name), "{name}: {error}");
    }
}

#[test]
fn a_handle_of_another_engine_is_refused() {
    let [(mut a, _), (mut b, _)] = [0, 1].map(|_| Engine::new(Settings::default()).unwrap());
    let (foreign, own) = (a.add(model(8, 440.0)).unwrap(), b.add(model(8, 880.0)).unwrap());
    assert!(matches!(b.strike_with(foreign, POINT, impulse(), 0.0), Err(EngineError::NoObject)));
    assert!(matches!(b.remove(foreign), Err(EngineError::NoObject)));
    b.strike_with(own, POINT, impulse(), 0.0).unwrap();
}

#[test]
fn times_beyond_a_billion_seconds_are_refused() {
    let (mut engine, _renderer) = Engine::new(spatial()).unwrap();
    let object = engine.add_at(model(8, 440.0), [1.0, 0.0, 0.0]).unwrap();
    for at_s in [1e305, 2e9, -1.0, f64::NAN] {
        let struck = engine.strike_with(object, POINT, impulse(), at_s);
        assert!(matches!(struck, Err(EngineError::Time(_))), "{at_s}");
    }
    let listened = engine.set_listener_at(Listener::default(), 1e6);
    assert!(matches!(listened, Err(EngineError::Ahead(_))));
}

#[test]
fn gains_that_do_not_fit_the_model_are_refused() {
    let (mut engine, _renderer) = Engine::new(Settings::default()).unwrap();
    let object = engine.add(model(8, 440.0)).unwrap();
    let modes = model(8, 440.0).mode_count();
    let few = vec![1.0; modes - 1];
    assert!(matches!(
        engine.strike_with_gains(object, &few, impulse(), Time::Now),
        Err(EngineError::Gains { .. })
    ));
    let mut bad = vec![1.0; modes];
    bad[0] = f32::NAN;
    assert!(engine.strike_with_gains(object, &bad, impulse(), Time::Now).is_err());
    assert!(engine.set_contact_gains(object, 0, &bad).is_err());
}

/// Strikes that wait on the audio thread do not hold up other commands.
#[test]
fn strikes_sent_ahead_do_not_hold_up_positions() {
    let (mut engine, mut renderer) = Engine::new(spatial().with_strikes(16)).unwrap();
    engine.set_listener(Listener::default()).unwrap();
    let object = engine.add_at(model(8, 440.0), [-3.0, 0.0, 0.0]).unwrap();
    engine.strike_with(object, POINT, impulse(), Time::Now).unwrap();
    for _ in 0..40 {
        engine.strike_with(object, POINT, impulse(), 0.45).unwrap();
    }
    let [left, right] = peaks(&mut engine, &mut renderer, 20);
    assert!(left > 2.0 * right, "{left} {right}");
    engine.place(object, [3.0, 0.0, 0.0]).unwrap();
    // The cross-fade takes 70 ms; until the strikes are due there are 250 ms more.
    peaks(&mut engine, &mut renderer, 25);
    let [left, right] = peaks(&mut engine, &mut renderer, 10);
    assert!(right > 2.0 * left, "{left} {right}");
    // All of them sound, and nothing is refused.
    peaks(&mut engine, &mut renderer, 300);
    assert_eq!((engine.waiting(), engine.report().refused), (0, 0));
}

/// A position in the far future holds up neither other objects nor, after its removal, anything.
#[test]
fn a_move_in_the_far_future_does_not_hold_up_others() {
    let (mut engine, mut renderer) = Engine::new(spatial()).unwrap();
    engine.set_listener(Listener::default()).unwrap();
    let [still, moved] = [0, 1].map(|_| engine.add_at(model(8, 440.0), [-3.0, 0.0, 0.0]).unwrap());
    engine.move_at(still, [0.0, 9.0, 0.0], None, 1e6).unwrap();
    engine.strike_with(still, POINT, impulse(), 1e6).unwrap();
    engine.move_at(moved, [3.0, 0.0, 0.0], None, 0.1).unwrap();
    engine.strike_with(moved, POINT, impulse(), 0.2).unwrap();
    let [left, right] = peaks(&mut engine, &mut renderer, 60);
    assert!(right > 2.0 * left, "{left} {right}");
    engine.remove(still).unwrap();
    assert_eq!(engine.waiting(), 0);
}

/// An object that begins to sound while voices that left still fade out on every emitter is heard where it is.
#[test]
fn a_new_object_is_heard_from_its_place_while_all_emitters_fade() {
    let spatial_settings = foley_engine::SpatialSettings::default().with_emitters(2);
    let (mut engine, mut renderer) = Engine::new(spatial().with_spatial(spatial_settings)).unwrap();
    engine.set_listener(Listener::default()).unwrap();
    let left: Vec<_> =
        (0..4).map(|_| engine.add_at(model(8, 300.0), [-3.0, 0.3, 0.0]).unwrap()).collect();
    let quiet = Impact::new(1e-7, 1e-4).unwrap();
    for object in &left {
        engine.strike_with(*object, POINT, quiet.clone(), Time::Now).unwrap();
    }
    for k in 0..12 {
        for (i, object) in left.iter().enumerate() {
            let x = -3.0 - 0.1 * ((k * 7 + i * 3) % 11) as f64;
            engine.place(*object, [x, 0.3, 0.0]).unwrap();
        }
        peaks(&mut engine, &mut renderer, 1);
    }
    left.into_iter().for_each(|object| engine.remove(object).unwrap());
    for _ in 0..40 {
        peaks(&mut engine, &mut renderer, 1);
        if engine.report().voices == 0 {
            break;
        }
    }
    let right = engine.add_at(model(8, 440.0), [3.0, 0.3, 0.0]).unwrap();
    engine.strike_with(right, POINT, impulse(), Time::Now).unwrap();
    let [left, right] = peaks(&mut engine, &mut renderer, 12);
    assert!(right > 2.0 * left && right > 0.0, "{left} {right}");
}

#[test]
fn forces_at_the_end_of_time_and_endless_renders_do_not_overflow() {
    let (mut engine, renderer) = Engine::new(Settings::default()).unwrap();
    let object = engine.add(model(8, 440.0)).unwrap();
    engine.move_contact(object, 0, POINT).unwrap();
    let force = RecordedForce { start: u64::MAX - 10, samples: vec![1e-3; 100] };
    engine.attach_force(object, 0, force).unwrap();
    let sound = AudioBuffer::render(&mut Offline::new(engine, renderer), 0.1, |_| ());
    assert_eq!(sound.samples.len(), 4_800);
    let (engine, renderer) = Engine::new(Settings::default()).unwrap();
    let none = AudioBuffer::render(&mut Offline::new(engine, renderer), f64::NAN, |_| ());
    assert!(none.samples.is_empty());
}

/// As many forces as objects have contacts are accepted; a force that is not finite is counted.
#[test]
fn every_contact_takes_a_force_and_bad_forces_are_counted() {
    let (mut engine, renderer) = Engine::new(Settings::default().with_objects(100)).unwrap();
    for _ in 0..100 {
        let object = engine.add(model(8, 440.0)).unwrap();
        for contact in 0..4 {
            engine.move_contact(object, contact, POINT).unwrap();
            let force = RecordedForce { start: 0, samples: vec![f32::NAN; 480] };
            engine.attach_force(object, contact, force).unwrap();
        }
    }
    let mut offline = Offline::new(engine, renderer);
    AudioBuffer::render(&mut offline, 0.1, |_| ());
    let report = offline.engine.report();
    assert_eq!(report.refused, 0);
    assert!(report.bad_forces >= 400, "{}", report.bad_forces);
}
