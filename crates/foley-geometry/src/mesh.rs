//! Triangle meshes: read from files, repaired, measured, or made by code.
//!
//! ```
//! use foley_geometry::mesh::{self, Density, Format, ReadOptions, RepairOptions, Units};
//!
//! // A tetrahedron of 30 mm, as it comes out of a CAD program.
//! let obj = "v 0 0 0\nv 30 0 0\nv 0 30 0\nv 0 0 30\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
//! let options = ReadOptions { units: Some(Units::Millimetres), ..ReadOptions::default() };
//! let raw = mesh::read_bytes(obj.as_bytes(), Format::Obj, &options)?;
//! let (mesh, report) = mesh::repair(raw, &RepairOptions::default())?.into();
//! assert!(report.facts.closed);
//! println!("{report}");
//!
//! // And one that nobody had to draw.
//! let bell = mesh::builtin("bell", Density::Medium)?;
//! assert!(bell.triangles.len() > 1000);
//! # Ok::<(), foley_geometry::mesh::MeshError>(())
//! ```
//!
//! The folders stand in the order of use: [`load`] reads a file in one of the known
//! [`Format`]s and [`repair`]s it, [`Walls`] measures how thick its walls are, and the
//! [`write_obj`] and [`write_stl`] writers hand it on.
//!
//! No bytes can do harm: every size is checked against the bytes that are there and
//! against [`Limits`] before memory is taken for it, and every loop ends with the file.

mod builder;
mod builtin;
mod bvh;
mod error;
mod facts;
mod forest;
mod polygon;
mod read;
mod refine;
mod repair;
mod report;
mod units;
pub mod vector;
mod walls;
mod write;

pub use builtin::making;
pub use builtin::{BUILTINS, Builtin, Density, builtin, builtin_info};
pub use error::MeshError;
pub use facts::Facts;
pub use forest::Forest;
pub use read::{Format, Gltf, GltfNode, GltfPlace, Limits, ReadOptions, load, read, read_bytes};
pub use refine::coarsen;
pub use refine::refine;
pub use repair::{Edges, ends};
pub use repair::{RepairOptions, Repaired, repair};
pub use report::{Repairs, Report};
pub use units::Units;
pub use walls::{Thickness, Walls};
pub use write::{write_obj, write_stl};

use std::ops::Range;

/// A surface of triangles.
///
/// The fields are open, so that a mesh can be made by hand. [`repair`] checks it;
/// whatever else takes a mesh expects one that went through it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Where the corners are, in metres.
    pub vertices: Vec<[f64; 3]>,
    /// Three vertices each, counter-clockwise when seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The named parts: ranges of triangles that follow each other and together
    /// hold all of them. May be empty when nothing has a name.
    pub parts: Vec<Part>,
}

/// A range of triangles with a name and a material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The object, group or node; empty when it has no name.
    pub name: String,
    /// The name of its material in the file.
    pub material: Option<String>,
    /// Its triangles.
    pub triangles: Range<usize>,
}

impl Mesh {
    /// Makes a mesh that has no named parts.
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Self {
        Self { vertices, triangles, parts: Vec::new() }
    }

    /// The three corners of a triangle.
    ///
    /// # Panics
    /// When there is no such triangle, or it names a vertex that does not exist.
    pub fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// The part that holds a triangle.
    pub fn part_of(&self, triangle: usize) -> Option<&Part> {
        let next = self.parts.partition_point(|part| part.triangles.end <= triangle);
        self.parts.get(next).filter(|part| part.triangles.contains(&triangle))
    }

    /// For every triangle the number of its piece, from 0 in order of appearance.
    /// Triangles that share a vertex are of one piece.
    pub fn pieces(&self) -> Vec<u32> {
        facts::pieces(self).0
    }
}
