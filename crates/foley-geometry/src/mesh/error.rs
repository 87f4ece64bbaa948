//! Errors of mesh files, meshes and their repair.

use crate::bounded_read::ReadError;
use std::path::PathBuf;
use thiserror::Error;

/// Error of reading, building or repairing a mesh. Triangles and vertices are counted from 0,
/// coordinates are in metres.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum MeshError {
    /// A file without content.
    #[error("the file is empty; export the mesh again")]
    Empty,
    /// Unknown file format.
    #[error("unknown mesh format; export the mesh as OBJ, PLY, STL, glTF or GLB")]
    UnknownFormat,
    /// Violation of the file format.
    #[error("{format}, {place}: {problem}")]
    Syntax { format: &'static str, place: String, problem: String },
    /// A limit is exceeded.
    #[error("{found} {what} are too many: at most {limit} are read; simplify the mesh")]
    Limit { what: &'static str, found: u64, limit: u64 },
    /// A count that does not fit into the file.
    #[error(
        "its header announces {count} {what}, but the file has room for {room} at most: it is cut short or \
         damaged; export it again"
    )]
    NoRoom { what: &'static str, count: u64, room: usize },
    /// Instances of meshes in a glTF file, merged into one mesh.
    #[error(
        "the nodes of this glTF file use the same meshes again and again: together they are one mesh of \
         more than {limit} triangles; take a single node of it, or read it as a scene, where instances \
         share their mesh"
    )]
    Repeated { limit: u64 },
    /// Points, lines or nothing.
    #[error("there are no triangles; point clouds and curves have no surface that could sound")]
    NoTriangles,
    /// Vertex index out of range.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices} vertices")]
    NoSuchVertex { triangle: usize, vertex: u32, vertices: usize },
    /// Vertex coordinates not finite or too large.
    #[error(
        "vertex {vertex} lies at ({:?}, {:?}, {:?}); coordinates must be finite and within \
         {MAX_COORDINATE:e} m: export the mesh again, or check its units",
        at[0], at[1], at[2]
    )]
    Vertex { vertex: usize, at: [f64; 3] },
    /// All vertices coincide.
    #[error("the mesh has no size: all its vertices lie at ({}, {}, {}); check the export", at[0], at[1], at[2])]
    NoSize { at: [f64; 3] },
    /// All triangles are degenerate.
    #[error(
        "none of the {triangles} triangles has an area: the mesh lies on a line; check the export"
    )]
    NoArea { triangles: usize },
    /// Invalid weld tolerance.
    #[error("the weld tolerance is {0}; it must be between 0 and 0.01 of the size of the mesh")]
    Tolerance(f64),
    /// Unknown name of a built-in mesh.
    #[error("there is no built-in mesh `{name}`; did you mean `{closest}`? Known are: {known}")]
    UnknownBuiltin { name: String, closest: &'static str, known: String },
    /// Unknown unit of length.
    #[error("there is no unit `{0}`; known are: m, cm, mm, in, ft")]
    UnknownUnit(String),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Any of these errors, with the file's path.
    #[error("{path}: {source}", path = path.display())]
    At { path: PathBuf, source: Box<MeshError> },
}

/// Largest coordinate in metres: its squares and cubes stay far from overflow.
pub(super) const MAX_COORDINATE: f64 = 1e9;
