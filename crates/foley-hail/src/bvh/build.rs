//! How a tree grows.

use super::split::{halve, split};
use super::{Aabb, Node};
use crate::HailError;

/// No leaf is deeper: a stack of so many places serves every walk.
pub const MOST_DEEP: usize = 64;
/// A tree holds at most so many things.
pub const MOST_ITEMS: usize = 1 << 24;
/// From this depth on, things are halved by number, which takes at most 24 levels more.
const HALVE_FROM: usize = 36;

/// Boxes in boxes, in one flat array.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
    depth: usize,
}

impl Tree {
    /// A tree over things known by their boxes, with up to `leaf` of them in one leaf. Boxes are padded
    /// a little; empty ones are left out.
    pub fn new(boxes: &[Aabb], leaf: usize) -> Result<Self, HailError> {
        if boxes.len() > MOST_ITEMS {
            return Err(HailError::TooMany {
                what: "triangles or colliders of one tree",
                found: boxes.len() as u64,
                most: MOST_ITEMS as u64,
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
        nodes.push(Node::new(&Aabb::NOTHING, 0, 0));
        let mut open = vec![(0_usize, 0_usize, order.len(), 0_usize)];
        while let Some((place, from, to, depth)) = open.pop() {
            deepest = deepest.max(depth);
            let items = &mut order[from..to];
            let bounds = items.iter().fold(Aabb::NOTHING, |all, i| all.with(&padded[*i as usize]));
            let parted = match items.len() {
                1 => None,
                n if depth >= HALVE_FROM => (n > leaf).then(|| halve(items, &centres)),
                _ => split(items, &padded, &centres, leaf),
            };
            match parted {
                None => nodes[place] = Node::new(&bounds, from as u32, (to - from) as u32),
                Some(first) => {
                    let child = nodes.len();
                    nodes[place] = Node::new(&bounds, child as u32, 0);
                    nodes.extend([nodes[place]; 2]);
                    open.push((child + 1, from + first, to, depth + 1));
                    open.push((child, from, from + first, depth + 1));
                }
            }
        }
        Ok(Self { nodes, order, depth: deepest + 1 })
    }

    /// The nodes; the first is the root. Empty if there is nothing to meet.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The numbers of the things, as leaves refer to them.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// How many nodes are on the longest way from the root to a leaf.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The box around everything.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::NOTHING, Node::bounds)
    }
}
