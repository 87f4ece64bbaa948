//! Rectangular plates with free or clamped edges, by Rayleigh–Ritz.
//!
//! With ξ = 2x/a, η = 2y/b and κ = a/b, the maximum energies of
//! `w = Σ z_ij b_i(ξ) b_j(η)` make the problem `K z = Λ M z`, `Λ = ω² (ρh/D) (ab/4)²`,
//!
//! `K = κ⁻² B″⊗B + κ² B⊗B″ + ν (C⊗Cᵀ + Cᵀ⊗C) + 2(1 − ν) B′⊗B′`, `M = B⊗B`,
//!
//! B, B′, B″ and C being the integrals of `basis.rs` (Leissa, *J. Sound Vib.* 31, 1973, with
//! beam shapes for b). Frequencies are upper bounds and fall as terms are added.

use super::Edge;
use super::basis::{Basis, Integrals};
use crate::shape::modes::Field;
use faer::{Mat, MatRef};

/// Most unknowns of a block; more would take minutes.
const MAX_UNKNOWNS: usize = 2000;
/// Degrees beyond the one that just resolves the shortest wave.
const MARGIN: f64 = 10.0;
/// The shift that makes K definite; the first elastic Λ is of order ten.
const SHIFT: f64 = 1.0;

/// A plate with all edges alike.
#[derive(Debug, Clone, Copy)]
pub(super) struct Problem {
    pub(super) sides: [f64; 2],
    pub(super) poisson: f64,
    pub(super) edge: Edge,
    pub(super) mass: f64,
}

/// One of four symmetry classes: even or odd in x and in y.
#[derive(Debug)]
pub(super) struct Block {
    bases: [Basis; 2],
    integrals: [Integrals; 2],
    /// Which products of trial functions are used.
    pairs: Vec<(usize, usize)>,
}

/// One mode: k², and its coefficient of each product in its block.
#[derive(Debug)]
pub(super) struct Vector {
    pub(super) k2: f64,
    block: usize,
    z: Vec<f64>,
}

/// All modes up to some wavenumber.
pub(super) struct Solved {
    pub(super) blocks: Vec<Block>,
    pub(super) vectors: Vec<Vector>,
}

impl Problem {
    /// All elastic modes up to wavenumber k, unordered; `None` when there are too many.
    pub(super) fn solve(&self, k: f64) -> Option<Solved> {
        let mut solved = Solved { blocks: Vec::new(), vectors: Vec::new() };
        for odd in [[false, false], [true, false], [false, true], [true, true]] {
            let block = self.block(k, odd)?;
            // A free plate has three rigid modes: one in each class but the last.
            let rigid = usize::from(self.edge == Edge::Free && odd != [true, true]);
            let pairs = self.solve_block(&block, k)?;
            let to_k2 = 4.0 / (self.sides[0] * self.sides[1]);
            solved.vectors.extend(pairs.values.iter().zip(pairs.vectors).skip(rigid).map(
                |(lambda, z)| Vector {
                    k2: lambda.max(0.0).sqrt() * to_k2,
                    block: solved.blocks.len(),
                    z,
                },
            ));
            solved.blocks.push(block);
        }
        Some(solved)
    }

    /// Enough products to resolve waves of wavenumber k: a polynomial follows a wave
    /// across [−1, 1] once its degree passes ka/2. Corners of the index rectangle
    /// stand for shorter waves still and are cut off.
    fn block(&self, k: f64, odd: [bool; 2]) -> Option<Block> {
        let waves = self.sides.map(|side| 0.55 * k * side);
        let count = waves.map(|w| (0.5 * (w + MARGIN)).ceil());
        if !(count[0] * count[1] <= 2.0 * MAX_UNKNOWNS as f64) {
            return None;
        }
        let [nx, ny] = count.map(|c| c as usize);
        let share = |i: usize, wave: f64| (2.0 * i as f64 - MARGIN).max(0.0) / wave.max(1.0);
        let inside =
            |(i, j): &(usize, usize)| share(*i, waves[0]).hypot(share(*j, waves[1])) <= 1.0;
        let pairs: Vec<_> =
            (0..nx).flat_map(|i| (0..ny).map(move |j| (i, j))).filter(inside).collect();
        let basis = |axis: usize, count| Basis { edge: self.edge, odd: odd[axis], count };
        let bases = [basis(0, nx), basis(1, ny)];
        (pairs.len() <= MAX_UNKNOWNS).then(|| {
            let integrals = bases.map(|basis| basis.integrals());
            Block { bases, integrals, pairs }
        })
    }

    fn solve_block(&self, block: &Block, k: f64) -> Option<foley_eigen::dense::Pairs> {
        let [x, y] = &block.integrals;
        let [a, b] = self.sides;
        let (nu, kappa2) = (self.poisson, (a / b).powi(2));
        let n = block.pairs.len();
        let matrix = |f: &dyn Fn([usize; 2], [usize; 2]) -> f64| {
            Mat::from_fn(n, n, |r, c| {
                let ((i, j), (p, q)) = (block.pairs[r], block.pairs[c]);
                f([i, p], [j, q])
            })
        };
        let stiffness = matrix(&|[i, p], [j, q]| {
            x.bend[(i, p)] * y.mass[(j, q)] / kappa2
                + x.mass[(i, p)] * y.bend[(j, q)] * kappa2
                + nu * (x.cross[(i, p)] * y.cross[(q, j)] + x.cross[(p, i)] * y.cross[(j, q)])
                + 2.0 * (1.0 - nu) * x.slope[(i, p)] * y.slope[(j, q)]
        });
        let mass = matrix(&|[i, p], [j, q]| x.mass[(i, p)] * y.mass[(j, q)]);
        let limit = (k * k * a * b / 4.0).powi(2) * (1.0 + 1e-9);
        foley_eigen::dense::lowest(&stiffness, &mass, SHIFT, limit)
    }
}

impl Problem {
    /// Returns `∫(∇²w)² dA / k⁴ ∫w² dA`: the energy that K would give for ν = 1, against its energy. The
    /// difference is the Gaussian curvature, 2(1 − ν) ∫(w_xx w_yy − w_xy²) dA. It is 0 for a saddle and
    /// 2/(1 + ν) for a sphere.
    pub(super) fn laplacian_share(&self, blocks: &[Block], vector: &Vector) -> f64 {
        let Block { integrals: [x, y], pairs, bases } = &blocks[vector.block];
        let [nx, ny] = bases.map(|basis| basis.count);
        let mut z = Mat::<f64>::zeros(nx, ny);
        pairs.iter().zip(&vector.z).for_each(|((i, j), value)| z[(*i, *j)] = *value);
        // zᵀ (A ⊗ B) z = Σ (A Z B)_ij Z_ij for symmetric A and B.
        let form = |a: &Mat<f64>, b: MatRef<'_, f64>| {
            let product = a * &z * b;
            (0..ny).flat_map(|j| (0..nx).map(move |i| (i, j))).map(|at| product[at] * z[at]).sum()
        };
        // With C, Σ C_ip C_qj Z_ij Z_pq, which is (C Z C)_ij Z_ij; its transpose gives the same.
        let cross: f64 = form(&x.cross, y.cross.as_ref());
        let twist: f64 = form(&x.slope, y.slope.as_ref());
        let energy = (vector.k2 * self.sides[0] * self.sides[1] / 4.0).powi(2);
        let gauss = 2.0 * (cross - twist);
        (1.0 + (1.0 - self.poisson) * gauss / energy).clamp(0.0, 2.0 / (1.0 + self.poisson))
    }
}

/// Mode shapes as sums over products of trial functions.
#[derive(Debug)]
pub(super) struct Combination {
    pub(super) problem: Problem,
    pub(super) blocks: Vec<Block>,
    pub(super) vectors: Vec<Vector>,
}

impl Field for Combination {
    fn at(&self, [x, y, _]: [f64; 3]) -> Vec<f64> {
        let [a, b] = self.problem.sides;
        let (xi, eta) = ((2.0 * x / a).clamp(-1.0, 1.0), (2.0 * y / b).clamp(-1.0, 1.0));
        let products: Vec<Vec<f64>> = self
            .blocks
            .iter()
            .map(|block| {
                let (bx, by) = (block.bases[0].at(xi), block.bases[1].at(eta));
                block.pairs.iter().map(|(i, j)| bx[*i] * by[*j]).collect()
            })
            .collect();
        // zᵀ M z = 1 is the integral over [−1, 1]², four times the mean.
        let scale = 2.0 / self.problem.mass.sqrt();
        self.vectors
            .iter()
            .map(|v| scale * v.z.iter().zip(&products[v.block]).map(|(z, p)| z * p).sum::<f64>())
            .collect()
    }
}
