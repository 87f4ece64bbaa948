//! A parabola or a ray against one triangle.

use crate::{Flight, roots};
use glam::DVec3;

/// Where a path meets a triangle: the time, and the weights of its second and third corner.
pub(super) fn meet(
    corners: [DVec3; 3],
    flight: &Flight,
    [from, to]: [f64; 2],
    mut counts: impl FnMut(f64, [f64; 2]) -> bool,
) -> Option<(f64, [f64; 2])> {
    let [a, b, c] = corners;
    let (ab, ac) = (b - a, c - a);
    let n = ab.cross(ac);
    let [x, v, acceleration] = flight.from(from).parts();
    let span = to - from;
    let k = [n.dot(x - a), n.dot(v) * span, 0.5 * n.dot(acceleration) * span * span];
    roots::quadratic(k).as_slice().iter().find_map(|s| {
        let t = from + s * span;
        let q = flight.point(t) - a;
        let weights = [q.cross(ac).dot(n), ab.cross(q).dot(n)].map(|w| w / n.length_squared());
        let inside = weights.iter().all(|w| *w >= -EDGE) && weights[0] + weights[1] <= 1.0 + EDGE;
        (inside && counts(t, weights)).then_some((t, weights))
    })
}

/// Triangles are so much larger, as a part of their size, that nothing slips through between two.
const EDGE: f64 = 1e-12;
