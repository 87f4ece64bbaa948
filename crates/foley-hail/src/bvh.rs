//! Trees of boxes: what a path may meet, without asking everything.
//!
//! One flat array of 32-byte nodes with f32 boxes that are rounded outwards, fit to be uploaded to a
//! GPU. A path is a parabola ([`crate::Flight`]) or a straight [`Ray`]. The tree is our own, not that of
//! the crate `obvhs`, because its depth must be bounded by construction: a shader has a stack of a
//! fixed size.

mod aabb;
mod build;
mod clip;
mod mesh;
mod node;
mod ray;
mod split;
mod triangle;
mod walk;

pub use aabb::Aabb;
pub use build::{MOST_DEEP, MOST_ITEMS, Tree};
pub use clip::clip;
pub use mesh::{Meeting, Mesh};
pub use node::Node;
pub use ray::{Path, Ray};
