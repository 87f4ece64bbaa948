//! Foley hears physics.
//!
//! An [`Engine`] on your thread builds the scene and strikes it; a [`Renderer`] on the
//! audio thread turns it into sound; a [`backend`] carries the sound to a file or to your
//! ears.

pub mod backend;
mod engine;
mod force;
mod message;
mod offline;
mod renderer;
mod settings;

pub use engine::{Engine, EngineError, Object, Place, Report};
pub use force::{Force, Recorded};
pub use offline::Offline;
pub use renderer::Renderer;
pub use settings::Settings;
