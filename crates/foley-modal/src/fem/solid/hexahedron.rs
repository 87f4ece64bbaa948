//! The quadratic hexahedron: a box with quadratic displacements.
//!
//! Twenty nodes, the corners and the middles of the edges (the serendipity hexahedron;
//! Zienkiewicz & Taylor, *The Finite Element Method*, vol. 1, ch. 8), in the reference
//! coordinates ξ, η, ζ ∈ [−1, 1]:
//!
//! corner:       N = ⅛ (1+ξξ_p)(1+ηη_p)(1+ζζ_p)(ξξ_p+ηη_p+ζζ_p−2)
//! edge, ξ_p=0:  N = ¼ (1−ξ²)(1+ηη_p)(1+ζζ_p)
//!
//! Stiffness and mass of the filled part of a cell are linear in the moments of that part
//! (see `moments`), so they are sums of fixed [`MomentTemplates`].

use super::moments::{INDICES, MOMENTS, orthonormal};
use crate::math::legendre::gauss;
use faer::Mat;

/// Number of nodes of a cell.
pub(super) const NODES: usize = 20;
/// Number of entries of the lower triangle of the stiffness of a cell.
pub(super) const STIFFNESS: usize = 3 * NODES * (3 * NODES + 1) / 2;
/// Number of entries of the lower triangle of its mass, equal for all directions.
pub(super) const MASS: usize = NODES * (NODES + 1) / 2;

/// Positions of the nodes, in half cells from the lowest corner.
pub(super) const NODE_POSITIONS: [[u8; 3]; NODES] = [
    [0, 0, 0],
    [2, 0, 0],
    [0, 2, 0],
    [2, 2, 0],
    [0, 0, 2],
    [2, 0, 2],
    [0, 2, 2],
    [2, 2, 2],
    [1, 0, 0],
    [1, 2, 0],
    [1, 0, 2],
    [1, 2, 2],
    [0, 1, 0],
    [2, 1, 0],
    [0, 1, 2],
    [2, 1, 2],
    [0, 0, 1],
    [2, 0, 1],
    [0, 2, 1],
    [2, 2, 1],
];

/// Returns values and derivatives ∂N/∂ξ, ∂N/∂η, ∂N/∂ζ of all shape functions at a point.
pub(super) fn shape(x: [f64; 3]) -> [(f64, [f64; 3]); NODES] {
    NODE_POSITIONS.map(|position| {
        let p = position.map(|c| f64::from(c) - 1.0);
        let f: [f64; 3] = std::array::from_fn(|a| 1.0 + x[a] * p[a]);
        let others = |a: usize| f[(a + 1) % 3] * f[(a + 2) % 3];
        match (0..3).find(|a| position[*a] == 1) {
            None => {
                let sum = x[0] * p[0] + x[1] * p[1] + x[2] * p[2] - 2.0;
                let slope = |a: usize| 0.125 * p[a] * others(a) * (sum + f[a]);
                (0.125 * f[0] * f[1] * f[2] * sum, std::array::from_fn(slope))
            }
            Some(m) => {
                let bubble = 1.0 - x[m] * x[m];
                let slope = |a: usize| match a == m {
                    true => -0.5 * x[m] * others(m),
                    // `others` includes f[m], which is one.
                    false => 0.25 * bubble * p[a] * others(a),
                };
                (0.25 * bubble * others(m), std::array::from_fn(slope))
            }
        }
    })
}

/// Returns the index of (row, column), row ≥ column, in a lower triangle by rows.
pub(super) fn lower(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}

/// Contributions of each moment of the filled part to the matrices of a cell.
pub(super) struct MomentTemplates {
    /// Rows: the entries of the stiffness, then those of the mass. Columns: moments.
    pub(super) matrix: Mat<f64>,
    /// The matrices of a full cell.
    pub(super) full: Vec<f64>,
}

impl MomentTemplates {
    /// Creates the templates for cells of the given edges, Lamé's constants λ and μ, and density ρ:
    /// K_pa,qb = ∫ λ ∂_a N_p ∂_b N_q + μ ∂_b N_p ∂_a N_q + μ δ_ab ∇N_p·∇N_q dV,
    /// M_pq = ∫ ρ N_p N_q dV.
    pub(super) fn new(edge: [f64; 3], lambda: f64, mu: f64, density: f64) -> Self {
        let rule = gauss(5);
        let jacobian = edge[0] * edge[1] * edge[2] / 8.0;
        let count = rule.len().pow(3);
        let mut values = Mat::<f64>::zeros(STIFFNESS + MASS, count);
        let mut weights = Mat::<f64>::zeros(count, MOMENTS);
        for g in 0..count {
            let point = [rule[g / 25], rule[g / 5 % 5], rule[g % 5]];
            integrands(point.map(|p| p.0), edge, [lambda, mu, density], values.col_as_slice_mut(g));
            let weight = jacobian * point[0].1 * point[1].1 * point[2].1;
            let phi = point.map(|p| orthonormal(p.0));
            for (t, [a, b, c]) in INDICES.iter().enumerate() {
                weights[(g, t)] = weight * phi[0][*a] * phi[1][*b] * phi[2][*c];
            }
        }
        let matrix = values * weights;
        // Only the lowest moment of the cube is not zero: ∫ (1/√2)³ = 2√2.
        let full = (0..STIFFNESS + MASS).map(|i| 8.0_f64.sqrt() * matrix[(i, 0)]).collect();
        Self { matrix, full }
    }
}

/// Computes the integrands of stiffness and mass at a point.
fn integrands(x: [f64; 3], edge: [f64; 3], [lambda, mu, density]: [f64; 3], to: &mut [f64]) {
    let shape = shape(x);
    let slope = shape.map(|(_, s)| -> [f64; 3] { std::array::from_fn(|a| 2.0 * s[a] / edge[a]) });
    for p in 0..NODES {
        for q in 0..=p {
            let (s, r) = (slope[p], slope[q]);
            let dot = s[0] * r[0] + s[1] * r[1] + s[2] * r[2];
            for a in 0..3 {
                for b in 0..3 {
                    let (row, column) = (3 * p + a, 3 * q + b);
                    if row >= column {
                        let same = if a == b { mu * dot } else { 0.0 };
                        to[lower(row, column)] = lambda * s[a] * r[b] + mu * s[b] * r[a] + same;
                    }
                }
            }
            to[STIFFNESS + lower(p, q)] = density * shape[p].0 * shape[q].0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One at its own node, zero at all others; slopes agree with differences.
    #[test]
    fn shape_functions() {
        for (p, position) in NODE_POSITIONS.iter().enumerate() {
            let at = position.map(|c| f64::from(c) - 1.0);
            for (q, (value, _)) in shape(at).iter().enumerate() {
                assert!((value - f64::from(u8::from(p == q))).abs() < 1e-15);
            }
        }
        let x = [0.3, -0.7, 0.2];
        for a in 0..3 {
            let moved =
                |d: f64| shape(std::array::from_fn(|i| x[i] + if i == a { d } else { 0.0 }));
            let (up, down) = (moved(1e-6), moved(-1e-6));
            for (p, (_, slope)) in shape(x).iter().enumerate() {
                assert!(((up[p].0 - down[p].0) / 2e-6 - slope[a]).abs() < 1e-9);
            }
        }
    }

    /// A full cell has the mass ρV, six rigid motions, and the strain energy ½ E ε² V.
    #[test]
    fn a_full_cell() {
        let (edge, young, nu, density) = ([0.2, 0.3, 0.5], 2.0e3, 0.3, 7.0);
        let lambda = young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
        let mu = young / (2.0 * (1.0 + nu));
        let full = MomentTemplates::new(edge, lambda, mu, density).full;
        let symmetric = |p: usize, q: usize| full[lower(p.max(q), p.min(q))];
        let position = |p: usize| -> [f64; 3] {
            std::array::from_fn(|a| 0.5 * edge[a] * f64::from(NODE_POSITIONS[p][a]))
        };
        let field = |u: &dyn Fn([f64; 3]) -> [f64; 3]| -> Vec<f64> {
            (0..NODES).flat_map(|p| u(position(p))).collect()
        };
        let energy = |u: &[f64]| -> f64 {
            (0..60).map(|i| (0..60).map(|j| u[i] * symmetric(i, j) * u[j]).sum::<f64>()).sum()
        };
        assert!(energy(&field(&|_| [1.0, 2.0, -3.0])).abs() < 1e-9);
        assert!(energy(&field(&|[x, y, z]| [y - 2.0 * z, -x + z, 2.0 * x - y])).abs() < 1e-9);
        let volume = 0.2 * 0.3 * 0.5;
        let stretched = energy(&field(&|[x, y, z]| [x, -nu * y, -nu * z]));
        assert!((stretched / (young * volume) - 1.0).abs() < 1e-12);
        let mass: f64 = (0..NODES)
            .map(|p| (0..NODES).map(|q| full[STIFFNESS + lower(p.max(q), p.min(q))]).sum::<f64>())
            .sum();
        assert!((mass / (density * volume) - 1.0).abs() < 1e-12);
    }
}
