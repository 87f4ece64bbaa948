//! Geometry and the small tools below all other crates: physical constants, seeded random
//! numbers, safe reading and writing of files, and triangle meshes, read from files or generated, repaired and measured.
//!
//! Without the feature `readers` (on by default) there are no meshes, and no parser of any file
//! format is compiled.

pub mod constants;
pub mod rng;
pub mod bounded_read;
pub mod atomic_file;
pub mod vector;
pub mod bvh;
#[cfg(feature = "readers")]
pub mod mesh;

#[cfg(feature = "readers")]
pub use mesh::Mesh;
