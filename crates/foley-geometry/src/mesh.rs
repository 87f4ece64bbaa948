//! Triangle meshes: read from files, repaired, measured, or made by code.
//!
//! ```
//! use foley_geometry::mesh::{self, Density, Format, ReadOptions, RepairOptions, Units};
//!
//! // A tetrahedron of 30 mm, as it comes out of a CAD program.
//! let obj = "v 0 0 0\nv 30 0 0\nv 0 30 0\nv 0 0 30\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
//! let options = ReadOptions::default().with_units(Units::Millimetres);
//! let raw = mesh::read_bytes(obj.as_bytes(), Format::Obj, &options)?;
//! let (mesh, report) = mesh::repair(raw, &RepairOptions::default())?.into();
//! assert!(report.measures.closed);
//! println!("{report}");
//!
//! // A built-in mesh.
//! let bell = mesh::builtin("bell", Density::Medium)?;
//! assert!(bell.triangles.len() > 1000);
//! # Ok::<(), foley_geometry::mesh::MeshError>(())
//! ```
//!
//! The modules stand in the order of use: [`load`] reads a file in one of the supported
//! [`Format`]s and [`repair`]s it, [`Measures`] and [`WallProbe`] measure it, [`refine`] and
//! [`coarsen`] change its resolution, [`write_obj`] and [`write_stl`] export it.
//!
//! Files are untrusted: every size is checked against the bytes present and against
//! [`Limits`] before memory is allocated, and every loop is bounded by the file's length.

mod error;
mod units;
mod read;
mod union_find;
mod repair;
mod measure;
mod wall_thickness;
mod refine;
mod builtin;
mod write;

pub use builtin::generate;
pub use builtin::{BUILTINS, Builtin, Density, builtin, builtin_info};
pub use error::MeshError;
pub use measure::Measures;
pub use read::{
    Format, Gltf, GltfKeyframe, GltfNode, Limits, ReadOptions, files, load, read, read_asset,
    read_bytes,
};
pub use refine::{coarsen, refine};
pub use repair::{Edges, RepairOptions, Repaired, Repairs, Report, endpoints, repair};
pub use union_find::UnionFind;
pub use units::Units;
pub use wall_thickness::{WallProbe, WallThickness};
pub use write::{write_obj, write_stl};

use glam::DVec3;
use std::ops::Range;

/// A surface of triangles.
///
/// The fields are public, so that a mesh can be built in code. [`repair`] checks it; all other
/// functions expect a repaired mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Vertex positions, in metres.
    pub vertices: Vec<[f64; 3]>,
    /// Vertex indices, counter-clockwise when seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Named parts: consecutive ranges that together cover all triangles. May be empty.
    pub parts: Vec<Part>,
}

/// A range of triangles with a name and a material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Name of the object, group or node; may be empty.
    pub name: String,
    /// Name of its material in the file.
    pub material: Option<String>,
    /// Range of its triangles.
    pub triangles: Range<usize>,
}

impl Mesh {
    /// Returns a mesh without named parts.
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Self {
        Self { vertices, triangles, parts: Vec::new() }
    }

    /// Returns the three corners of a triangle.
    ///
    /// # Panics
    /// When the triangle or one of its vertices does not exist.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertex(v))
    }

    /// Returns the position of a vertex.
    ///
    /// # Panics
    /// When the vertex does not exist.
    pub fn vertex(&self, vertex: u32) -> DVec3 {
        self.vertices[vertex as usize].into()
    }

    /// Returns the part that contains a triangle.
    pub fn part_of(&self, triangle: usize) -> Option<&Part> {
        let next = self.parts.partition_point(|part| part.triangles.end <= triangle);
        self.parts.get(next).filter(|part| part.triangles.contains(&triangle))
    }

    /// Returns the connected component of every triangle, numbered from 0 in order of
    /// appearance. Triangles that share a vertex are connected.
    pub fn pieces(&self) -> Vec<u32> {
        measure::pieces(self).0
    }
}
