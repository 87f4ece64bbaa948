//! Factors of K − σM.
//!
//! K − σM = L D Lᵀ, and by Sylvester's law of inertia the number of negative D is the
//! number of λ below σ.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::{lblt, llt};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::SupernodalIntranodeLbltRef;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, IntranodeLbltRef, SymbolicCholesky, SymbolicCholeskyRaw,
    SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, Mat, Par, Side, Spec};

use super::block::Block;
use super::fronts::{self, Factored};
use super::pencil::Pencil;
use super::tree::Tree;
use super::{EigenError, Options, Stage, sweep};

/// Where the factor's entries lie; the same for every shift.
pub(super) struct Analysis {
    symbolic: SymbolicCholesky<u32>,
    tree: Tree,
}

/// A factorised K − σM.
pub(super) struct Factor<'a> {
    analysis: &'a Analysis,
    pub(super) sigma: f64,
    kind: Kind,
    /// Number of λ below σ.
    pub(super) below: usize,
}

enum Kind {
    /// L D Lᵀ.
    Plain(Factored),
    /// L B Lᵀ with pivots exchanged inside supernodes and B of 1×1 and 2×2 blocks.
    Pivoted { values: Vec<f64>, off_diagonal: Vec<f64>, forward: Vec<u32>, inverse: Vec<u32> },
}

impl Analysis {
    pub(super) fn new(pencil: &Pencil) -> Result<Self, EigenError> {
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
        let tree = Tree::new(nodes, pencil);
        Ok(Self { symbolic, tree })
    }

    /// Modes to ask of one shift.
    pub(super) fn slice(&self) -> usize {
        self.tree.slice()
    }

    /// Memory that a factor and its making take.
    pub(super) fn bytes(&self) -> u64 {
        self.tree.factor_bytes() + self.tree.work_bytes() + 2 * self.tree.bytes()
    }

    /// L D Lᵀ of K − σM, or with pivots where the plain one is in danger.
    pub(super) fn factor(
        &self,
        pencil: &Pencil,
        sigma: f64,
        stage: Stage,
        options: &mut Options<'_>,
    ) -> Result<Factor<'_>, EigenError> {
        if let Some(plain) = fronts::factorise(&self.tree, pencil, sigma, true, stage, options)? {
            let below = plain.negative;
            return Ok(Factor { analysis: self, sigma, kind: Kind::Plain(plain), below });
        }
        self.pivoted(pencil, sigma).ok_or(EigenError::NotConverged { found: 0, wanted: 1 })
    }

    /// Slower, but no pivot is too small: the road for shifts that meet one by chance.
    fn pivoted(&self, pencil: &Pencil, sigma: f64) -> Option<Factor<'_>> {
        let n = pencil.unknowns();
        let work = self
            .symbolic
            .factorize_numeric_intranode_lblt_scratch::<f64>(Par::Seq, Spec::default());
        let shifted = pencil.shifted(sigma);
        let matrix = SparseColMatRef::new(pattern(pencil), &shifted[..]);
        let mut values = vec![0.0; self.symbolic.len_val()];
        let mut off_diagonal = vec![0.0; n];
        let (mut forward, mut inverse) = (vec![0; n], vec![0; n]);
        self.symbolic.factorize_numeric_intranode_lblt(
            &mut values,
            &mut off_diagonal,
            &mut forward,
            &mut inverse,
            matrix,
            Side::Upper,
            Par::Seq,
            MemStack::new(&mut buffer(work)?),
            Spec::<lblt::factor::LbltParams, f64>::default(),
        );
        if !values.iter().all(|v| v.is_finite()) {
            return None;
        }
        let SymbolicCholeskyRaw::Supernodal(symbolic) = self.symbolic.raw() else { return None };
        let below = pivoted_inertia(symbolic, &values, &off_diagonal, &forward, &inverse);
        let kind = Kind::Pivoted { values, off_diagonal, forward, inverse };
        Some(Factor { analysis: self, sigma, kind, below })
    }
}

/// Negative eigenvalues of B.
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
    /// x ← (K − σM)⁻¹ x.
    pub(super) fn solve(&self, x: &mut Block) {
        match &self.kind {
            Kind::Plain(factored) => sweep::solve(&self.analysis.tree, factored, x),
            Kind::Pivoted { values, off_diagonal, forward, inverse } => {
                let n = forward.len();
                let mut columns = Mat::from_fn(n, x.width, |i, j| x.get(i, j));
                let symbolic = &self.analysis.symbolic;
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

/// Number of λ below σ, by the signs of D.
pub(super) fn count_below(
    analysis: &Analysis,
    pencil: &Pencil,
    sigma: f64,
    options: &mut Options<'_>,
) -> Result<usize, EigenError> {
    let tree = &analysis.tree;
    if let Some(plain) = fronts::factorise(tree, pencil, sigma, false, Stage::Counting, options)? {
        return Ok(plain.negative);
    }
    let factor = analysis.pivoted(pencil, sigma);
    Ok(factor.ok_or(EigenError::NotConverged { found: 0, wanted: 1 })?.below)
}

fn buffer(needed: StackReq) -> Option<MemBuffer> {
    MemBuffer::try_new(needed).ok()
}

fn pattern(pencil: &Pencil) -> SymbolicSparseColMatRef<'_, u32> {
    let n = pencil.unknowns();
    SymbolicSparseColMatRef::new_checked(n, n, &pencil.starts, None, &pencil.rows)
}

/// An error unless M is positive definite.
pub(super) fn check_mass(pencil: &Pencil) -> Result<(), EigenError> {
    if pencil.mass.is_diagonal() {
        // The diagonal was checked when the problem was made.
        return Ok(());
    }
    let (starts, rows, values) = apart(pencil);
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
            MemStack::new(&mut buffer(work).ok_or(EigenError::MassNotDefinite)?),
            Spec::default(),
        )
        .map(|_| ())
        .map_err(|_| EigenError::MassNotDefinite)
}

/// M with the parts that it does not couple (the three directions of motion, say) one
/// after the other: mixed, they would break up the supernodes.
fn apart(pencil: &Pencil) -> (Vec<u32>, Vec<u32>, Vec<f64>) {
    let n = pencil.unknowns();
    let entries = |j: usize| {
        let column = pencil.starts[j] as usize..pencil.starts[j + 1] as usize;
        column.filter(|p| pencil.m[*p] != 0.0).map(|p| (pencil.rows[p] as usize, pencil.m[p]))
    };
    let mut part: Vec<usize> = (0..n).collect();
    fn root(part: &mut [usize], mut i: usize) -> usize {
        while part[i] != i {
            part[i] = part[part[i]];
            i = part[i];
        }
        i
    }
    for j in 0..n {
        for (i, _) in entries(j) {
            let (a, b) = (root(&mut part, i), root(&mut part, j));
            part[a.max(b)] = a.min(b);
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|i| root(&mut part, *i));
    let mut new_of = vec![0; n];
    order.iter().enumerate().for_each(|(new, old)| new_of[*old] = new as u32);
    let mut starts = vec![0];
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for j in order {
        // The order inside a part is kept, so the triangle stays the upper one.
        for (i, m) in entries(j) {
            rows.push(new_of[i]);
            values.push(m);
        }
        starts.push(rows.len() as u32);
    }
    (starts, rows, values)
}
