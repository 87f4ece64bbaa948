//! Factors of K − σM.
//!
//! Below the spectrum the matrix is positive definite and has a Cholesky factor L Lᵀ.
//! Inside it has L D Lᵀ, and by Sylvester's law of inertia the number of negative D
//! is the number of λ below σ.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::{lblt, ldlt, llt};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalIntranodeLbltRef, SupernodalLdltRef};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, IntranodeLbltRef, LdltRef, LltRef, SymbolicCholesky,
    SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side, Spec};

use super::pencil::Pencil;
use super::{EigenError, Options};

/// Where the factor's entries lie; the same for every shift.
pub(super) struct Analysis {
    symbolic: SymbolicCholesky<u32>,
}

/// A factorised K − σM.
pub(super) struct Factor<'a> {
    analysis: &'a Analysis,
    pub(super) sigma: f64,
    values: Vec<f64>,
    kind: Kind,
    /// Number of λ below σ.
    pub(super) below: usize,
}

enum Kind {
    /// L Lᵀ.
    Definite,
    /// L D Lᵀ.
    Diagonal,
    /// L B Lᵀ with pivots exchanged inside supernodes and B of 1×1 and 2×2 blocks.
    Pivoted { off_diagonal: Vec<f64>, forward: Vec<u32>, inverse: Vec<u32> },
}

/// A pivot this much smaller than the largest entry of its factor spoils the others.
const GROWTH: f64 = 1e8;

impl Analysis {
    pub(super) fn new(pencil: &Pencil) -> Result<Self, EigenError> {
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        // The pencil is already in the order of elimination.
        let order = SymmetricOrdering::Identity;
        let symbolic = factorize_symbolic_cholesky(pattern(pencil), Side::Upper, order, params);
        let symbolic = symbolic
            .map_err(|_| EigenError::OverMemory { needed_mib: 16 << 10, limit_mib: 16 << 10 })?;
        Ok(Self { symbolic })
    }

    /// Memory that a factor and its making take.
    pub(super) fn bytes(&self, pencil: &Pencil) -> u64 {
        let work = self.symbolic.factorize_numeric_ldlt_scratch::<f64>(par(), Spec::default());
        (self.symbolic.len_val() + pencil.rows.len()) as u64 * 8 + work.size_bytes() as u64
    }

    /// L Lᵀ of K − σM with σ below all λ.
    pub(super) fn definite(&self, pencil: &Pencil, sigma: f64) -> Option<Factor<'_>> {
        let work = self.symbolic.factorize_numeric_llt_scratch::<f64>(par(), Spec::default());
        let shifted = pencil.shifted(sigma);
        let matrix = SparseColMatRef::new(pattern(pencil), &shifted[..]);
        let mut values = vec![0.0; self.symbolic.len_val()];
        self.symbolic
            .factorize_numeric_llt(
                &mut values,
                matrix,
                Side::Upper,
                llt::factor::LltRegularization::default(),
                par(),
                MemStack::new(&mut buffer(work)?),
                Spec::default(),
            )
            .ok()?;
        let finite = values.iter().all(|v| v.is_finite());
        finite.then_some(Factor { analysis: self, sigma, values, kind: Kind::Definite, below: 0 })
    }

    /// L D Lᵀ of K − σM, or with pivots where the plain one is in danger.
    pub(super) fn indefinite(&self, pencil: &Pencil, sigma: f64) -> Option<Factor<'_>> {
        self.diagonal(pencil, sigma).or_else(|| self.pivoted(pencil, sigma))
    }

    fn diagonal(&self, pencil: &Pencil, sigma: f64) -> Option<Factor<'_>> {
        let work = self.symbolic.factorize_numeric_ldlt_scratch::<f64>(par(), Spec::default());
        let shifted = pencil.shifted(sigma);
        let matrix = SparseColMatRef::new(pattern(pencil), &shifted[..]);
        let mut values = vec![0.0; self.symbolic.len_val()];
        self.symbolic
            .factorize_numeric_ldlt(
                &mut values,
                matrix,
                Side::Upper,
                ldlt::factor::LdltRegularization::default(),
                par(),
                MemStack::new(&mut buffer(work)?),
                Spec::default(),
            )
            .ok()?;
        // Without pivoting large multipliers mean that digits were lost.
        if !values.iter().all(|v| v.abs() < GROWTH) {
            return None;
        }
        let SymbolicCholeskyRaw::Supernodal(symbolic) = self.symbolic.raw() else { return None };
        let factor = SupernodalLdltRef::new(symbolic, &values);
        let below = (0..symbolic.n_supernodes())
            .map(|s| {
                let block = factor.supernode(s).val();
                (0..block.ncols()).filter(|j| block[(*j, *j)] < 0.0).count()
            })
            .sum();
        Some(Factor { analysis: self, sigma, values, kind: Kind::Diagonal, below })
    }

    pub(super) fn pivoted(&self, pencil: &Pencil, sigma: f64) -> Option<Factor<'_>> {
        let n = pencil.unknowns();
        let work =
            self.symbolic.factorize_numeric_intranode_lblt_scratch::<f64>(par(), Spec::default());
        let shifted = pencil.shifted(sigma);
        let matrix = SparseColMatRef::new(pattern(pencil), &shifted[..]);
        let mut values = vec![0.0; self.symbolic.len_val()];
        let mut off_diagonal = vec![0.0; n];
        let (mut forward, mut inverse) = (vec![0; n], vec![0; n]);
        let factor = self.symbolic.factorize_numeric_intranode_lblt(
            &mut values,
            &mut off_diagonal,
            &mut forward,
            &mut inverse,
            matrix,
            Side::Upper,
            par(),
            MemStack::new(&mut buffer(work)?),
            Spec::<lblt::factor::LbltParams, f64>::default(),
        );
        let _ = factor;
        if !values.iter().all(|v| v.is_finite()) {
            return None;
        }
        let SymbolicCholeskyRaw::Supernodal(symbolic) = self.symbolic.raw() else { return None };
        let below = pivoted_inertia(symbolic, &values, &off_diagonal, &forward, &inverse);
        let kind = Kind::Pivoted { off_diagonal, forward, inverse };
        Some(Factor { analysis: self, sigma, values, kind, below })
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
    /// x ← (K − σM)⁻¹ x, some columns on each thread.
    pub(super) fn solve(&self, x: MatMut<'_, f64>) {
        let threads = rayon::current_num_threads().min(x.ncols() / 4).max(1);
        self.solve_on(x, threads);
    }

    fn solve_on(&self, x: MatMut<'_, f64>, threads: usize) {
        if threads < 2 {
            return self.solve_part(x);
        }
        let left = threads / 2;
        let middle = x.ncols() * left / threads;
        let (a, b) = x.split_at_col_mut(middle);
        rayon::join(|| self.solve_on(a, left), || self.solve_on(b, threads - left));
    }

    fn solve_part(&self, x: MatMut<'_, f64>) {
        let symbolic = &self.analysis.symbolic;
        let mut work = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(x.ncols(), par()));
        let work = MemStack::new(&mut work);
        match &self.kind {
            Kind::Definite => LltRef::new(symbolic, &self.values).solve_in_place_with_conj(
                Conj::No,
                x,
                par(),
                work,
            ),
            Kind::Diagonal => LdltRef::new(symbolic, &self.values).solve_in_place_with_conj(
                Conj::No,
                x,
                par(),
                work,
            ),
            Kind::Pivoted { off_diagonal, forward, inverse } => {
                let order = faer::perm::PermRef::new_checked(forward, inverse, forward.len());
                IntranodeLbltRef::new(symbolic, &self.values, off_diagonal, order)
                    .solve_in_place_with_conj(Conj::No, x, par(), work);
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
    options.report(super::Stage::Counting, 0.0)?;
    let factor = analysis.indefinite(pencil, sigma);
    Ok(factor.ok_or(EigenError::NotConverged { found: 0, wanted: 1 })?.below)
}

/// One thread inside each step: the blocks are small, and threads that wait for each other
/// at every one of them lose more than they gain. Whole solves run side by side instead.
pub(super) fn par() -> Par {
    Par::Seq
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
    let work = symbolic.factorize_numeric_llt_scratch::<f64>(par(), Spec::default());
    let mut factor = vec![0.0; symbolic.len_val()];
    symbolic
        .factorize_numeric_llt(
            &mut factor,
            matrix,
            Side::Upper,
            llt::factor::LltRegularization::default(),
            par(),
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
