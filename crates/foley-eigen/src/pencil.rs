//! The matrix pencil (K, M), scaled to norm one and permuted to the order of elimination.
//!
//! K' = K/‖K‖ and M' = M/‖M‖ keep the numbers of every dense step near one in any
//! units; λ = λ' ‖K‖/‖M‖ and u = u'/√‖M‖ undo it.

mod nested_dissection;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use crate::kernels::spmv::SymmetricCsr;
use crate::matrix::group_starts;
use crate::{EigenError, Matrix, Problem};

pub(crate) struct Pencil {
    /// `order[new] = old`.
    pub(crate) order: Vec<u32>,
    /// The union pattern of the upper triangles, by columns.
    pub(crate) starts: Vec<u32>,
    pub(crate) rows: Vec<u32>,
    /// Values of K' and M' on the pattern.
    pub(crate) k: Vec<f64>,
    pub(crate) m: Vec<f64>,
    pub(crate) stiffness: SymmetricCsr,
    pub(crate) mass: SymmetricCsr,
    /// Estimate of the largest λ': the largest ratio of diagonal entries, 1 when K = 0.
    pub(crate) lambda_max: f64,
    /// λ/λ'.
    pub(crate) lambda_scale: f64,
    /// u/u'.
    pub(crate) vector_scale: f64,
}

impl Pencil {
    pub(crate) fn new(problem: &Problem) -> Result<Self, EigenError> {
        let n = problem.unknowns();
        let (k_norm, m_norm) = (problem.stiffness.norm(), problem.mass.norm());
        let k_norm = if k_norm > 0.0 { k_norm } else { 1.0 };
        let (scale_k, scale_m) = (k_norm.recip(), m_norm.recip());
        let usable = |x: f64| x.is_normal();
        if ![scale_k, scale_m, k_norm, m_norm, k_norm / m_norm].into_iter().all(usable) {
            return Err(EigenError::NotFinite { matrix: "norm of a", row: 0, column: 0 });
        }
        let old = UnionPattern::new(&problem.stiffness, &problem.mass, scale_k, scale_m);
        let order = match &problem.coordinates {
            Some(coordinates) => nested_dissection::order(&old.starts, &old.rows, coordinates),
            None => approximate_minimum_degree(&old)?,
        };
        let new = old.permuted(&order);
        let diagonal = (0..n).map(|j| new.starts[j + 1] as usize - 1);
        let top = diagonal.map(|p| new.k[p] / new.m[p]).fold(0.0, f64::max);
        Ok(Self {
            stiffness: SymmetricCsr::from_triangle(&new.starts, &new.rows, &new.k),
            mass: SymmetricCsr::from_triangle(&new.starts, &new.rows, &new.m),
            order,
            starts: new.starts,
            rows: new.rows,
            k: new.k,
            m: new.m,
            lambda_max: if top > 0.0 { top } else { 1.0 },
            lambda_scale: k_norm / m_norm,
            vector_scale: scale_m.sqrt(),
        })
    }

    pub(crate) fn unknowns(&self) -> usize {
        self.order.len()
    }

    /// Returns the memory used, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let own = 20 * self.rows.len() + 8 * self.order.len();
        self.stiffness.bytes() + self.mass.bytes() + own as u64
    }

    /// Returns the values of K' − σ M'.
    pub(crate) fn shifted(&self, sigma: f64) -> Vec<f64> {
        self.k.iter().zip(&self.m).map(|(k, m)| k - sigma * m).collect()
    }
}

/// One triangle of both matrices on their union pattern.
struct UnionPattern {
    starts: Vec<u32>,
    rows: Vec<u32>,
    k: Vec<f64>,
    m: Vec<f64>,
}

impl UnionPattern {
    fn new(stiffness: &Matrix, mass: &Matrix, scale_k: f64, scale_m: f64) -> Self {
        let n = stiffness.unknowns();
        let most = stiffness.rows.len() + mass.rows.len();
        let mut union = Self {
            starts: vec![0],
            rows: Vec::with_capacity(most.min(stiffness.rows.len().max(mass.rows.len()) + n)),
            k: Vec::new(),
            m: Vec::new(),
        };
        for j in 0..n {
            let range = |a: &Matrix| a.starts[j] as usize..a.starts[j + 1] as usize;
            let (mut p, mut q) = (range(stiffness).peekable(), range(mass).peekable());
            loop {
                let row_k = p.peek().map_or(u32::MAX, |p| stiffness.rows[*p]);
                let row_m = q.peek().map_or(u32::MAX, |q| mass.rows[*q]);
                let row = row_k.min(row_m);
                if row == u32::MAX {
                    break;
                }
                let k = if row == row_k { p.next() } else { None };
                let m = if row == row_m { q.next() } else { None };
                union.rows.push(row);
                union.k.push(k.map_or(0.0, |p| stiffness.values[p] * scale_k));
                union.m.push(m.map_or(0.0, |q| mass.values[q] * scale_m));
            }
            union.starts.push(union.rows.len() as u32);
        }
        union
    }

    /// Returns the upper triangle of P A Pᵀ, rows ascending, so that each column ends with its
    /// diagonal.
    fn permuted(self, order: &[u32]) -> Self {
        let n = order.len();
        let mut new_of = vec![0; n];
        for (new, old) in order.iter().enumerate() {
            new_of[*old as usize] = new as u32;
        }
        let position = |j: usize, p: usize| {
            let (a, b) = (new_of[j], new_of[self.rows[p] as usize]);
            (a.max(b), a.min(b))
        };
        let columns = |j: usize| self.starts[j] as usize..self.starts[j + 1] as usize;
        let new_columns = (0..n)
            .flat_map(|j| columns(j).map(move |p| (j, p)))
            .map(|(j, p)| position(j, p).0 as usize);
        let starts = group_starts(n, new_columns);
        let mut next = starts.clone();
        let mut entries = vec![(0, 0.0, 0.0); self.rows.len()];
        for j in 0..n {
            for p in columns(j) {
                let (column, row) = position(j, p);
                let at = &mut next[column as usize];
                entries[*at as usize] = (row, self.k[p], self.m[p]);
                *at += 1;
            }
        }
        for j in 0..n {
            entries[starts[j] as usize..starts[j + 1] as usize].sort_unstable_by_key(|e| e.0);
        }
        Self {
            starts,
            rows: entries.iter().map(|e| e.0).collect(),
            k: entries.iter().map(|e| e.1).collect(),
            m: entries.iter().map(|e| e.2).collect(),
        }
    }
}

/// Returns the approximate minimum degree order, for problems without coordinates.
fn approximate_minimum_degree(union: &UnionPattern) -> Result<Vec<u32>, EigenError> {
    let n = union.starts.len() - 1;
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &union.starts, None, &union.rows);
    let needed = amd::order_scratch::<u32>(n, union.rows.len());
    let over =
        || EigenError::OverMemory { needed_mib: needed.size_bytes() as u64 >> 20, limit_mib: 0 };
    let mut memory = MemBuffer::try_new(needed).map_err(|_| over())?;
    let (mut order, mut inverse) = (vec![0; n], vec![0; n]);
    let control = amd::Control::default();
    amd::order(&mut order, &mut inverse, pattern, control, MemStack::new(&mut memory))
        .map_err(|_| over())?;
    Ok(order)
}
