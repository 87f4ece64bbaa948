//! Meshes of bodies with known modes.

#![allow(dead_code, unreachable_pub)]

use foley_geometry::mesh::Mesh;
use std::collections::HashMap;

/// Returns a block centred at the origin.
pub fn block(size: [f64; 3]) -> Mesh {
    let corner = |n: usize| std::array::from_fn(|a| size[a] * (f64::from(n as u8 >> a & 1) - 0.5));
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Mesh::new((0..8).map(corner).collect(), triangles)
}

/// Returns an icosahedron subdivided `levels` times and scaled to the volume of a unit sphere.
pub fn sphere(levels: usize) -> Mesh {
    let g = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    for (a, b) in [(1.0, g), (-1.0, g), (1.0, -g), (-1.0, -g)] {
        vertices.extend([[0.0, a, b], [a, b, 0.0], [b, 0.0, a]]);
    }
    let distance = |p: [f64; 3], q: [f64; 3]| (0..3).map(|a| (p[a] - q[a]).powi(2)).sum::<f64>();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                let sides = [(a, b), (b, c), (c, a)];
                if sides
                    .iter()
                    .all(|(p, q)| (distance(vertices[*p], vertices[*q]) - 4.0).abs() < 1e-9)
                {
                    let [p, q, r] = [a, b, c].map(|v| vertices[v]);
                    let volume = p[0] * (q[1] * r[2] - q[2] * r[1])
                        + p[1] * (q[2] * r[0] - q[0] * r[2])
                        + p[2] * (q[0] * r[1] - q[1] * r[0]);
                    let t = if volume > 0.0 { [a, b, c] } else { [a, c, b] };
                    triangles.push(t.map(|v| v as u32));
                }
            }
        }
    }
    let unit = |p: [f64; 3]| {
        let length = distance(p, [0.0; 3]).sqrt();
        p.map(|x| x / length)
    };
    vertices.iter_mut().for_each(|p| *p = unit(*p));
    for _ in 0..levels {
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let mut middle = |a: u32, b: u32| {
                *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    let (p, q) = (vertices[a as usize], vertices[b as usize]);
                    vertices.push(unit(std::array::from_fn(|i| p[i] + q[i])));
                    vertices.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    let mut mesh = Mesh::new(vertices, triangles);
    let volume = foley_geometry::mesh::Measures::of(&mesh).unwrap().volume_m3.unwrap();
    let grow = (4.0 / 3.0 * std::f64::consts::PI / volume).cbrt();
    mesh.vertices.iter_mut().for_each(|p| *p = p.map(|x| x * grow));
    mesh
}

/// Returns a torus.
pub fn torus(radius: f64, tube: f64, around: usize, across: usize) -> Mesh {
    let tau = std::f64::consts::TAU;
    let mut mesh = Mesh::default();
    for i in 0..around {
        for j in 0..across {
            let (u, v) = (tau * i as f64 / around as f64, tau * j as f64 / across as f64);
            let r = radius + tube * v.cos();
            mesh.vertices.push([r * u.cos(), r * u.sin(), tube * v.sin()]);
            let at = |i: usize, j: usize| (i % around * across + j % across) as u32;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

/// Rotates a mesh about x, y and z, then translates it.
pub fn rotated(mut mesh: Mesh, angles: [f64; 3], shift: [f64; 3]) -> Mesh {
    for p in &mut mesh.vertices {
        for (axis, angle) in angles.iter().enumerate() {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            let (s, c) = angle.sin_cos();
            (p[i], p[j]) = (c * p[i] - s * p[j], s * p[i] + c * p[j]);
        }
        *p = std::array::from_fn(|a| p[a] + shift[a]);
    }
    mesh
}

/// Merges two meshes.
pub fn merged(mut a: Mesh, b: &Mesh) -> Mesh {
    let first = a.vertices.len() as u32;
    a.vertices.extend(&b.vertices);
    a.triangles.extend(b.triangles.iter().map(|t| t.map(|v| v + first)));
    a
}
