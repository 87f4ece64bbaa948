//! Boxes, and trees of boxes, for parabolas and straight rays.

mod aabb;
mod clip;

pub use aabb::Aabb;
pub use clip::clip;
