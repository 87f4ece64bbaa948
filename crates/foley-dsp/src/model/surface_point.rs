//! Closest point on a surface, its barycentric weights and its normal.

use super::ModalParts;
use super::bvh::TriangleBvh;
use foley_geometry::vector::{area_vector, dot, sub};

/// A point on the surface: three vertices, their weights, and the outward normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SurfacePoint {
    pub(super) points: [usize; 3],
    pub(super) weights: [f64; 3],
    pub(super) normal: [f64; 3],
}

/// Normal of degenerate surfaces.
const UP: [f64; 3] = [0.0, 0.0, 1.0];

/// The first point, used if no point is closest.
const FIRST: SurfacePoint = SurfacePoint { points: [0; 3], weights: [1.0, 0.0, 0.0], normal: UP };

/// Returns the surface point closest to `at`. Non-finite coordinates map to the first point.
pub(super) fn closest(parts: &ModalParts, triangles: &TriangleBvh, at: [f64; 3]) -> SurfacePoint {
    if parts.triangles.is_empty() {
        return closest_point(parts, at);
    }
    let Some(found) = triangles.closest(at) else { return FIRST };
    let points = parts.triangles[found.triangle].map(|k| k as usize);
    let normal = unit(area_vector(points.map(|k| parts.points[k])));
    SurfacePoint { points, weights: found.weights, normal }
}

fn closest_point(parts: &ModalParts, at: [f64; 3]) -> SurfacePoint {
    let mut best = (f64::INFINITY, FIRST);
    for (k, p) in parts.points.iter().enumerate() {
        let d = length_squared(sub(at, *p));
        if d < best.0 {
            best = (d, SurfacePoint { points: [k; 3], ..FIRST });
        }
    }
    best.1
}

/// Returns surface point k with the mean normal of its triangles.
pub(super) fn point(parts: &ModalParts, k: usize) -> SurfacePoint {
    let around = parts.triangles.iter().filter(|t| t.contains(&(k as u32)));
    let normal = around.fold([0.0; 3], |sum: [f64; 3], t| {
        let own = area_vector(t.map(|k| parts.points[k as usize]));
        [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]]
    });
    SurfacePoint { points: [k; 3], weights: [1.0, 0.0, 0.0], normal: unit(normal) }
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = length_squared(a).sqrt();
    if length > 0.0 && length.is_finite() { a.map(|x| x / length) } else { UP }
}

fn length_squared(a: [f64; 3]) -> f64 {
    dot(a, a)
}

/// Returns the squared distance from `p` to a triangle and the barycentric weights of the closest
/// point: the interior projection, or the best of the three edges.
pub(super) fn closest_on_triangle(p: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> (f64, [f64; 3]) {
    let (ab, ac, ap) = (sub(b, a), sub(c, a), sub(p, a));
    let (d00, d01, d11) = (dot(ab, ab), dot(ab, ac), dot(ac, ac));
    let det = d00 * d11 - d01 * d01;
    if det > 1e-12 * d00 * d11 {
        let v = (d11 * dot(ap, ab) - d01 * dot(ap, ac)) / det;
        let w = (d00 * dot(ap, ac) - d01 * dot(ap, ab)) / det;
        if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
            return (length_squared(sub(ap, mix(ab, v, ac, w))), [1.0 - v - w, v, w]);
        }
    }
    let edges = [(a, b, 0, 1), (b, c, 1, 2), (c, a, 2, 0)];
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    for (from, to, i, j) in edges {
        let (e, fp) = (sub(to, from), sub(p, from));
        let length = length_squared(e);
        let t = if length > 0.0 { (dot(fp, e) / length).clamp(0.0, 1.0) } else { 0.0 };
        let d = length_squared(sub(fp, mix(e, t, e, 0.0)));
        if d < best.0 {
            let mut weights = [0.0; 3];
            weights[i] += 1.0 - t;
            weights[j] += t;
            best = (d, weights);
        }
    }
    best
}

fn mix(a: [f64; 3], s: f64, b: [f64; 3], t: f64) -> [f64; 3] {
    [a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t]
}
