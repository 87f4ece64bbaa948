//! Boxes along the axes.

/// A box; one that holds nothing has `lo` above `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Its lowest corner.
    pub lo: [f64; 3],
    /// Its highest corner.
    pub hi: [f64; 3],
}

impl Aabb {
    /// Holds nothing.
    pub const NOTHING: Self = Self { lo: [f64::INFINITY; 3], hi: [f64::NEG_INFINITY; 3] };

    /// The smallest box around points.
    pub fn around(points: &[[f64; 3]]) -> Self {
        points.iter().fold(Self::NOTHING, |all, point| all.with(&Self { lo: *point, hi: *point }))
    }

    /// The smallest box around both.
    pub fn with(&self, other: &Self) -> Self {
        let mut all = *self;
        for axis in 0..3 {
            all.lo[axis] = self.lo[axis].min(other.lo[axis]);
            all.hi[axis] = self.hi[axis].max(other.hi[axis]);
        }
        all
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        (0..3).any(|axis| !(self.lo[axis] <= self.hi[axis]))
    }

    /// Its middle.
    pub fn centre(&self) -> [f64; 3] {
        std::array::from_fn(|axis| 0.5 * (self.lo[axis] + self.hi[axis]))
    }

    /// Half its surface, the measure of how likely a path meets it.
    pub fn half_area(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let [x, y, z] = std::array::from_fn(|axis| self.hi[axis] - self.lo[axis]);
        x * y + y * z + z * x
    }

    /// Grown by a millionth of its own size and distance from the origin: flat things get a thickness,
    /// so that a path through them is surely for some time inside, whatever rounding does.
    pub fn padded(&self) -> Self {
        let far = |axis: usize| self.lo[axis].abs().max(self.hi[axis].abs());
        let pad = 1e-6 * far(0).max(far(1)).max(far(2)) + 1e-9;
        Self { lo: self.lo.map(|x| x - pad), hi: self.hi.map(|x| x + pad) }
    }
}
