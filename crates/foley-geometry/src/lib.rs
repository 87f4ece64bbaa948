//! Geometry: triangle meshes, read from files or made by code, repaired and measured.

pub mod mesh;

pub use mesh::Mesh;
