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
