//! Contact points that belong together: the same bodies, nearly the same normal.

use super::gather::Point;
use glam::DVec3;

/// Normals that are closer than this (cosine of 30°) belong to one patch.
pub(crate) const SAME_NORMAL: f64 = 0.866;

/// Some points of one pair.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    pub(crate) bodies: [u32; 2],
    /// Mean of the normals, weighted by impulse.
    pub(crate) normal: DVec3,
    pub(crate) points: Vec<Point>,
}

/// Splits the loaded ones of points, sorted by pair, into patches.
pub(crate) fn patches(points: &[Point]) -> Vec<Patch> {
    let mut patches: Vec<Patch> = Vec::new();
    for pair in points.chunk_by(|a, b| a.bodies == b.bodies) {
        let first = patches.len();
        for point in pair.iter().filter(|point| point.impulse > 0.0) {
            let near = |patch: &&mut Patch| patch.points[0].normal.dot(point.normal) > SAME_NORMAL;
            match patches[first..].iter_mut().find(near) {
                Some(patch) => patch.points.push(*point),
                None => patches.push(Patch {
                    bodies: point.bodies,
                    normal: DVec3::ZERO,
                    points: vec![*point],
                }),
            }
        }
    }
    for patch in &mut patches {
        let sum: DVec3 = patch.points.iter().map(|point| point.normal * point.impulse).sum();
        patch.normal = sum.normalize_or(patch.points[0].normal);
    }
    patches
}

/// Mean over points, weighted.
pub(crate) fn mean_places<'a>(points: impl Iterator<Item = (&'a Point, f64)>) -> [DVec3; 2] {
    let (mut sum, mut weights) = ([DVec3::ZERO; 2], 0.0);
    for (point, weight) in points {
        sum[0] += point.places[0] * weight;
        sum[1] += point.places[1] * weight;
        weights += weight;
    }
    sum.map(|place| place / weights)
}
