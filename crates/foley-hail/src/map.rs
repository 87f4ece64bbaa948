//! The impact map of \[CS\] section 5: an image with a rectangle for every target, in which each impact
//! stores target, time and speed at its surface coordinates.

mod atlas;
mod occupancy_statistics;
mod impact_map;
mod image;

pub use atlas::{Atlas, Patch};
pub use image::Shade;
pub use impact_map::{ImpactMap, Mark};
