//! What can be wrong with a mesh.

use std::path::PathBuf;
use thiserror::Error;

/// Why there is no mesh.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// Neither the name nor the content says what it is.
    #[error("this is no mesh file that is known here; export it as OBJ, PLY, STL, glTF or GLB")]
    UnknownFormat,
    /// The file breaks the rules of its format.
    #[error("{format}, {place}: {problem}")]
    Syntax {
        /// The format it claims to have.
        format: &'static str,
        /// Where in the file.
        place: String,
        /// What is wrong there, and what helps.
        problem: String,
    },
    /// More than is ever read.
    #[error("{found} {what}; at most {limit} are read: simplify the mesh, or raise the limit")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How much.
        found: u64,
        /// How much is allowed.
        limit: u64,
    },
    /// Points, lines or nothing at all.
    #[error("there are no triangles; point clouds and curves have no surface that could sound")]
    NoTriangles,
    /// A corner that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices} vertices")]
    NoSuchVertex {
        /// The triangle, counted from 0.
        triangle: usize,
        /// What it names.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A corner that is nowhere.
    #[error(
        "vertex {vertex} lies at ({:?}, {:?}, {:?}); coordinates must be finite and within \
         {MAX_COORDINATE:e} m: export the mesh again, or check its units",
        at[0], at[1], at[2]
    )]
    Vertex {
        /// The vertex, counted from 0.
        vertex: usize,
        /// Where it claims to be, in metres.
        at: [f64; 3],
    },
    /// All in one place.
    #[error("the mesh has no size: all its vertices lie at ({}, {}, {}); check the export", at[0], at[1], at[2])]
    NoSize {
        /// Where they lie, in metres.
        at: [f64; 3],
    },
    /// Nothing but points and lines in the guise of triangles.
    #[error(
        "none of the {triangles} triangles has an area: the mesh lies on a line; check the export"
    )]
    NoArea {
        /// How many there were.
        triangles: usize,
    },
    /// A number that no repair can use.
    #[error("the weld tolerance is {0}; it must be between 0 and 0.01 of the size of the mesh")]
    Tolerance(f64),
    /// No built-in mesh of this name.
    #[error("there is no built-in mesh `{name}`; did you mean `{closest}`? Known are: {known}")]
    UnknownBuiltin {
        /// What was asked for.
        name: String,
        /// The name that looks most like it.
        closest: &'static str,
        /// All names.
        known: String,
    },
    /// A unit of length that is not known.
    #[error("there is no unit `{0}`; known are: m, cm, mm, in, ft")]
    UnknownUnit(String),
    /// A folder, a device or the like.
    #[error("this is not a regular file")]
    NotAFile,
    /// The system refuses.
    #[error("cannot {doing}: {source}")]
    Io {
        /// What was attempted.
        doing: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// Any of these, with the file it concerns.
    #[error("{path}: {source}", path = path.display())]
    At {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<MeshError>,
    },
}

/// No coordinate may lie further out, in metres: squares and cubes of it must remain
/// far from overflow, and nothing that sounds is so far away.
pub(super) const MAX_COORDINATE: f64 = 1e9;
