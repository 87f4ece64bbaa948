//! The real-time promise of forces: once made, they allocate nothing.

mod counting;
mod forces;

use counting::calls_during;
use foley_dsp::force::AudioForce;
use forces::*;
use std::hint::black_box;
use std::time::Instant;

#[test]
fn forces_allocate_nothing() {
    for surface in [peaked(), ribs(1e-3), track()] {
        let profile = profile(&surface);
        let mut scrape = scrape(&profile);
        let mut roll = roll(&profile, 0.01, 0.9);
        let mut block = [0.0; 256];
        let calls = calls_during(|| {
            for b in 0..400u32 {
                let v = f64::from(b % 90) * 0.1 - 3.0;
                let motion = motion(if b % 50 == 0 { f64::NAN } else { v }, f64::from(b % 3));
                for force in [&mut scrape as &mut dyn AudioForce, &mut roll] {
                    force.aim(motion, b % 700);
                    force.add(black_box(&mut block));
                    if b == 200 {
                        force.reset();
                    }
                    black_box(force.is_silent());
                }
            }
        });
        assert_eq!(calls, 0);
    }
}

/// Prints what a block costs; run with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn what_a_block_costs() {
    let mut block = [0.0; 256];
    for (name, surface) in [("fractal", peaked()), ("ribs", ribs(1e-3))] {
        let began = Instant::now();
        let profile = profile(&surface);
        println!("{name}: profile in {:.1} ms", began.elapsed().as_secs_f64() * 1e3);
        for v in [0.05, 0.3, 0.6, 3.0] {
            let mut time = |force: &mut dyn AudioForce| {
                force.aim(motion(v, 1.0), 100);
                let best = (0..40).map(|_| {
                    let began = Instant::now();
                    for _ in 0..100 {
                        force.add(black_box(&mut block));
                    }
                    began.elapsed().as_secs_f64() / 100.0
                });
                best.fold(f64::MAX, f64::min) * 1e6
            };
            let scraping = time(&mut scrape(&profile));
            let rolling = time(&mut roll(&profile, 0.01, 0.9));
            println!("{name} at {v} m/s: scrape {scraping:.2} µs, roll {rolling:.2} µs");
        }
    }
}
