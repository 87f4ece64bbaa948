//! Front-to-back traversal of a BVH along a curve.

use super::{Aabb, Bvh, MAX_DEPTH};
use std::ops::Range;

/// Trees of at most this depth use a small stack.
const SHALLOW: usize = 12;

impl Bvh {
    /// Visits the leaves that a curve may meet, roughly in order of its parameter, for instance time.
    /// `clip` returns the part of an interval outside which the curve is certainly not in a box; none if
    /// it never enters. `visit` gets the items of a leaf and the interval, and returns a new upper bound
    /// of the parameter, if any.
    pub fn traverse(
        &self,
        interval: [f64; 2],
        clip: impl FnMut(&Aabb, [f64; 2]) -> Option<[f64; 2]>,
        visit: impl FnMut(Range<usize>, [f64; 2]) -> Option<f64>,
    ) {
        // Most trees are shallow, and a small stack is cheaper to initialise.
        if self.depth <= SHALLOW {
            self.traverse_with::<SHALLOW>(interval, clip, visit);
        } else {
            self.traverse_with::<MAX_DEPTH>(interval, clip, visit);
        }
    }

    fn traverse_with<const DEPTH: usize>(
        &self,
        [from, mut to]: [f64; 2],
        mut clip: impl FnMut(&Aabb, [f64; 2]) -> Option<[f64; 2]>,
        mut visit: impl FnMut(Range<usize>, [f64; 2]) -> Option<f64>,
    ) {
        let Some(root) = self.nodes.first() else { return };
        let Some(times) = clip(&root.bounds(), [from, to]) else { return };
        let mut stack = [(0_u32, [0.0; 2]); DEPTH];
        let mut height = 0;
        let mut at = Some((0_u32, times));
        while let Some((index, times)) = at.take() {
            if times[0] <= to {
                let node = &self.nodes[index as usize];
                let within = [times[0], times[1].min(to)];
                if node.count > 0 {
                    to = to.min(visit(node.items(), within).unwrap_or(to));
                } else {
                    let mut child = |number: u32| {
                        let bounds = self.nodes[number as usize].bounds();
                        clip(&bounds, within).map(|times| (number, times))
                    };
                    let (one, two) = (child(node.first), child(node.first + 1));
                    match (one, two) {
                        (Some(one), Some(two)) => {
                            let swap = two.1[0] < one.1[0];
                            let (near, far) = if swap { (two, one) } else { (one, two) };
                            stack[height] = far;
                            height += 1;
                            at = Some(near);
                        }
                        (one, two) => at = one.or(two),
                    }
                }
            }
            if at.is_none() && height > 0 {
                height -= 1;
                at = Some(stack[height]);
            }
        }
    }
}
