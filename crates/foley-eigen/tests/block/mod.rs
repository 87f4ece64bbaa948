//! A free elastic block of trilinear hexahedra.
//!
//! K_e = ∫ Bᵀ C B dV and M_e = ∫ ρ Nᵀ N dV by 2×2×2 Gauss points, eight corners with
//! three displacements each.

#![allow(dead_code, unreachable_pub)]

use foley_eigen::{EigenError, Matrix, Problem};

/// An elastic block, divided into equal cells.
pub struct Block {
    /// Edges, m.
    pub size: [f64; 3],
    /// Cells along the edges.
    pub cells: [usize; 3],
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density, kg/m³.
    pub density: f64,
}

type Element = [[f64; 24]; 24];

impl Block {
    /// Creates a steel block.
    pub fn steel(size: [f64; 3], cells: [usize; 3]) -> Self {
        Self { size, cells, young: 200e9, poisson: 0.29, density: 7850.0 }
    }

    fn node(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * (self.cells[1] + 1) + j) * (self.cells[2] + 1) + k
    }

    /// Returns the position of each unknown.
    pub fn coordinates(&self) -> Vec<[f64; 3]> {
        let edge: [f64; 3] = std::array::from_fn(|a| self.size[a] / self.cells[a] as f64);
        let mut coordinates = Vec::new();
        for i in 0..=self.cells[0] {
            for j in 0..=self.cells[1] {
                for k in 0..=self.cells[2] {
                    let position = [i as f64 * edge[0], j as f64 * edge[1], k as f64 * edge[2]];
                    coordinates.extend([position; 3]);
                }
            }
        }
        coordinates
    }

    /// Returns stiffness and mass matrix of one cell.
    pub fn element(&self) -> (Element, Element) {
        let edge: [f64; 3] = std::array::from_fn(|a| self.size[a] / self.cells[a] as f64);
        let volume = edge[0] * edge[1] * edge[2];
        let (e, nu) = (self.young, self.poisson);
        let lame = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
        let shear = e / (2.0 * (1.0 + nu));
        let mut stiffness = [[0.0; 24]; 24];
        let mut mass = [[0.0; 24]; 24];
        let g = 0.5 / 3.0_f64.sqrt();
        for point in 0..8 {
            let x: [f64; 3] =
                std::array::from_fn(|a| 0.5 + if point >> a & 1 == 1 { g } else { -g });
            let side =
                |corner: usize, a: usize| if corner >> a & 1 == 1 { x[a] } else { 1.0 - x[a] };
            let sign = |corner: usize, a: usize| if corner >> a & 1 == 1 { 1.0 } else { -1.0 };
            let value = |c: usize| side(c, 0) * side(c, 1) * side(c, 2);
            let slope = |c: usize, a: usize| {
                sign(c, a) / edge[a] * side(c, (a + 1) % 3) * side(c, (a + 2) % 3)
            };
            let weight = volume / 8.0;
            for p in 0..8 {
                for q in 0..8 {
                    let dot: f64 = (0..3).map(|a| slope(p, a) * slope(q, a)).sum();
                    for a in 0..3 {
                        mass[3 * p + a][3 * q + a] += weight * self.density * value(p) * value(q);
                        stiffness[3 * p + a][3 * q + a] += weight * shear * dot;
                        for b in 0..3 {
                            stiffness[3 * p + a][3 * q + b] += weight
                                * (lame * slope(p, a) * slope(q, b)
                                    + shear * slope(p, b) * slope(q, a));
                        }
                    }
                }
            }
        }
        (stiffness, mass)
    }

    /// Returns the entries of the lower triangle, cell by cell.
    fn entries<'a>(
        &'a self,
        element: &'a Element,
    ) -> impl Iterator<Item = (usize, usize, f64)> + 'a {
        let [nx, ny, nz] = self.cells;
        let cells =
            (0..nx).flat_map(move |i| (0..ny).flat_map(move |j| (0..nz).map(move |k| [i, j, k])));
        cells.flat_map(move |cell| {
            let unknown = move |local: usize| {
                let corner = local / 3;
                let at = std::array::from_fn(|a| cell[a] + (corner >> a & 1));
                3 * self.node(at) + local % 3
            };
            (0..24).flat_map(move |p| {
                (0..24).filter_map(move |q| {
                    let (row, column) = (unknown(p), unknown(q));
                    (row >= column && element[p][q] != 0.0).then_some((row, column, element[p][q]))
                })
            })
        })
    }

    /// Returns the problem of the free block.
    pub fn problem(&self) -> Result<Problem, EigenError> {
        let n = 3 * self.cells.iter().map(|c| c + 1).product::<usize>();
        let (k, m) = self.element();
        let stiffness = Matrix::from_triplets("stiffness", n, self.entries(&k))?;
        let mass = Matrix::from_triplets("mass", n, self.entries(&m))?;
        Problem::new(stiffness, mass)?.with_coordinates(self.coordinates())
    }
}
