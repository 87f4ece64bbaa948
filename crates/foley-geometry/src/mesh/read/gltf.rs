//! glTF 2.0, as JSON or in its binary container (Khronos, glTF 2.0 specification).
//!
//! The default scene is read with node transforms applied: every primitive of triangles, strips
//! or fans, one part for each node and material. Skins and morph targets keep their default pose.
//! Compressed meshes (Draco, meshopt) are refused by name.

mod glb;
mod document;
mod buffers;
mod accessor;
mod scene;
mod nodes;
mod sampler;
mod animation;

pub use animation::GltfKeyframe;
pub use nodes::{Gltf, GltfNode};

use crate::mesh::MeshError;
use crate::mesh::read::Siblings;
use crate::mesh::read::builder::Builder;

/// Returns a syntax error of this format.
fn wrong(place: impl Into<String>, problem: impl Into<String>) -> MeshError {
    MeshError::Syntax { format: "glTF", place: place.into(), problem: problem.into() }
}

/// Reads a file and its external buffers; their total size is at most `limit` bytes.
pub(super) fn read(
    bytes: &[u8],
    siblings: Option<Siblings<'_>>,
    limit: u64,
    builder: &mut Builder,
) -> Result<(), MeshError> {
    let (json, binary) = glb::split(bytes)?;
    let document = document::parse(json)?;
    let buffers = buffers::load(&document, binary, siblings, limit)?;
    scene::read(&document, &buffers, bytes.len(), builder)
}
