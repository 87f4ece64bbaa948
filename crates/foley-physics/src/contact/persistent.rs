//! Which points touched already.
//!
//! A point that is held cannot strike; but solvers leave it with some speed: gravity until the
//! load finds its place, and, when a body rolls, the lift of the material point that was underneath
//! and now turns away (v ω Δt). So a held point strikes only if it is faster than both together,
//! as when what carries it is jerked. A new point beside one that is held may be due to the lift
//! alone.

use super::points::Point;
use glam::DVec3;

/// Points that part slower than this many times the slowest impact only hop.
const HOP: f64 = 2.0;
/// How far from where it was expected a point may be found, and as a share of its way.
const NEAR_M: f64 = 0.001;
const NEAR_SHARE: f64 = 0.3;

/// Where loaded points are expected in the coming step.
#[derive(Default)]
pub(crate) struct PersistentPoints {
    /// Sorted by pair.
    expected: Vec<([u32; 2], DVec3, f64)>,
}

impl PersistentPoints {
    /// Marks the points that were expected.
    pub(crate) fn mark(&self, points: &mut [Point]) {
        for point in points {
            let first = self.expected.partition_point(|(bodies, ..)| *bodies < point.bodies);
            let mut same =
                self.expected[first..].iter().take_while(|(bodies, ..)| *bodies == point.bodies);
            point.beside_held = same.clone().next().is_some();
            point.held =
                same.any(|(_, place, near)| place.distance_squared(point.world) < near * near);
        }
    }

    /// Remembers the points of a step, sorted by pair, for the next. Those that part are free.
    pub(crate) fn remember(&mut self, points: &[Point], step_s: f64, slowest: f64) {
        self.expected.clear();
        for point in points.iter().filter(|point| point.parting < HOP * slowest) {
            // It goes with the one body, with the other, or as it rolls.
            for drift in point.drifts {
                let way = drift * step_s;
                let near = NEAR_M + NEAR_SHARE * way.length();
                self.expected.push((point.bodies, point.world + way, near));
            }
        }
    }
}
