//! Geometry and the small tools below all other crates: seeded random numbers, and triangle
//! meshes, read from files or generated, repaired and measured.
//!
//! Without the feature `readers` (on by default) there are no meshes, and no parser of any file
//! format is compiled.

pub mod rng;
#[cfg(feature = "readers")]
pub mod mesh;

#[cfg(feature = "readers")]
pub use mesh::Mesh;
