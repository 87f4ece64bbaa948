//! Factorisation K − σM = L D Lᵀ, and the Sturm count.
//!
//! By Sylvester's law of inertia the number of negative D is the number of λ below σ.
//!
//! The multifrontal factor is our own because of its packed triangular solves: faer's supernodal
//! L D Lᵀ factorises in 0.7 to 1.1 of its CPU time, but a slice (one factor and its solves) costs
//! 1.25 to 1.5 times as much with it (`comparison`). faer's pivoted L B Lᵀ is the fallback.

mod elimination_tree;
mod multifrontal;
mod triangular_solve;
#[cfg(test)]
#[path = "../tests/multifrontal_against_faer/mod.rs"]
mod comparison;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::{lblt, llt};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::SupernodalIntranodeLbltRef;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, IntranodeLbltRef, SymbolicCholesky, SymbolicCholeskyRaw,
    SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, Mat, Par, Side, Spec};

use crate::kernels::block_vector::BlockVector;
use crate::pencil::Pencil;
use crate::{EigenError, Options, Stage};
use elimination_tree::EliminationTree;
use multifrontal::LdltFactor;

/// The symbolic factorisation: the pattern of the factor, the same for every shift.
pub(crate) struct SymbolicFactor {
    faer: SymbolicCholesky<u32>,
    tree: EliminationTree,
}

/// A numeric factorisation of K − σM.
pub(crate) struct Factor<'a> {
    symbolic: &'a SymbolicFactor,
    pub(crate) sigma: f64,
    kind: Kind,
    /// Number of λ below σ.
    pub(crate) below: usize,
}

enum Kind {
    /// L D Lᵀ without pivoting.
    Multifrontal(LdltFactor),
    /// faer's supernodal L B Lᵀ: pivoting inside supernodes, B of 1×1 and 2×2 blocks.
    Pivoted { values: Vec<f64>, off_diagonal: Vec<f64>, forward: Vec<u32>, inverse: Vec<u32> },
}

impl SymbolicFactor {
    pub(crate) fn new(pencil: &Pencil) -> Result<Self, EigenError> {
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        // The pencil is already in the order of elimination.
        let order = SymmetricOrdering::Identity;
        let symbolic = factorize_symbolic_cholesky(pattern(pencil), Side::Upper, order, params);
        let over = || EigenError::OverMemory { needed_mib: 16 << 10, limit_mib: 16 << 10 };
        let symbolic = symbolic.map_err(|_| over())?;
        let SymbolicCholeskyRaw::Supernodal(nodes) = symbolic.raw() else { return Err(over()) };
        let tree = EliminationTree::new(nodes, pencil);
        Ok(Self { faer: symbolic, tree })
    }

    /// Returns the number of modes to find per shift.
    pub(crate) fn modes_per_slice(&self) -> usize {
        self.tree.modes_per_slice()
    }

    /// Returns the bytes of a factor and of its computation.
    pub(crate) fn bytes(&self) -> u64 {
        self.tree.factor_bytes() + self.tree.work_bytes() + 2 * self.tree.bytes()
    }

    /// Factorises K − σM; with pivoting only where a pivot is too small without.
    pub(crate) fn factor(
        &self,
        pencil: &Pencil,
        sigma: f64,
        stage: Stage,
        options: &mut Options<'_>,
    ) -> Result<Factor<'_>, EigenError> {
        if let Some(factor) =
            multifrontal::factorise(&self.tree, pencil, sigma, true, stage, options)?
        {
            let below = factor.negative;
            return Ok(Factor { symbolic: self, sigma, kind: Kind::Multifrontal(factor), below });
        }
        self.pivoted(pencil, sigma).ok_or(EigenError::NotConverged { found: 0, wanted: 1 })
    }

    /// Factorises with pivoting: slower, for the rare shifts that meet a small pivot.
    fn pivoted(&self, pencil: &Pencil, sigma: f64) -> Option<Factor<'_>> {
        let n = pencil.unknowns();
        let work =
            self.faer.factorize_numeric_intranode_lblt_scratch::<f64>(Par::Seq, Spec::default());
        let shifted = pencil.shifted(sigma);
        let matrix = SparseColMatRef::new(pattern(pencil), &shifted[..]);
        let mut values = vec![0.0; self.faer.len_val()];
        let mut off_diagonal = vec![0.0; n];
        let (mut forward, mut inverse) = (vec![0; n], vec![0; n]);
        self.faer.factorize_numeric_intranode_lblt(
            &mut values,
            &mut off_diagonal,
            &mut forward,
            &mut inverse,
            matrix,
            Side::Upper,
            Par::Seq,
            MemStack::new(&mut MemBuffer::try_new(work).ok()?),
            Spec::<lblt::factor::LbltParams, f64>::default(),
        );
        if !values.iter().all(|v| v.is_finite()) {
            return None;
        }
        let SymbolicCholeskyRaw::Supernodal(symbolic) = self.faer.raw() else { return None };
        let below = pivoted_inertia(symbolic, &values, &off_diagonal, &forward, &inverse);
        let kind = Kind::Pivoted { values, off_diagonal, forward, inverse };
        Some(Factor { symbolic: self, sigma, kind, below })
    }
}

/// Returns the number of negative eigenvalues of B.
fn pivoted_inertia(
    symbolic: &faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky<u32>,
    values: &[f64],
    off_diagonal: &[f64],
    forward: &[u32],
    inverse: &[u32],
) -> usize {
    let order = faer::perm::PermRef::new_checked(forward, inverse, forward.len());
    let factor = SupernodalIntranodeLbltRef::new(symbolic, values, off_diagonal, order);
    let mut below = 0;
    for s in 0..symbolic.n_supernodes() {
        let node = factor.supernode(s);
        let (block, start) = (node.val(), node.start());
        let mut j = 0;
        while j < block.ncols() {
            let e = off_diagonal[start + j];
            if e == 0.0 {
                below += usize::from(block[(j, j)] < 0.0);
                j += 1;
            } else {
                let (a, d) = (block[(j, j)], block[(j + 1, j + 1)]);
                below += if a * d - e * e < 0.0 { 1 } else { 2 * usize::from(a < 0.0) };
                j += 2;
            }
        }
    }
    below
}

impl Factor<'_> {
    /// Computes x ← (K − σM)⁻¹ x.
    pub(crate) fn solve(&self, x: &mut BlockVector) {
        match &self.kind {
            Kind::Multifrontal(factored) => {
                triangular_solve::solve(&self.symbolic.tree, factored, x)
            }
            Kind::Pivoted { values, off_diagonal, forward, inverse } => {
                let n = forward.len();
                let mut columns = Mat::from_fn(n, x.width, |i, j| x.get(i, j));
                let symbolic = &self.symbolic.faer;
                let needed = symbolic.solve_in_place_scratch::<f64>(x.width, Par::Seq);
                let order = faer::perm::PermRef::new_checked(forward, inverse, n);
                IntranodeLbltRef::new(symbolic, values, off_diagonal, order)
                    .solve_in_place_with_conj(
                        Conj::No,
                        columns.as_mut(),
                        Par::Seq,
                        MemStack::new(&mut MemBuffer::new(needed)),
                    );
                for j in 0..x.width {
                    (0..n).for_each(|i| x.set(i, j, columns[(i, j)]));
                }
            }
        }
    }
}

/// Returns the number of λ below σ by the signs of D (Sturm count).
pub(crate) fn count_below(
    symbolic: &SymbolicFactor,
    pencil: &Pencil,
    sigma: f64,
    options: &mut Options<'_>,
) -> Result<usize, EigenError> {
    let tree = &symbolic.tree;
    if let Some(factor) =
        multifrontal::factorise(tree, pencil, sigma, false, Stage::Counting, options)?
    {
        return Ok(factor.negative);
    }
    let factor = symbolic.pivoted(pencil, sigma);
    Ok(factor.ok_or(EigenError::NotConverged { found: 0, wanted: 1 })?.below)
}

fn pattern(pencil: &Pencil) -> SymbolicSparseColMatRef<'_, u32> {
    let n = pencil.unknowns();
    SymbolicSparseColMatRef::new_checked(n, n, &pencil.starts, None, &pencil.rows)
}

/// Returns an error unless M is positive definite.
pub(crate) fn check_mass(pencil: &Pencil) -> Result<(), EigenError> {
    if pencil.mass.is_diagonal() {
        // `Problem::new` has checked the diagonal.
        return Ok(());
    }
    let (starts, rows, values) = uncoupled_blocks(pencil);
    let n = pencil.unknowns();
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
    let matrix = SparseColMatRef::new(pattern, &values[..]);
    let over = |_| EigenError::OverMemory { needed_mib: 0, limit_mib: 0 };
    let order = SymmetricOrdering::Identity;
    let symbolic = factorize_symbolic_cholesky(pattern, Side::Upper, order, Default::default())
        .map_err(over)?;
    let work = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default());
    let mut factor = vec![0.0; symbolic.len_val()];
    symbolic
        .factorize_numeric_llt(
            &mut factor,
            matrix,
            Side::Upper,
            llt::factor::LltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut MemBuffer::try_new(work).map_err(|_| EigenError::MassNotDefinite)?),
            Spec::default(),
        )
        .map(|_| ())
        .map_err(|_| EigenError::MassNotDefinite)
}

/// Returns M permuted so that its uncoupled blocks (the three directions of motion, for
/// example) follow each other: interleaved, they would split the supernodes.
fn uncoupled_blocks(pencil: &Pencil) -> (Vec<u32>, Vec<u32>, Vec<f64>) {
    let n = pencil.unknowns();
    let entries = |j: usize| {
        let column = pencil.starts[j] as usize..pencil.starts[j + 1] as usize;
        column.filter(|p| pencil.m[*p] != 0.0).map(|p| (pencil.rows[p] as usize, pencil.m[p]))
    };
    let mut block: Vec<usize> = (0..n).collect();
    fn root(block: &mut [usize], mut i: usize) -> usize {
        while block[i] != i {
            block[i] = block[block[i]];
            i = block[i];
        }
        i
    }
    for j in 0..n {
        for (i, _) in entries(j) {
            let (a, b) = (root(&mut block, i), root(&mut block, j));
            block[a.max(b)] = a.min(b);
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|i| root(&mut block, *i));
    let mut new_of = vec![0; n];
    order.iter().enumerate().for_each(|(new, old)| new_of[*old] = new as u32);
    let mut starts = vec![0];
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for j in order {
        // The order inside a block is kept, so the triangle stays the upper one.
        for (i, m) in entries(j) {
            rows.push(new_of[i]);
            values.push(m);
        }
        starts.push(rows.len() as u32);
    }
    (starts, rows, values)
}
