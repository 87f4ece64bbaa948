//! Telemetry of voices and the output tap.

use crate::common;

use common::scene;
use foley_dsp::excitation::Impact;
use foley_dsp::model::{ContactBody, ModalModel, ModalParts};
use foley_engine::{
    Budget, Engine, Listening, ObjectHandle, Renderer, Settings, Silence, Source, SurfacePoint,
    Synthesis, VoiceTelemetry,
};

/// A tone of 500 Hz; an impulse of 1 N·s gives 1 Pa at 1 m, 88 dB SPL by default.
fn tone() -> ModalModel {
    ModalModel::new(ModalParts {
        name: "tone".into(),
        frequencies_hz: vec![500.0],
        decays: vec![1.0],
        points: vec![[0.0; 3]],
        triangles: vec![],
        gains: [1.0f32].into_iter().collect(),
        body: ContactBody { mass_kg: 0.5, young_pa: 2e11, poisson: 0.3, radius_m: f64::INFINITY },
        ..ModalParts::default()
    })
    .unwrap()
}

fn settings() -> Settings {
    Settings::default().audible().spatial().with_telemetry(true)
}

/// Makes an object in front of the listener that is struck at time zero, by its level at 1 m, dB SPL.
fn strike(engine: &mut Engine, distance_m: f64, level_db: f64) -> ObjectHandle {
    let object = engine.add_at(tone(), [0.0, distance_m, 0.0]).unwrap();
    let impulse_ns = 10f64.powf((level_db - 88.0) / 20.0);
    let impact = Impact::new(impulse_ns, 1e-5).unwrap();
    engine.strike_with(object, SurfacePoint::Point(0), impact, 0.0).unwrap();
    object
}

fn play(engine: &mut Engine, renderer: &mut Renderer, blocks: usize) {
    let mut frames = vec![0.0; 512 * renderer.channels()];
    for _ in 0..blocks {
        engine.update();
        renderer.fill(&mut frames);
    }
    engine.update();
}

fn voice(engine: &Engine, object: ObjectHandle) -> VoiceTelemetry {
    *engine.telemetry().unwrap().of(object).unwrap()
}

#[test]
fn a_soft_tone_beside_a_loud_one_of_the_same_pitch_is_masked() {
    for synthesis in [
        Synthesis::Perceptual(Listening::default()),
        Synthesis::Masking2004(Listening::default(), 5.0),
    ] {
        for with_loud in [false, true] {
            let (mut engine, mut renderer) =
                Engine::new(settings().with_synthesis(synthesis)).unwrap();
            let soft = strike(&mut engine, 1.0, 20.0);
            let loud = with_loud.then(|| strike(&mut engine, 1.01, 88.0));
            play(&mut engine, &mut renderer, 8);
            let telemetry = engine.telemetry().unwrap();
            assert_eq!(telemetry.clock, 8 * 512);
            let seen = voice(&engine, soft);
            let expected = with_loud.then_some((Silence::Masked, 0));
            let got = seen.silence.map(|silence| (silence, seen.computed));
            assert_eq!(got, expected, "{synthesis:?}");
            assert!(with_loud || seen.computed == 1);
            // 8 blocks of decay at 1/s: −0.74 dB.
            assert!((seen.level_db - 19.26).abs() < 1.0, "{seen:?}");
            if let Some(loud) = loud {
                let seen = voice(&engine, loud);
                assert_eq!((seen.silence, seen.computed, seen.modes), (None, 1, 1));
                assert!((seen.level_db - 87.2).abs() < 1.0, "{seen:?}");
            }
            assert_eq!(engine.report().computed, 1);
        }
    }
}

#[test]
fn a_far_tone_is_below_the_threshold() {
    let (mut engine, mut renderer) = Engine::new(settings()).unwrap();
    let (near, far) = (strike(&mut engine, 1.0, 30.0), strike(&mut engine, 1000.0, 30.0));
    play(&mut engine, &mut renderer, 4);
    assert_eq!(voice(&engine, near).silence, None);
    let seen = voice(&engine, far);
    assert_eq!((seen.silence, seen.computed), (Some(Silence::BelowThreshold), 0));
    assert!((voice(&engine, near).level_db - seen.level_db - 60.0).abs() < 0.1, "{seen:?}");
    assert_ne!(seen.emitter, voice(&engine, near).emitter);
}

#[test]
fn what_there_is_no_time_for_is_over_budget() {
    let budget = Some(Budget::offline(0.001));
    let (mut engine, mut renderer) = Engine::new(settings().with_budget(budget)).unwrap();
    let objects: Vec<_> = (0..8).map(|_| strike(&mut engine, 1.0, 80.0)).collect();
    play(&mut engine, &mut renderer, 4);
    let over =
        |object: &&ObjectHandle| voice(&engine, **object).silence == Some(Silence::OverBudget);
    assert!(objects.iter().filter(over).count() >= 7, "{:?}", engine.telemetry());
    assert!(engine.report().left_out >= 7);
}

#[test]
fn muted_objects_and_those_at_rest_say_so() {
    for settings in [settings(), settings().with_synthesis(Synthesis::Exact)] {
        let (mut engine, mut renderer) = Engine::new(settings).unwrap();
        let muted = strike(&mut engine, 1.0, 80.0);
        engine.set_gain_db(muted, f64::NEG_INFINITY).unwrap();
        let waiting = engine.add_at(tone(), [0.0, 1.0, 0.0]).unwrap();
        let impact = Impact::new(1.0, 1e-5).unwrap();
        engine.strike_with(waiting, SurfacePoint::Point(0), impact, 0.4).unwrap();
        let never = engine.add_at(tone(), [0.0, 1.0, 0.0]).unwrap();
        play(&mut engine, &mut renderer, 30);
        assert_eq!(voice(&engine, muted).silence, Some(Silence::Muted));
        let seen = voice(&engine, waiting);
        assert_eq!((seen.silence, seen.level_db), (Some(Silence::AtRest), f64::NEG_INFINITY));
        assert_eq!(engine.telemetry().unwrap().of(never), None);
        play(&mut engine, &mut renderer, 20);
        let seen = voice(&engine, waiting);
        assert_eq!((seen.silence, seen.computed), (None, 1));
    }
}

#[test]
fn without_the_settings_there_is_neither_telemetry_nor_tap() {
    let (mut engine, mut renderer) = Engine::new(Settings::default()).unwrap();
    assert!(engine.take_output_tap().is_none());
    play(&mut engine, &mut renderer, 4);
    assert_eq!(engine.telemetry(), None);
}

#[test]
fn the_tap_gives_the_output_and_counts_what_it_drops() {
    for base in [Settings::default(), settings()] {
        let (mut engine, mut renderer, _) = scene(base.with_tap_s(0.1));
        let mut tap = engine.take_output_tap().unwrap();
        assert!(engine.take_output_tap().is_none());
        let channels = renderer.channels();
        assert_eq!(tap.channels(), channels);
        let mut heard = vec![0.0; 512 * channels * 40];
        let mut tapped = Vec::new();
        let mut part = vec![0.0; 777 * channels];
        for frames in heard.chunks_mut(512 * channels) {
            engine.update();
            renderer.fill(frames);
            while tap.available_frames() > 0 {
                let count = tap.read(&mut part);
                tapped.extend_from_slice(&part[..count * channels]);
            }
        }
        assert!(heard.iter().any(|y| y.abs() > 0.01));
        assert!(tapped == heard);
        assert_eq!(tap.dropped_frames(), 0);
        // 4800 frames hold nine blocks of 512.
        play(&mut engine, &mut renderer, 20);
        assert_eq!((tap.available_frames(), tap.dropped_frames()), (9 * 512, 11 * 512));
    }
}
