//! The impact map of \[CS\] section 5: an image with a rectangle for every collider, in which each impact
//! stores collider, time and speed at its surface coordinates.

mod atlas;
mod occupancy_statistics;
mod impact_map;
mod image;

pub use atlas::{Atlas, Patch};
pub use image::Shade;
pub use impact_map::{ImpactMap, Mark};
