//! Stereo panner: a few directions from left to right, each a channel of the engine.
//!
//! Sources in different directions mask each other less, so each direction keeps its own channel
//! until here. It is panned to two loudspeakers with constant power, `cos θ` and `sin θ`.

use foley_dsp::output::{OutputError, OutputSettings, OutputStage};
use foley_engine::{Renderer, Source};
use glam::DVec3;
use std::f64::consts::FRAC_PI_4;

/// Number of directions from left to right.
pub const DIRECTIONS: usize = 7;

/// Hysteresis: a source changes its direction when it is this fraction of a step beyond the border.
const HYSTERESIS: f64 = 0.3;

/// Returns the lateral position of a direction, −1 (left) to 1 (right).
fn lateral(direction: usize) -> f64 {
    2.0 * direction as f64 / (DIRECTIONS - 1) as f64 - 1.0
}

/// Returns the direction nearest to a lateral position, or the current one within the hysteresis.
pub(super) fn direction_of(lateral_of: f64, current: Option<usize>) -> usize {
    let place = 0.5 * (lateral_of.clamp(-1.0, 1.0) + 1.0) * (DIRECTIONS - 1) as f64;
    match current {
        Some(current) if (place - current as f64).abs() < 0.5 + HYSTERESIS => current,
        _ => place.round() as usize,
    }
}

/// Returns the gains of left and right.
pub(super) fn pan(direction: usize) -> [f32; 2] {
    let theta = FRAC_PI_4 * (1.0 + lateral(direction));
    [theta.cos() as f32, theta.sin() as f32]
}

/// Returns the unit vector of a direction in listener coordinates: x to the right, −z ahead.
pub(super) fn unit_vector(direction: usize) -> [f64; 3] {
    let x = lateral(direction);
    [x, 0.0, -(1.0 - x * x).sqrt()]
}

/// Returns distance and lateral position of a point.
pub(super) fn distance_and_lateral(
    listener_m: DVec3,
    forward: DVec3,
    up: DVec3,
    place: DVec3,
) -> (f64, f64) {
    let right = forward.cross(up);
    let way = place - listener_m;
    let distance = way.length();
    let size = distance * right.length();
    (distance, if size > 0.0 { way.dot(right) / size } else { 0.0 })
}

/// Pans a renderer with one channel per direction to two loudspeakers.
///
/// Real-time: never allocates, locks or panics.
pub struct StereoPanner {
    renderer: Renderer,
    output: OutputStage,
    frames: Vec<f32>,
}

impl StereoPanner {
    /// Creates a panner; guard and limiter act on its output.
    pub fn new(renderer: Renderer, output: OutputSettings) -> Result<Self, OutputError> {
        let output = OutputStage::new(output, f64::from(renderer.sample_rate_hz()), 2)?;
        let frames = vec![0.0; renderer.block() * DIRECTIONS];
        Ok(Self { renderer, output, frames })
    }

    /// Returns the latency of the output stage in frames.
    pub fn latency_frames(&self) -> usize {
        self.output.latency_frames()
    }
}

impl Source for StereoPanner {
    fn sample_rate_hz(&self) -> u32 {
        self.renderer.sample_rate_hz()
    }

    fn channels(&self) -> usize {
        2
    }

    fn fill(&mut self, interleaved: &mut [f32]) {
        for part in interleaved.chunks_mut(2 * self.renderer.block()) {
            let frames = &mut self.frames[..part.len() / 2 * DIRECTIONS];
            self.renderer.fill(frames);
            let (mixed, _) = part.as_chunks_mut::<2>();
            let (frames, _) = frames.as_chunks::<DIRECTIONS>();
            for (mixed, frame) in mixed.iter_mut().zip(frames) {
                *mixed = [0.0; 2];
                for (direction, y) in frame.iter().enumerate() {
                    let [left, right] = pan(direction);
                    mixed[0] += left * y;
                    mixed[1] += right * y;
                }
            }
            self.output.process(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_is_the_same_in_all_directions() {
        for direction in 0..DIRECTIONS {
            let [left, right] = pan(direction);
            assert!((left * left + right * right - 1.0).abs() < 1e-6);
        }
        assert!(pan(0)[0] > 0.999 && pan(DIRECTIONS - 1)[1] > 0.999);
    }

    #[test]
    fn a_source_on_a_border_keeps_its_direction() {
        let border = 0.5 / 3.0 + 1e-3;
        assert_eq!(direction_of(border, None), 4);
        assert_eq!(direction_of(border, Some(3)), 3);
        assert_eq!(direction_of(0.5, Some(3)), 5);
    }

    #[test]
    fn positive_lateral_is_right() {
        let (distance, lateral) =
            distance_and_lateral(-2.0 * DVec3::Y, DVec3::Y, DVec3::Z, 2.0 * DVec3::X);
        assert!((distance - 8f64.sqrt()).abs() < 1e-12 && (lateral - 0.5f64.sqrt()).abs() < 1e-12);
    }
}
