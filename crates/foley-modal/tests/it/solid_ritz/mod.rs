//! Reference modes of free blocks: Rayleigh–Ritz with one set of polynomials for the body, as
//! in resonant ultrasound spectroscopy (W. Visscher, A. Migliori et al., J. Acoust. Soc. Am.
//! 90, 1991).
//!
//! u_i = Σ c P_a(x) P_b(y) P_c(z). In a block the eight parity classes decouple, and
//! each is a small dense problem.

#![allow(dead_code, unreachable_pub)]

use faer::{Mat, Side};
use foley_modal::fem::Elastic;
use std::f64::consts::TAU;

/// Returns frequencies in Hz, ascending, without the six zeros. `order`: highest degrees along the
/// three axes.
pub fn block_hz(size: [f64; 3], elastic: &Elastic, order: [usize; 3]) -> Vec<f64> {
    let total = *order.iter().max().unwrap();
    let tables: [Table; 3] = std::array::from_fn(|a| Table::new(order[a], 0.5 * size[a]));
    let mut omega_squared: Vec<f64> =
        (0..8).flat_map(|parity| parity_class(parity, order, total, &tables, elastic)).collect();
    omega_squared.sort_by(f64::total_cmp);
    let top = omega_squared[20];
    assert!(omega_squared[..6].iter().all(|l| l.abs() < 1e-7 * top) && omega_squared[6] > 0.0);
    omega_squared[6..].iter().map(|l| l.sqrt() / TAU).collect()
}

/// ∫ P_a P_b, ∫ P_a′ P_b, ∫ P_a′ P_b′ over an edge of half length l.
struct Table {
    value: Vec<Vec<f64>>,
    mixed: Vec<Vec<f64>>,
    slope: Vec<Vec<f64>>,
}

impl Table {
    fn new(order: usize, half: f64) -> Self {
        // Orthonormal, so that P_a P_b is the unit matrix; P_a′ = Σ (2b+1) P_b over b < a
        // of the other parity.
        let norm = |a: usize| ((a as f64 + 0.5) / half).sqrt();
        let derivative = |a: usize, b: usize| match b < a && (a - b) % 2 == 1 {
            true => norm(a) / norm(b) * (2 * b + 1) as f64 / half,
            false => 0.0,
        };
        let make = |f: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            (0..=order).map(|a| (0..=order).map(|b| f(a, b)).collect()).collect()
        };
        Self {
            value: make(&|a, b| f64::from(u8::from(a == b))),
            mixed: make(&derivative),
            slope: make(&|a, b| (0..=order).map(|c| derivative(a, c) * derivative(b, c)).sum()),
        }
    }
}

fn parity_class(
    parity: usize,
    order: [usize; 3],
    total: usize,
    tables: &[Table; 3],
    elastic: &Elastic,
) -> Vec<f64> {
    // Bit a of the parity belongs to u along any other axis; u_a itself has it flipped.
    let mut basis: Vec<(usize, [usize; 3])> = Vec::new();
    for direction in 0..3 {
        let odd = parity ^ (1 << direction);
        let axis = |a: usize| (odd >> a & 1..=order[a]).step_by(2);
        for a in axis(0) {
            for b in axis(1) {
                for c in axis(2) {
                    if a + b + c <= total {
                        basis.push((direction, [a, b, c]));
                    }
                }
            }
        }
    }
    let [lambda, mu] = elastic.lame();
    // ∫ ∂_i f ∂_j g dV.
    let integral = |f: &[usize; 3], i: usize, g: &[usize; 3], j: usize| -> f64 {
        (0..3)
            .map(|a| {
                let t = &tables[a];
                match (a == i, a == j) {
                    (true, true) => t.slope[f[a]][g[a]],
                    (true, false) => t.mixed[f[a]][g[a]],
                    (false, true) => t.mixed[g[a]][f[a]],
                    (false, false) => t.value[f[a]][g[a]],
                }
            })
            .product()
    };
    let n = basis.len();
    let stiffness = Mat::from_fn(n, n, |p, q| {
        let ((i, f), (j, g)) = (&basis[p], &basis[q]);
        let shear: f64 = match i == j {
            true => (0..3).map(|a| integral(f, a, g, a)).sum(),
            false => 0.0,
        };
        lambda * integral(f, *i, g, *j) + mu * (integral(f, *j, g, *i) + shear)
    });
    // The basis is orthonormal: M = ρ.
    let values = stiffness.self_adjoint_eigenvalues(Side::Lower).unwrap();
    values.into_iter().map(|k| k / elastic.density).collect()
}
