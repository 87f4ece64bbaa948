//! Change of mesh resolution: edge splitting and vertex clustering.

use super::{Measures, Mesh};
use std::collections::HashMap;

/// Splits edges at their midpoints until none is longer than `edge` in metres, or until there
/// would be more than `most` vertices. Old vertices keep their indices; parts are dropped.
pub fn refine(mesh: &Mesh, edge: f64, most: usize) -> Mesh {
    let mut mesh = Mesh::new(mesh.vertices.clone(), mesh.triangles.clone());
    let longest = |mesh: &Mesh| {
        let edges = (0..mesh.triangles.len()).flat_map(|t| {
            let [a, b, c] = mesh.corners(t);
            [b.distance(a), c.distance(b), a.distance(c)]
        });
        edges.fold(0.0, f64::max)
    };
    let mut limit = longest(&mesh);
    // Longest edges first, so that the bound on the vertices leaves an even mesh.
    while limit > edge {
        limit = (0.7 * limit).max(edge);
        loop {
            let midpoints = midpoints(&mesh, limit);
            if midpoints.is_empty() {
                break;
            }
            if mesh.vertices.len() + midpoints.len() > most {
                return mesh;
            }
            split(&mut mesh, &midpoints);
        }
    }
    mesh
}

/// Keeps at most `most` vertices, one in each cell of a grid, and the triangles between them
/// (vertex clustering).
pub fn coarsen(mesh: &Mesh, measures: &Measures, most: usize) -> Mesh {
    let mut size = (measures.area_m2 / most as f64).sqrt();
    loop {
        let cell = |p: [f64; 3]| {
            [0, 1, 2].map(|a| ((p[a] - measures.bounds_m[0][a]) / size).floor().min(1e15) as i64)
        };
        let mut numbers: HashMap<[i64; 3], u32> = HashMap::new();
        let mut coarse = Mesh::default();
        for p in &mesh.vertices {
            let next = numbers.len() as u32;
            if *numbers.entry(cell(*p)).or_insert(next) == next {
                coarse.vertices.push(*p);
                if coarse.vertices.len() > most {
                    break;
                }
            }
        }
        if coarse.vertices.len() > most {
            size *= 1.3;
            continue;
        }
        let all =
            mesh.triangles.iter().map(|t| t.map(|v| numbers[&cell(mesh.vertices[v as usize])]));
        coarse.triangles = all.filter(|[a, b, c]| a != b && b != c && c != a).collect();
        return coarse;
    }
}

fn key(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// Returns the edges to split and the indices of their midpoints.
fn midpoints(mesh: &Mesh, limit: f64) -> HashMap<(u32, u32), u32> {
    let mut found = HashMap::new();
    let mut next = mesh.vertices.len() as u32;
    for t in &mesh.triangles {
        for k in 0..3 {
            let (a, b) = key(t[k], t[(k + 1) % 3]);
            if mesh.vertex(a).distance(mesh.vertex(b)) > limit {
                found.entry((a, b)).or_insert_with(|| {
                    next += 1;
                    next - 1
                });
            }
        }
    }
    found
}

fn split(mesh: &mut Mesh, midpoints: &HashMap<(u32, u32), u32>) {
    mesh.vertices.resize(mesh.vertices.len() + midpoints.len(), [0.0; 3]);
    for (&(a, b), &midpoint) in midpoints {
        mesh.vertices[midpoint as usize] = mesh.vertex(a).midpoint(mesh.vertex(b)).to_array();
    }
    let mut triangles = Vec::with_capacity(mesh.triangles.len() * 2);
    for &t in &mesh.triangles {
        let midpoint = |k: usize| midpoints.get(&key(t[k], t[(k + 1) % 3])).copied();
        let cut = [midpoint(0), midpoint(1), midpoint(2)];
        // Rotated so that the split edges come first.
        let rotation = match cut.map(|m| m.is_some()) {
            [false, true, false] | [false, true, true] => 1,
            [false, false, true] | [true, false, true] => 2,
            _ => 0,
        };
        let [a, b, c] = [0, 1, 2].map(|k| t[(k + rotation) % 3]);
        match [0, 1, 2].map(|k| cut[(k + rotation) % 3]) {
            [Some(p), Some(q), Some(r)] => {
                triangles.extend([[a, p, r], [p, b, q], [q, c, r], [p, q, r]]);
            }
            [Some(p), Some(q), None] => {
                // The quadrilateral a, p, q, c along its shorter diagonal.
                let across = |u, v| mesh.vertex(u).distance(mesh.vertex(v));
                triangles.push([p, b, q]);
                triangles.extend(match across(a, q) < across(p, c) {
                    true => [[a, p, q], [a, q, c]],
                    false => [[a, p, c], [p, q, c]],
                });
            }
            [Some(p), ..] => triangles.extend([[a, p, c], [p, b, c]]),
            _ => triangles.push(t),
        }
    }
    mesh.triangles = triangles;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Density, builtin};

    #[test]
    fn the_surface_stays_as_it_was() {
        let die = builtin("die", Density::Coarse).unwrap();
        let fine = refine(&die, 4e-4, 1_000_000);
        let (before, after) = (Measures::of(&die).unwrap(), Measures::of(&fine).unwrap());
        assert!(after.closed && after.triangles > 10 * before.triangles);
        assert!((after.area_m2 / before.area_m2 - 1.0).abs() < 1e-12);
        assert!((after.volume_m3.unwrap() / before.volume_m3.unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(fine.vertices[..die.vertices.len()], die.vertices);
        let bounded = refine(&die, 1e-9, 5000);
        assert!(bounded.vertices.len() <= 5000 && bounded.vertices.len() > 1500);
    }

    #[test]
    fn few_points_still_make_the_surface() {
        let die = builtin("die", Density::Fine).unwrap();
        let before = Measures::of(&die).unwrap();
        let few = coarsen(&die, &before, 1000);
        let after = Measures::of(&few).unwrap();
        assert!((300..=1000).contains(&after.vertices), "{}", after.vertices);
        assert!(few.vertices.iter().all(|p| die.vertices.contains(p)));
        assert!((after.area_m2 / before.area_m2 - 1.0).abs() < 0.1, "{}", after.area_m2);
    }

    #[test]
    fn no_edge_is_left_long() {
        let two = Mesh::new(
            vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.0, 0.1, 0.0]],
            vec![[0, 1, 2], [0, 2, 3]],
        );
        let fine = refine(&two, 0.03, 10_000);
        for t in 0..fine.triangles.len() {
            let [a, b, c] = fine.corners(t);
            assert!([b - a, c - b, a - c].iter().all(|e| e.length() <= 0.03 + 1e-12));
        }
    }
}
