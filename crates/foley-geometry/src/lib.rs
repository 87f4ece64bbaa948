//! Geometry and the small tools below all other crates: physical constants, seeded random
//! numbers, the clock, safe reading and writing of files, poses, colliders, and triangle meshes, read from
//! files or generated, repaired and measured.
//!
//! Without the feature `readers` (on by default) there are no meshes, and no parser of any file
//! format is compiled.

pub mod constants;
pub mod rng;
pub mod clock;
pub mod bounded_read;
pub mod assets;
pub mod atomic_file;
pub mod vector;
pub mod pose;
pub mod bvh;
pub mod collider;
mod convex_hull;
mod support_points;
#[cfg(feature = "readers")]
pub mod mesh;
mod mass_properties;

pub use collider::Collider;
pub use convex_hull::{convex_hull, length_and_thickness};
pub use mass_properties::MassProperties;
#[cfg(feature = "readers")]
pub use mesh::Mesh;
pub use pose::Pose;
pub use support_points::support_points;
