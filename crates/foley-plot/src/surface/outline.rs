//! The outline of a surface: its borders, and where it turns away from the eye.

use std::collections::HashMap;

use super::body::Body;
use super::vector::{Vector, add, scaled, sub};
use super::view::View;

/// The outline of a body at rest, as pieces of lines in space.
pub(super) fn outline(body: &Body, view: &View) -> Vec<[Vector; 2]> {
    let mut lines = borders(body);
    // Smooth over the triangles: where the normal, linear between corners, is at right
    // angles to the sight.
    let facing: Vec<f64> = body.normals.iter().map(|n| view.of(*n)[2]).collect();
    for t in &body.triangles {
        let edges = [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
        let crossed = |&(i, j): &(usize, usize)| (facing[i] < 0.0) != (facing[j] < 0.0);
        let at = |(i, j): (usize, usize)| {
            let s = facing[i] / (facing[i] - facing[j]);
            add(body.points[i], scaled(sub(body.points[j], body.points[i]), s))
        };
        let ends: Vec<Vector> = edges.into_iter().filter(crossed).map(at).collect();
        if let [from, to] = ends[..] {
            lines.push([from, to]);
        }
    }
    lines
}

/// Edges that only one triangle has.
fn borders(body: &Body) -> Vec<[Vector; 2]> {
    let mut edges: HashMap<(usize, usize), usize> = HashMap::new();
    for &[i, j, k] in &body.triangles {
        for (a, b) in [(i, j), (j, k), (k, i)] {
            *edges.entry((a.min(b), a.max(b))).or_default() += 1;
        }
    }
    let mut single: Vec<_> = edges.into_iter().filter(|(_, count)| *count == 1).collect();
    single.sort_unstable();
    single.into_iter().map(|((a, b), _)| [body.points[a], body.points[b]]).collect()
}
