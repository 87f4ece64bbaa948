//! Bounding volume hierarchy (BVH): one builder, and the queries nearest point, ray, and any curve that
//! can be clipped by a box.
//!
//! The nodes are one flat array of 32-byte records with f32 boxes rounded outwards, fit for upload to a
//! GPU. The depth is bounded by construction, so that a stack of fixed size suffices, also in a
//! shader: the reason for not using the crate `obvhs`. A tree knows boxes only: queries hand the
//! items of leaves to the caller, as a range of [`order`](Bvh::order).

mod aabb;
mod node;
mod split;
mod traverse;

pub use aabb::Aabb;
pub use node::Node;
pub use split::Split;

use glam::DVec3;
use std::ops::Range;

/// The largest depth: a stack of this size suffices for every traversal.
pub const MAX_DEPTH: usize = 64;
/// The largest number of items for which it holds.
pub const MAX_ITEMS: usize = 1 << 24;
/// From this depth on, nodes are split at the median, which adds at most 24 levels.
const MEDIAN_FROM: usize = 36;

/// A tree of boxes over numbered items, nodes before their children.
///
/// ```
/// use foley_geometry::bvh::{Aabb, Bvh, Split};
/// use glam::DVec3;
/// let points = [0.0, 1.0, 5.0].map(|x| x * DVec3::X);
/// let box_of = |k: u32| Aabb::from_points([points[k as usize]]);
/// let tree = Bvh::new((0..3).collect(), 1, Split::Median, box_of);
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
    depth: usize,
}

impl Bvh {
    /// Builds a tree over the items of `order`, with at most `leaf` of them in a leaf.
    pub fn new(
        mut order: Vec<u32>,
        leaf: usize,
        split: Split,
        box_of: impl Fn(u32) -> Aabb,
    ) -> Self {
        if order.is_empty() {
            return Self::default();
        }
        let (leaf, mut depth) = (leaf.max(1), 0);
        let mut nodes = vec![Node::new(&Aabb::EMPTY, 0, 0)];
        let mut open = vec![(0_usize, 0..order.len(), 1_usize)];
        while let Some((number, items, level)) = open.pop() {
            depth = depth.max(level);
            let split = if level > MEDIAN_FROM { split.or_median() } else { split };
            let node = match split.first_part(&mut order[items.clone()], leaf, &box_of) {
                None => Node::new(&Aabb::EMPTY, items.start as u32, items.len() as u32),
                Some(first) => {
                    let (child, middle) = (nodes.len(), items.start + first);
                    nodes.extend([nodes[number]; 2]);
                    open.push((child + 1, middle..items.end, level + 1));
                    open.push((child, items.start..middle, level + 1));
                    Node::new(&Aabb::EMPTY, child as u32, 0)
                }
            };
            nodes[number] = node;
        }
        // Children come after their parents.
        for number in (0..nodes.len()).rev() {
            let Node { first, count, .. } = nodes[number];
            let bounds = if count == 0 {
                let [one, two] = [0, 1].map(|k| nodes[first as usize + k].bounds());
                one.union(&two)
            } else {
                let items = order[nodes[number].items()].iter();
                items.fold(Aabb::EMPTY, |all, &item| all.union(&box_of(item)))
            };
            nodes[number] = Node::new(&bounds, first, count);
        }
        Self { nodes, order, depth }
    }

    /// Returns the nodes; the first is the root. Empty if there are no items.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the items in the order of the leaves.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Returns the bounding box of all items.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, Node::bounds)
    }

    /// Returns the smallest squared distance from a point. `visit` gets the items of a leaf and the
    /// smallest squared distance so far; it returns the new one. Leaves at the same distance as the
    /// best one are visited too, so that the caller can break ties. Never allocates.
    pub fn nearest(&self, at: DVec3, visit: &mut impl FnMut(Range<usize>, f64) -> f64) -> f64 {
        let mut best = f64::INFINITY;
        if let Some(root) = self.nodes.first() {
            self.search(at, root, &mut best, visit);
        }
        best
    }

    fn search(
        &self,
        at: DVec3,
        node: &Node,
        best: &mut f64,
        visit: &mut impl FnMut(Range<usize>, f64) -> f64,
    ) {
        if node.count > 0 {
            *best = visit(node.items(), *best);
            return;
        }
        let children = [0, 1].map(|k| &self.nodes[node.first as usize + k]);
        let far = children.map(|child| child.bounds().distance_squared(at));
        let near = usize::from(far[1] < far[0]);
        for which in [near, 1 - near] {
            // Rounding may make an item a little closer than its box.
            if far[which] <= *best * (1.0 + 1e-9) {
                self.search(at, children[which], best, visit);
            }
        }
    }

    /// Returns the smallest distance along a ray, in lengths of `along`. `visit` gets the items of a
    /// leaf and the smallest distance so far; it returns the new one. `None` when nothing is hit, or
    /// when more than `work` boxes would be tested.
    pub fn ray(
        &self,
        [from, along]: [DVec3; 2],
        work: &mut u64,
        visit: &mut impl FnMut(Range<usize>, f64) -> f64,
    ) -> Option<f64> {
        let inverse = along.recip();
        let (mut nearest, mut exhausted) = (f64::INFINITY, false);
        let slabs = |bounds: &Aabb, [_, to]: [f64; 2]| {
            exhausted |= *work == 0;
            *work = work.saturating_sub(1);
            bounds.slabs(from, inverse, to).filter(|_| !exhausted)
        };
        self.traverse([0.0, f64::INFINITY], slabs, |leaf, _| {
            nearest = visit(leaf, nearest);
            Some(nearest)
        });
        (nearest.is_finite() && !exhausted).then_some(nearest)
    }
}
