//! The points on which a body rests.
//!
//! A rigid body on a hard plane touches it at three points, one that gives way a little at four: of the lowest points, the
//! corners of the largest triangle, and a fourth where it widens that triangle by half. A body whose lowest points lie
//! on a line rests on its ends, one with a single lowest point on that.

use foley_geometry::vector::bounds;
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Points count as lowest within this part of the size of the body.
const LEVEL: f64 = 3e-3;
/// Directions in which the outermost of the lowest points are taken.
const DIRECTIONS: usize = 48;
/// Least area of the support triangle over the square of its extent: below, it is a line.
const LEAST_AREA: f64 = 1e-3;
/// Least growth of the area by a fourth point.
const FOURTH: f64 = 0.5;

/// Returns the points on which a body rests, one to four of its own, where `up` points against gravity; none without
/// points.
pub fn resting_points(points: &[[f64; 3]], up: [f64; 3]) -> Vec<[f64; 3]> {
    let up = DVec3::from(up).try_normalize().unwrap_or(DVec3::Z);
    let all: Vec<DVec3> = points.iter().map(|p| DVec3::from(*p)).collect();
    let Some([low, high]) = bounds(all.iter().copied()) else { return Vec::new() };
    let size = low.distance(high);
    let floor = all.iter().map(|p| p.dot(up)).fold(f64::INFINITY, f64::min);
    let lowest: Vec<DVec3> =
        all.into_iter().filter(|p| p.dot(up) <= floor + LEVEL * size).collect();
    let (across, along) = up.any_orthonormal_pair();
    let flat = |p: DVec3| DVec2::new(p.dot(across), p.dot(along));
    let outer = outermost(&lowest, flat);
    support_polygon(&outer, flat).into_iter().map(|p| p.to_array()).collect()
}

/// Returns the points that are outermost in any of many directions, each once.
fn outermost(points: &[DVec3], flat: impl Fn(DVec3) -> DVec2) -> Vec<DVec3> {
    let mut found: Vec<usize> = (0..DIRECTIONS)
        .filter_map(|i| {
            let direction = DVec2::from_angle(TAU * (i as f64 + 0.3) / DIRECTIONS as f64);
            let reach = |k: usize| flat(points[k]).dot(direction);
            (0..points.len()).max_by(|a, b| reach(*a).total_cmp(&reach(*b)).then(b.cmp(a)))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|k| points[k]).collect()
}

/// Returns the largest triangle of points, with a fourth where it widens it enough; or the ends of a line, or a point.
fn support_polygon(points: &[DVec3], flat: impl Fn(DVec3) -> DVec2) -> Vec<DVec3> {
    let p: Vec<DVec2> = points.iter().map(|p| flat(*p)).collect();
    let mut ends = (0.0, [0, 0]);
    for i in 0..p.len() {
        for j in i + 1..p.len() {
            let distance = p[i].distance(p[j]);
            if distance > ends.0 {
                ends = (distance, [i, j]);
            }
        }
    }
    let (extent, [a, b]) = ends;
    if extent == 0.0 {
        return points.first().copied().into_iter().collect();
    }
    let area = |i: usize, j: usize, k: usize| 0.5 * (p[j] - p[i]).perp_dot(p[k] - p[i]).abs();
    let mut triangle = (0.0, [a, b, b]);
    for i in 0..p.len() {
        for j in i + 1..p.len() {
            for k in j + 1..p.len() {
                // Of equal triangles the first counts, whatever the rounding.
                if area(i, j, k) > triangle.0 * (1.0 + 1e-9) {
                    triangle = (area(i, j, k), [i, j, k]);
                }
            }
        }
    }
    let (largest, corners) = triangle;
    if largest < LEAST_AREA * extent * extent {
        return vec![points[a], points[b]];
    }
    let [i, j, k] = corners;
    // What a point beyond an edge adds is its triangle with that edge.
    let signed = |i: usize, j: usize, l: usize| 0.5 * (p[j] - p[i]).perp_dot(p[l] - p[i]);
    let turn = signed(i, j, k).signum();
    let added = |l: usize| {
        [[i, j], [j, k], [k, i]]
            .map(|[from, to]| -turn * signed(from, to, l))
            .into_iter()
            .fold(0.0, f64::max)
    };
    let fourth = (0..p.len()).max_by(|l, m| added(*l).total_cmp(&added(*m)).then(m.cmp(l)));
    let fourth = fourth.filter(|l| added(*l) >= FOURTH * largest);
    corners.into_iter().chain(fourth).map(|l| points[l]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: [f64; 3] = [0.0, 0.0, 1.0];

    #[test]
    fn a_plate_rests_on_its_corners() {
        let mut points = vec![];
        for i in 0..=10 {
            points.extend((0..=6).map(|j| [f64::from(i) * 0.1, f64::from(j) * 0.1, 0.0]));
        }
        let mut found = resting_points(&points, UP);
        found.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(found.len(), 4);
        for (found, corner) in found.iter().zip([[0.0, 0.0], [0.0, 0.6], [1.0, 0.0], [1.0, 0.6]]) {
            assert!((found[0] - corner[0]).abs() < 1e-12 && (found[1] - corner[1]).abs() < 1e-12);
        }
    }

    #[test]
    fn a_bowl_rests_on_three_points_of_its_foot() {
        let ring = |z: f64, r: f64| {
            (0..60).map(move |i| {
                let (sin, cos) = (TAU * f64::from(i) / 60.0).sin_cos();
                [r * cos, r * sin, z]
            })
        };
        let points: Vec<[f64; 3]> =
            ring(0.1, 0.2).chain(ring(0.05, 0.12)).chain(ring(0.0, 0.06)).collect();
        let found = resting_points(&points, UP);
        assert_eq!(found.len(), 3, "{found:?}");
        for (i, p) in found.iter().enumerate() {
            assert!(p[2] == 0.0);
            let q = found[(i + 1) % 3];
            assert!(((p[0] - q[0]).hypot(p[1] - q[1]) / (0.06 * 3f64.sqrt()) - 1.0).abs() < 0.02);
        }
        // Upside down it rests on its rim.
        assert!(resting_points(&points, [0.0, 0.0, -1.0]).iter().all(|p| p[2] == 0.1));
    }

    #[test]
    fn lines_rest_on_their_ends_and_balls_on_a_point() {
        let line: Vec<[f64; 3]> = (0..=8).map(|i| [f64::from(i), 0.0, 0.0]).collect();
        let mut found = resting_points(&line, UP);
        found.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(found, [[0.0; 3], [8.0, 0.0, 0.0]]);
        let ball = [[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(resting_points(&ball, UP), [[0.0, 0.0, -1.0]]);
        assert!(resting_points(&[], UP).is_empty());
    }
}
