//! Bounding volume hierarchy (BVH) of boxes in double precision: one builder, and the queries
//! nearest point and ray.
//!
//! The tree halves its items at every level, so that its depth is the logarithm of their number
//! whatever their positions. It knows boxes only: queries hand the items of leaves to the caller,
//! who keeps them in [`order`](Bvh::order).

use crate::vector::bounds;
use glam::DVec3;
use std::ops::Range;

/// A node on one cache line: most of a search waits for memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
struct Node {
    bounds: [DVec3; 2],
    /// Leaf: first item in `order`. Inner node: second child; the first child follows the node.
    first: u32,
    /// Number of items of a leaf; 0 for an inner node.
    count: u32,
}

/// A tree of boxes over numbered items, nodes before their children.
///
/// ```
/// use foley_geometry::bvh::{Bvh, split_at_median};
/// use glam::DVec3;
/// let points = [0.0, 1.0, 5.0].map(|x| x * DVec3::X);
/// let box_of = |k: u32| [points[k as usize]; 2];
/// let tree = Bvh::new((0..3).collect(), 1, box_of, |part| split_at_median(part, box_of));
/// let distance_squared = tree.nearest(3.5 * DVec3::X, &mut |leaf, mut best| {
///     for &k in &tree.order()[leaf] {
///         best = f64::min(best, (points[k as usize].x - 3.5).powi(2));
///     }
///     best
/// });
/// assert_eq!(distance_squared, 2.25);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bvh {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Bvh {
    /// Builds a tree with at most `leaf` items in a leaf. `partition` rearranges the items of a node
    /// so that its two halves are its children; it does nothing when `order` is sorted already,
    /// for instance along a space-filling curve.
    pub fn new(
        order: Vec<u32>,
        leaf: usize,
        box_of: impl Fn(u32) -> [DVec3; 2],
        mut partition: impl FnMut(&mut [u32]),
    ) -> Self {
        let n = order.len();
        let mut tree = Self { nodes: Vec::new(), order };
        if n > 0 {
            tree.nodes.reserve(4 * n / leaf.max(1) + 2);
            tree.build(0..n, leaf.max(1), &box_of, &mut partition);
        }
        tree
    }

    fn build(
        &mut self,
        items: Range<usize>,
        leaf: usize,
        box_of: &impl Fn(u32) -> [DVec3; 2],
        partition: &mut impl FnMut(&mut [u32]),
    ) -> [DVec3; 2] {
        let number = self.nodes.len();
        if items.len() <= leaf {
            let corners = self.order[items.clone()].iter().flat_map(|&k| box_of(k));
            let bounds = bounds(corners).unwrap_or_default();
            let (first, count) = (items.start as u32, items.len() as u32);
            self.nodes.push(Node { bounds, first, count });
            return bounds;
        }
        self.nodes.push(Node { bounds: [DVec3::ZERO; 2], first: 0, count: 0 });
        partition(&mut self.order[items.clone()]);
        let half = items.start + items.len() / 2;
        let one = self.build(items.start..half, leaf, box_of, partition);
        self.nodes[number].first = self.nodes.len() as u32;
        let two = self.build(half..items.end, leaf, box_of, partition);
        let around = bounds([one, two].into_iter().flatten()).unwrap_or_default();
        self.nodes[number].bounds = around;
        around
    }

    /// Returns the items in the order of the leaves.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Returns the smallest squared distance from a point. `visit` gets the items of a leaf, as a
    /// range of [`order`](Self::order), and the smallest squared distance so far; it returns the
    /// new one. Leaves at the same distance as the best one are visited too, so that the caller
    /// can break ties. Never allocates.
    pub fn nearest(&self, at: DVec3, visit: &mut impl FnMut(Range<usize>, f64) -> f64) -> f64 {
        let mut best = f64::INFINITY;
        if !self.nodes.is_empty() {
            self.search(at, 0, &mut best, visit);
        }
        best
    }

    fn search(
        &self,
        at: DVec3,
        number: usize,
        best: &mut f64,
        visit: &mut impl FnMut(Range<usize>, f64) -> f64,
    ) {
        let Node { first, count, .. } = self.nodes[number];
        let first = first as usize;
        if count > 0 {
            *best = visit(first..first + count as usize, *best);
            return;
        }
        let halves = [number + 1, first];
        let far = halves.map(|half| distance_squared(self.nodes[half].bounds, at));
        let near = usize::from(far[1] < far[0]);
        for which in [near, 1 - near] {
            // Rounding may make an item a little closer than its box.
            if far[which] <= *best * (1.0 + 1e-9) {
                self.search(at, halves[which], best, visit);
            }
        }
    }

    /// Returns the smallest distance along a ray, in lengths of `along`. `visit` gets the items of a
    /// leaf, as a range of [`order`](Self::order), and the smallest distance so far; it returns the
    /// new one. `None` when nothing is hit, or when more than `work` boxes would be tested.
    pub fn ray(
        &self,
        [from, along]: [DVec3; 2],
        work: &mut u64,
        visit: &mut impl FnMut(Range<usize>, f64) -> f64,
    ) -> Option<f64> {
        let inverse = along.recip();
        let mut nearest = f64::INFINITY;
        let mut stack = vec![0];
        while let Some(number) = stack.pop() {
            let Some(node) = self.nodes.get(number) else { continue };
            *work = work.checked_sub(1)?;
            if !enters(node.bounds, from, inverse, nearest) {
                continue;
            }
            let first = node.first as usize;
            match node.count {
                0 => stack.extend([first, number + 1]),
                count => nearest = visit(first..first + count as usize, nearest),
            }
        }
        nearest.is_finite().then_some(nearest)
    }
}

/// Partitions items at the median of their boxes' middles along the longest side of their common
/// box; equal middles are ordered by index.
pub fn split_at_median(items: &mut [u32], box_of: impl Fn(u32) -> [DVec3; 2]) {
    let [low, high] = bounds(items.iter().flat_map(|&k| box_of(k))).unwrap_or_default();
    let longest = (0..3).max_by(|a, b| (high[*a] - low[*a]).total_cmp(&(high[*b] - low[*b])));
    let axis = longest.unwrap_or(0);
    let middle = |k: u32| {
        let [low, high] = box_of(k);
        low[axis] + high[axis]
    };
    let order = |a: &u32, b: &u32| middle(*a).total_cmp(&middle(*b)).then(a.cmp(b));
    items.select_nth_unstable_by(items.len() / 2, order);
}

/// Returns the squared distance of a point from a box; 0 inside.
fn distance_squared([low, high]: [DVec3; 2], at: DVec3) -> f64 {
    (low - at).max(at - high).max(DVec3::ZERO).length_squared()
}

/// Returns whether a ray hits a box before `limit` (slab test).
fn enters([low, high]: [DVec3; 2], from: DVec3, inverse: DVec3, limit: f64) -> bool {
    let (mut near, mut far) = (0.0, limit);
    for i in 0..3 {
        let (a, b) = ((low[i] - from[i]) * inverse[i], (high[i] - from[i]) * inverse[i]);
        // `max` and `min` ignore NaN, which 0·∞ gives on the border of a flat box.
        near = f64::max(near, f64::min(a, b));
        far = f64::min(far, f64::max(a, b));
    }
    near <= far * (1.0 + 1e-12)
}
