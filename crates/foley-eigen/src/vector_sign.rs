//! Sign convention of eigenvectors.
//!
//! The sign of an eigenvector is arbitrary, and rounding chooses it: it would differ between
//! methods and between processors, and with it the phase of a mode. Here rᵀu ≥ 0 for a fixed
//! random vector r. The sign of the largest component would be no better, because in
//! antisymmetric modes two components of opposite sign are the largest.

use crate::krylov::random::Random;

/// Seed of the vector r.
const SEED: u64 = 2;

/// Gives a vector its sign.
pub(crate) fn fix_sign(vector: &mut [f64]) {
    let mut r = Random(SEED);
    let product: f64 = vector.iter().map(|u| u * r.uniform()).sum();
    if product < 0.0 {
        vector.iter_mut().for_each(|u| *u = -*u);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Matrix, Options, Problem, lowest};

    #[test]
    fn opposite_vectors_become_equal() {
        let antisymmetric: Vec<f64> = (-50..=50).map(f64::from).collect();
        let mut one = antisymmetric.clone();
        let mut other: Vec<f64> = antisymmetric.iter().map(|u| -u).collect();
        fix_sign(&mut one);
        fix_sign(&mut other);
        assert_eq!(one, other);
        assert!(one == antisymmetric || one.iter().zip(&antisymmetric).all(|(a, b)| *a == -b));
    }

    /// A chain of springs, some of whose modes are symmetric and some antisymmetric. Few modes come
    /// from block Lanczos, many from the dense solver.
    #[test]
    fn methods_agree_on_signs() {
        let n = 1000;
        let springs = (0..n).flat_map(|i| [(i, i, 2.0)]).chain((1..n).map(|i| (i, i - 1, -1.0)));
        let stiffness = Matrix::from_triplets("stiffness", n, springs).unwrap();
        let mass = Matrix::from_triplets("mass", n, (0..n).map(|i| (i, i, 1.0))).unwrap();
        let problem = Problem::new(stiffness, mass).unwrap();
        let lanczos = lowest(&problem, 60, &mut Options::default()).unwrap();
        let dense = lowest(&problem, 200, &mut Options::default()).unwrap();
        for mode in 0..60 {
            let pairs = lanczos.vector(mode).iter().zip(dense.vector(mode));
            let cosine: f64 = pairs.map(|(a, b)| a * b).sum();
            assert!((cosine - 1.0).abs() < 1e-6, "mode {mode}: {cosine}");
        }
    }
}
