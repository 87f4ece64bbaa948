//! Stackless BVH: nodes in depth-first order, each with the index at which to continue when it is missed.

use crate::upload::layout::Node;
use crate::upload::local_space::LocalSpace;
use foley_geometry::bvh::Bvh;
use glam::DVec3;

/// Appends a BVH. `leaf` is called with every leaf, whose link is an index into [`Bvh::order`], and pushes it.
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

/// Recurses at most 64 levels, the largest depth of a BVH.
fn visit(
    tree: &Bvh,
    index: u32,
    local: &LocalSpace,
    out: &mut Vec<Node>,
    leaf: &impl Fn(Node, &mut Vec<Node>),
) {
    let node = &tree.nodes()[index as usize];
    let bounds = node.bounds();
    let margin = DVec3::splat(local.margin_m);
    // The margin exceeds the rounding error of f32.
    let lo = (DVec3::from_array(bounds.lo) - local.origin - margin).as_vec3().to_array();
    let hi = (DVec3::from_array(bounds.hi) - local.origin + margin).as_vec3().to_array();
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
