//! Following a path through a tree, near boxes first.

use super::{MOST_DEEP, Path, Tree};

/// Trees of up to so many levels take a small stack.
const SHALLOW: usize = 12;

impl Tree {
    /// Visits what the path may meet between two times, roughly in order. `visit` is told the number of
    /// a thing and the times at which the path is in its leaf; it returns the time beyond which nothing
    /// matters any more, if that has changed.
    pub fn walk<P: Path>(
        &self,
        path: &P,
        times: [f64; 2],
        visit: impl FnMut(u32, [f64; 2]) -> Option<f64>,
    ) {
        // Most trees are small, and a small stack is sooner laid out.
        if self.depth() <= SHALLOW {
            self.walk_with::<P, SHALLOW>(path, times, visit);
        } else {
            self.walk_with::<P, MOST_DEEP>(path, times, visit);
        }
    }

    fn walk_with<P: Path, const DEEP: usize>(
        &self,
        path: &P,
        [from, mut to]: [f64; 2],
        mut visit: impl FnMut(u32, [f64; 2]) -> Option<f64>,
    ) {
        let Some(root) = self.nodes().first() else { return };
        let Some(times) = path.clip(&root.bounds(), [from, to]) else { return };
        let mut stack = [(0_u32, [0.0; 2]); DEEP];
        let mut height = 0;
        let mut at = Some((0_u32, times));
        while let Some((place, times)) = at.take() {
            if times[0] <= to {
                let node = &self.nodes()[place as usize];
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
                        path.clip(&bounds, within).map(|times| (number, times))
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
