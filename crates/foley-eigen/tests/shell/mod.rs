//! A free curved panel of flat four-node shell elements.
//!
//! Each element is a rectangle with membrane, plate (Mindlin, shear by one Gauss point
//! and a little by four) and drilling stiffness, six unknowns per node, and lumped mass.
//! It gives a problem of the size and sparsity of real shells; the element is not accurate.

#![allow(dead_code, unreachable_pub)]

use foley_eigen::{EigenError, Matrix, Problem};

/// A panel with a parabolic profile along x.
pub struct Panel {
    /// Edges, m.
    pub size: [f64; 2],
    /// Height of the centre above the edges, m.
    pub rise: f64,
    /// Thickness, m.
    pub thickness: f64,
    /// Elements along the edges.
    pub cells: [usize; 2],
}

type Element = Vec<[f64; 24]>;

const YOUNG: f64 = 200e9;
const POISSON: f64 = 0.29;
const DENSITY: f64 = 7850.0;

impl Panel {
    fn position(&self, i: usize, j: usize) -> [f64; 3] {
        let (s, t) = (i as f64 / self.cells[0] as f64, j as f64 / self.cells[1] as f64);
        [s * self.size[0], t * self.size[1], 4.0 * self.rise * s * (1.0 - s)]
    }

    /// Returns the stiffness of a flat element with edges a and b, in local axes.
    fn flat(&self, a: f64, b: f64) -> Element {
        let t = self.thickness;
        let plane = YOUNG / (1.0 - POISSON * POISSON);
        let shear = YOUNG / (2.0 * (1.0 + POISSON));
        let law = [[plane, POISSON * plane, 0.0], [POISSON * plane, plane, 0.0], [0.0, 0.0, shear]];
        let mut k = vec![[0.0; 24]; 24];
        let g = 0.5 / 3.0_f64.sqrt();
        let mut add = |row: [f64; 24], other: [f64; 24], weight: f64| {
            for p in (0..24).filter(|p| row[*p] != 0.0) {
                for q in (0..24).filter(|q| other[*q] != 0.0) {
                    k[p][q] += weight * row[p] * other[q];
                }
            }
        };
        let full = [(-g, -g, 0.25), (g, -g, 0.25), (-g, g, 0.25), (g, g, 0.25)];
        for (x, y, weight, full_rule) in
            full.map(|(x, y, w)| (x, y, w, true)).into_iter().chain([(0.0, 0.0, 1.0, false)])
        {
            let weight = weight * a * b;
            let (mut membrane, mut bending) = ([[0.0; 24]; 3], [[0.0; 24]; 3]);
            let (mut across, mut drill) = ([[0.0; 24]; 2], [0.0; 24]);
            for corner in 0..4 {
                let (sx, sy) =
                    (f64::from(corner & 1) * 2.0 - 1.0, f64::from(corner >> 1) * 2.0 - 1.0);
                let (nx, ny) = (0.5 + sx * x, 0.5 + sy * y);
                let (n, dx, dy) = (nx * ny, sx / a * ny, nx * sy / b);
                let u = 6 * corner as usize;
                membrane[0][u] = dx;
                membrane[1][u + 1] = dy;
                membrane[2][u] = dy;
                membrane[2][u + 1] = dx;
                // Displacements z θy and −z θx.
                bending[0][u + 4] = dx;
                bending[1][u + 3] = -dy;
                bending[2][u + 4] = dy;
                bending[2][u + 3] = -dx;
                across[0][u + 2] = dx;
                across[0][u + 4] = n;
                across[1][u + 2] = dy;
                across[1][u + 3] = -n;
                drill[u + 5] = n;
                drill[u] = 0.5 * dy;
                drill[u + 1] = -0.5 * dx;
            }
            if full_rule {
                for p in 0..3 {
                    for q in 0..3 {
                        add(membrane[p], membrane[q], weight * t * law[p][q]);
                        add(bending[p], bending[q], weight * t.powi(3) / 12.0 * law[p][q]);
                    }
                }
                add(drill, drill, weight * 0.1 * shear * t);
            }
            let share = if full_rule { 0.01 } else { 0.99 };
            for row in across {
                add(row, row, share * weight * 5.0 / 6.0 * shear * t);
            }
        }
        k
    }

    /// Returns the problem of the free panel.
    pub fn problem(&self) -> Result<Problem, EigenError> {
        let [nx, ny] = self.cells;
        let node = |i: usize, j: usize| i * (ny + 1) + j;
        let n = 6 * (nx + 1) * (ny + 1);
        let (mut stiffness, mut mass) = (Vec::new(), vec![0.0; n]);
        let b = self.size[1] / ny as f64;
        for i in 0..nx {
            let (p, q) = (self.position(i, 0), self.position(i + 1, 0));
            let (dx, dz) = (q[0] - p[0], q[2] - p[2]);
            let a = dx.hypot(dz);
            // Local axes: x', y and the normal.
            let axes = [[dx / a, 0.0, dz / a], [0.0, 1.0, 0.0], [-dz / a, 0.0, dx / a]];
            let flat = self.flat(a, b);
            let rotated = rotate(&flat, &axes);
            let m = DENSITY * self.thickness * a * b / 4.0;
            let inertia = m * self.thickness.powi(2) / 12.0;
            for j in 0..ny {
                let corner = |c: usize| node(i + (c & 1), j + (c >> 1));
                for c in 0..4 {
                    for d in 0..3 {
                        mass[6 * corner(c) + d] += m;
                        mass[6 * corner(c) + 3 + d] += inertia;
                    }
                }
                let unknown = |local: usize| 6 * corner(local / 6) + local % 6;
                for (r, values) in rotated.iter().enumerate() {
                    for (c, value) in values.iter().enumerate() {
                        let (row, column) = (unknown(r), unknown(c));
                        if row >= column && *value != 0.0 {
                            stiffness.push((row, column, *value));
                        }
                    }
                }
            }
        }
        let stiffness = Matrix::from_triplets("stiffness", n, stiffness)?;
        let mass = mass.into_iter().enumerate().map(|(i, m)| (i, i, m));
        let mass = Matrix::from_triplets("mass", n, mass)?;
        let coordinates =
            (0..n).map(|u| self.position(u / 6 / (ny + 1), u / 6 % (ny + 1))).collect();
        Problem::new(stiffness, mass)?.with_coordinates(coordinates)
    }
}

/// Returns Tᵀ k T; T is block diagonal with the axes in its eight blocks.
fn rotate(k: &Element, axes: &[[f64; 3]; 3]) -> Element {
    let mut out = vec![[0.0; 24]; 24];
    for p in 0..8 {
        for q in 0..8 {
            for i in 0..3 {
                for j in 0..3 {
                    let value: f64 = (0..9)
                        .map(|s| axes[s / 3][i] * k[3 * p + s / 3][3 * q + s % 3] * axes[s % 3][j])
                        .sum();
                    out[3 * p + i][3 * q + j] = value;
                }
            }
        }
    }
    out
}
