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

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Side};

use super::factor::{Factor, par};
use super::pencil::Pencil;
use super::product::{add_product, inner};
use super::random::Random;

pub(super) struct Krylov<'a> {
    pencil: &'a Pencil,
    factor: &'a Factor<'a>,
    /// Basis, then the next block, then room.
    v: Mat<f64>,
    /// Size of the basis.
    pub(super) size: usize,
    /// Width of the next block.
    next: usize,
    block: usize,
    /// M times the next block.
    mass_next: Mat<f64>,
    t: Mat<f64>,
    /// Coupling of the next block to the last columns of the basis.
    r: Mat<f64>,
    /// T couples the next block to the basis from this column on.
    coupled_from: usize,
    random: Random,
}

/// Eigenpairs of T, the largest |θ| first.
pub(super) struct Ritz {
    pub(super) theta: Vec<f64>,
    /// ‖W R y‖ in the mass norm.
    pub(super) residual: Vec<f64>,
    pub(super) y: Mat<f64>,
}

/// Directions of W smaller than this, relative to the operator, are rounding.
const RANK: f64 = 1e-14;

impl<'a> Krylov<'a> {
    /// Starts with a random block. `capacity` bounds basis and block together.
    pub(super) fn new(
        pencil: &'a Pencil,
        factor: &'a Factor<'a>,
        block: usize,
        capacity: usize,
    ) -> Option<Self> {
        let n = pencil.unknowns();
        let mut krylov = Self {
            pencil,
            factor,
            v: Mat::zeros(n, capacity),
            size: 0,
            next: 0,
            block,
            mass_next: Mat::zeros(n, 0),
            t: Mat::zeros(capacity, capacity),
            r: Mat::zeros(0, 0),
            coupled_from: 0,
            random: Random(1),
        };
        krylov.inject(block)?;
        Some(krylov)
    }

    /// Whether one more block fits.
    pub(super) fn has_room(&self) -> bool {
        self.size + self.next + self.block.max(self.next) <= self.v.ncols()
    }

    /// Takes the next block into the basis and finds the one after.
    pub(super) fn expand(&mut self) -> Option<()> {
        let (start, end) = (self.size, self.size + self.next);
        let none = Mat::zeros(self.v.nrows(), 0);
        let mut w = std::mem::replace(&mut self.mass_next, none);
        self.factor.solve(w.as_mut());
        let mut mass_w = Mat::new();
        let mut h = Mat::zeros(end, w.ncols());

        // First the blocks that T couples, which hold nearly all of W; what is then left
        // against the whole basis is rounding and one sweep removes it.
        for from in [self.coupled_from, 0] {
            mass_w = self.times_mass(&w);
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
        self.r = Mat::zeros(0, w.ncols());
        self.next = 0;
        // W is orthogonal to V, so the products with M from before the last sweep serve.
        self.append(w, Some(mass_w), scale)?;
        if self.next < self.block {
            self.inject(self.block - self.next)?;
        }
        Some(())
    }

    fn times_mass(&self, w: &Mat<f64>) -> Mat<f64> {
        let mut mass_w = Mat::zeros(w.nrows(), w.ncols());
        self.pencil.mass.times(w.as_ref(), mass_w.as_mut());
        mass_w
    }

    /// w ← w − V Vᵀ M w over the columns from … end; returns Vᵀ M w.
    fn project(&self, w: &mut Mat<f64>, mass_w: &Mat<f64>, from: usize, end: usize) -> Mat<f64> {
        let v = self.v.subcols(from, end - from);
        let h = inner(v, mass_w.as_ref());
        add_product(w.as_mut(), v, h.as_ref(), -1.0);
        h
    }

    /// Makes w orthonormal and appends it to the next block, R included. Directions
    /// smaller than `scale` times rounding are dropped.
    fn append(&mut self, mut w: Mat<f64>, mut known: Option<Mat<f64>>, scale: f64) -> Option<()> {
        let columns = w.ncols();
        let mut r = Mat::<f64>::identity(columns, columns);
        let end = self.size + self.next;
        // Each round gains seven digits in the directions that were small before.
        for round in 0..6 {
            let mass_w = known.take().unwrap_or_else(|| self.times_mass(&w));
            let gram = inner(w.as_ref(), mass_w.as_ref());
            let norm = gram.norm_max();
            if !norm.is_finite() {
                return None;
            }
            if norm <= (RANK * scale).powi(2) || norm == 0.0 {
                return Some(());
            }
            let good = Mat::from_fn(w.ncols(), w.ncols(), |i, j| {
                let mean = 0.5 * (gram[(i, j)] + gram[(j, i)]);
                mean / norm
            });
            let spectrum = good.self_adjoint_eigen(Side::Lower).ok()?;
            let d: Vec<f64> = (0..w.ncols()).map(|i| spectrum.S()[i]).collect();
            if d[0] < -1e-10 {
                return None;
            }
            if round > 0 && d[0] > 0.9 {
                // Nearly orthonormal already: one Cholesky step ends it.
                self.finish(&w, &mass_w, &good, norm, &r)?;
                return Some(());
            }
            let small = if round == 0 { (RANK * scale).powi(2) / norm } else { 1e-20 };
            let kept: Vec<usize> = (0..d.len()).filter(|i| d[*i] > small.max(1e-30)).collect();
            let width = |i: usize| (d[kept[i]].max(1e-14) * norm).sqrt();
            let u = spectrum.U();
            let turn = Mat::from_fn(d.len(), kept.len(), |i, j| u[(i, kept[j])] / width(j));
            let back = Mat::from_fn(kept.len(), d.len(), |i, j| u[(j, kept[i])] * width(i));
            let mut turned = Mat::zeros(w.nrows(), kept.len());
            add_product(turned.as_mut(), w.as_ref(), turn.as_ref(), 1.0);
            w = turned;
            r = &back * &r;
            if kept.is_empty() {
                return Some(());
            }
            if d[kept[0]] < 1e-8 {
                // What was small has been enlarged, and its rounding with it.
                let mass_w = self.times_mass(&w);
                self.project(&mut w, &mass_w, 0, end);
            }
        }
        None
    }

    fn finish(
        &mut self,
        w: &Mat<f64>,
        mass_w: &Mat<f64>,
        gram: &Mat<f64>,
        norm: f64,
        r: &Mat<f64>,
    ) -> Option<()> {
        let lower = gram.llt(Side::Lower).ok()?.L().to_owned();
        let columns = w.ncols();
        // W = Q Lᵀ √norm, hence Q = W L⁻ᵀ / √norm.
        let mut inverse = Mat::<f64>::identity(columns, columns);
        faer::linalg::triangular_solve::solve_lower_triangular_in_place(
            lower.as_ref(),
            inverse.as_mut(),
            faer::Par::Seq,
        );
        let turn = inverse.transpose() * faer::Scale(norm.sqrt().recip());
        let end = self.size + self.next;
        let mut place = self.v.subcols_mut(end, columns);
        place.fill(0.0);
        add_product(place, w.as_ref(), turn.as_ref(), 1.0);
        let q = self.mass_next.ncols();
        let mut mass_next = Mat::zeros(w.nrows(), q + columns);
        mass_next.subcols_mut(0, q).copy_from(&self.mass_next);
        add_product(mass_next.subcols_mut(q, columns), mass_w.as_ref(), turn.as_ref(), 1.0);
        self.mass_next = mass_next;
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

    /// Appends random directions to the next block: they find what the Krylov space has
    /// no part in, such as further copies of a multiple mode.
    pub(super) fn inject(&mut self, columns: usize) -> Option<()> {
        let n = self.pencil.unknowns();
        let columns = columns.min(self.v.ncols() - self.size - self.next);
        if columns == 0 {
            return Some(());
        }
        let mut w = Mat::from_fn(n, columns, |_, _| self.random.uniform());
        for _ in 0..2 {
            let mass_w = self.times_mass(&w);
            self.project(&mut w, &mass_w, 0, self.size + self.next);
        }
        // Random directions carry no coupling: the rows of R stay zero.
        let r = std::mem::replace(&mut self.r, Mat::new());
        let before = self.next;
        self.append(w, None, 0.0)?;
        let mut all = Mat::zeros(self.next, r.ncols());
        all.subrows_mut(0, before).copy_from(&r);
        self.r = all;
        Some(())
    }

    pub(super) fn ritz(&self) -> Option<Ritz> {
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
        let wr = self.tail(y.as_ref());
        let residual = (0..m).map(|j| wr.col(j).norm_l2()).collect();
        Some(Ritz { theta, residual, y })
    }

    /// R y, the coefficients of the residuals in the next block.
    fn tail(&self, y: MatRef<'_, f64>) -> Mat<f64> {
        let last = self.r.ncols();
        let mut wr = Mat::zeros(self.next, y.ncols());
        let rows = y.subrows(self.size - last, last);
        matmul(&mut wr, Accum::Replace, &self.r, rows, 1.0, par());
        wr
    }

    /// Shrinks the basis to the chosen Ritz vectors; the next block stays.
    pub(super) fn restart(&mut self, ritz: &Ritz, keep: &[usize]) {
        let y = Mat::from_fn(self.size, keep.len(), |i, j| ritz.y[(i, keep[j])]);
        let n = self.v.nrows();
        let mut part = Mat::zeros(CHUNK, keep.len());
        for first in (0..n).step_by(CHUNK) {
            let rows = CHUNK.min(n - first);
            let old = self.v.submatrix(first, 0, rows, self.size);
            matmul(part.subrows_mut(0, rows), Accum::Replace, old, &y, 1.0, par());
            self.v.submatrix_mut(first, 0, rows, keep.len()).copy_from(part.subrows(0, rows));
        }
        let next = self.v.subcols(self.size, self.next).to_owned();
        self.v.subcols_mut(keep.len(), self.next).copy_from(&next);
        self.t.fill(0.0);
        for (i, k) in keep.iter().enumerate() {
            self.t[(i, i)] = ritz.theta[*k];
        }
        self.size = keep.len();
        self.coupled_from = 0;
        self.r = Mat::zeros(self.next, 0);
    }

    /// The chosen vectors, each with one more step of the operator: V y + W R y / θ.
    pub(super) fn vectors(&self, ritz: &Ritz, chosen: &[usize]) -> Mat<f64> {
        let y = Mat::from_fn(self.size, chosen.len(), |i, j| ritz.y[(i, chosen[j])]);
        let mut wr = self.tail(y.as_ref());
        for (j, c) in chosen.iter().enumerate() {
            wr.col_mut(j).iter_mut().for_each(|x| *x /= ritz.theta[*c]);
        }
        let mut u = Mat::zeros(self.v.nrows(), chosen.len());
        let (v, w) = (self.v.subcols(0, self.size), self.v.subcols(self.size, self.next));
        add_product(u.as_mut(), v, y.as_ref(), 1.0);
        add_product(u.as_mut(), w, wr.as_ref(), 1.0);
        u
    }
}

/// Rows rotated at a time in a restart.
const CHUNK: usize = 1024;
