//! Intersection of a trajectory with one triangle.

use crate::{Trajectory, roots};
use glam::DVec3;

/// Returns the time of intersection and the barycentric weights of the second and third corner.
pub(super) fn intersect(
    corners: [DVec3; 3],
    trajectory: &Trajectory,
    [from, to]: [f64; 2],
    mut accept: impl FnMut(f64, [f64; 2]) -> bool,
) -> Option<(f64, [f64; 2])> {
    let [a, b, c] = corners;
    let (ab, ac) = (b - a, c - a);
    let n = ab.cross(ac);
    let [x, v, acceleration] = trajectory.rebased(from).vectors();
    let span = to - from;
    let k = [n.dot(x - a), n.dot(v) * span, 0.5 * n.dot(acceleration) * span * span];
    roots::quadratic(k).as_slice().iter().find_map(|s| {
        let t = from + s * span;
        let q = trajectory.position_vec(t) - a;
        let weights = [q.cross(ac).dot(n), ab.cross(q).dot(n)].map(|w| w / n.length_squared());
        let inside = weights.iter().all(|w| *w >= -EDGE) && weights[0] + weights[1] <= 1.0 + EDGE;
        (inside && accept(t, weights)).then_some((t, weights))
    })
}

/// Triangles are enlarged by this fraction of their size to close the seams between neighbours.
const EDGE: f64 = 1e-12;
