//! The problem made ready: both matrices of norm one, in the order of elimination.
//!
//! K' = K/‖K‖ and M' = M/‖M‖ keep every dense step on numbers near one, whatever the
//! units; λ = λ' ‖K‖/‖M‖ and u = u'/√‖M‖ undo it.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use super::product::Rows;
use super::{EigenError, Matrix, Problem, dissection};

pub(super) struct Pencil {
    /// `order[new] = old`.
    pub(super) order: Vec<u32>,
    /// The common pattern of the upper triangles, by columns.
    pub(super) starts: Vec<u32>,
    pub(super) rows: Vec<u32>,
    /// Values of K' and M' on the pattern.
    pub(super) k: Vec<f64>,
    pub(super) m: Vec<f64>,
    pub(super) stiffness: Rows,
    pub(super) mass: Rows,
    /// About the largest λ': the largest quotient of diagonals, 1 when K = 0.
    pub(super) top: f64,
    /// λ = λ' · this.
    pub(super) lambda_scale: f64,
    /// u = u' · this.
    pub(super) vector_scale: f64,
}

impl Pencil {
    pub(super) fn new(problem: &Problem) -> Result<Self, EigenError> {
        let n = problem.unknowns();
        let (k_norm, m_norm) = (problem.stiffness.norm(), problem.mass.norm());
        let k_norm = if k_norm > 0.0 { k_norm } else { 1.0 };
        let (scale_k, scale_m) = (k_norm.recip(), m_norm.recip());
        let usable = |x: f64| x.is_normal();
        if ![scale_k, scale_m, k_norm, m_norm, k_norm / m_norm].into_iter().all(usable) {
            return Err(EigenError::NotFinite { matrix: "norm of a", row: 0, column: 0 });
        }
        let old = Union::new(&problem.stiffness, &problem.mass, scale_k, scale_m);
        let order = match &problem.places {
            Some(places) => dissection::order(&old.starts, &old.rows, places),
            None => minimum_degree(&old)?,
        };
        let new = old.permuted(&order);
        let diagonal = (0..n).map(|j| new.starts[j + 1] as usize - 1);
        let top = diagonal.map(|p| new.k[p] / new.m[p]).fold(0.0, f64::max);
        Ok(Self {
            stiffness: Rows::mirrored(&new.starts, &new.rows, &new.k),
            mass: Rows::mirrored(&new.starts, &new.rows, &new.m),
            order,
            starts: new.starts,
            rows: new.rows,
            k: new.k,
            m: new.m,
            top: if top > 0.0 { top } else { 1.0 },
            lambda_scale: k_norm / m_norm,
            vector_scale: scale_m.sqrt(),
        })
    }

    pub(super) fn unknowns(&self) -> usize {
        self.order.len()
    }

    /// Memory taken.
    pub(super) fn bytes(&self) -> u64 {
        let own = 20 * self.rows.len() + 8 * self.order.len();
        self.stiffness.bytes() + self.mass.bytes() + own as u64
    }

    /// Values of K' − σ M'.
    pub(super) fn shifted(&self, sigma: f64) -> Vec<f64> {
        self.k.iter().zip(&self.m).map(|(k, m)| k - sigma * m).collect()
    }
}

/// One triangle of both matrices on one pattern.
struct Union {
    starts: Vec<u32>,
    rows: Vec<u32>,
    k: Vec<f64>,
    m: Vec<f64>,
}

impl Union {
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

    /// The upper triangle of P A Pᵀ, rows ascending, so that each column ends with its
    /// diagonal.
    fn permuted(self, order: &[u32]) -> Self {
        let n = order.len();
        let mut new_of = vec![0; n];
        for (new, old) in order.iter().enumerate() {
            new_of[*old as usize] = new as u32;
        }
        let mut starts = vec![0; n + 1];
        let place = |j: usize, p: usize| {
            let (a, b) = (new_of[j], new_of[self.rows[p] as usize]);
            (a.max(b), a.min(b))
        };
        let columns = |j: usize| self.starts[j] as usize..self.starts[j + 1] as usize;
        for j in 0..n {
            for p in columns(j) {
                starts[place(j, p).0 as usize + 1] += 1;
            }
        }
        for j in 0..n {
            starts[j + 1] += starts[j];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0, 0.0, 0.0); self.rows.len()];
        for j in 0..n {
            for p in columns(j) {
                let (column, row) = place(j, p);
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

/// Approximate minimum degree, for problems without places.
fn minimum_degree(union: &Union) -> Result<Vec<u32>, EigenError> {
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
