//! Axis-aligned bounding boxes.

use glam::DVec3;

/// An axis-aligned bounding box; an empty one has `lo` above `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Its lowest corner.
    pub lo: [f64; 3],
    /// Its highest corner.
    pub hi: [f64; 3],
}

impl Aabb {
    /// The empty box.
    pub const EMPTY: Self = Self { lo: [f64::INFINITY; 3], hi: [f64::NEG_INFINITY; 3] };

    /// Returns the smallest box around points.
    pub fn from_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |all, point| {
            let point = point.to_array();
            all.union(&Self { lo: point, hi: point })
        })
    }

    /// Returns the smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        let mut all = *self;
        for axis in 0..3 {
            all.lo[axis] = self.lo[axis].min(other.lo[axis]);
            all.hi[axis] = self.hi[axis].max(other.hi[axis]);
        }
        all
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        (0..3).any(|axis| !(self.lo[axis] <= self.hi[axis]))
    }

    /// Returns its centre.
    pub fn centre(&self) -> [f64; 3] {
        std::array::from_fn(|axis| 0.5 * (self.lo[axis] + self.hi[axis]))
    }

    /// Returns half its surface area, proportional to the probability that a random line hits it.
    pub fn half_area(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let [x, y, z] = std::array::from_fn(|axis| self.hi[axis] - self.lo[axis]);
        x * y + y * z + z * x
    }

    /// Returns the box grown by a millionth of its largest coordinate, so that a trajectory through a flat item
    /// spends some time inside in spite of rounding.
    pub fn padded(&self) -> Self {
        let far = |axis: usize| self.lo[axis].abs().max(self.hi[axis].abs());
        let pad = 1e-6 * far(0).max(far(1)).max(far(2)) + 1e-9;
        Self { lo: self.lo.map(|x| x - pad), hi: self.hi.map(|x| x + pad) }
    }

    /// Returns the squared distance of a point; 0 inside.
    pub(super) fn distance_squared(&self, at: DVec3) -> f64 {
        let (low, high) = (DVec3::from_array(self.lo), DVec3::from_array(self.hi));
        (low - at).max(at - high).max(DVec3::ZERO).length_squared()
    }

    /// Returns where a ray is inside, up to `limit`, by the slab test.
    pub(super) fn slabs(&self, from: DVec3, inverse: DVec3, limit: f64) -> Option<[f64; 2]> {
        let (mut near, mut far) = (0.0, limit);
        for i in 0..3 {
            let [a, b] = [self.lo[i], self.hi[i]].map(|side| (side - from[i]) * inverse[i]);
            // `max` and `min` ignore NaN, which 0·∞ gives on the border of a flat box.
            near = f64::max(near, f64::min(a, b));
            far = f64::min(far, f64::max(a, b));
        }
        (near <= far * (1.0 + 1e-12)).then_some([near, far])
    }
}
