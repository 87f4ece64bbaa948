//! Mesh readers: OBJ, PLY, STL and glTF, with format detection and size limits.

mod disk;
mod text;
mod obj;
mod ply;
mod stl;
mod gltf;
mod triangulate;
mod builder;

pub use disk::{files, load, read, read_asset};
pub use gltf::{Gltf, GltfKeyframe, GltfNode};

use super::{Mesh, MeshError, Units};
use crate::assets::AssetLoader;
use builder::Builder;
use derive_setters::Setters;
use std::path::Path;

/// Limits of what is read. Exceeding one is an error, before any memory is allocated for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the file, and of the buffers of a glTF file.
    pub file_bytes: u64,
    /// Vertices; at most 2³⁰.
    pub vertices: usize,
    /// Triangles; at most 2³⁰.
    pub triangles: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 2 << 30, vertices: 20_000_000, triangles: 20_000_000 }
    }
}

/// Options of the readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct ReadOptions {
    /// Unit of the coordinates; `None` for metres, which glTF prescribes and other formats leave
    /// open.
    #[setters(into)]
    pub units: Option<Units>,
    /// Size limits.
    pub limits: Limits,
}

/// Supported file formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ: faces of any size, groups, names of materials.
    Obj,
    /// Stanford PLY, ascii or binary of either byte order.
    Ply,
    /// STL, ascii or binary.
    Stl,
    /// glTF 2.0 as JSON.
    Gltf,
    /// glTF 2.0 in its binary container.
    Glb,
}

impl Format {
    /// Detects the format of a file by its first bytes, else by its extension.
    pub fn detect(name: &Path, bytes: &[u8]) -> Option<Format> {
        let ending = name.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        let by_name = match ending.as_deref() {
            Some("obj") => Some(Format::Obj),
            Some("ply") => Some(Format::Ply),
            Some("stl") => Some(Format::Stl),
            Some("gltf") => Some(Format::Gltf),
            Some("glb") => Some(Format::Glb),
            _ => None,
        };
        match text::without_mark(bytes) {
            [b'g', b'l', b'T', b'F', ..] => Some(Format::Glb),
            [b'p', b'l', b'y', b'\r' | b'\n', ..] => Some(Format::Ply),
            [b's', b'o', b'l', b'i', b'd', ..] => Some(by_name.unwrap_or(Format::Stl)),
            _ => by_name,
        }
    }
}

/// Reads a mesh from memory. Buffers in other files are refused; [`read`] resolves them.
pub fn read_bytes(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Mesh, MeshError> {
    parse(bytes, format, options, None)
}

/// The folder of a file, where its external buffers are.
#[derive(Clone, Copy)]
struct Siblings<'a> {
    assets: &'a dyn AssetLoader,
    folder: &'a Path,
}

impl<'a> Siblings<'a> {
    fn of(assets: &'a dyn AssetLoader, file: &'a Path) -> Self {
        Self { assets, folder: file.parent().unwrap_or(Path::new("")) }
    }
}

/// Reads a mesh with its external buffers, if there are any.
fn parse(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
    siblings: Option<Siblings<'_>>,
) -> Result<Mesh, MeshError> {
    let mut limits = options.limits;
    if bytes.len() as u64 > limits.file_bytes {
        let (found, limit) = (bytes.len() as u64, limits.file_bytes);
        return Err(MeshError::Limit { what: "bytes in the file", found, limit });
    }
    if bytes.is_empty() {
        return Err(MeshError::Empty);
    }
    // Indices, and edges as half-edges, must fit into 32 bits.
    limits.vertices = limits.vertices.min(1 << 30);
    limits.triangles = limits.triangles.min(1 << 30);
    let mut builder = Builder::new(limits, options.units.unwrap_or(Units::Metres).metres());
    let text = text::without_mark(bytes);
    // The header of a binary STL file may be any bytes.
    let bytes = if format == Format::Stl && !text.starts_with(b"solid") { bytes } else { text };
    match format {
        Format::Obj => obj::read(bytes, &mut builder)?,
        Format::Ply => ply::read(bytes, &mut builder)?,
        Format::Stl => stl::read(bytes, &mut builder)?,
        Format::Gltf | Format::Glb => gltf::read(bytes, siblings, limits.file_bytes, &mut builder)?,
    }
    builder.finish()
}
