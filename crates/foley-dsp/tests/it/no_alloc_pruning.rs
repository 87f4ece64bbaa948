//! Real-time guarantee of the fast pruner: after construction nothing allocates or frees.

use crate::common;
use crate::counting;

use std::hint::black_box;

use common::{noise, spread_log};
use counting::calls_during;
use foley_dsp::perception::{Calibration, EnvelopePruner, Masking, Tone};

/// Levels change from block to block, also to non-finite ones; sets grow, shrink and exceed the
/// capacity.
#[test]
fn pruning_allocates_nothing() {
    let capacity = 4_000;
    let mut pruner = EnvelopePruner::with_capacity(capacity);
    let mut tones: Vec<Tone> =
        spread_log(capacity + 1, 20.0, 20_000.0).iter().map(|f| Tone::new(*f, 0.0)).collect();
    let mut energies = vec![0.0; capacity + 1];
    let mut random = noise(3);
    let calls = calls_during(|| {
        for block in 0..300 {
            energies.fill_with(|| 10f64.powf(8.0 * random()));
            energies[block] = [f64::NAN, f64::INFINITY, 0.0][block % 3];
            let calibration = Calibration::to_playback_level(energies.iter().copied(), 70.0);
            for (tone, energy) in tones.iter_mut().zip(&energies) {
                tone.set_level_db(calibration.level_db(*energy));
            }
            let n = [capacity, 0, 1, 700, capacity + 1][block % 5];
            let verdicts = pruner.prune(Masking::new(block as f64 % 7.0), &tones[..n]);
            assert_eq!(verdicts.is_err(), n > capacity);
            let _ = black_box(verdicts);
        }
    });
    foley_measured::check!("reproducible.pruning_allocations", calls as f64);
}
