//! Nested dissection by coordinates: bisect space, eliminate the separator last.
//!
//! A. George, *Nested dissection of a regular finite element mesh*, SIAM J. Numer.
//! Anal. 10 (1973). Removing the nodes along a plane (the separator) leaves two halves that
//! do not touch, so no fill arises between them; each half is cut again.

use std::collections::HashMap;

use crate::matrix::group_starts;

/// Parts of at most this many nodes are not cut further.
const LEAF: usize = 20;
/// Bounds the recursion for degenerate coordinates (nearly all nodes on one plane).
const MAX_DEPTH: usize = 60;

/// Returns the order of elimination, `order[new] = old`. `starts` and `rows` hold the pattern
/// of the lower triangle by columns.
pub(crate) fn order(starts: &[u32], rows: &[u32], coordinates: &[[f64; 3]]) -> Vec<u32> {
    let graph = NodeGraph::new(starts, rows, coordinates);
    let count = graph.coordinates.len();
    let mut dissector =
        Dissector { graph: &graph, side: vec![0; count], stamp: 0, order: Vec::new() };
    dissector.dissect((0..count as u32).collect(), 0);
    dissector.order.iter().flat_map(|node| graph.unknowns(*node).iter().copied()).collect()
}

/// Nodes (unknowns at one position) and their adjacency graph.
struct NodeGraph {
    coordinates: Vec<[f64; 3]>,
    unknown_starts: Vec<u32>,
    unknowns: Vec<u32>,
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl NodeGraph {
    fn new(starts: &[u32], rows: &[u32], coordinates: &[[f64; 3]]) -> Self {
        let mut numbers = HashMap::new();
        let mut node_coordinates = Vec::new();
        let node_of: Vec<u32> = coordinates
            .iter()
            .map(|position| {
                // Adding zero makes −0 and 0 equal.
                *numbers.entry(position.map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                    node_coordinates.push(*position);
                    node_coordinates.len() as u32 - 1
                })
            })
            .collect();
        let members = node_of.iter().enumerate().map(|(u, node)| (*node, u as u32)).collect();
        let (unknown_starts, unknowns) = grouped(node_coordinates.len(), members);
        let mut edges = Vec::new();
        for j in 0..coordinates.len() {
            let (b, mut last) = (node_of[j], u32::MAX);
            for row in &rows[starts[j] as usize..starts[j + 1] as usize] {
                let a = node_of[*row as usize];
                if a != b && a != last {
                    edges.push((a, b));
                    edges.push((b, a));
                }
                last = a;
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let (starts, neighbours) = grouped(node_coordinates.len(), edges);
        Self { coordinates: node_coordinates, unknown_starts, unknowns, starts, neighbours }
    }

    fn unknowns(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.unknowns[self.unknown_starts[node] as usize..self.unknown_starts[node + 1] as usize]
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.neighbours[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// Compresses pairs (group, member) to (starts, members).
fn grouped(groups: usize, mut pairs: Vec<(u32, u32)>) -> (Vec<u32>, Vec<u32>) {
    pairs.sort_unstable();
    let starts = group_starts(groups, pairs.iter().map(|(group, _)| *group as usize));
    (starts, pairs.into_iter().map(|(_, member)| member).collect())
}

struct Cut {
    separator: Vec<u32>,
    left: Vec<u32>,
    right: Vec<u32>,
}

struct Dissector<'a> {
    graph: &'a NodeGraph,
    /// Twice the stamp of the last cut for nodes on its left, one more on its right.
    side: Vec<u32>,
    stamp: u32,
    order: Vec<u32>,
}

impl Dissector<'_> {
    fn dissect(&mut self, nodes: Vec<u32>, depth: usize) {
        let cut = (nodes.len() > LEAF && depth < MAX_DEPTH).then(|| self.best_cut(&nodes));
        match cut.flatten() {
            None => self.order.extend(nodes),
            Some(cut) => {
                drop(nodes);
                self.dissect(cut.left, depth + 1);
                self.dissect(cut.right, depth + 1);
                self.order.extend(cut.separator);
            }
        }
    }

    /// Returns the cut across one of the three axes with the smallest separator, weighted by
    /// the balance of its halves.
    fn best_cut(&mut self, nodes: &[u32]) -> Option<Cut> {
        let mut best: Option<(f64, Cut)> = None;
        for axis in 0..3 {
            let Some(cut) = self.cut(nodes, axis) else { continue };
            let (left, right) = (cut.left.len() as f64, cut.right.len() as f64);
            let balance = 4.0 * (left + 1.0) * (right + 1.0) / (left + right + 2.0).powi(2);
            let cost = cut.separator.len() as f64 / balance;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, cut));
            }
        }
        best.map(|(_, cut)| cut)
    }

    fn cut(&mut self, nodes: &[u32], axis: usize) -> Option<Cut> {
        let position = |node: u32| self.graph.coordinates[node as usize][axis];
        let mut sorted: Vec<f64> = nodes.iter().map(|n| position(*n)).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let middle = sorted[sorted.len() / 2];
        // Nodes on the median plane go to the smaller side.
        let below = sorted.partition_point(|x| *x < middle);
        let up_to = sorted.partition_point(|x| *x <= middle);
        let strict = below > 0 && (up_to == sorted.len() || below + up_to >= sorted.len());
        let is_left = |x: f64| if strict { x < middle } else { x <= middle };
        if !strict && up_to == sorted.len() {
            return None;
        }
        self.stamp += 1;
        let (mark_left, mark_right) = (2 * self.stamp, 2 * self.stamp + 1);
        for node in nodes {
            let left = is_left(self.graph.coordinates[*node as usize][axis]);
            self.side[*node as usize] = if left { mark_left } else { mark_right };
        }
        let border = |mine: u32, other: u32| -> Vec<u32> {
            let is_adjacent =
                |n: &u32| self.graph.neighbours(*n).iter().any(|m| self.side[*m as usize] == other);
            let mine = nodes.iter().filter(|n| self.side[**n as usize] == mine);
            mine.filter(|n| is_adjacent(n)).copied().collect()
        };
        let (from_left, from_right) =
            (border(mark_left, mark_right), border(mark_right, mark_left));
        let separator = if from_left.len() <= from_right.len() { from_left } else { from_right };
        for node in &separator {
            self.side[*node as usize] = 0;
        }
        let of = |mark: u32| -> Vec<u32> {
            nodes.iter().filter(|n| self.side[**n as usize] == mark).copied().collect()
        };
        Some(Cut { left: of(mark_left), right: of(mark_right), separator })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square grid: the order is a permutation, and its last line splits the grid.
    #[test]
    fn a_grid_is_cut_along_its_middle() {
        let side = 33;
        let coordinates: Vec<[f64; 3]> =
            (0..side * side).map(|i| [(i % side) as f64, (i / side) as f64, 0.0]).collect();
        let (mut starts, mut rows) = (vec![0], Vec::new());
        for i in 0..side * side {
            if i % side + 1 < side {
                rows.push(i as u32 + 1);
            }
            if i / side + 1 < side {
                rows.push((i + side) as u32);
            }
            starts.push(rows.len() as u32);
        }
        let order = order(&starts, &rows, &coordinates);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, n)| i == *n as usize));
        let last: Vec<_> =
            order[side * (side - 1)..].iter().map(|n| coordinates[*n as usize]).collect();
        assert!((0..2).any(|axis| last.iter().all(|p| p[axis] == last[0][axis])), "{last:?}");
    }
}
