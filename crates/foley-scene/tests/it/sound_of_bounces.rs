//! The sound of bounces does not depend on the rate of the simulation.

use crate::common;

use common::sound::{ahead, render_text};

/// Bounces quieter than the loudest by more than this are not counted, dB.
const AUDIBLE_DB: f64 = 25.0;

/// Length of the intervals of energy, s.
const PIECE_S: f64 = 0.002;

/// Returns time, s, and level, dB, of each audible bounce.
fn bounces(physics_hz: f64, x_m: f64) -> Vec<(f64, f64)> {
    let rendered = render_text(&format!(
        "seconds = 4\nfull_scale_pa = 1e4\nphysics_hz = {physics_hz}\n\
         [listener]\nposition = [0, 0, 2]\n\
         [[object]]\nname = \"plate\"\nshape = \"plate:400x300x12mm\"\nmaterial = \"wood\"\n\
         motion = \"fixed\"\nrestitution = 0.8\n\
         [[object]]\nname = \"ball\"\nshape = \"ball:20mm\"\nmaterial = \"steel\"\nsilent = true\n\
         restitution = 0.8\nposition = [{x_m}, 0.07, 0.5]"
    ));
    let rate = f64::from(rendered.sound.sample_rate_hz);
    let piece = (PIECE_S * rate) as usize;
    // High frequencies decay faster: second differences leave the onsets.
    let sound = ahead(&rendered);
    let high: Vec<f64> = sound.windows(3).map(|w| w[0] - 2.0 * w[1] + w[2]).collect();
    let energy: Vec<f64> = high.chunks(piece).map(|p| p.iter().map(|y| y * y).sum()).collect();
    let loudest = energy.iter().fold(0f64, |a, b| a.max(*b));
    let least = loudest * 10f64.powf(-AUDIBLE_DB / 10.0);
    let mut found = Vec::new();
    let mut k = 1;
    while k + 9 < energy.len() {
        // A bounce has eight times the energy of the interval before.
        if energy[k] + energy[k + 1] > 8.0 * energy[k - 1] && energy[k] + energy[k + 1] > least {
            // Its energy until the earliest next bounce.
            let total: f64 = energy[k..k + 9].iter().sum();
            found.push((k as f64 * PIECE_S, 10.0 * total.log10()));
            k += 8;
        }
        k += 1;
    }
    found
}

#[test]
fn bounces_are_the_same_at_every_rate() {
    for x_m in [0.05, 0.11] {
        let slow = bounces(60.0, x_m);
        assert!(slow.len() >= 8, "{} bounces: {slow:?}", slow.len());
        for rate_hz in [120.0, 240.0, 480.0] {
            let fast = bounces(rate_hz, x_m);
            foley_measured::check!("scenes.bounces", slow.len().abs_diff(fast.len()) as f64);
            for ((at_s, slow), (at_too_s, fast)) in slow.iter().zip(&fast) {
                assert!((at_s - at_too_s).abs() < 0.02, "{rate_hz} Hz: at {at_s} and {at_too_s} s");
                foley_measured::check!("scenes.bounce_level", (slow - fast).abs());
            }
        }
    }
}
