//! Functions of points and vectors beyond those of `glam`.

use glam::DVec3;

/// Returns the unit vector along a; zero for the zero vector.
#[inline]
pub fn unit_or_zero(a: DVec3) -> DVec3 {
    let length = a.length();
    if length > 0.0 { a / length } else { DVec3::ZERO }
}

/// Returns the normal of a triangle with twice its area as length.
#[inline]
pub fn area_vector([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// Returns the bounding box of points; `None` without points.
#[inline]
pub fn bounds(points: impl IntoIterator<Item = DVec3>) -> Option<[DVec3; 2]> {
    points.into_iter().fold(None, |found, p| {
        let [low, high] = found.unwrap_or([p, p]);
        Some([p.min(low), p.max(high)])
    })
}

/// Returns the squared distance from `p` to a triangle and the barycentric weights of the closest
/// point: the interior projection, or the best of the three edges.
#[inline]
pub fn closest_on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> (f64, [f64; 3]) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d00, d01, d11) = (ab.dot(ab), ab.dot(ac), ac.dot(ac));
    let det = d00 * d11 - d01 * d01;
    if det > 1e-12 * d00 * d11 {
        let v = (d11 * ap.dot(ab) - d01 * ap.dot(ac)) / det;
        let w = (d00 * ap.dot(ac) - d01 * ap.dot(ab)) / det;
        if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
            return (ap.distance_squared(ab * v + ac * w), [1.0 - v - w, v, w]);
        }
    }
    let edges = [(a, b, 0, 1), (b, c, 1, 2), (c, a, 2, 0)];
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    for (from, to, i, j) in edges {
        let (e, fp) = (to - from, p - from);
        let length2 = e.length_squared();
        let t = if length2 > 0.0 { (fp.dot(e) / length2).clamp(0.0, 1.0) } else { 0.0 };
        let d = fp.distance_squared(e * t);
        if d < best.0 {
            let mut weights = [0.0; 3];
            weights[i] += 1.0 - t;
            weights[j] += t;
            best = (d, weights);
        }
    }
    best
}
