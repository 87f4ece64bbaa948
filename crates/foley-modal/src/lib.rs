//! Shapes and materials in, modal models out.
//!
//! ```
//! use foley_modal::{Material, Options, Shape};
//!
//! // A steel bar on soft supports, 30 cm long: what does it sound like?
//! let bar: Shape = "bar:300x30x8mm".parse()?;
//! let model = bar.model(Material::named("steel")?, &Options::default())?;
//! assert_eq!(model.frequencies_hz[0].round(), 461.0);
//!
//! // Struck in the middle, every second mode stays silent.
//! let gains = model.gains_at([0.0, 0.0, 0.0]);
//! assert!(gains[0].abs() > 0.1 && gains[1].abs() < 1e-6);
//!
//! // Kept for later.
//! let bytes = foley_modal::file::write(&model);
//! assert_eq!(foley_modal::file::read(&bytes)?, model);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The folders stand in the order of use: a [`material`] and a [`shape`] give
//! modes, the modes sampled on a surface are a
//! [`ModalModel`], and a model is kept in a [`file`](mod@file).

pub mod bake;
pub mod fem;
pub mod file;
pub mod fit;
pub mod material;
mod math;
pub mod origin;
pub mod radiation;
pub mod shape;

pub use foley_dsp::model::{Body, Gains, ModalModel, ModalParts, ModelError};
pub use material::{Damping, Material, MaterialError};
pub use origin::Origin;
pub use shape::{Edge, End, Modes, Options, Shape, ShapeError};
