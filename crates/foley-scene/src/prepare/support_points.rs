//! The few points that matter to a convex hull.

/// In so many directions the furthest point is kept.
const DIRECTIONS: usize = 200;

/// Of many points, those that are furthest in some direction: all lie on the hull, and what is
/// lost of it is less than the eye sees.
pub(super) fn support_points(points: &[[f64; 3]]) -> Vec<[f64; 3]> {
    if points.len() <= DIRECTIONS {
        return points.to_vec();
    }
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    // Along the axes, so that its height and width are kept; and points on a sphere along a
    // spiral by the golden angle (Swinbank & Purser 2006).
    let axes = (0..6).map(|i| {
        let mut way = [0.0; 3];
        way[i / 2] = if i % 2 == 0 { 1.0 } else { -1.0 };
        way
    });
    let spiral = (0..DIRECTIONS - 6).map(|i| {
        let z = 1.0 - (2 * i + 1) as f64 / (DIRECTIONS - 6) as f64;
        let r = (1.0 - z * z).sqrt();
        let (sin, cos) = (i as f64 * 2.399_963_229_728_653).sin_cos();
        [r * cos, r * sin, z]
    });
    let furthest = |way: [f64; 3]| {
        (0..points.len()).max_by(|a, b| dot(points[*a], way).total_cmp(&dot(points[*b], way)))
    };
    let mut kept: Vec<usize> = axes.chain(spiral).filter_map(furthest).collect();
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|i| points[i]).collect()
}
