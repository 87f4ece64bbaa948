//! Stereo panner: the lateral position of a source, with constant power, `cos θ` and `sin θ`.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use glam::DVec3;
use std::f64::consts::FRAC_PI_4;

/// Orientation of the listener's head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Head {
    /// Viewing direction.
    pub forward: DVec3,
    /// Direction of the top of the head, not parallel to `forward`.
    pub up: DVec3,
}

impl Default for Head {
    fn default() -> Self {
        Self { forward: DVec3::Y, up: DVec3::Z }
    }
}

impl Head {
    /// Returns the lateral position of a direction, −1 (left) to 1 (right).
    pub fn lateral(&self, direction: DVec3) -> f64 {
        let right = self.forward.cross(self.up).normalize_or_zero();
        direction.normalize_or_zero().dot(right).clamp(-1.0, 1.0)
    }
}

/// Distance within which a source comes from all sides, m: half the width of a head.
const INSIDE_M: f64 = 0.09;

/// Largest change of a gain within a block by a turn of the head.
const MAX_CHANGE: f32 = 0.2;

/// Returns the gains of both channels.
fn gains(head: &Head, direction: DVec3, distance_m: f64) -> [f32; 2] {
    let lateral = head.lateral(direction) * (distance_m / INSIDE_M).min(1.0);
    let theta = FRAC_PI_4 * (1.0 + lateral);
    [theta.cos() as f32, theta.sin() as f32]
}

/// Pans one source to two loudspeakers; its gains change linearly over a block.
#[derive(Debug, Clone, Copy, Default)]
pub struct StereoPanner {
    last: Option<[f32; 2]>,
}

impl StereoPanner {
    /// Adds a block of a source to both channels. Direction and distance are those at its end.
    pub fn add(
        &mut self,
        level: Level,
        head: &Head,
        direction: DVec3,
        distance_m: f64,
        sound: &[f32],
        [left, right]: [&mut [f32]; 2],
    ) {
        let next = gains(head, direction, distance_m);
        let last = self.last.replace(next).unwrap_or(next);
        for ((out, from), to) in [left, right].into_iter().zip(last).zip(next) {
            dispatch!(level, simd => add_ramped(simd, out, sound, [from, to]));
        }
    }

    /// Adds a block of a source that stays in its last direction.
    pub fn add_unchanged(&self, sound: &[f32], outputs: [&mut [f32]; 2]) {
        for (out, gain) in outputs.into_iter().zip(self.last.unwrap_or_default()) {
            out.iter_mut().zip(sound).for_each(|(out, y)| *out += gain * y);
        }
    }

    /// Returns whether the head turns too far within a block for a source in this direction.
    pub fn is_jump([last, next]: [&Head; 2], direction: DVec3) -> bool {
        let [last, next] = [last, next].map(|head| gains(head, direction, 1.0));
        last.into_iter().zip(next).any(|(last, next)| (last - next).abs() > MAX_CHANGE)
    }

    /// Forgets the last direction: the next block begins where its source is.
    pub fn reset(&mut self) {
        self.last = None;
    }
}

/// Adds a sound with a gain that changes linearly.
#[simd]
fn add_ramped<S: Simd>(_: S, out: &mut [f32], sound: &[f32], [from, to]: [f32; 2]) {
    let step = (to - from) / sound.len() as f32;
    for (n, (out, y)) in out.iter_mut().zip(sound).enumerate() {
        *out += (from + step * n as f32) * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(head: &Head, direction: DVec3) -> [f32; 2] {
        let (mut left, mut right) = ([0.0; 8], [0.0; 8]);
        StereoPanner::default().add(
            Level::new(),
            head,
            direction,
            2.0,
            &[1.0; 8],
            [&mut left, &mut right],
        );
        [left[7], right[7]]
    }

    #[test]
    fn power_is_the_same_in_all_directions() {
        for k in 0..16 {
            let angle = f64::from(k) * FRAC_PI_4 / 2.0;
            let [left, right] = heard(&Head::default(), DVec3::new(angle.cos(), angle.sin(), 0.3));
            assert!((left * left + right * right - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn turning_the_head_moves_a_source() {
        let head = Head::default();
        let [left, right] = heard(&head, DVec3::X);
        assert!(left < 1e-6 && right > 0.999);
        let rotated = Head { forward: DVec3::X, ..head };
        let [left, right] = heard(&rotated, DVec3::X);
        assert!((left - right).abs() < 1e-6);
        let [left, right] = heard(&Head { forward: -DVec3::Y, ..head }, DVec3::X);
        assert!(left > 0.999 && right < 1e-6);
    }

    #[test]
    fn gains_change_without_a_step() {
        let (head, mut panner) = (Head::default(), StereoPanner::default());
        let mut last = None;
        for k in 0..50 {
            let angle = 0.2 * f64::from(k);
            let direction = DVec3::new(angle.sin(), angle.cos(), 0.0);
            let (mut left, mut right) = ([0.0; 64], [0.0; 64]);
            panner.add(Level::new(), &head, direction, 1.0, &[1.0; 64], [&mut left, &mut right]);
            for y in left {
                assert!(last.is_none_or(|last: f32| (y - last).abs() < 0.02));
                last = Some(y);
            }
        }
    }
}
