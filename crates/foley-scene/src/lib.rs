//! Scenes: what is there, what it is made of, where it is and what happens to it.
//!
//! ```no_run
//! use foley_scene::Scene;
//! // Everything that is wrong is told at once, with line, column and key.
//! let scene = Scene::load("bells.toml")?;
//! println!("{}: {} objects", scene.title, scene.objects.len());
//! # Ok::<(), foley_scene::SceneError>(())
//! ```
//!
//! The smallest useful scene file:
//!
//! ```toml
//! ground = "concrete"
//! [[object]]
//! shape = "bar:300x30x8mm"
//! material = "steel"
//! position = [0, 0, 1]
//! ```
//!
//! The keys are told where they are read: those of the scene in [`scene`], of objects in
//! [`scene::object`] and [`scene::instances`], of strikes and scrapes in [`scene::event`], of hail
//! in [`scene::hail`], of the listener and the air in [`scene::listener`], of roughness in
//! [`scene::surface`], of paths in [`scene::motion`], of materials in [`scene::material`]. A glTF
//! file is a scene, too: see [`gltf`].

pub mod demos;
mod assets;
pub mod gltf;
mod load;
pub mod prepare;
mod diagnostics;
mod read;
pub mod scene;
pub mod sonify;
mod write;

pub use diagnostics::{Problem, SceneError};
pub use load::MAX_SCENE_BYTES;
pub use scene::Scene;
