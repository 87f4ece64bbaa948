#![doc = include_str!("../README.md")]
//!
//! Each benchmark takes plain arguments, reports its [`Progress`] and returns its figures as JSON.

mod measurement;
mod memory;
mod progress;
pub mod scene;
mod timed_render;
mod klank;
pub mod bake;
pub mod hail;
pub mod many_objects;
pub mod modes;
pub mod pruning;
pub mod scenes;

pub use progress::{Progress, Silent, Task};
