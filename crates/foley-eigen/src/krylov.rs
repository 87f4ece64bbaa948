//! Block Lanczos with thick restart on the operator (K − σM)⁻¹M.
//!
//! With V the basis, orthonormal in the inner product xᵀMy, and W the next block,
//!
//! ```text
//! (K − σM)⁻¹ M V = V T + W R,     T = Vᵀ M (K − σM)⁻¹ M V
//! ```
//!
//! An eigenpair (θ, y) of T is the mode λ = σ + 1/θ, u = V y, with the residual W R y.
//! R. Grimes, J. Lewis, H. Simon, *A shifted block Lanczos algorithm for solving sparse
//! symmetric generalized eigenproblems*, SIAM J. Matrix Anal. 15 (1994); restarts after
//! K. Wu, H. Simon, *Thick-restart Lanczos*, SIAM J. Matrix Anal. 22 (2000).

mod basis;
pub(crate) mod random;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par, Side};

use crate::factor::Factor;
use crate::kernels::block_vector::BlockVector;
use crate::pencil::Pencil;
use basis::Basis;
use random::Random;

pub(crate) struct Krylov<'a> {
    pencil: &'a Pencil,
    factor: &'a Factor<'a>,
    v: Basis,
    /// Size of the basis.
    pub(crate) size: usize,
    /// Width of the next block.
    next: usize,
    block: usize,
    /// The next block, and M times it.
    w: BlockVector,
    mass_next: BlockVector,
    t: Mat<f64>,
    /// Coupling of the next block to the last columns of the basis.
    r: Mat<f64>,
    /// First column of the basis that T couples to the next block.
    coupled_from: usize,
    random: Random,
}

/// Eigenpairs of T, the largest |θ| first.
pub(crate) struct Ritz {
    pub(crate) theta: Vec<f64>,
    /// ‖W R y‖ in the mass norm.
    pub(crate) residual: Vec<f64>,
    pub(crate) y: Mat<f64>,
}

/// Directions of W smaller than this, relative to the operator, are rounding errors.
const RANK: f64 = 1e-14;

impl<'a> Krylov<'a> {
    /// Starts with a random block. `capacity` bounds basis and block together.
    pub(crate) fn new(
        pencil: &'a Pencil,
        factor: &'a Factor<'a>,
        block: usize,
        capacity: usize,
    ) -> Option<Self> {
        let n = pencil.unknowns();
        let mut krylov = Self {
            pencil,
            factor,
            v: Basis::zeros(n, capacity),
            size: 0,
            next: 0,
            block,
            w: BlockVector::zeros(n, 0),
            mass_next: BlockVector::zeros(n, 0),
            t: Mat::zeros(capacity, capacity),
            r: Mat::zeros(0, 0),
            coupled_from: 0,
            random: Random(1),
        };
        krylov.add_random_directions(block)?;
        Some(krylov)
    }

    /// Returns whether one more block fits.
    pub(crate) fn has_room(&self) -> bool {
        self.size + self.next + self.block.max(self.next) <= self.v.capacity()
    }

    /// Moves the next block into the basis and computes the block after it.
    pub(crate) fn expand(&mut self) -> Option<()> {
        let (start, end) = (self.size, self.size + self.next);
        let none = || BlockVector::zeros(self.pencil.unknowns(), 0);
        let mut w = std::mem::replace(&mut self.mass_next, none());
        self.v.put(start, &std::mem::replace(&mut self.w, none()));
        self.factor.solve(&mut w);
        let mut mass_w = none();
        let mut h = Mat::zeros(end, w.width);

        // First the blocks that T couples, which contain nearly all of W. The remaining
        // components are rounding errors; one pass over the full basis removes them.
        for from in [self.coupled_from, 0] {
            mass_w = self.pencil.mass.times(&w);
            let part = self.project(&mut w, &mass_w, from, end);
            let mut rows = h.subrows_mut(from, end - from);
            rows += &part;
        }
        for j in 0..self.next {
            for i in 0..end {
                let mirrored = i >= start && i - start < j;
                let value = if mirrored { self.t[(start + j, i)] } else { h[(i, j)] };
                self.t[(i, start + j)] = value;
                self.t[(start + j, i)] = value;
            }
        }
        self.size = end;
        self.coupled_from = start;
        let scale = h.norm_max();
        self.r = Mat::zeros(0, w.width);
        self.next = 0;
        // W is orthogonal to V, so M W from before the last pass is still valid.
        self.append(w, Some(mass_w), scale)?;
        if self.next < self.block {
            self.add_random_directions(self.block - self.next)?;
        }
        Some(())
    }

    /// Computes w ← w − V Vᵀ M w over the columns from … end; returns Vᵀ M w.
    fn project(
        &self,
        w: &mut BlockVector,
        mass_w: &BlockVector,
        from: usize,
        end: usize,
    ) -> Mat<f64> {
        let h = self.v.inner(from, end, mass_w);
        self.v.add(from, end, h.as_ref(), -1.0, w);
        h
    }

    /// Orthogonalises w against the basis and the next block.
    fn orthogonalise(&self, w: &mut BlockVector) {
        let mass_w = self.pencil.mass.times(w);
        self.project(w, &mass_w, 0, self.size);
        if self.next > 0 {
            let h = self.w.inner(&mass_w);
            let part = self.w.times(h.as_ref());
            w.subtract(&part);
        }
    }

    /// Orthonormalises w and appends it to the next block and to R. Drops directions smaller
    /// than `RANK` times `scale`.
    fn append(
        &mut self,
        mut w: BlockVector,
        mut known: Option<BlockVector>,
        scale: f64,
    ) -> Option<()> {
        let columns = w.width;
        let mut r = Mat::<f64>::identity(columns, columns);
        // Each round gains seven digits in the small directions.
        for round in 0..6 {
            let mass_w = known.take().unwrap_or_else(|| self.pencil.mass.times(&w));
            let gram = w.inner(&mass_w);
            let norm = gram.norm_max();
            if !norm.is_finite() {
                return None;
            }
            if norm <= (RANK * scale).powi(2) || norm == 0.0 {
                return Some(());
            }
            let good = Mat::from_fn(w.width, w.width, |i, j| {
                let mean = 0.5 * (gram[(i, j)] + gram[(j, i)]);
                mean / norm
            });
            let spectrum = good.self_adjoint_eigen(Side::Lower).ok()?;
            let d: Vec<f64> = (0..w.width).map(|i| spectrum.S()[i]).collect();
            if d[0] < -1e-10 {
                return None;
            }
            if round > 0 && d[0] > 0.9 {
                // Nearly orthonormal: one Cholesky step completes it.
                self.append_orthonormalised(&w, &mass_w, &good, norm, &r)?;
                return Some(());
            }
            let small = if round == 0 { (RANK * scale).powi(2) / norm } else { 1e-20 };
            let kept: Vec<usize> = (0..d.len()).filter(|i| d[*i] > small.max(1e-30)).collect();
            let width = |i: usize| (d[kept[i]].max(1e-14) * norm).sqrt();
            let u = spectrum.U();
            let transform = Mat::from_fn(d.len(), kept.len(), |i, j| u[(i, kept[j])] / width(j));
            let back = Mat::from_fn(kept.len(), d.len(), |i, j| u[(j, kept[i])] * width(i));
            w = w.times(transform.as_ref());
            r = &back * &r;
            if kept.is_empty() {
                return Some(());
            }
            if d[kept[0]] < 1e-8 {
                // Small directions were scaled up, and their rounding errors with them.
                self.orthogonalise(&mut w);
            }
        }
        None
    }

    /// Appends a nearly orthonormal block after one Cholesky step.
    fn append_orthonormalised(
        &mut self,
        w: &BlockVector,
        mass_w: &BlockVector,
        gram: &Mat<f64>,
        norm: f64,
        r: &Mat<f64>,
    ) -> Option<()> {
        let lower = gram.llt(Side::Lower).ok()?.L().to_owned();
        let columns = w.width;
        // W = Q Lᵀ √norm, hence Q = W L⁻ᵀ / √norm.
        let mut inverse = Mat::<f64>::identity(columns, columns);
        faer::linalg::triangular_solve::solve_lower_triangular_in_place(
            lower.as_ref(),
            inverse.as_mut(),
            faer::Par::Seq,
        );
        let transform = inverse.transpose() * faer::Scale(norm.sqrt().recip());
        let none = || BlockVector::zeros(0, 0);
        let (old, old_mass) = (
            std::mem::replace(&mut self.w, none()),
            std::mem::replace(&mut self.mass_next, none()),
        );
        self.w = old.concat(w.times(transform.as_ref()));
        self.mass_next = old_mass.concat(mass_w.times(transform.as_ref()));
        let own = (lower.transpose() * r) * faer::Scale(norm.sqrt());
        let old = self.r.nrows();
        let mut all = Mat::zeros(old + columns, self.r.ncols());
        all.subrows_mut(0, old).copy_from(&self.r);
        if own.ncols() == all.ncols() {
            all.subrows_mut(old, columns).copy_from(&own);
        }
        self.r = all;
        self.next += columns;
        Some(())
    }

    /// Appends random directions to the next block: they find modes outside the Krylov space,
    /// such as further copies of a multiple mode.
    pub(crate) fn add_random_directions(&mut self, columns: usize) -> Option<()> {
        let n = self.pencil.unknowns();
        let columns = columns.min(self.v.capacity() - self.size - self.next);
        if columns == 0 {
            return Some(());
        }
        let mut w = BlockVector::zeros(n, columns);
        for j in 0..columns {
            (0..n).for_each(|i| w.set(i, j, self.random.uniform()));
        }
        self.orthogonalise(&mut w);
        self.orthogonalise(&mut w);
        // Random directions are not coupled: their rows of R are zero.
        let r = std::mem::replace(&mut self.r, Mat::new());
        let before = self.next;
        self.append(w, None, 0.0)?;
        let mut all = Mat::zeros(self.next, r.ncols());
        all.subrows_mut(0, before).copy_from(&r);
        self.r = all;
        Some(())
    }

    /// Returns the Ritz pairs.
    pub(crate) fn ritz(&self) -> Option<Ritz> {
        let m = self.size;
        let t = self.t.submatrix(0, 0, m, m);
        let scale = t.norm_max();
        if !(scale.is_finite() && scale > 0.0) {
            return None;
        }
        let unit = t * faer::Scale(scale.recip());
        let spectrum = unit.self_adjoint_eigen(Side::Lower).ok()?;
        let mut sorted: Vec<usize> = (0..m).collect();
        sorted.sort_by(|a, b| spectrum.S()[*b].abs().total_cmp(&spectrum.S()[*a].abs()));
        let theta = sorted.iter().map(|i| spectrum.S()[*i] * scale).collect();
        let y = Mat::from_fn(m, m, |i, j| spectrum.U()[(i, sorted[j])]);
        let wr = self.residual_coefficients(y.as_ref());
        let residual = (0..m).map(|j| wr.col(j).norm_l2()).collect();
        Some(Ritz { theta, residual, y })
    }

    /// Returns R y, the coefficients of the residuals in the next block.
    fn residual_coefficients(&self, y: MatRef<'_, f64>) -> Mat<f64> {
        let last = self.r.ncols();
        let mut wr = Mat::zeros(self.next, y.ncols());
        let rows = y.subrows(self.size - last, last);
        matmul(&mut wr, Accum::Replace, &self.r, rows, 1.0, Par::Seq);
        wr
    }

    /// Restarts with the chosen Ritz vectors as the basis; keeps the next block.
    pub(crate) fn restart(&mut self, ritz: &Ritz, keep: &[usize]) {
        let y = Mat::from_fn(self.size, keep.len(), |i, j| ritz.y[(i, keep[j])]);
        self.v.rotate(y.as_ref());
        self.t.fill(0.0);
        for (i, k) in keep.iter().enumerate() {
            self.t[(i, i)] = ritz.theta[*k];
        }
        self.size = keep.len();
        self.coupled_from = 0;
        self.r = Mat::zeros(self.next, 0);
    }

    /// Returns the chosen Ritz vectors after one more step of the operator: V y + W R y / θ.
    pub(crate) fn vectors(&self, ritz: &Ritz, chosen: &[usize]) -> BlockVector {
        let y = Mat::from_fn(self.size, chosen.len(), |i, j| ritz.y[(i, chosen[j])]);
        let mut wr = self.residual_coefficients(y.as_ref());
        for (j, c) in chosen.iter().enumerate() {
            wr.col_mut(j).iter_mut().for_each(|x| *x /= ritz.theta[*c]);
        }
        let mut u = self.w.times(wr.as_ref());
        self.v.add(0, self.size, y.as_ref(), 1.0, &mut u);
        u
    }
}
