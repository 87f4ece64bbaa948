//! Bounding volume hierarchy (BVH) over targets and triangles, traversed along trajectories.
//!
//! The nodes are one flat array of 32-byte records with f32 boxes rounded outwards, fit for upload to a GPU.
//! The BVH is our own instead of the crate `obvhs` because its depth must be bounded by construction: a
//! shader has a stack of fixed size.

mod aabb;
mod node;
mod split;
mod build;
mod clip;
mod traverse;
mod triangle;
mod mesh;

pub use aabb::Aabb;
pub use build::{Bvh, MAX_DEPTH, MAX_ITEMS};
pub use clip::clip;
pub use mesh::{Mesh, TriangleHit};
pub use node::Node;
