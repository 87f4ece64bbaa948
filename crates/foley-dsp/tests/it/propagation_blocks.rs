//! Propagation does not depend on the block length.

use crate::common;

use common::RATE;
use foley_dsp::ears::Head;
use foley_dsp::propagation::{
    Air, AirAbsorption, AirFilter, EmitterSet, PathSettings, Position, Sections,
};
use foley_dsp::simd::Cpu;
use glam::DVec3;
use std::f64::consts::PI;

const SAMPLES: usize = 8_400;
/// Samples after which the sound of the emitter in motion has arrived.
const ARRIVED: usize = 1_200;

/// Returns both ears after one another, for an emitter that moves along a line.
fn heard(block: usize, start_m: DVec3, velocity_m_s: DVec3) -> Vec<f32> {
    let air = Air::default();
    let settings = PathSettings {
        equalizer: Sections::at_rate(RATE),
        sample_rate_hz: RATE,
        block,
        sound_speed_m_s: air.sound_speed_m_s(),
        longest_delay_s: 0.3,
        air: AirFilter::new(&AirAbsorption::new(&air), RATE),
    };
    let mut set = EmitterSet::new(&settings, 1, Cpu::Best.level());
    let tones = [310.0, 1_270.0, 3_900.0].map(|hz| 2.0 * PI * hz / RATE);
    let sample = |n: usize| tones.iter().map(|w| (w * n as f64).sin()).sum::<f64>() as f32;
    let signal: Vec<f32> = (0..SAMPLES + block).map(sample).collect();
    let at = |t: f64| Position { position_m: start_m + velocity_m_s * t, velocity_m_s };
    set.jump_listener(Position::default(), Head::default());
    set.place(0, at(0.0));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for start in (0..SAMPLES).step_by(block) {
        let [now_s, end_s] = [start, start + block].map(|n| n as f64 / RATE);
        set.move_to(0, now_s, end_s, at(end_s));
        // What a block leaves unwritten is seen.
        let mut ears = [vec![9.0; block], vec![9.0; block]];
        let [l, r] = &mut ears;
        set.process(&signal[start..start + block], end_s, [l, r]);
        left.extend_from_slice(&ears[0]);
        right.extend_from_slice(&ears[1]);
    }
    [&left[ARRIVED..SAMPLES], &right[ARRIVED..SAMPLES]].concat()
}

/// Returns the largest difference, dB relative to the largest sample.
fn difference_db(a: &[f32], b: &[f32]) -> f64 {
    let peak = |x: &mut dyn Iterator<Item = f32>| x.fold(0.0, |most, x| x.abs().max(most));
    let difference = peak(&mut a.iter().zip(b).map(|(a, b)| a - b));
    20.0 * f64::from(difference / peak(&mut a.iter().copied())).log10()
}

/// At rest all samples are equal; otherwise gains and filters change linearly within each block.
#[test]
fn blocks_of_any_length_give_the_same_samples() {
    for (start_m, velocity_m_s) in [
        (DVec3::new(1.0, 3.0, 0.0), DVec3::ZERO),
        (DVec3::new(30.0, 20.0, 4.0), DVec3::ZERO),
        (DVec3::new(-3.0, 4.0, 0.0), DVec3::new(12.0, 0.0, 0.0)),
        (DVec3::new(-3.0, 4.0, 0.0), DVec3::new(1.0, -0.5, 0.0)),
    ] {
        let [want, want_longer] = [16, 96].map(|block| heard(block, start_m, velocity_m_s));
        let is_still = velocity_m_s == DVec3::ZERO;
        for block in [1, 7, 24, 100] {
            let got = heard(block, start_m, velocity_m_s);
            let want = if block < 50 { &want } else { &want_longer };
            let db = difference_db(want, &got);
            let at = format!("{start_m} m, {velocity_m_s} m/s, B {block}: {db:.1} dB");
            println!("{at}");
            if is_still {
                let differ = want.iter().zip(&got).filter(|(a, b)| a != b).count();
                foley_measured::check!("emitters.blocks_at_rest", differ as f64);
            } else {
                foley_measured::check!("emitters.blocks_in_motion", db);
            }
        }
    }
}
