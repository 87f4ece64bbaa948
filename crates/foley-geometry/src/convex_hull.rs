//! Convex hull of few points, incrementally: the faces that a new point sees are replaced by a cone
//! to it.

use crate::vector::area_vector;
use glam::DVec3;
use std::collections::HashSet;

/// Returns the convex hull as triangles of point indices, counter-clockwise from outside; empty for
/// points in one plane. Its time is quadratic: it is for the points of a [`crate::Collider::Hull`].
pub fn convex_hull(points: &[[f64; 3]]) -> Vec<[u32; 3]> {
    let points: &[DVec3] = &points.iter().map(|&p| p.into()).collect::<Vec<_>>();
    let size = points.iter().map(|p| p.length()).fold(0.0, f64::max);
    let Some(([a, b, c, d], length, thickness)) = far_apart(points) else { return Vec::new() };
    if !(thickness > 1e-6 * length) {
        return Vec::new();
    }
    let mut faces: Vec<[usize; 3]> = vec![[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    if height(points, &faces[0], points[d]) > 0.0 {
        faces.iter_mut().for_each(|face| face.swap(1, 2));
    }
    for (k, point) in points.iter().enumerate() {
        // The tolerance keeps points on a face from seeming outside by rounding.
        let sees = |face: &[usize; 3]| height(points, face, *point) > 1e-9 * size;
        let (seen, hidden): (Vec<[usize; 3]>, _) = faces.into_iter().partition(sees);
        let edges: HashSet<(usize, usize)> =
            seen.iter().flat_map(|&[i, j, l]| [(i, j), (j, l), (l, i)]).collect();
        faces = hidden;
        for &[i, j, l] in &seen {
            for (from, to) in [(i, j), (j, l), (l, i)] {
                if !edges.contains(&(to, from)) {
                    faces.push([from, to, k]);
                }
            }
        }
    }
    faces.into_iter().map(|face| face.map(|k| k as u32)).collect()
}

/// Returns the height of a point above a face.
fn height(points: &[DVec3], &[i, j, k]: &[usize; 3], point: DVec3) -> f64 {
    let normal = area_vector([points[i], points[j], points[k]]);
    normal.dot(point - points[i]) / normal.length().max(1e-300)
}

/// Returns the length of points, and their thickness across a plane through three that are far apart.
pub fn length_and_thickness(points: &[[f64; 3]]) -> [f64; 2] {
    let points: Vec<DVec3> = points.iter().map(|&p| p.into()).collect();
    far_apart(&points).map_or([0.0; 2], |(_, length, thickness)| [length, thickness])
}

/// Returns four points that are far apart, their length and their thickness.
fn far_apart(points: &[DVec3]) -> Option<([usize; 4], f64, f64)> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        (0..points.len()).max_by(|i, j| measure(points[*i]).total_cmp(&measure(points[*j])))
    };
    let a = farthest(&|p| p.x)?;
    let b = farthest(&|p| p.distance(points[a]))?;
    let along = points[b] - points[a];
    let c = farthest(&|p| along.cross(p - points[a]).length())?;
    let d = farthest(&|p| height(points, &[a, b, c], p).abs())?;
    Some(([a, b, c, d], along.length(), height(points, &[a, b, c], points[d]).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_point_is_outside_of_a_hull_and_every_edge_has_two_faces() {
        // Fractions of squares: evenly spread, no three on a line.
        let coordinate = |k: u64| (k as f64 * k as f64 * 0.618_033_988_749_895).fract() - 0.5;
        let points: Vec<[f64; 3]> =
            (0..200).map(|i| [0, 1, 2].map(|axis| coordinate(3 * i + axis))).collect();
        let faces: Vec<[usize; 3]> =
            convex_hull(&points).into_iter().map(|f| f.map(|k| k as usize)).collect();
        assert!(faces.len() > 20);
        let places: Vec<DVec3> = points.iter().map(|&p| p.into()).collect();
        for face in &faces {
            assert!(places.iter().all(|p| height(&places, face, *p) < 1e-6));
        }
        let edges: HashSet<(usize, usize)> =
            faces.iter().flat_map(|&[i, j, k]| [(i, j), (j, k), (k, i)]).collect();
        assert_eq!(edges.len(), 3 * faces.len());
        assert!(edges.iter().all(|(i, j)| edges.contains(&(*j, *i))));
    }

    #[test]
    fn points_in_a_plane_have_none() {
        assert!(convex_hull(&[]).is_empty());
        let flat = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.3, 0.2, 0.0]];
        assert!(convex_hull(&flat).is_empty());
    }
}
