//! Support points: reduces a point cloud to few points of its convex hull.

use glam::DVec3;

/// Number of directions; the farthest point in each is kept.
const DIRECTIONS: usize = 200;

/// Returns the points that are farthest in one of 200 directions; all lie on the convex hull.
pub fn support_points(points: &[[f64; 3]]) -> Vec<[f64; 3]> {
    if points.len() <= DIRECTIONS {
        return points.to_vec();
    }
    // The axes keep the bounding box; the others are a spiral on the sphere with the golden angle
    // between neighbours (Swinbank & Purser 2006).
    let axes = (0..6).map(|i| {
        let mut axis = DVec3::ZERO;
        axis[i / 2] = if i % 2 == 0 { 1.0 } else { -1.0 };
        axis
    });
    let spiral = (0..DIRECTIONS - 6).map(|i| {
        let z = 1.0 - (2 * i + 1) as f64 / (DIRECTIONS - 6) as f64;
        let r = (1.0 - z * z).sqrt();
        let (sin, cos) = (i as f64 * 2.399_963_229_728_653).sin_cos();
        DVec3::new(r * cos, r * sin, z)
    });
    let farthest = |n: DVec3| {
        let along = |k: usize| DVec3::from(points[k]).dot(n);
        (0..points.len()).max_by(|a, b| along(*a).total_cmp(&along(*b)))
    };
    let mut kept: Vec<usize> = axes.chain(spiral).filter_map(farthest).collect();
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|i| points[i]).collect()
}
