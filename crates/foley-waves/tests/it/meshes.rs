//! Surfaces of the tests.

use std::collections::HashMap;

pub(crate) type Raw = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// An icosahedron, each face cut into n² triangles, on a sphere of radius a: 10 n² + 2 vertices.
/// The radius is that of equal area, so that the flat faces do not make it smaller.
pub(crate) fn sphere(a: f64, n: usize) -> Raw {
    let g = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::new();
    for (s, t) in [(1.0, g), (-1.0, g), (1.0, -g), (-1.0, -g)] {
        corners.extend([[0.0, s, t], [s, t, 0.0], [t, 0.0, s]]);
    }
    let distance =
        |p: [f64; 3], q: [f64; 3]| (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt();
    let near = |i: usize, j: usize| distance(corners[i], corners[j]) < 2.1;
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let mut numbers = HashMap::new();
    let mut number = |p: [f64; 3]| {
        let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
        let key = p.map(|x| (x / length * 1e7).round() as i64);
        *numbers.entry(key).or_insert_with(|| {
            points.push(p.map(|x| a * x / length));
            points.len() as u32 - 1
        })
    };
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if !(near(i, j) && near(j, k) && near(i, k)) {
                    continue;
                }
                let mut at = |u: usize, v: usize| {
                    let w = (n - u - v) as f64;
                    let (u, v) = (u as f64, v as f64);
                    number(
                        [0, 1, 2]
                            .map(|x| w * corners[i][x] + u * corners[j][x] + v * corners[k][x]),
                    )
                };
                for u in 0..n {
                    for v in 0..n - u {
                        triangles.push([at(u, v), at(u + 1, v), at(u, v + 1)]);
                        if u + v + 1 < n {
                            triangles.push([at(u + 1, v + 1), at(u, v + 1), at(u + 1, v)]);
                        }
                    }
                }
            }
        }
    }
    // Outward windings.
    for t in &mut triangles {
        let [p, q, r] = t.map(|v| glam::DVec3::from(points[v as usize]));
        if p.dot(q.cross(r)) < 0.0 {
            t.swap(1, 2);
        }
    }
    scale_to_area(&mut points, &triangles, 4.0 * std::f64::consts::PI * a * a);
    (points, triangles)
}

/// A rectangle of nx × ny cells around the origin, normals along z.
pub(crate) fn plate(size: [f64; 2], cells: [usize; 2]) -> Raw {
    let [nx, ny] = cells;
    let at = |i: usize, j: usize| {
        [size[0] * (i as f64 / nx as f64 - 0.5), size[1] * (j as f64 / ny as f64 - 0.5), 0.0]
    };
    let points = (0..=ny).flat_map(|j| (0..=nx).map(move |i| at(i, j))).collect();
    let number = |i: usize, j: usize| (j * (nx + 1) + i) as u32;
    let mut triangles = Vec::new();
    for j in 0..ny {
        for i in 0..nx {
            let [a, b] = [number(i, j), number(i + 1, j)];
            let [d, c] = [number(i, j + 1), number(i + 1, j + 1)];
            match (i + j) % 2 {
                0 => triangles.extend([[a, b, c], [a, c, d]]),
                _ => triangles.extend([[a, b, d], [b, c, d]]),
            }
        }
    }
    (points, triangles)
}

/// A disc of n rings around the origin, normals along z, with the area of the circle.
pub(crate) fn disc(a: f64, n: usize) -> Raw {
    let mut points = vec![[0.0; 3]];
    let start = |ring: usize| if ring == 0 { 0 } else { 1 + 3 * ring * (ring - 1) };
    for ring in 1..=n {
        for step in 0..6 * ring {
            let angle = std::f64::consts::TAU * step as f64 / (6 * ring) as f64;
            let r = a * ring as f64 / n as f64;
            points.push([r * angle.cos(), r * angle.sin(), 0.0]);
        }
    }
    let mut triangles = Vec::new();
    for ring in 1..=n {
        let inner = |s: usize| (start(ring - 1) + s % (6 * (ring - 1)).max(1)) as u32;
        let outer = |s: usize| (start(ring) + s % (6 * ring)) as u32;
        for sector in 0..6 {
            for s in 0..ring {
                let (o, i) = (sector * ring + s, sector * (ring - 1) + s);
                triangles.push([outer(o), outer(o + 1), inner(i)]);
                if s + 1 < ring {
                    triangles.push([outer(o + 1), inner(i + 1), inner(i)]);
                }
            }
        }
    }
    scale_to_area(&mut points, &triangles, std::f64::consts::PI * a * a);
    (points, triangles)
}

/// A box around the origin with cells of about `edge`.
pub(crate) fn cuboid(size: [f64; 3], edge: f64) -> Raw {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let cells = [size[u], size[v]].map(|length| (length / edge).ceil() as usize);
        for side in [-1.0, 1.0] {
            let (flat, faces) = plate([size[u], size[v]], cells);
            let base = points.len() as u32;
            points.extend(flat.iter().map(|p| {
                let mut q = [0.0; 3];
                (q[u], q[v], q[axis]) = (p[0], p[1], 0.5 * side * size[axis]);
                q
            }));
            triangles.extend(faces.iter().map(|t| {
                let [a, b, c] = t.map(|x| x + base);
                if side > 0.0 { [a, b, c] } else { [a, c, b] }
            }));
        }
    }
    (points, triangles)
}

fn scale_to_area(points: &mut [[f64; 3]], triangles: &[[u32; 3]], wanted: f64) {
    let mut area = 0.0;
    for t in triangles {
        let [p, q, r] = t.map(|v| points[v as usize]);
        let (u, v) = ([0, 1, 2].map(|i| q[i] - p[i]), [0, 1, 2].map(|i| r[i] - p[i]));
        let cross =
            [0, 1, 2].map(|i| u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
        area += 0.5 * cross.iter().map(|x| x * x).sum::<f64>().sqrt();
    }
    let scale = (wanted / area).sqrt();
    points.iter_mut().flatten().for_each(|x| *x *= scale);
}
