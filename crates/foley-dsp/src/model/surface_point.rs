//! Closest point on a surface, its barycentric weights and its normal.

use super::ModalParts;
use super::bvh::TriangleBvh;
use foley_geometry::vector::area_vector;
use glam::DVec3;

/// A point on the surface: three vertices, their weights, and the outward normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ClosestPoint {
    pub(super) points: [usize; 3],
    pub(super) weights: [f64; 3],
    pub(super) normal: DVec3,
}

/// Normal of degenerate surfaces.
const UP: DVec3 = DVec3::Z;

/// The first point, used if no point is closest.
const FIRST: ClosestPoint = ClosestPoint { points: [0; 3], weights: [1.0, 0.0, 0.0], normal: UP };

/// Returns the surface point closest to `at`. Non-finite coordinates map to the first point.
pub(super) fn closest(parts: &ModalParts, triangles: &TriangleBvh, at: DVec3) -> ClosestPoint {
    if parts.triangles.is_empty() {
        return closest_point(parts, at);
    }
    let Some(found) = triangles.closest(at) else { return FIRST };
    let points = parts.triangles[found.triangle].map(|k| k as usize);
    let normal = unit_or(area_vector(points.map(|k| parts.points[k].into())), UP);
    ClosestPoint { points, weights: found.weights, normal }
}

fn closest_point(parts: &ModalParts, at: DVec3) -> ClosestPoint {
    let mut best = (f64::INFINITY, FIRST);
    for (k, p) in parts.points.iter().enumerate() {
        let d = at.distance_squared((*p).into());
        if d < best.0 {
            best = (d, ClosestPoint { points: [k; 3], ..FIRST });
        }
    }
    best.1
}

/// Returns surface point k with the mean normal of its triangles.
pub(super) fn point(parts: &ModalParts, k: usize) -> ClosestPoint {
    let around = parts.triangles.iter().filter(|t| t.contains(&(k as u32)));
    let normal = around.map(|t| area_vector(t.map(|k| parts.points[k as usize].into()))).sum();
    ClosestPoint { points: [k; 3], weights: [1.0, 0.0, 0.0], normal: unit_or(normal, UP) }
}

/// Normalises a vector; returns `otherwise` if its length is zero or not finite.
pub(super) fn unit_or(a: DVec3, otherwise: DVec3) -> DVec3 {
    let length = a.length();
    if length > 0.0 && length.is_finite() { a / length } else { otherwise }
}

/// Returns the squared distance from `p` to a triangle and the barycentric weights of the closest
/// point: the interior projection, or the best of the three edges.
pub(super) fn closest_on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> (f64, [f64; 3]) {
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
