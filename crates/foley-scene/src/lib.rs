#![doc = include_str!("../README.md")]
//!
//! A scene that was read can be changed by undoable [`edit`]s, compared and saved; its files may come
//! from an asset loader ([`assets`]) instead of a folder.
//!
//! The keys, their units, ranges and defaults are in [`schema`], from which the reader, the writer,
//! the page `docs/scene.md` and a JSON schema come. A glTF file is a scene, too: see [`gltf`].

pub mod schema;
pub mod scene;
mod read;
mod write;
pub mod assets;
mod diagnostics;
pub mod gltf;
mod load;
mod save;
pub mod edit;
pub mod prepare;
pub mod sonify;
pub mod demos;

pub use assets::Assets;
pub use diagnostics::{Problem, SceneError};
pub use load::MAX_SCENE_BYTES;
pub use scene::Scene;
