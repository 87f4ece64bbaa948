//! Straight rays, and what trees ask of a path.

use super::{Aabb, clip};
use crate::Flight;

/// A straight line from a place; `t` counts in lengths of its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin_m: [f64; 3],
    /// Where it goes.
    pub direction: [f64; 3],
    /// One over each component of the direction.
    inverse: [f64; 3],
}

impl Ray {
    /// From a place, along a direction of any length.
    pub fn new(origin_m: [f64; 3], direction: [f64; 3]) -> Self {
        Self { origin_m, direction, inverse: direction.map(f64::recip) }
    }
}

/// A way through space that a tree can follow.
pub trait Path {
    /// The part of the times outside which the path is certainly not in the box.
    fn clip(&self, bounds: &Aabb, times: [f64; 2]) -> Option<[f64; 2]>;
    /// The path as a flight.
    fn flight(&self) -> Flight;
}

impl Path for Flight {
    fn clip(&self, bounds: &Aabb, times: [f64; 2]) -> Option<[f64; 2]> {
        clip(self, bounds, times)
    }

    fn flight(&self) -> Flight {
        *self
    }
}

impl Path for Ray {
    fn clip(&self, bounds: &Aabb, [mut from, mut to]: [f64; 2]) -> Option<[f64; 2]> {
        for axis in 0..3 {
            let time = |x: f64| (x - self.origin_m[axis]) * self.inverse[axis];
            let (one, two) = (time(bounds.lo[axis]), time(bounds.hi[axis]));
            from = from.max(one.min(two));
            to = to.min(one.max(two));
        }
        (from <= to).then_some([from, to])
    }

    fn flight(&self) -> Flight {
        Flight { place_m: self.origin_m, velocity_m_s: self.direction, acceleration_m_s2: [0.0; 3] }
    }
}
