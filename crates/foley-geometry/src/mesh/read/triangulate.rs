//! Polygon triangulation by ear clipping.

use crate::vector::area_vector;
use glam::DVec3;

/// Limit on the steps of ear clipping in one file; a polygon takes up to n³.
pub(super) const EAR_WORK: u64 = 2_000_000_000;

/// Triangulates a polygon in its own winding. Fewer than three corners give no triangles; when
/// the cost exceeds the remaining `work`, the polygon becomes a fan.
pub(super) fn triangulate(vertices: &[[f64; 3]], corners: &[u32], work: &mut u64) -> Vec<[u32; 3]> {
    let fan = |ring: &[u32]| -> Vec<_> {
        ring.windows(2).skip(1).map(|w| [ring[0], w[0], w[1]]).collect()
    };
    let cost = (corners.len() as u64).saturating_pow(3);
    if corners.len() < 4 || cost > *work {
        return fan(corners);
    }
    *work -= cost;
    let at = |v: u32| DVec3::from(vertices[v as usize]);
    let origin = at(corners[0]);
    // Newell's normal, suitable for polygons that are not exactly planar.
    let normal = (0..corners.len())
        .map(|i| area_vector([origin, at(corners[i]), at(corners[(i + 1) % corners.len()])]))
        .sum();
    let mut ring = corners.to_vec();
    let mut triangles = Vec::with_capacity(corners.len() - 2);
    while ring.len() > 3 {
        let n = ring.len();
        // The ear with the best aspect ratio: largest area over sum of squared sides.
        let best = (0..n)
            .filter_map(|i| {
                let (a, b, c) = (ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]);
                let ear = [at(a), at(b), at(c)];
                let area = area_vector(ear).dot(normal);
                let blocked = |&v: &u32| ![a, b, c].contains(&v) && contains(ear, normal, at(v));
                (area > 0.0 && !ring.iter().any(blocked)).then(|| (i, aspect_ratio(ear, area)))
            })
            .max_by(|x, y| x.1.total_cmp(&y.1));
        let Some((i, _)) = best else { break };
        triangles.push([ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]]);
        ring.remove(i);
    }
    triangles.extend(fan(&ring));
    triangles
}

fn aspect_ratio([a, b, c]: [DVec3; 3], area: f64) -> f64 {
    area / (a.distance_squared(b) + b.distance_squared(c) + c.distance_squared(a))
}

/// Returns whether a triangle, projected along the normal, contains a point.
fn contains(ear: [DVec3; 3], normal: DVec3, p: DVec3) -> bool {
    (0..3).all(|i| area_vector([ear[i], ear[(i + 1) % 3], p]).dot(normal) >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dart_keeps_its_notch() {
        let flat = |x: f64, y: f64| [x, y, 0.0];
        // Its third corner is reflex; a fan from the first would leave the polygon.
        let dart = [flat(1.0, 0.0), flat(0.0, 3.0), flat(-1.0, 0.0), flat(0.0, 1.0)];
        for first in 0..4 {
            let ring: Vec<u32> = (0..4).map(|i| (i + first) % 4).collect();
            let area: f64 = triangulate(&dart, &ring, &mut 1000)
                .iter()
                .map(|t| area_vector(t.map(|v| DVec3::from(dart[v as usize]))).z)
                .inspect(|area| assert!(*area > 0.0))
                .sum();
            assert!((area - 4.0).abs() < 1e-12, "{area}");
        }
    }

    #[test]
    fn any_corners_end() {
        assert!(triangulate(&[], &[], &mut 0).is_empty());
        let nan = [[f64::NAN; 3]; 5];
        assert_eq!(triangulate(&nan, &[0, 1, 2, 3, 4], &mut 1000).len(), 3);
        let one = [[1.0; 3]];
        assert_eq!(triangulate(&one, &[0; 500], &mut 1000).len(), 498);
    }
}
