//! Outline of a surface: its borders and its silhouette.

use glam::DVec3;
use std::collections::HashMap;

use super::drawn_surface::DrawnSurface;
use super::view::View;

/// Returns the outline of the undeformed surface as line segments in space.
pub(crate) fn outline(surface: &DrawnSurface, view: &View) -> Vec<[DVec3; 2]> {
    let mut lines = borders(surface);
    // The silhouette: where the normal, interpolated linearly within triangles, is perpendicular
    // to the view.
    let facing: Vec<f64> = surface.normals.iter().map(|n| view.of(*n).z).collect();
    for t in &surface.triangles {
        let edges = [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
        let crossed = |&(i, j): &(usize, usize)| (facing[i] < 0.0) != (facing[j] < 0.0);
        let at = |(i, j): (usize, usize)| {
            let s = facing[i] / (facing[i] - facing[j]);
            surface.points[i] + (surface.points[j] - surface.points[i]) * s
        };
        let ends: Vec<DVec3> = edges.into_iter().filter(crossed).map(at).collect();
        if let [from, to] = ends[..] {
            lines.push([from, to]);
        }
    }
    lines
}

/// Returns the edges of exactly one triangle.
fn borders(surface: &DrawnSurface) -> Vec<[DVec3; 2]> {
    let mut edges: HashMap<(usize, usize), usize> = HashMap::new();
    for &[i, j, k] in &surface.triangles {
        for (a, b) in [(i, j), (j, k), (k, i)] {
            *edges.entry((a.min(b), a.max(b))).or_default() += 1;
        }
    }
    let mut single: Vec<_> = edges.into_iter().filter(|(_, count)| *count == 1).collect();
    single.sort_unstable();
    single.into_iter().map(|((a, b), _)| [surface.points[a], surface.points[b]]).collect()
}
