//! Trees without a stack: nodes in the order of a walk, each with the place to go on when it is missed.

use crate::upload::layout::Node;
use crate::upload::local_space::LocalSpace;
use foley_hail::bvh::Bvh;
use glam::DVec3;

/// Appends a tree; `leaf` is told of every leaf (with its link as in the tree's order) and pushes it.
pub(super) fn flatten(
    tree: &Bvh,
    local: &LocalSpace,
    out: &mut Vec<Node>,
    leaf: impl Fn(Node, &mut Vec<Node>),
) {
    if !tree.nodes().is_empty() {
        visit(tree, 0, local, out, &leaf);
    }
}

/// A tree is at most 64 deep, by construction.
fn visit(
    tree: &Bvh,
    position: u32,
    local: &LocalSpace,
    out: &mut Vec<Node>,
    leaf: &impl Fn(Node, &mut Vec<Node>),
) {
    let node = &tree.nodes()[position as usize];
    let bounds = node.bounds();
    let wider = DVec3::splat(local.margin_m);
    // The margin is larger than what rounding to f32 takes away.
    let lo = (DVec3::from_array(bounds.lo) - local.origin - wider).as_vec3().to_array();
    let hi = (DVec3::from_array(bounds.hi) - local.origin + wider).as_vec3().to_array();
    let here = Node { lo, link: node.first, hi, count: node.count };
    if node.count > 0 {
        leaf(here, out);
        return;
    }
    let at = out.len();
    out.push(here);
    visit(tree, node.first, local, out, leaf);
    visit(tree, node.first + 1, local, out, leaf);
    out[at].link = out.len() as u32;
}
