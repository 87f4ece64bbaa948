//! Moments summed over cells against integrals over the mesh.

use super::*;
use crate::fem::solid::moments::orthonormal;
use crate::math::legendre::gauss;
use foley_geometry::mesh::{Density, Measures, builtin};

/// Returns ∫ 1, x_i, x_i x_j over a mesh, by tetrahedra with the origin.
fn exact(mesh: &Mesh) -> [f64; 10] {
    let mut sums = [0.0; 10];
    for t in 0..mesh.triangles.len() {
        let p = mesh.corners(t);
        let det = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1])
            + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2])
            + p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
        let sum = |a: usize| p[0][a] + p[1][a] + p[2][a];
        sums[0] += det / 6.0;
        for a in 0..3 {
            sums[1 + a] += det / 24.0 * sum(a);
        }
        for (n, (a, b)) in PAIRS.into_iter().enumerate() {
            let squares: f64 = p.iter().map(|p| p[a] * p[b]).sum();
            sums[4 + n] += det / 120.0 * (sum(a) * sum(b) + squares);
        }
    }
    sums
}

const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// Returns the same from the moments of the cells.
fn from_cells(mesh: &Mesh, size: f64) -> [f64; 10] {
    let grid = Grid::new(Measures::of(mesh).unwrap().bounds_m, size);
    let cells = Cells::new(mesh, &grid, 1.0, f64::NEG_INFINITY);
    let full: [f64; MOMENTS] = std::array::from_fn(|t| if t == 0 { 8.0_f64.sqrt() } else { 0.0 });
    let mut sums = [0.0; 10];
    for (index, cut) in cells.indices.iter().zip(&cells.cut) {
        let m = cut.map_or(&full[..], |c| cells.moments_of(c));
        let at = |index: [usize; 3]| m[INDICES.iter().position(|i| *i == index).unwrap()];
        let unit = |a: usize, n: usize| std::array::from_fn(|i| if i == a { n } else { 0 });
        // 1 = √2 φ_0, ξ = √(2/3) φ_1, ξ² = ⅓ + √(8/45) φ_2.
        let one = 8.0_f64.sqrt() * at([0, 0, 0]);
        let first = |a: usize| 2.0 * (2.0 / 3.0_f64).sqrt() * at(unit(a, 1));
        let second = |a: usize, b: usize| match a == b {
            true => one / 3.0 + 2.0 * (8.0 / 45.0_f64).sqrt() * at(unit(a, 2)),
            false => {
                let (u, v): ([usize; 3], [usize; 3]) = (unit(a, 1), unit(b, 1));
                2.0_f64.sqrt() * 2.0 / 3.0 * at(std::array::from_fn(|i| u[i] + v[i]))
            }
        };
        let scale = grid.cell_volume() / 8.0;
        let half = grid.edge.map(|e| 0.5 * e);
        let middle: [f64; 3] =
            std::array::from_fn(|a| grid.low[a] + half[a] * (2.0 * f64::from(index[a]) + 1.0));
        sums[0] += scale * one;
        for a in 0..3 {
            sums[1 + a] += scale * (middle[a] * one + half[a] * first(a));
        }
        for (n, (a, b)) in PAIRS.into_iter().enumerate() {
            let mixed = middle[a] * half[b] * first(b) + middle[b] * half[a] * first(a);
            sums[4 + n] +=
                scale * (middle[a] * middle[b] * one + mixed + half[a] * half[b] * second(a, b));
        }
    }
    sums
}

fn rotated(mut mesh: Mesh, angles: [f64; 3]) -> Mesh {
    for p in &mut mesh.vertices {
        for (axis, angle) in angles.iter().enumerate() {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            let (s, c) = angle.sin_cos();
            (p[i], p[j]) = (c * p[i] - s * p[j], s * p[i] + c * p[j]);
        }
    }
    mesh
}

/// Volume, centroid and inertia for any position in the grid.
#[test]
fn moments_add_up_to_those_of_the_body() {
    for name in ["marimba-bar", "die", "ring", "table", "bell-closed", "mug-closed"] {
        let mesh = builtin(name, Density::Coarse).unwrap();
        let size = Measures::of(&mesh).unwrap().size_m;
        for angles in [[0.0; 3], [0.3, 1.0, -2.0], [1e-9, 0.0, 1e-5]] {
            let mesh = rotated(mesh.clone(), angles);
            let expected = exact(&mesh);
            for cells in [1.5, 7.0, 16.0, 31.3] {
                let found = from_cells(&mesh, size / cells);
                let power = [0, 1, 1, 1, 2, 2, 2, 2, 2, 2];
                for n in 0..10 {
                    let scale = expected[0] * size.powi(power[n]);
                    let error = (found[n] - expected[n]).abs() / scale;
                    assert!(error < 1e-11, "{name} {angles:?} {cells} {n}: {error}");
                }
            }
        }
    }
}

/// Returns ∫ f over a tetrahedron, by Gauss points of the collapsed cube.
fn over_tetrahedron(p: [[f64; 3]; 4], f: &dyn Fn([f64; 3]) -> f64) -> f64 {
    let edge = |i: usize, j: usize| -> [f64; 3] { std::array::from_fn(|a| p[j][a] - p[i][a]) };
    let (u, v, w) = (edge(0, 1), edge(1, 2), edge(2, 3));
    let det = u[0] * (v[1] * w[2] - v[2] * w[1])
        + u[1] * (v[2] * w[0] - v[0] * w[2])
        + u[2] * (v[0] * w[1] - v[1] * w[0]);
    let rule: Vec<(f64, f64)> =
        gauss(7).into_iter().map(|(x, w)| (0.5 + 0.5 * x, 0.5 * w)).collect();
    let mut sum = 0.0;
    for (r, wr) in &rule {
        for (s, ws) in &rule {
            for (t, wt) in &rule {
                let at = std::array::from_fn(|a| p[0][a] + r * (u[a] + s * (v[a] + t * w[a])));
                sum += wr * ws * wt * det.abs() * r * r * s * f(at);
            }
        }
    }
    sum
}

/// All polynomials that stiffness and mass are made of, over cells cut in any way: weights at
/// the Gauss points of each cell from its moments, w = ω Σ φ_abc m_abc.
#[test]
fn polynomials_up_to_the_eighth_degree() {
    let p = [[0.1, -0.2, 0.3], [1.1, 0.2, -0.1], [0.3, 0.9, 0.2], [0.2, 0.1, 1.2]];
    let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let mesh = Mesh::new(p.to_vec(), triangles);
    let grid = Grid::new(Measures::of(&mesh).unwrap().bounds_m, 0.4);
    let cells = Cells::new(&mesh, &grid, 1.0, f64::NEG_INFINITY);
    let full: [f64; MOMENTS] = std::array::from_fn(|t| if t == 0 { 8.0_f64.sqrt() } else { 0.0 });
    let rule = gauss(5);
    let mut points: Vec<([f64; 3], f64)> = Vec::new();
    for (index, cut) in cells.indices.iter().zip(&cells.cut) {
        let moments = cut.map_or(&full[..], |c| cells.moments_of(c));
        for g in 0..125 {
            let point = [rule[g / 25], rule[g / 5 % 5], rule[g % 5]];
            let phi = point.map(|(x, _)| orthonormal(x));
            let indicator: f64 = INDICES
                .iter()
                .zip(moments)
                .map(|([a, b, c], m)| m * phi[0][*a] * phi[1][*b] * phi[2][*c])
                .sum();
            let at = std::array::from_fn(|a| {
                grid.low[a] + grid.edge[a] * (f64::from(index[a]) + 0.5 + 0.5 * point[a].0)
            });
            let weight = point[0].1 * point[1].1 * point[2].1 * grid.cell_volume() / 8.0;
            points.push((at, weight * indicator));
        }
    }
    for i in 0..125_i32 {
        let powers = [i / 25, i / 5 % 5, i % 5];
        if powers.iter().sum::<i32>() <= 8 {
            let f = |x: [f64; 3]| (0..3).map(|a| x[a].powi(powers[a])).product::<f64>();
            let expected = over_tetrahedron(p, &f);
            let found: f64 = points.iter().map(|(x, w)| w * f(*x)).sum();
            assert!((found - expected).abs() < 1e-12, "{powers:?}: {found} {expected}");
        }
    }
}
