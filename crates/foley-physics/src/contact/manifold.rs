//! Contact manifolds: points of one pair of bodies with similar normals.

use super::points::Point;
use super::source::BodyId;
use glam::DVec3;

/// Cosine of the largest angle between normals of one manifold, 30°.
pub(crate) const SAME_NORMAL: f64 = 0.866;

/// Loaded points of one pair.
#[derive(Clone, Debug)]
pub(crate) struct Manifold {
    pub(crate) bodies: [BodyId; 2],
    /// Mean of the normals, weighted by impulse.
    pub(crate) normal: DVec3,
    pub(crate) points: Vec<Point>,
}

/// Groups the loaded points, sorted by pair, into manifolds.
pub(crate) fn manifolds(points: &[Point]) -> Vec<Manifold> {
    let mut manifolds: Vec<Manifold> = Vec::new();
    for pair in points.chunk_by(|a, b| a.bodies == b.bodies) {
        let first = manifolds.len();
        for point in pair.iter().filter(|point| point.impulse > 0.0) {
            let near = |manifold: &&mut Manifold| {
                manifold.points[0].normal.dot(point.normal) > SAME_NORMAL
            };
            match manifolds[first..].iter_mut().find(near) {
                Some(manifold) => manifold.points.push(*point),
                None => manifolds.push(Manifold {
                    bodies: point.bodies,
                    normal: DVec3::ZERO,
                    points: vec![*point],
                }),
            }
        }
    }
    for manifold in &mut manifolds {
        let sum: DVec3 = manifold.points.iter().map(|point| point.normal * point.impulse).sum();
        manifold.normal = sum.normalize_or(manifold.points[0].normal);
    }
    manifolds
}

/// Returns the weighted mean positions.
pub(crate) fn mean_places<'a>(points: impl Iterator<Item = (&'a Point, f64)>) -> [DVec3; 2] {
    let (mut sum, mut weights) = ([DVec3::ZERO; 2], 0.0);
    for (point, weight) in points {
        sum[0] += point.places[0] * weight;
        sum[1] += point.places[1] * weight;
        weights += weight;
    }
    sum.map(|place| place / weights)
}
