#![doc = include_str!("../README.md")]
//!
//! Modules stand in the order of the data. A [`material`] and an analytic [`shape`] give modes
//! in closed form; a mesh is discretised by finite elements ([`fem`]) and [baked](bake). The
//! [`radiation`] efficiency turns modal velocity into pressure. What it touches damps a body
//! ([`support`]); [`energy`] follows the energy of a strike. [`fit`] estimates modes from recordings. A [`ModalModel`] carries its [`provenance`] and is stored in a
//! [`file`](mod@file). [`source`] resolves "model file, mesh file, built-in mesh or shape" from
//! one text.

mod math;
pub mod material;
pub mod shape;
pub mod fem;
pub mod bake;
pub mod radiation;
pub mod support;
pub mod energy;
pub mod fit;
pub mod provenance;
pub mod file;
pub mod cache;
pub mod source;
mod remarks;

pub use energy::EnergyBalance;
pub use foley_dsp::model::{ContactBody, Gains, ModalModel, ModalParts, ModelError};
pub use material::{Damping, Material, MaterialError};
pub use provenance::Provenance;
pub use remarks::{limit_remark, remarks};
pub use shape::{Edge, End, Modes, Shape, ShapeError, ShapeOptions};
pub use support::{Held, HeldBody, HeldError};
