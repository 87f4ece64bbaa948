//! A node of the BVH in the layout of the GPU.

use super::Aabb;

/// A node of 32 bytes: a box and a reference to its content.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The lowest corner, rounded down.
    pub lo: [f32; 3],
    /// A leaf's first index into [`super::Bvh::order`]; otherwise the first of two consecutive children.
    pub first: u32,
    /// The highest corner, rounded up.
    pub hi: [f32; 3],
    /// The number of items of a leaf; 0 for an inner node.
    pub count: u32,
}

impl Node {
    pub(super) fn new(bounds: &Aabb, first: u32, count: u32) -> Self {
        Self { lo: bounds.lo.map(down), first, hi: bounds.hi.map(up), count }
    }

    /// Returns the items of a leaf, as a range of [`super::Bvh::order`]; empty for an inner node.
    pub(super) fn items(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// Returns the box.
    #[inline]
    pub fn bounds(&self) -> Aabb {
        let ([a, b, c], [d, e, f]) = (self.lo, self.hi);
        Aabb { lo: [a.into(), b.into(), c.into()], hi: [d.into(), e.into(), f.into()] }
    }
}

fn down(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) > x { near.next_down() } else { near }
}

fn up(x: f64) -> f32 {
    -down(-x)
}
