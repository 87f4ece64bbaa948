//! The scene performed: what moves becomes contacts, contacts become sound.
//!
//! [`Happening`] is everything that happens, from a simulation, by hand, or from a trace;
//! [`Performer`] makes an engine sound it. Live and offline, from a simulation and from its
//! trace, it is the same performer and so the same sound.

mod air;
mod bodies;
mod by_hand;
mod directions;
mod error;
mod falling;
mod finding;
mod happening;
mod hits;
mod mix;
mod performer;
mod release;
mod render;
mod roughness;
mod rubs;
mod scenery;
mod series;
mod storm;
mod striking;
mod touching;
mod trace;
mod voices;

pub use directions::DIRECTIONS;
pub use error::StageError;
pub use falling::Stones;
pub use finding::Finding;
pub use happening::{Happening, Told};
pub use mix::Mix;
pub use performer::{Heard, Performer};
pub use render::{Rendered, Rendering, render};
pub use storm::Storm;
pub use trace::write_trace;
