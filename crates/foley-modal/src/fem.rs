//! Finite elements: meshes to the sparse problem K u = ω² M u.

mod error;
pub mod solid;

pub use error::FemError;
