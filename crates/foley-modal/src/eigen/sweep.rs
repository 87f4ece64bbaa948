//! Solves with the packed factor: one sweep down the tree's columns, one back.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::block::Block;
use super::fronts::Factored;
use super::tile::{HEIGHT, LANES, Row, spread, times};
use super::tree::{Node, Tree};

/// x ← (L D Lᵀ)⁻¹ x, some panels on each thread.
pub(super) fn solve(tree: &Tree, factor: &Factored, x: &mut Block) {
    let share = x.panels.len().div_ceil(rayon::current_num_threads()).max(1);
    x.panels.par_chunks_mut(share).for_each(|panels| {
        Arch::new().dispatch(Sweep { tree, factor, panels });
    });
}

struct Sweep<'a> {
    tree: &'a Tree,
    factor: &'a Factored,
    panels: &'a mut [Vec<Row>],
}

impl WithSimd for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (node, packed) in self.tree.nodes.iter().zip(&self.factor.packed) {
            forward(simd, node, packed, self.panels);
        }
        for panel in self.panels.iter_mut() {
            for (x, inverse) in panel.iter_mut().zip(&self.factor.inverse) {
                x.iter_mut().for_each(|x| *x *= inverse);
            }
        }
        for (node, packed) in self.tree.nodes.iter().zip(&self.factor.packed).rev() {
            backward(simd, node, packed, self.panels);
        }
    }
}

/// Strip t of the triangle: its columns left of the diagonal square, and the square.
#[inline(always)]
fn triangle<'a>(node: &Node, packed: &'a [f64], t: usize) -> (usize, &'a [f64], &'a [f64]) {
    let (first, start) = (t * HEIGHT, Node::strip(t));
    let end = start + HEIGHT * (first + HEIGHT).min(node.width);
    let (left, square) = packed[start..end].split_at(HEIGHT * first);
    (first, left, square)
}

#[inline(always)]
fn forward<S: Simd>(simd: S, node: &Node, packed: &[f64], panels: &mut [Vec<Row>]) {
    let (start, end) = (node.start, node.start + node.width);
    for t in 0..node.width.div_ceil(HEIGHT) {
        let (first, left, square) = triangle(node, packed, t);
        for panel in panels.iter_mut() {
            let (before, own) = panel[start..end].split_at_mut(first);
            let product = times(simd, left, before);
            for (x, product) in own.iter_mut().zip(&product) {
                subtract(x, product, 1.0);
            }
            let size = square.len() / HEIGHT;
            for c in 0..size {
                let x = own[c];
                for r in c + 1..size {
                    subtract(&mut own[r], &x, square[c * HEIGHT + r]);
                }
            }
        }
    }
    let strips = packed[node.below()..].chunks_exact(HEIGHT * node.width);
    for (strip, rows) in strips.zip(node.rows.chunks(HEIGHT)) {
        for panel in panels.iter_mut() {
            let product = times(simd, strip, &panel[start..end]);
            for (row, product) in rows.iter().zip(&product) {
                subtract(&mut panel[*row as usize], product, 1.0);
            }
        }
    }
}

#[inline(always)]
fn backward<S: Simd>(simd: S, node: &Node, packed: &[f64], panels: &mut [Vec<Row>]) {
    let (start, end) = (node.start, node.start + node.width);
    let strips = packed[node.below()..].chunks_exact(HEIGHT * node.width);
    for (strip, rows) in strips.zip(node.rows.chunks(HEIGHT)) {
        for panel in panels.iter_mut() {
            let mut y = [[0.0; LANES]; HEIGHT];
            for (y, row) in y.iter_mut().zip(rows) {
                *y = panel[*row as usize].map(|x| -x);
            }
            spread(simd, strip, &y, &mut panel[start..end]);
        }
    }
    for t in (0..node.width.div_ceil(HEIGHT)).rev() {
        let (first, left, square) = triangle(node, packed, t);
        for panel in panels.iter_mut() {
            let (before, own) = panel[start..end].split_at_mut(first);
            let size = square.len() / HEIGHT;
            for r in (1..size).rev() {
                let x = own[r];
                for c in 0..r {
                    subtract(&mut own[c], &x, square[c * HEIGHT + r]);
                }
            }
            let mut y = [[0.0; LANES]; HEIGHT];
            for (y, x) in y.iter_mut().zip(own.iter()).take(size.min(HEIGHT)) {
                *y = x.map(|x| -x);
            }
            spread(simd, left, &y, before);
        }
    }
}

#[inline(always)]
fn subtract(x: &mut Row, y: &Row, factor: f64) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x -= factor * y);
}
