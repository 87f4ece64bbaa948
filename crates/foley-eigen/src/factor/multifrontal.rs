//! The multifrontal method: L D Lᵀ of K − σM.
//!
//! J. Liu, *The multifrontal method for sparse matrix solution*, SIAM Review 34 (1992).
//! Each supernode assembles its columns and the update matrices of its children in a dense
//! front (extend-add), eliminates its own unknowns there, and passes the Schur complement to
//! its parent. All arithmetic is dense; independent subtrees run in parallel.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_unit_lower_triangular_in_place;
use faer::{Accum, Mat, MatMut, MatRef, Par, Spec};
use foley_parallel::prelude::*;

use crate::factor::elimination_tree::{EliminationTree, Supernode};
use crate::kernels::simd::STRIP_ROWS;
use crate::pencil::Pencil;
use crate::{EigenError, Options, Stage};

/// Largest entry of L that is accepted; a larger one means that a pivot is too small.
const MAX_GROWTH: f64 = 1e8;
/// Updates of at most this many columns run on one thread.
const SEQUENTIAL_SIZE: usize = 192;

/// The factor: L in strips per supernode, and 1/D.
pub(crate) struct LdltFactor {
    pub(crate) packed: Vec<Vec<f64>>,
    pub(crate) inverse: Vec<f64>,
    /// Number of negative D.
    pub(crate) negative: usize,
}

/// An eliminated supernode.
struct EliminatedFront {
    node: usize,
    packed: Vec<f64>,
    pivots: Vec<f64>,
    update: Mat<f64>,
}

/// Factorises; with `keep` false, only counts the signs of D. Returns `None` when a pivot is
/// too small.
pub(crate) fn factorise(
    tree: &EliminationTree,
    pencil: &Pencil,
    sigma: f64,
    keep: bool,
    stage: Stage,
    options: &mut Options<'_>,
) -> Result<Option<LdltFactor>, EigenError> {
    let count = tree.nodes.len();
    let mut packed = Vec::new();
    packed.resize_with(if keep { count } else { 0 }, Vec::new);
    let mut inverse = vec![0.0; pencil.unknowns()];
    let mut negative = 0;
    let mut updates: Vec<Option<Mat<f64>>> = Vec::new();
    updates.resize_with(count, || None);
    let mut store = |done: EliminatedFront, updates: &mut [Option<Mat<f64>>]| {
        negative += done.pivots.iter().filter(|d| **d < 0.0).count();
        let start = tree.nodes[done.node].start;
        for (inverse, d) in inverse[start..].iter_mut().zip(&done.pivots) {
            *inverse = d.recip();
        }
        if keep {
            packed[done.node] = done.packed;
        }
        if done.update.ncols() > 0 {
            updates[done.node] = Some(done.update);
        }
    };
    let front = FrontAssembler { tree, pencil, sigma, keep };
    let steps = (tree.subtrees.len() + tree.upper.len()) as f64;
    let mut finished = 0;
    options.report(stage, 0.0)?;
    for subtrees in tree.subtrees.chunks(foley_parallel::current_num_threads()) {
        let results: Vec<Option<Vec<EliminatedFront>>> =
            subtrees.par_iter().map(|list| front.subtrees(list)).collect();
        for done in results {
            let Some(done) = done else { return Ok(None) };
            done.into_iter().for_each(|done| store(done, &mut updates));
        }
        finished += subtrees.len();
        options.report(stage, finished as f64 / steps)?;
    }
    for node in &tree.upper {
        let Some(done) = front.eliminate(*node, &mut |c| updates[c].take()) else {
            return Ok(None);
        };
        store(done, &mut updates);
        finished += 1;
        options.report(stage, finished as f64 / steps)?;
    }
    Ok(Some(LdltFactor { packed, inverse, negative }))
}

struct FrontAssembler<'a> {
    tree: &'a EliminationTree,
    pencil: &'a Pencil,
    sigma: f64,
    keep: bool,
}

impl FrontAssembler<'_> {
    /// Eliminates a list of subtrees, with their nodes in order.
    fn subtrees(&self, list: &[usize]) -> Option<Vec<EliminatedFront>> {
        let mut all: Vec<EliminatedFront> = Vec::with_capacity(list.len());
        for node in list {
            // Both lists are sorted.
            let mut take = |child: usize| {
                let at = all.binary_search_by_key(&child, |done| done.node).ok()?;
                Some(std::mem::replace(&mut all[at].update, Mat::new()))
            };
            let done = self.eliminate(*node, &mut take)?;
            all.push(done);
        }
        Some(all)
    }

    fn eliminate(
        &self,
        s: usize,
        take: &mut dyn FnMut(usize) -> Option<Mat<f64>>,
    ) -> Option<EliminatedFront> {
        let node = &self.tree.nodes[s];
        let (w, p) = (node.width, node.rows.len());
        let mut columns = Mat::<f64>::zeros(w + p, w);
        let mut update = Mat::<f64>::zeros(p, p);
        self.assemble_entries(node, &mut columns);
        for child in &node.children {
            if let Some(given) = take(*child) {
                extend_add(node, &self.tree.nodes[*child].rows, &given, &mut columns, &mut update);
            }
        }
        let (mut top, mut below) = columns.as_mut().split_at_row_mut(w);
        let needed = ldlt::factor::cholesky_in_place_scratch::<f64>(w, Par::Seq, Spec::default());
        ldlt::factor::cholesky_in_place(
            top.as_mut(),
            ldlt::factor::LdltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut MemBuffer::try_new(needed).ok()?),
            Spec::default(),
        )
        .ok()?;
        let pivots: Vec<f64> = (0..w).map(|j| top[(j, j)]).collect();
        solve_below(top.as_ref(), below.as_mut());
        if p > 0 {
            // `below` holds L D; the update subtracts L D Lᵀ.
            let scaled = below.to_owned();
            for (j, d) in pivots.iter().enumerate() {
                let inverse = d.recip();
                below.as_mut().col_mut(j).iter_mut().for_each(|x| *x *= inverse);
            }
            subtract_lower(update.as_mut(), below.as_ref(), scaled.as_ref());
        }
        let safe = |x: &f64| x.abs() < MAX_GROWTH;
        let columns_safe = (0..w).all(|j| columns.col_as_slice(j)[j..].iter().all(safe));
        if !columns_safe || pivots.contains(&0.0) {
            return None;
        }
        let packed = if self.keep { pack(node, &columns) } else { Vec::new() };
        Some(EliminatedFront { node: s, packed, pivots, update })
    }

    /// Assembles the entries of K − σM.
    fn assemble_entries(&self, node: &Supernode, columns: &mut Mat<f64>) {
        let end = node.start + node.width;
        let (k, m) = (&self.pencil.k, &self.pencil.m);
        for j in 0..node.width {
            let column = node.start + j;
            let range = self.tree.starts[column] as usize..self.tree.starts[column + 1] as usize;
            let mut at = 0;
            for (row, entry) in &self.tree.entries[range] {
                let i = if (*row as usize) < end {
                    *row as usize - node.start
                } else {
                    at += node.rows[at..].partition_point(|r| r < row);
                    node.width + at
                };
                columns[(i, j)] = k[*entry as usize] - self.sigma * m[*entry as usize];
            }
        }
    }
}

/// Adds the update matrix of a child (extend-add).
fn extend_add(
    node: &Supernode,
    rows: &[u32],
    given: &Mat<f64>,
    columns: &mut Mat<f64>,
    update: &mut Mat<f64>,
) {
    let (w, end) = (node.width, node.start + node.width);
    let mut at = 0;
    let local: Vec<usize> = rows
        .iter()
        .map(|row| {
            if (*row as usize) < end {
                return *row as usize - node.start;
            }
            at += node.rows[at..].partition_point(|r| r < row);
            w + at
        })
        .collect();
    for (j, to) in local.iter().enumerate() {
        let from = &given.col_as_slice(j)[j..];
        if *to < w {
            let column = columns.col_as_slice_mut(*to);
            local[j..].iter().zip(from).for_each(|(i, x)| column[*i] += x);
        } else {
            let column = update.col_as_slice_mut(*to - w);
            local[j..].iter().zip(from).for_each(|(i, x)| column[*i - w] += x);
        }
    }
}

/// Computes below ← below · L⁻ᵀ.
fn solve_below(top: MatRef<'_, f64>, below: MatMut<'_, f64>) {
    let rows = below.nrows();
    if rows <= SEQUENTIAL_SIZE {
        return solve_unit_lower_triangular_in_place(top, below.transpose_mut(), Par::Seq);
    }
    let (a, b) = below.split_at_row_mut(rows / 2);
    foley_parallel::join(|| solve_below(top, a), || solve_below(top, b));
}

/// Computes the lower triangle of update ← update − a bᵀ.
fn subtract_lower(update: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    let size = update.ncols();
    if size <= SEQUENTIAL_SIZE {
        let full = BlockStructure::Rectangular;
        let lower = BlockStructure::TriangularLower;
        return triangular::matmul(
            update,
            lower,
            Accum::Add,
            a,
            full,
            b.transpose(),
            full,
            -1.0,
            Par::Seq,
        );
    }
    let half = size / 2;
    let (upper, lower) = update.split_at_row_mut(half);
    let (first, _) = upper.split_at_col_mut(half);
    let (left, last) = lower.split_at_col_mut(half);
    let ((a0, a1), (b0, b1)) = (a.split_at_row(half), b.split_at_row(half));
    foley_parallel::join(
        || subtract_rectangle(left, a1, b0),
        || foley_parallel::join(|| subtract_lower(first, a0, b0), || subtract_lower(last, a1, b1)),
    );
}

fn subtract_rectangle(update: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    let rows = update.nrows();
    if rows <= SEQUENTIAL_SIZE {
        return matmul(update, Accum::Add, a, b.transpose(), -1.0, Par::Seq);
    }
    let (top, bottom) = update.split_at_row_mut(rows / 2);
    let (a0, a1) = a.split_at_row(rows / 2);
    foley_parallel::join(|| subtract_rectangle(top, a0, b), || subtract_rectangle(bottom, a1, b));
}

/// Packs the columns into strips; those of the triangle end at the diagonal.
fn pack(node: &Supernode, columns: &Mat<f64>) -> Vec<f64> {
    let w = node.width;
    let mut packed = vec![0.0; node.packed_len()];
    let below = node.below_offset();
    for k in 0..w {
        let column = columns.col_as_slice(k);
        for (i, value) in column[..w].iter().enumerate().skip(k + 1) {
            packed[Supernode::strip_offset(i / STRIP_ROWS) + STRIP_ROWS * k + i % STRIP_ROWS] =
                *value;
        }
        for (strip, values) in column[w..].chunks(STRIP_ROWS).enumerate() {
            let at = below + STRIP_ROWS * (strip * w + k);
            packed[at..at + values.len()].copy_from_slice(values);
        }
    }
    packed
}
