//! Sweep and prune: the pairs of boxes that overlap, found along one axis.

use glam::DVec3;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::Aabb;
use std::ops::ControlFlow;

/// Calls `found` with the indices of each pair of boxes that overlap, until it breaks; returns its value then.
pub(super) fn overlapping_boxes<B>(
    boxes: &[Aabb],
    mut found: impl FnMut(usize, usize) -> ControlFlow<B>,
) -> Option<B> {
    let axis = widest_axis(boxes);
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    // Sorting is stable: boxes with one start stay in their order.
    order.sort_by(|&a, &b| boxes[a].mins[axis].total_cmp(&boxes[b].mins[axis]));
    for (k, &a) in order.iter().enumerate() {
        for &b in &order[k + 1..] {
            if boxes[b].mins[axis] > boxes[a].maxs[axis] {
                break;
            }
            if boxes[a].intersects(&boxes[b])
                && let ControlFlow::Break(value) = found(a, b)
            {
                return Some(value);
            }
        }
    }
    None
}

/// Returns the axis along which the centres are farthest apart.
fn widest_axis(boxes: &[Aabb]) -> usize {
    let centres = boxes.iter().map(|one| one.center().as_dvec3());
    let size =
        foley_geometry::vector::bounds(centres).map_or(DVec3::ZERO, |[low, high]| high - low);
    size.max_position()
}
