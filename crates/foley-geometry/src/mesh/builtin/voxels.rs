//! Voxel solids: boxes on a grid of planes.

use crate::mesh::Mesh;
use std::collections::HashMap;

/// Returns planes at the given places, and between them at most `edge` apart.
pub fn grid_planes(places: &[f64], edge: f64) -> Vec<f64> {
    let mut planes = vec![places[0]];
    for pair in places.windows(2) {
        let n = ((pair[1] - pair[0]) / edge).ceil().max(1.0) as u32;
        let at = |i: u32| pair[0] + (pair[1] - pair[0]) * f64::from(i) / f64::from(n);
        planes.extend((1..n).map(at));
        planes.push(pair[1]);
    }
    planes
}

/// Returns the surface of all grid boxes whose middle is in the solid.
pub fn voxel_surface(planes: &[Vec<f64>; 3], solid: impl Fn([f64; 3]) -> bool) -> Mesh {
    let cells = [0, 1, 2].map(|a| planes[a].len() - 1);
    let filled = |cell: [i64; 3]| {
        (0..3).all(|a| (0..cells[a] as i64).contains(&cell[a]))
            && solid([0, 1, 2].map(|a| {
                let i = cell[a] as usize;
                0.5 * (planes[a][i] + planes[a][i + 1])
            }))
    };
    let mut mesh = Mesh::default();
    let mut known: HashMap<[usize; 3], u32> = HashMap::new();
    for x in 0..cells[0] as i64 {
        for y in 0..cells[1] as i64 {
            for z in 0..cells[2] as i64 {
                let cell = [x, y, z];
                if !filled(cell) {
                    continue;
                }
                for (axis, up) in [0, 1, 2].into_iter().flat_map(|a| [(a, false), (a, true)]) {
                    let mut beside = cell;
                    beside[axis] += if up { 1 } else { -1 };
                    if filled(beside) {
                        continue;
                    }
                    let quad = face(cell.map(|i| i as usize), axis, up).map(|corner| {
                        *known.entry(corner).or_insert_with(|| {
                            mesh.vertices.push([0, 1, 2].map(|a| planes[a][corner[a]]));
                            mesh.vertices.len() as u32 - 1
                        })
                    });
                    // Diagonals alternate, so that no direction is preferred.
                    let rotation = usize::from(cell.iter().sum::<i64>() % 2 == 0);
                    let [a, b, c, d] = [0, 1, 2, 3].map(|k| quad[(k + rotation) % 4]);
                    mesh.triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
    }
    mesh
}

/// Returns the corners of one side of a box, counter-clockwise seen from outside.
fn face(cell: [usize; 3], axis: usize, up: bool) -> [[usize; 3]; 4] {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |du: usize, dv: usize| {
        let mut corner = cell;
        corner[axis] += usize::from(up);
        corner[u] += du;
        corner[v] += dv;
        corner
    };
    let mut face = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
    if !up {
        face.reverse();
    }
    face
}
