//! Real-time guarantee of sustained forces: after construction nothing allocates or frees.

use crate::counting;
use crate::forces;

use counting::calls_during;
use foley_dsp::excitation::AudioForce;
use forces::*;
use std::hint::black_box;

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
        foley_measured::check!("reproducible.force_allocations", calls as f64);
    }
}
