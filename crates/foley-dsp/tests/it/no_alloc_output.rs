//! Real-time guarantee of impacts and output stage: processing allocates nothing.

use crate::counting;

use std::hint::black_box;

use counting::calls_during;
use foley_dsp::excitation::{HertzPair, Striker};
use foley_dsp::model::ContactBody;
use foley_dsp::output::{OutputSettings, OutputStage};

#[test]
fn the_output_stage_allocates_nothing() {
    let mut stage = OutputStage::new(OutputSettings::default(), 48_000.0, 2).unwrap();
    let mut frames = vec![0f32; 2 * 512];
    let calls = calls_during(|| {
        for block in 0..200 {
            for (n, x) in frames.iter_mut().enumerate() {
                // Valid sound, overload with peaks of every magnitude, and invalid blocks.
                *x = (n as f32 * 0.1).sin() * [0.5, 3.0, 1e6, 1e-35][block % 4];
            }
            if block % 17 == 0 {
                frames[block] = f32::NAN;
            }
            let used = frames.len() - block % 5;
            black_box(stage.process(&mut frames[..used]));
        }
        black_box(stage.report());
        stage.reset();
    });
    foley_measured::check!("reproducible.output_allocations", calls as f64);
}

#[test]
fn impacts_allocate_nothing() {
    let striker = Striker::named("glass marble").unwrap();
    let body =
        ContactBody { mass_kg: 1.0, young_pa: 1.1e10, poisson: 0.25, radius_m: f64::INFINITY };
    let mut force = vec![0f32; 512];
    let calls = calls_during(|| {
        for i in 0..100 {
            // Also invalid speeds.
            let speed = f64::from(i) - 3.0;
            let impact = HertzPair::new(&striker, &body).and_then(|pair| pair.impact(speed, 0.5));
            if let Ok(Some(impact)) = impact {
                black_box(impact.spectrum(1000.0));
                black_box(impact.sample_into(f64::from(i) * 3.3, 48_000.0, &mut force, 0));
            }
        }
    });
    foley_measured::check!("reproducible.output_allocations", calls as f64);
}
