//! glTF 2.0, as JSON or in its binary container (Khronos, glTF 2.0 specification).
//!
//! The default scene is read as it stands: node transforms applied, every primitive
//! of triangles, strips or fans, one part for each node and material. Skins and morph
//! targets are left at rest. Compressed meshes (Draco, meshopt) are refused by name.

mod accessor;
mod container;
mod document;
mod motion;
mod nodes;
mod scene;
mod track;
mod uri;

pub use motion::GltfPlace;
pub use nodes::{Gltf, GltfNode};

use crate::mesh::MeshError;
use crate::mesh::builder::Builder;
use std::path::Path;

/// Why a file of this format is refused.
fn wrong(place: impl Into<String>, problem: impl Into<String>) -> MeshError {
    MeshError::Syntax { format: "glTF", place: place.into(), problem: problem.into() }
}

/// Reads a file whose external buffers lie in `folder`; all together they may have
/// `limit` bytes.
pub(super) fn read(
    bytes: &[u8],
    folder: Option<&Path>,
    limit: u64,
    builder: &mut Builder,
) -> Result<(), MeshError> {
    let (json, binary) = container::split(bytes)?;
    let document = document::parse(json)?;
    let buffers = uri::buffers(&document, binary, folder, limit)?;
    scene::read(&document, &buffers, builder)
}
