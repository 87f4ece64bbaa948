//! What the audio thread must never do, and what it must survive.

use crate::common;

use common::{model, scene};
use foley_dsp::excitation::{Impact, Striker};
use foley_dsp::model::{Directivity, ModalModel, ModalParts};
use foley_engine::Source;
use foley_engine::{Engine, EngineError, Force, Listener, MetresPerSecond, Settings, SurfacePoint};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what the current thread allocates and frees.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator unchanged.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn counted(job: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    job();
    COUNT.with(Cell::get) - before
}

#[test]
fn the_counter_counts() {
    assert!(counted(|| drop(std::hint::black_box(Box::new(1)))) >= 2);
}

/// An object with directivity turns and jumps while the listener moves: the equaliser of its emitter follows.
#[test]
fn objects_with_directivity_never_allocate() {
    let mut dipole = [0.0; 9];
    (dipole[0], dipole[6]) = (1.0, 0.89);
    let directivity = Directivity::new(100.0, 2, dipole.repeat(12)).ok();
    let parts = ModalParts { directivity, ..model(20, 300.0).into_parts() };
    let settings = Settings::default().spatial().with_block(128);
    let (mut engine, mut renderer) = Engine::new(settings).unwrap();
    let object = engine.add_at(ModalModel::new(parts).unwrap(), [1.0, 0.0, 0.0]).unwrap();
    let striker = Striker::named("steel ball").unwrap();
    let (mut frames, mut count) = (vec![0.0; 600], 0);
    for round in 0..200 {
        let (sin, cos) = (0.05 * f64::from(round)).sin_cos();
        engine.set_rotation(object, [sin, 0.0, 0.0, cos]).unwrap();
        engine.set_listener(Listener::at([0.0, 2.0 * cos, 2.0 * sin])).unwrap();
        if round % 20 == 0 {
            let now = engine.now_s();
            let place = SurfacePoint::Point(0);
            engine.strike(object, place, &striker, MetresPerSecond(1.0), now).unwrap();
        }
        if round % 50 == 25 {
            engine.place(object, [cos, sin, 1.0]).unwrap();
        }
        count += counted(|| renderer.fill(&mut frames));
        engine.update();
    }
    foley_measured::check!("reproducible.renderer_allocations", count as f64);
}

/// Objects come and go, contacts move, many strikes: the renderer never allocates or frees.
#[test]
fn rendering_never_allocates_or_frees() {
    for block in [64, 512] {
        let (mut engine, mut renderer, objects) = scene(Settings::default().with_block(block));
        let mut frames = vec![0.0; 1000];
        let striker = Striker::named("steel ball").unwrap();
        let (mut guests, mut count) = (Vec::new(), 0);
        for round in 0..200 {
            let x = f64::from(round % 10) / 10.0;
            let place = SurfacePoint::At([x, 0.0, 0.0]);
            let now = engine.now_s();
            engine
                .strike(objects[0], place, &striker, MetresPerSecond(1.0), now + 0.003 * x)
                .unwrap();
            let soft = Impact::new(1e-3, 0.008).unwrap();
            engine.strike_with(objects[1], place, soft, now).unwrap();
            engine.move_contact(objects[1], 0, place).unwrap();
            if round % 3 == 0 {
                let guest = engine.add(model(40, 200.0)).unwrap();
                engine.strike(guest, place, &striker, MetresPerSecond(1.0), now).unwrap();
                guests.push(guest);
            } else if round % 3 == 2 {
                engine.remove(guests.remove(0)).unwrap();
            }
            count += counted(|| renderer.fill(&mut frames));
            assert!(frames.iter().all(|s| s.abs() <= 0.9), "the limiter holds");
            engine.update();
        }
        foley_measured::check!("reproducible.renderer_allocations", count as f64);
        assert_eq!(engine.report().refused, 0);
        assert!(engine.report().clock >= 199_000);
    }
}

/// Objects are touched and let go while they ring, are struck and scraped, and while the synthesis changes.
#[test]
fn changes_of_decays_never_allocate_or_free() {
    use foley_engine::{Listening, Synthesis};
    let heard = Listening::default();
    let cycle =
        [Synthesis::Exact, Synthesis::Perceptual(heard), Synthesis::Masking2004(heard, 5.0)];
    for block in [64, 512] {
        let settings = Settings::default().with_block(block);
        let (mut engine, mut renderer, objects) = scene(settings);
        let mut frames = vec![0.0; 1000];
        let (mut count, mut loudest) = (0, 0.0f32);
        let damped = [vec![40.0; 12], (0..150).map(|n| 3.0 + 9.0 * f64::from(n)).collect()];
        for round in 0..150u32 {
            let place = SurfacePoint::At([f64::from(round % 10) / 10.0, 0.0, 0.0]);
            let now = engine.now_s();
            let soft = Impact::new(1e-3, 0.03).unwrap();
            engine.strike_with(objects[1], place, soft, now + 0.05).unwrap();
            engine.move_contact(objects[1], 0, place).unwrap();
            for (object, decays) in objects.iter().zip(&damped) {
                let decays = (round % 2 == 0).then_some(&**decays);
                engine.set_decays(*object, decays, now + 0.01).unwrap();
            }
            if round % 20 == 0 {
                engine.set_synthesis(cycle[round as usize / 20 % cycle.len()]);
            }
            count += counted(|| renderer.fill(&mut frames));
            loudest = frames.iter().fold(loudest, |most, y| most.max(y.abs()));
            assert!(frames.iter().all(|y| y.is_finite()));
            engine.update();
        }
        assert!(loudest > 1e-4, "{loudest}");
        foley_measured::check!("reproducible.renderer_allocations", count as f64);
        assert_eq!(engine.report().refused, 0);
    }
}

/// The synthesis changes while objects come, go, are struck and scraped, with telemetry and a tap that
/// overflows.
#[test]
fn changes_of_synthesis_never_allocate_or_free() {
    use foley_engine::{Listening, Synthesis};
    let heard = Listening::default();
    let cycle = [
        Synthesis::Exact,
        Synthesis::Perceptual(heard),
        Synthesis::Masking2004(heard, 5.0),
        Synthesis::Exact,
        Synthesis::Masking2004(heard, 5.0),
        Synthesis::Perceptual(heard.with_detail(2.0)),
    ];
    for block in [64, 512] {
        let (telemetry, tap_s) = (true, 0.1);
        let settings =
            Settings::default().with_block(block).with_telemetry(telemetry).with_tap_s(tap_s);
        let (mut engine, mut renderer, objects) = scene(settings);
        let mut frames = vec![0.0; 1000];
        let striker = Striker::named("steel ball").unwrap();
        let (mut loudest, mut count) = (0.0f32, 0);
        for round in 0..150u32 {
            let place = SurfacePoint::At([f64::from(round % 10) / 10.0, 0.0, 0.0]);
            let now = engine.now_s();
            engine.strike(objects[0], place, &striker, MetresPerSecond(1.0), now + 0.1).unwrap();
            let soft = Impact::new(1e-3, 0.03).unwrap();
            engine.strike_with(objects[1], place, soft, now).unwrap();
            engine.move_contact(objects[1], 0, place).unwrap();
            if round % 4 == 0 {
                engine.set_synthesis(cycle[round as usize / 4 % cycle.len()]);
            }
            if round % 3 == 0 {
                let guest = engine.add(model(40, 200.0)).unwrap();
                engine.strike(guest, place, &striker, MetresPerSecond(1.0), now).unwrap();
                engine.remove(guest).unwrap();
            }
            count += counted(|| renderer.fill(&mut frames));
            loudest = frames.iter().fold(loudest, |most, y| most.max(y.abs()));
            engine.update();
        }
        foley_measured::check!("reproducible.renderer_allocations", count as f64);
        assert!(loudest > 1e-3 && engine.report().refused == 0, "{loudest}");
        assert!(engine.telemetry().unwrap().of(objects[0]).is_some());
        assert!(engine.take_output_tap().unwrap().dropped_frames() > 100_000);
    }
}

/// A force that is not finite for one block.
struct Mad;

impl Force for Mad {
    fn add(&mut self, start: u64, force: &mut [f32]) -> bool {
        force[5] = if start == 0 { f32::NAN } else { f32::MAX };
        start < 2048
    }
}

/// A force that is not a number, or overflows everything, is silenced within the block;
/// afterwards the scene sounds as if nothing had happened.
#[test]
fn the_scene_recovers_from_mad_forces() {
    let render = |mad: bool| {
        let (mut engine, mut renderer) = Engine::new(Settings::default()).unwrap();
        let object = engine.add(model(40, 200.0)).unwrap();
        if mad {
            engine.move_contact(object, 0, SurfacePoint::Point(0)).unwrap();
            engine.attach_force(object, 0, Mad).unwrap();
        }
        let mut frames = vec![0.0; 48_000];
        renderer.fill(&mut frames);
        let clean = Impact::new(0.01, 1e-4).unwrap();
        engine.strike_with(object, SurfacePoint::Point(1), clean, 4.0).unwrap();
        let mut later = vec![0.0; 192_000];
        for part in later.chunks_mut(4800) {
            renderer.fill(part);
            engine.update();
        }
        assert!(frames.iter().chain(&later).all(|s| s.is_finite() && s.abs() <= 0.9));
        (engine.report().bad_blocks, later)
    };
    let ((calm_bad, calm), (mad_bad, mad)) = (render(false), render(true));
    assert_eq!(calm_bad, 0);
    assert!(mad_bad > 0, "overflow is counted");
    let struck = 148_000;
    let difference = common::snr_db(&calm[struck..], &mad[struck..]);
    foley_measured::check!("reproducible.recovery", difference);
}

/// More strikes at once than the audio thread holds wait for their turn; none is lost.
#[test]
fn strikes_beyond_the_queue_wait_and_none_is_lost() {
    let (mut engine, mut renderer) = Engine::new(Settings::default().with_strikes(64)).unwrap();
    // One period is one block, so that late strikes add up.
    let object = engine.add(model(1, 93.75)).unwrap();
    let impulse = Impact::new(1e-6, 1e-6).unwrap();
    for _ in 0..1000 {
        engine.strike_with(object, SurfacePoint::Point(0), impulse.clone(), 0.0).unwrap();
    }
    let mut frames = vec![0.0; 512 * 40];
    for part in frames.chunks_mut(512) {
        renderer.fill(part);
        engine.update();
    }
    assert_eq!((engine.report().refused, engine.waiting()), (0, 0));
    // 64 in each of fifteen blocks and 40 in the next, each group decayed since it came.
    let peak = |block: usize| {
        frames[block * 512..(block + 1) * 512].iter().fold(0.0f32, |p, s| p.max(s.abs()))
    };
    let decay = (2.0 + 93.75 / 500.0) * 512.0 / 48_000.0;
    let expected_sum =
        (1..=15).map(|ago| 64.0 * (-decay * f64::from(ago)).exp()).sum::<f64>() + 40.0;
    let (got, expected) = (f64::from(peak(15) / peak(0)), expected_sum / 64.0);
    assert!((got / expected - 1.0).abs() < 0.01, "{got} against {expected}");
}

#[test]
fn mistakes_are_named() {
    let small = Settings::default().with_objects(1);
    let (mut engine, _renderer) = Engine::new(small).unwrap();
    let object = engine.add(model(3, 100.0)).unwrap();
    let full = engine.add(model(3, 100.0)).unwrap_err();
    assert!(matches!(full, EngineError::TooManyObjects(1)));
    let impulse = Impact::new(1.0, 1e-4).unwrap();
    let late =
        engine.strike_with(object, SurfacePoint::Point(0), impulse.clone(), f64::NAN).unwrap_err();
    assert!(late.to_string().contains("NaN s is no time"));
    let nowhere =
        engine.strike_with(object, SurfacePoint::Point(9), impulse.clone(), 0.0).unwrap_err();
    assert!(nowhere.to_string().contains("no point 9: the object has 2"));
    engine.remove(object).unwrap();
    assert!(matches!(engine.remove(object), Err(EngineError::NoObject)));
    for bad in [
        Settings::default().with_block(100),
        Settings::default().with_sample_rate_hz(0),
        Settings::default().with_full_scale_pa(0.0),
    ] {
        assert!(Engine::new(bad).is_err());
    }
}

/// Steered forces come, glide, end and go: the renderer never allocates or frees.
#[test]
fn controlled_forces_never_allocate_or_free() {
    use foley_dsp::excitation::{Coupling, Profile, Scrape, Surface};
    let profile = Profile::new(&Surface::fractal(-2.0).unwrap(), 48_000.0, 1).unwrap();
    let profile = std::sync::Arc::new(profile);
    let (mut engine, mut renderer) = Engine::new(Settings::default()).unwrap();
    let object = engine.add(model(30, 200.0)).unwrap();
    engine.move_contact(object, 0, SurfacePoint::At([0.4, 0.0, 0.0])).unwrap();
    let mut frames = vec![0.0; 1000];
    let (mut loudest, mut count) = (0.0f32, 0);
    for round in 0..30u64 {
        let scrape = Scrape::new(profile.clone(), Coupling::default(), round).unwrap();
        let (mut controller, force) = foley_engine::force_channel(scrape, 16);
        engine.attach_force(object, 0, force).unwrap();
        let at = round * 10_000;
        let motion = foley_engine::Motion { speed_m_s: 0.5, normal_force_n: 5.0 };
        controller.set_motion(at, motion, 400).unwrap();
        if round % 2 == 0 {
            controller.end(at + 2000, 400).unwrap();
        }
        for _ in 0..10 {
            count += counted(|| renderer.fill(&mut frames));
            loudest = frames.iter().fold(loudest, |most, y| most.max(y.abs()));
        }
        engine.update();
    }
    foley_measured::check!("reproducible.renderer_allocations", count as f64);
    assert!(loudest > 1e-4 && engine.report().refused == 0, "{loudest}");
}
