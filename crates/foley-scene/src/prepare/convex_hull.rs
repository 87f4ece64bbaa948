//! The convex hull of a few points, as triangles: one point after the other is added, and what
//! it sees of the hull so far is replaced by a cone to it.

use std::collections::HashSet;

type Vector = [f64; 3];

/// The convex hull as triangles about the points, counter-clockwise from outside; none for points in
/// one plane. Its time grows with the square of their number: it is for the few of a [`super::ColliderShape::Hull`].
pub fn convex_hull(points: &[Vector]) -> Vec<[u32; 3]> {
    let size = points.iter().map(|p| length(*p)).fold(0.0, f64::max);
    let Some([a, b, c, d]) = first_four(points) else { return Vec::new() };
    let mut faces: Vec<[usize; 3]> = vec![[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    if height(points, &faces[0], points[d]) > 0.0 {
        faces.iter_mut().for_each(|face| face.swap(1, 2));
    }
    for (k, point) in points.iter().enumerate() {
        // Points on a face are of no use; rounding must not let them seem outside.
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

fn sub([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax - bx, ay - by, az - bz]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// How far a point is above a face.
fn height(points: &[Vector], &[i, j, k]: &[usize; 3], point: Vector) -> f64 {
    let normal = cross(sub(points[j], points[i]), sub(points[k], points[i]));
    dot(normal, sub(point, points[i])) / length(normal).max(1e-300)
}

/// Four points that are not in one plane.
fn first_four(points: &[Vector]) -> Option<[usize; 4]> {
    let farthest = |measure: &dyn Fn(Vector) -> f64| {
        (0..points.len()).max_by(|i, j| measure(points[*i]).total_cmp(&measure(points[*j])))
    };
    let a = farthest(&|p| p[0])?;
    let b = farthest(&|p| length(sub(p, points[a])))?;
    let along = sub(points[b], points[a]);
    let c = farthest(&|p| length(cross(along, sub(p, points[a]))))?;
    let d = farthest(&|p| height(points, &[a, b, c], p).abs())?;
    let size = length(along);
    let thick = height(points, &[a, b, c], points[d]).abs();
    (size > 0.0 && thick > 1e-6 * size).then_some([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_outside_of_a_hull_and_every_edge_has_two_sides() {
        // Fractions of squares: spread evenly, and on no line.
        let coordinate = |k: u64| (k as f64 * k as f64 * 0.618_033_988_749_895).fract() - 0.5;
        let points: Vec<Vector> =
            (0..200).map(|i| [0, 1, 2].map(|axis| coordinate(3 * i + axis))).collect();
        let faces: Vec<[usize; 3]> =
            convex_hull(&points).into_iter().map(|f| f.map(|k| k as usize)).collect();
        assert!(faces.len() > 20);
        for face in &faces {
            assert!(points.iter().all(|p| height(&points, face, *p) < 1e-6));
        }
        let edges: HashSet<(usize, usize)> =
            faces.iter().flat_map(|&[i, j, k]| [(i, j), (j, k), (k, i)]).collect();
        assert_eq!(edges.len(), 3 * faces.len());
        assert!(edges.iter().all(|(i, j)| edges.contains(&(*j, *i))));
    }

    #[test]
    fn flat_things_have_none() {
        assert!(convex_hull(&[]).is_empty());
        let flat = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.3, 0.2, 0.0]];
        assert!(convex_hull(&flat).is_empty());
    }
}
