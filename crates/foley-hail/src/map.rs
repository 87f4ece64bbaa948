//! The impact map of \[CS\] section 5: a picture with a rectangle for every collider, in which each impact
//! leaves collider, time and speed at its surface coordinates.

mod atlas;
mod filling;
mod marks;
mod picture;

pub use atlas::{Atlas, Patch};
pub use marks::{ImpactMap, Mark};
pub use picture::Shade;
