//! A node of the tree, as a GPU reads it.

use super::Aabb;

/// 32 bytes: a box, and what is in it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Node {
    /// The lowest corner, rounded down.
    pub lo: [f32; 3],
    /// A leaf's first place in the tree's order; otherwise the first of two children side by side.
    pub first: u32,
    /// The highest corner, rounded up.
    pub hi: [f32; 3],
    /// How many things a leaf has; 0 if it is no leaf.
    pub count: u32,
}

impl Node {
    pub(super) fn new(bounds: &Aabb, first: u32, count: u32) -> Self {
        Self { lo: bounds.lo.map(down), first, hi: bounds.hi.map(up), count }
    }

    /// The box.
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
