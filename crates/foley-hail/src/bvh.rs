//! Meshes and bounding volume hierarchies along trajectories.

mod clip;
mod triangle;
mod mesh;

pub use clip::clip;
pub use mesh::{TargetMesh, TriangleHit};

use crate::HailError;
use foley_geometry::bvh::{Aabb, Bvh, MAX_ITEMS, Split};

/// Builds a BVH over items given by their boxes, with up to `leaf` items per leaf. Boxes are padded; empty
/// ones are left out.
pub fn build(boxes: &[Aabb], leaf: usize) -> Result<Bvh, HailError> {
    if boxes.len() > MAX_ITEMS {
        return Err(HailError::TooMany {
            what: "triangles or targets of one BVH",
            found: boxes.len() as u64,
            limit: MAX_ITEMS as u64,
            remedy: "simplify the mesh",
        });
    }
    let padded: Vec<Aabb> = boxes.iter().map(Aabb::padded).collect();
    let order = (0..boxes.len() as u32).filter(|i| !boxes[*i as usize].is_empty()).collect();
    Ok(Bvh::new(order, leaf, Split::SurfaceArea, |i| padded[i as usize]))
}
