//! Front-to-back traversal of a BVH along a trajectory.

use super::{Bvh, MAX_DEPTH, clip};
use crate::Trajectory;

/// Trees of at most this depth use a small stack.
const SHALLOW: usize = 12;

impl Bvh {
    /// Visits the items that the trajectory may hit between two times, roughly in order. `visit` receives the
    /// index of an item and the interval in its leaf, and returns a new upper bound of the time, if any.
    pub fn traverse(
        &self,
        trajectory: &Trajectory,
        times: [f64; 2],
        visit: impl FnMut(u32, [f64; 2]) -> Option<f64>,
    ) {
        // Most trees are shallow, and a small stack is cheaper to initialise.
        if self.depth() <= SHALLOW {
            self.traverse_with::<SHALLOW>(trajectory, times, visit);
        } else {
            self.traverse_with::<MAX_DEPTH>(trajectory, times, visit);
        }
    }

    fn traverse_with<const DEPTH: usize>(
        &self,
        trajectory: &Trajectory,
        [from, mut to]: [f64; 2],
        mut visit: impl FnMut(u32, [f64; 2]) -> Option<f64>,
    ) {
        let Some(root) = self.nodes().first() else { return };
        let Some(times) = clip(trajectory, &root.bounds(), [from, to]) else { return };
        let mut stack = [(0_u32, [0.0; 2]); DEPTH];
        let mut height = 0;
        let mut at = Some((0_u32, times));
        while let Some((index, times)) = at.take() {
            if times[0] <= to {
                let node = &self.nodes()[index as usize];
                if node.count > 0 {
                    for k in node.first..node.first + node.count {
                        let until = times[1].min(to);
                        if let Some(earlier) = visit(self.order()[k as usize], [times[0], until]) {
                            to = to.min(earlier);
                        }
                    }
                } else {
                    let within = [times[0], times[1].min(to)];
                    let child = |number: u32| {
                        let bounds = self.nodes()[number as usize].bounds();
                        clip(trajectory, &bounds, within).map(|times| (number, times))
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
