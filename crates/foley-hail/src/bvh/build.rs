//! Top-down construction of a BVH.

use super::split::{split, split_at_median};
use super::{Aabb, Node};
use crate::HailError;

/// The largest depth: a stack of this size suffices for every traversal.
pub const MAX_DEPTH: usize = 64;
/// The largest number of items.
pub const MAX_ITEMS: usize = 1 << 24;
/// From this depth on, nodes are split at the median, which adds at most 24 levels.
const MEDIAN_FROM: usize = 36;

/// A bounding volume hierarchy in one flat array.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    nodes: Vec<Node>,
    order: Vec<u32>,
    depth: usize,
}

impl Bvh {
    /// Builds a BVH over items given by their boxes, with up to `leaf` items per leaf. Boxes are padded; empty
    /// ones are left out.
    pub fn new(boxes: &[Aabb], leaf: usize) -> Result<Self, HailError> {
        if boxes.len() > MAX_ITEMS {
            return Err(HailError::TooMany {
                what: "triangles or targets of one BVH",
                found: boxes.len() as u64,
                limit: MAX_ITEMS as u64,
                remedy: "simplify the mesh",
            });
        }
        let padded: Vec<Aabb> = boxes.iter().map(Aabb::padded).collect();
        let centres: Vec<[f64; 3]> = padded.iter().map(Aabb::centre).collect();
        let mut order: Vec<u32> =
            (0..boxes.len() as u32).filter(|i| !boxes[*i as usize].is_empty()).collect();
        let mut nodes = Vec::new();
        if order.is_empty() {
            return Ok(Self { nodes, order, depth: 0 });
        }
        let (leaf, mut deepest) = (leaf.max(1), 0);
        nodes.push(Node::new(&Aabb::EMPTY, 0, 0));
        let mut open = vec![(0_usize, 0_usize, order.len(), 0_usize)];
        while let Some((index, from, to, depth)) = open.pop() {
            deepest = deepest.max(depth);
            let items = &mut order[from..to];
            let bounds = items.iter().fold(Aabb::EMPTY, |all, i| all.union(&padded[*i as usize]));
            let parts = match items.len() {
                1 => None,
                n if depth >= MEDIAN_FROM => (n > leaf).then(|| split_at_median(items, &centres)),
                _ => split(items, &padded, &centres, leaf),
            };
            match parts {
                None => nodes[index] = Node::new(&bounds, from as u32, (to - from) as u32),
                Some(first) => {
                    let child = nodes.len();
                    nodes[index] = Node::new(&bounds, child as u32, 0);
                    nodes.extend([nodes[index]; 2]);
                    open.push((child + 1, from + first, to, depth + 1));
                    open.push((child, from, from + first, depth + 1));
                }
            }
        }
        Ok(Self { nodes, order, depth: deepest + 1 })
    }

    /// Returns the nodes; the first is the root. Empty if there are no items.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the item indices in the order in which leaves refer to them.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Returns the number of nodes on the longest path from the root to a leaf.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the bounding box of all items.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, Node::bounds)
    }
}
