//! Persistent contact points: points that were loaded in the previous step.
//!
//! A persistent point is no impact, but solvers leave it with some speed: gravity until the load
//! settles and, on a rolling body, the lift of the material point that turns away from the contact
//! (v ω Δt). So a persistent point is an impact only if it is faster than both together, for
//! example when its support is jerked. A new point beside a persistent one may be due to the lift
//! alone.

use super::points::Point;
use super::source::BodyId;
use glam::DVec3;

/// Points that separate slower than this multiple of the slowest impact stay persistent.
const HOP: f64 = 2.0;
/// Tolerance of the predicted position, m, and as a share of the displacement.
const NEAR_M: f64 = 0.001;
const NEAR_SHARE: f64 = 0.3;

/// Predicted positions of loaded points in the next step.
#[derive(Default)]
pub(crate) struct PersistentPoints {
    /// Pair, position and tolerance, sorted by pair.
    expected: Vec<([BodyId; 2], DVec3, f64)>,
}

impl PersistentPoints {
    /// Marks the points that were predicted.
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

    /// Returns the number of predictions.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.expected.len()
    }

    /// Stores the predictions for the next step from points sorted by pair. Separating points are
    /// dropped.
    pub(crate) fn remember(&mut self, points: &[Point], step_s: f64, slowest: f64) {
        self.expected.clear();
        for point in points.iter().filter(|point| point.parting < HOP * slowest) {
            // It moves with either body, or as the contact rolls.
            for drift in point.drifts {
                let way = drift * step_s;
                let near = NEAR_M + NEAR_SHARE * way.length();
                self.expected.push((point.bodies, point.world + way, near));
            }
        }
    }
}
