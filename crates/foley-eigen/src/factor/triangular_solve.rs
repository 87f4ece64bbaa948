//! Triangular solves with the packed factor: forward and backward substitution.

use foley_parallel::prelude::*;
use pulp::{Arch, Simd, WithSimd};

use crate::factor::elimination_tree::{Bisection, EliminationTree, Supernode};
use crate::factor::multifrontal::LdltFactor;
use crate::kernels::block_vector::BlockVector;
use crate::kernels::simd::{LANES, Row, STRIP_ROWS, multiply, multiply_transposed};

/// Computes x ← (L D Lᵀ)⁻¹ x. The two halves of the tree run in parallel, and so do panels
/// where there are more than two threads. Sums have the same order for any number of threads.
pub(crate) fn solve(tree: &EliminationTree, factor: &LdltFactor, x: &mut BlockVector) {
    let threads = foley_parallel::current_num_threads();
    let groups = if tree.bisection.is_some() { threads / 2 } else { threads };
    let share = x.panels.len().div_ceil(groups.max(1)).max(1);
    let arch = Arch::new();
    x.panels.par_chunks_mut(share).for_each(|panels| match tree.bisection {
        Some(bisection) => solve_bisected(arch, tree, factor, bisection, panels),
        None => {
            let all = NodeRange::new(tree, factor, 0..tree.nodes.len());
            let beyond = panels_beyond(panels.len());
            let own = panels.iter_mut().map(|p| &mut p[..]).collect();
            let mut views = RowViews { first: 0, end: usize::MAX, own, beyond };
            arch.dispatch(Forward(&all, &mut views));
            arch.dispatch(Backward(&all, &mut views));
        }
    });
}

fn panels_beyond<'a>(count: usize) -> Vec<&'a mut [Row]> {
    (0..count).map(|_| Default::default()).collect()
}

fn solve_bisected(
    arch: Arch,
    tree: &EliminationTree,
    factor: &LdltFactor,
    Bisection { second, separator }: Bisection,
    panels: &mut [Vec<Row>],
) {
    let parts = [0..second.0, second.0..separator.0, separator.0..tree.nodes.len()]
        .map(|nodes| NodeRange::new(tree, factor, nodes));
    // Both halves add to the separator: the second one to a copy.
    let mut copies: Vec<Vec<Row>> =
        panels.iter().map(|p| vec![[0.0; LANES]; p.len() - separator.1]).collect();
    let mut panel_parts: [Vec<&mut [Row]>; 3] = Default::default();
    for panel in panels.iter_mut() {
        let (before, last) = panel.split_at_mut(separator.1);
        let (one, two) = before.split_at_mut(second.1);
        panel_parts[0].push(one);
        panel_parts[1].push(two);
        panel_parts[2].push(last);
    }
    let [one, two, mut last] = panel_parts;
    let beyond = copies.iter_mut().map(|p| &mut p[..]).collect();
    let mut two = RowViews { first: second.1, end: separator.1, own: two, beyond };
    let mut one = RowViews { first: 0, end: separator.1, own: one, beyond: last };
    foley_parallel::join(
        || arch.dispatch(Forward(&parts[0], &mut one)),
        || arch.dispatch(Forward(&parts[1], &mut two)),
    );
    last = std::mem::take(&mut one.beyond);
    for (last, copy) in last.iter_mut().zip(&two.beyond) {
        for (x, copy) in last.iter_mut().zip(copy.iter()) {
            subtract(x, copy, -1.0);
        }
    }
    let beyond = panels_beyond(last.len());
    let mut top = RowViews { first: separator.1, end: usize::MAX, own: last, beyond };
    arch.dispatch(Forward(&parts[2], &mut top));
    arch.dispatch(Backward(&parts[2], &mut top));
    for (copy, x) in two.beyond.iter_mut().zip(&top.own) {
        copy.copy_from_slice(x);
    }
    one.beyond = top.own;
    foley_parallel::join(
        || arch.dispatch(Backward(&parts[0], &mut one)),
        || arch.dispatch(Backward(&parts[1], &mut two)),
    );
}

/// A range of supernodes with their factor.
struct NodeRange<'a> {
    nodes: &'a [Supernode],
    packed: &'a [Vec<f64>],
    inverse: &'a [f64],
}

impl<'a> NodeRange<'a> {
    fn new(
        tree: &'a EliminationTree,
        factor: &'a LdltFactor,
        nodes: std::ops::Range<usize>,
    ) -> Self {
        let (packed, inverse) = (&factor.packed[nodes.clone()], &factor.inverse);
        Self { nodes: &tree.nodes[nodes], packed, inverse }
    }
}

/// The rows of the vectors that a range touches: those of its own columns, from `first`, and
/// those beyond, from `end`.
struct RowViews<'a> {
    first: usize,
    end: usize,
    own: Vec<&'a mut [Row]>,
    beyond: Vec<&'a mut [Row]>,
}

struct Forward<'a, 'p>(&'a NodeRange<'a>, &'a mut RowViews<'p>);

impl WithSimd for Forward<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self(range, views) = self;
        for (node, packed) in range.nodes.iter().zip(range.packed) {
            forward(simd, node, packed, views);
        }
        let inverse = &range.inverse[views.first..];
        let first = range.nodes.first().map_or(0, |n| n.start);
        let columns = range.nodes.last().map_or(0, |n| n.start + n.width) - first;
        for panel in views.own.iter_mut() {
            for (x, inverse) in panel[..columns].iter_mut().zip(inverse) {
                x.iter_mut().for_each(|x| *x *= inverse);
            }
        }
    }
}

struct Backward<'a, 'p>(&'a NodeRange<'a>, &'a mut RowViews<'p>);

impl WithSimd for Backward<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self(range, views) = self;
        for (node, packed) in range.nodes.iter().zip(range.packed).rev() {
            backward(simd, node, packed, views);
        }
    }
}

/// Returns strip t of the triangle: its first row, its columns left of the diagonal square,
/// and the square.
#[inline(always)]
fn triangle<'a>(node: &Supernode, packed: &'a [f64], t: usize) -> (usize, &'a [f64], &'a [f64]) {
    let (first, start) = (t * STRIP_ROWS, Supernode::strip_offset(t));
    let end = start + STRIP_ROWS * (first + STRIP_ROWS).min(node.width);
    let (left, square) = packed[start..end].split_at(STRIP_ROWS * first);
    (first, left, square)
}

#[inline(always)]
fn forward<S: Simd>(simd: S, node: &Supernode, packed: &[f64], views: &mut RowViews<'_>) {
    let start = node.start - views.first;
    let end = start + node.width;
    for t in 0..node.width.div_ceil(STRIP_ROWS) {
        let (first, left, square) = triangle(node, packed, t);
        for panel in views.own.iter_mut() {
            let (before, own) = panel[start..end].split_at_mut(first);
            let product = multiply(simd, left, before);
            for (x, product) in own.iter_mut().zip(&product) {
                subtract(x, product, 1.0);
            }
            let size = square.len() / STRIP_ROWS;
            for c in 0..size {
                let x = own[c];
                for r in c + 1..size {
                    subtract(&mut own[r], &x, square[c * STRIP_ROWS + r]);
                }
            }
        }
    }
    let strips = packed[node.below_offset()..].chunks_exact(STRIP_ROWS * node.width);
    for (strip, rows) in strips.zip(node.rows.chunks(STRIP_ROWS)) {
        for (own, beyond) in views.own.iter_mut().zip(&mut views.beyond) {
            let product = multiply(simd, strip, &own[start..end]);
            for (row, product) in rows.iter().zip(&product) {
                let row = *row as usize;
                if row < views.end {
                    subtract(&mut own[row - views.first], product, 1.0);
                } else {
                    subtract(&mut beyond[row - views.end], product, 1.0);
                }
            }
        }
    }
}

#[inline(always)]
fn backward<S: Simd>(simd: S, node: &Supernode, packed: &[f64], views: &mut RowViews<'_>) {
    let start = node.start - views.first;
    let end = start + node.width;
    let strips = packed[node.below_offset()..].chunks_exact(STRIP_ROWS * node.width);
    for (strip, rows) in strips.zip(node.rows.chunks(STRIP_ROWS)) {
        for (own, beyond) in views.own.iter_mut().zip(&views.beyond) {
            let mut y = [[0.0; LANES]; STRIP_ROWS];
            for (y, row) in y.iter_mut().zip(rows) {
                let row = *row as usize;
                let x = if row < views.end {
                    &own[row - views.first]
                } else {
                    &beyond[row - views.end]
                };
                *y = x.map(|x| -x);
            }
            multiply_transposed(simd, strip, &y, &mut own[start..end]);
        }
    }
    for t in (0..node.width.div_ceil(STRIP_ROWS)).rev() {
        let (first, left, square) = triangle(node, packed, t);
        for panel in views.own.iter_mut() {
            let (before, own) = panel[start..end].split_at_mut(first);
            let size = square.len() / STRIP_ROWS;
            for r in (1..size).rev() {
                let x = own[r];
                for c in 0..r {
                    subtract(&mut own[c], &x, square[c * STRIP_ROWS + r]);
                }
            }
            let mut y = [[0.0; LANES]; STRIP_ROWS];
            for (y, x) in y.iter_mut().zip(own.iter()).take(size.min(STRIP_ROWS)) {
                *y = x.map(|x| -x);
            }
            multiply_transposed(simd, left, &y, before);
        }
    }
}

#[inline(always)]
fn subtract(x: &mut Row, y: &Row, factor: f64) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x -= factor * y);
}
