//! Meshes fine enough for the waves on them.

use super::vector::{add, norm, scale, sub};
use super::{Facts, Mesh};
use std::collections::HashMap;

/// Splits edges in the middle until none is longer than `edge` in metres, as long as there are
/// at most `most` vertices. The old vertices keep their numbers; parts lose their names.
pub fn refine(mesh: &Mesh, edge: f64, most: usize) -> Mesh {
    let mut mesh = Mesh::new(mesh.vertices.clone(), mesh.triangles.clone());
    let longest = |mesh: &Mesh| {
        let edges = (0..mesh.triangles.len()).flat_map(|t| {
            let [a, b, c] = mesh.corners(t);
            [norm(sub(b, a)), norm(sub(c, b)), norm(sub(a, c))]
        });
        edges.fold(0.0, f64::max)
    };
    let mut limit = longest(&mesh);
    // The longest first, so that a bound on the vertices leaves an even mesh.
    while limit > edge {
        limit = (0.7 * limit).max(edge);
        loop {
            let middles = middles(&mesh, limit);
            if middles.is_empty() {
                break;
            }
            if mesh.vertices.len() + middles.len() > most {
                return mesh;
            }
            split(&mut mesh, &middles);
        }
    }
    mesh
}

/// At most `most` of the vertices, one in each cell of a grid, and the triangles between them.
pub fn coarsen(mesh: &Mesh, facts: &Facts, most: usize) -> Mesh {
    let mut size = (facts.area_m2 / most as f64).sqrt();
    loop {
        let cell = |p: [f64; 3]| {
            [0, 1, 2].map(|a| ((p[a] - facts.bounds_m[0][a]) / size).floor().min(1e15) as i64)
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

/// The edges to be split and the numbers of their middles.
fn middles(mesh: &Mesh, limit: f64) -> HashMap<(u32, u32), u32> {
    let mut found = HashMap::new();
    let mut next = mesh.vertices.len() as u32;
    for t in &mesh.triangles {
        for k in 0..3 {
            let (a, b) = key(t[k], t[(k + 1) % 3]);
            let long = norm(sub(mesh.vertices[a as usize], mesh.vertices[b as usize])) > limit;
            if long {
                found.entry((a, b)).or_insert_with(|| {
                    next += 1;
                    next - 1
                });
            }
        }
    }
    found
}

fn split(mesh: &mut Mesh, middles: &HashMap<(u32, u32), u32>) {
    mesh.vertices.resize(mesh.vertices.len() + middles.len(), [0.0; 3]);
    for (&(a, b), &middle) in middles {
        let sum = add(mesh.vertices[a as usize], mesh.vertices[b as usize]);
        mesh.vertices[middle as usize] = scale(sum, 0.5);
    }
    let mut triangles = Vec::with_capacity(mesh.triangles.len() * 2);
    for &t in &mesh.triangles {
        let middle = |k: usize| middles.get(&key(t[k], t[(k + 1) % 3])).copied();
        let cut = [middle(0), middle(1), middle(2)];
        // Turned so that the edges that are cut come first.
        let turn = match cut.map(|m| m.is_some()) {
            [false, true, false] | [false, true, true] => 1,
            [false, false, true] | [true, false, true] => 2,
            _ => 0,
        };
        let [a, b, c] = [0, 1, 2].map(|k| t[(k + turn) % 3]);
        match [0, 1, 2].map(|k| cut[(k + turn) % 3]) {
            [Some(p), Some(q), Some(r)] => {
                triangles.extend([[a, p, r], [p, b, q], [q, c, r], [p, q, r]]);
            }
            [Some(p), Some(q), None] => {
                // The quadrilateral a, p, q, c along its shorter diagonal.
                let place = |v: u32| mesh.vertices[v as usize];
                let across = |u, v| norm(sub(place(u), place(v)));
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
        let (before, after) = (Facts::of(&die).unwrap(), Facts::of(&fine).unwrap());
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
        let before = Facts::of(&die).unwrap();
        let few = coarsen(&die, &before, 1000);
        let after = Facts::of(&few).unwrap();
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
            assert!([sub(b, a), sub(c, b), sub(a, c)].iter().all(|e| norm(*e) <= 0.03 + 1e-12));
        }
    }
}
