#![doc = include_str!("../README.md")]

pub mod constants;
pub mod rng;
pub mod clock;
pub mod bounded_read;
pub mod assets;
pub mod atomic_file;
pub mod file_plan;
pub mod number_format;
pub mod vector;
pub mod spherical_harmonics;
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
