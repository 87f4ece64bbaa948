//! Solves with the packed factor: one sweep down the tree's columns, one back.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::block::Block;
use super::fronts::Factored;
use super::tile::{HEIGHT, LANES, Row, spread, times};
use super::tree::{Halves, Node, Tree};

/// x ← (L D Lᵀ)⁻¹ x. The two halves of the tree run side by side, and panels where there
/// are more threads than that.
pub(super) fn solve(tree: &Tree, factor: &Factored, x: &mut Block) {
    let threads = rayon::current_num_threads();
    let halves = tree.halves.filter(|_| threads > 1);
    let groups = if halves.is_some() { threads / 2 } else { threads };
    let share = x.panels.len().div_ceil(groups.max(1)).max(1);
    let arch = Arch::new();
    x.panels.par_chunks_mut(share).for_each(|panels| match halves {
        Some(halves) => in_halves(arch, tree, factor, halves, panels),
        None => {
            let all = Part::new(tree, factor, 0..tree.nodes.len());
            let beyond = panels_beyond(panels.len());
            let own = panels.iter_mut().map(|p| &mut p[..]).collect();
            let mut place = Place { first: 0, end: usize::MAX, own, beyond };
            arch.dispatch(Forward { part: &all, place: &mut place });
            arch.dispatch(Backward { part: &all, place: &mut place });
        }
    });
}

fn panels_beyond<'a>(count: usize) -> Vec<&'a mut [Row]> {
    (0..count).map(|_| Default::default()).collect()
}

fn in_halves(
    arch: Arch,
    tree: &Tree,
    factor: &Factored,
    Halves { second, rest }: Halves,
    panels: &mut [Vec<Row>],
) {
    let parts = [0..second.0, second.0..rest.0, rest.0..tree.nodes.len()]
        .map(|nodes| Part::new(tree, factor, nodes));
    // Each half adds to the rest: the second to a copy of its own.
    let mut copies: Vec<Vec<Row>> =
        panels.iter().map(|p| vec![[0.0; LANES]; p.len() - rest.1]).collect();
    let mut pieces: [Vec<&mut [Row]>; 3] = Default::default();
    for panel in panels.iter_mut() {
        let (before, last) = panel.split_at_mut(rest.1);
        let (one, two) = before.split_at_mut(second.1);
        pieces[0].push(one);
        pieces[1].push(two);
        pieces[2].push(last);
    }
    let [one, two, mut last] = pieces;
    let beyond = copies.iter_mut().map(|p| &mut p[..]).collect();
    let mut two = Place { first: second.1, end: rest.1, own: two, beyond };
    let mut one = Place { first: 0, end: rest.1, own: one, beyond: last };
    rayon::join(
        || arch.dispatch(Forward { part: &parts[0], place: &mut one }),
        || arch.dispatch(Forward { part: &parts[1], place: &mut two }),
    );
    last = std::mem::take(&mut one.beyond);
    for (last, copy) in last.iter_mut().zip(&two.beyond) {
        for (x, copy) in last.iter_mut().zip(copy.iter()) {
            subtract(x, copy, -1.0);
        }
    }
    let beyond = panels_beyond(last.len());
    let mut top = Place { first: rest.1, end: usize::MAX, own: last, beyond };
    arch.dispatch(Forward { part: &parts[2], place: &mut top });
    arch.dispatch(Backward { part: &parts[2], place: &mut top });
    for (copy, x) in two.beyond.iter_mut().zip(&top.own) {
        copy.copy_from_slice(x);
    }
    one.beyond = top.own;
    rayon::join(
        || arch.dispatch(Backward { part: &parts[0], place: &mut one }),
        || arch.dispatch(Backward { part: &parts[1], place: &mut two }),
    );
}

/// Some of the nodes.
struct Part<'a> {
    nodes: &'a [Node],
    packed: &'a [Vec<f64>],
    inverse: &'a [f64],
}

impl<'a> Part<'a> {
    fn new(tree: &'a Tree, factor: &'a Factored, nodes: std::ops::Range<usize>) -> Self {
        let (packed, inverse) = (&factor.packed[nodes.clone()], &factor.inverse);
        Self { nodes: &tree.nodes[nodes], packed, inverse }
    }
}

/// Where their rows are: those of their own columns, from `first` on, and those further
/// on, from `end`.
struct Place<'a> {
    first: usize,
    end: usize,
    own: Vec<&'a mut [Row]>,
    beyond: Vec<&'a mut [Row]>,
}

struct Forward<'a, 'p> {
    part: &'a Part<'a>,
    place: &'a mut Place<'p>,
}

impl WithSimd for Forward<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (node, packed) in self.part.nodes.iter().zip(self.part.packed) {
            forward(simd, node, packed, self.place);
        }
        let inverse = &self.part.inverse[self.place.first..];
        let first = self.part.nodes.first().map_or(0, |n| n.start);
        let columns = self.part.nodes.last().map_or(0, |n| n.start + n.width) - first;
        for panel in self.place.own.iter_mut() {
            for (x, inverse) in panel[..columns].iter_mut().zip(inverse) {
                x.iter_mut().for_each(|x| *x *= inverse);
            }
        }
    }
}

struct Backward<'a, 'p> {
    part: &'a Part<'a>,
    place: &'a mut Place<'p>,
}

impl WithSimd for Backward<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (node, packed) in self.part.nodes.iter().zip(self.part.packed).rev() {
            backward(simd, node, packed, self.place);
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
fn forward<S: Simd>(simd: S, node: &Node, packed: &[f64], place: &mut Place<'_>) {
    let start = node.start - place.first;
    let end = start + node.width;
    for t in 0..node.width.div_ceil(HEIGHT) {
        let (first, left, square) = triangle(node, packed, t);
        for panel in place.own.iter_mut() {
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
        for (own, beyond) in place.own.iter_mut().zip(&mut place.beyond) {
            let product = times(simd, strip, &own[start..end]);
            for (row, product) in rows.iter().zip(&product) {
                let row = *row as usize;
                if row < place.end {
                    subtract(&mut own[row - place.first], product, 1.0);
                } else {
                    subtract(&mut beyond[row - place.end], product, 1.0);
                }
            }
        }
    }
}

#[inline(always)]
fn backward<S: Simd>(simd: S, node: &Node, packed: &[f64], place: &mut Place<'_>) {
    let start = node.start - place.first;
    let end = start + node.width;
    let strips = packed[node.below()..].chunks_exact(HEIGHT * node.width);
    for (strip, rows) in strips.zip(node.rows.chunks(HEIGHT)) {
        for (own, beyond) in place.own.iter_mut().zip(&place.beyond) {
            let mut y = [[0.0; LANES]; HEIGHT];
            for (y, row) in y.iter_mut().zip(rows) {
                let row = *row as usize;
                let x = if row < place.end {
                    &own[row - place.first]
                } else {
                    &beyond[row - place.end]
                };
                *y = x.map(|x| -x);
            }
            spread(simd, strip, &y, &mut own[start..end]);
        }
    }
    for t in (0..node.width.div_ceil(HEIGHT)).rev() {
        let (first, left, square) = triangle(node, packed, t);
        for panel in place.own.iter_mut() {
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
