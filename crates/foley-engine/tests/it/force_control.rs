//! Controlled forces: in time, to the sample, at any host block size.

use crate::common;

use common::model;
use foley_dsp::excitation::{
    AudioForce, ContactPatch, Coupling, Profile, Roll, Rolling, Scrape, Surface,
};
use foley_engine::mock::{Blocks, MockDevice};
use foley_engine::{
    Engine, Force, ForceControlError, ForceController, Motion, Settings, SurfacePoint,
    force_channel,
};
use std::sync::Arc;

fn profile() -> Arc<Profile> {
    let surface = Surface::fractal(-1.5).unwrap().with_reson(1e-3, 0.2).unwrap();
    Arc::new(Profile::new(&surface, 48_000.0, 3).unwrap())
}

fn scrape(profile: &Arc<Profile>) -> Scrape {
    Scrape::new(Arc::clone(profile), Coupling::default(), 8).unwrap()
}

fn motion(speed_m_s: f64, normal_force_n: f64) -> Motion {
    Motion { speed_m_s, normal_force_n }
}

/// Motions at odd times, faster and slower than physics steps.
fn send_motions(controller: &mut ForceController) {
    let mut at = 137;
    for i in 0..40u32 {
        let v = f64::from(i % 9) * 0.2 - 0.6;
        controller.set_motion(at, motion(v, f64::from(i % 4)), 300).unwrap();
        at += u64::from(100 + 137 * (i % 7));
    }
    controller.end(at, 200).unwrap();
}

/// Bit for bit, for any number of frames the host asks for at a time.
#[test]
fn the_hosts_block_size_changes_nothing() {
    let profile = profile();
    let play = |blocks: Blocks| {
        let (mut engine, mut renderer) = Engine::new(Settings::default()).unwrap();
        let object = engine.add(model(60, 150.0)).unwrap();
        engine.move_contact(object, 0, SurfacePoint::At([0.3, 0.0, 0.0])).unwrap();
        engine.move_contact(object, 1, SurfacePoint::At([0.1, 0.0, 0.0])).unwrap();
        let (mut controller, force) = force_channel(scrape(&profile), 64);
        send_motions(&mut controller);
        engine.attach_force(object, 0, force).unwrap();
        let patch = ContactPatch { radius_m: 0.01, modulus_pa: 1e11 };
        let rolling = Rolling { patch, enhancement: 0.9 };
        let f: Vec<f64> = (1..9).map(|n| 150.0 * f64::from(n)).collect();
        let roll = Roll::new(Arc::clone(&profile), Coupling::rolling(), rolling, &f, &[4.0; 8], 2)
            .unwrap();
        let (mut other, force) = force_channel(roll, 64);
        send_motions(&mut other);
        engine.attach_force(object, 1, force).unwrap();
        MockDevice::new(blocks).play(&mut renderer, 40_000).samples
    };
    let complete = play(Blocks::Fixed(4096));
    assert!(complete.iter().any(|y| y.abs() > 1e-4));
    for frames in [1, 63, 256, 1000] {
        assert!(play(Blocks::Fixed(frames)) == complete, "{frames} frames");
    }
    assert!(play(Blocks::Random { min: 1, max: 3000, seed: 5 }) == complete);
}

/// The same as aiming by hand at the very samples, however the blocks fall.
#[test]
fn motions_count_from_their_own_sample_on() {
    let profile = profile();
    let mut truth = vec![0.0; 4000];
    let mut plain = scrape(&profile);
    plain.add(&mut truth[..777]);
    plain.aim(motion(0.4, 1.0), 250);
    plain.add(&mut truth[777..2345]);
    plain.aim(motion(-0.4, 2.0), 250);
    plain.add(&mut truth[2345..]);
    for block in [1, 100, 256, 777, 4000] {
        let (mut controller, mut force) = force_channel(scrape(&profile), 8);
        controller.set_motion(10_777, motion(0.4, 1.0), 250).unwrap();
        controller.set_motion(12_345, motion(-0.4, 2.0), 250).unwrap();
        let mut y = vec![0.0; 4000];
        for (i, part) in y.chunks_mut(block).enumerate() {
            assert!(force.add(10_000 + (i * block) as u64, part));
        }
        assert!(y == truth, "{block}");
    }
}

/// Late motions count at once; an end ends, and nothing comes after it.
#[test]
fn it_is_over_when_it_was_told_so_and_has_faded() {
    let profile = profile();
    let (mut controller, mut force) = force_channel(scrape(&profile), 8);
    controller.set_motion(0, motion(0.4, 1.0), 100).unwrap();
    let mut block = [0.0; 256];
    for b in 0..40u64 {
        assert!(force.add(1000 + 256 * b, &mut block));
    }
    controller.end(5, 100).unwrap();
    controller.set_motion(6, motion(1.0, 1.0), 100).unwrap();
    let mut blocks = 0;
    let mut last = [0.0; 256];
    while force.add(20_000 + 256 * blocks, &mut last) {
        last = [0.0; 256];
        blocks += 1;
        assert!(blocks < 200, "it never ends");
    }
    assert!(blocks > 2 && last.iter().all(|y: &f32| y.abs() < 1e-12), "{blocks}");
}

#[test]
fn a_force_without_a_handle_ends_after_what_it_was_told() {
    let (mut controller, mut force) = force_channel(scrape(&profile()), 8);
    controller.set_motion(20_000, motion(0.4, 1.0), 100).unwrap();
    drop(controller);
    let mut y = vec![0.0; 19_999];
    assert!(force.add(0, &mut y), "there is something to come");
    assert!(y.iter().all(|y| *y == 0.0));
    let mut over = false;
    for b in 0..100 {
        over = !force.add(19_999 + 480 * b, &mut y[..480]);
        if over {
            break;
        }
    }
    assert!(over);
}

#[test]
fn a_full_queue_says_so() {
    let (mut controller, _force) = force_channel(scrape(&profile()), 3);
    for at in 0..3 {
        controller.set_motion(at, motion(0.1, 1.0), 10).unwrap();
    }
    assert_eq!(controller.free_slots(), 0);
    assert_eq!(controller.end(9, 10), Err(ForceControlError::Busy(3)));
}
