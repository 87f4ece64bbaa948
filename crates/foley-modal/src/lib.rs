//! Modal models from shapes, meshes and recordings.
//!
//! ```
//! use foley_modal::{Material, Shape, ShapeOptions};
//!
//! // The modes of a steel bar with free ends, 30 cm long.
//! let bar: Shape = "bar:300x30x8mm".parse()?;
//! let model = bar.model(Material::named("steel")?, &ShapeOptions::default())?;
//! assert_eq!(model.frequencies_hz[0].round(), 461.0);
//!
//! // A strike in the middle does not excite modes that have a node there.
//! let gains = model.gains_at([0.0, 0.0, 0.0]);
//! assert!(gains[0].abs() > 0.1 && gains[1].abs() < 1e-6);
//!
//! let bytes = foley_modal::file::write(&model);
//! assert_eq!(foley_modal::file::read(&bytes)?, model);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules stand in the order of the data. A [`material`] and an analytic [`shape`] give modes
//! in closed form; a mesh is discretised by finite elements ([`fem`]) and [baked](bake). The
//! [`radiation`] efficiency turns modal velocity into pressure. [`fit`] estimates modes from
//! recordings. A [`ModalModel`] carries its [`provenance`] and is stored in a
//! [`file`](mod@file). [`source`] resolves "model file, mesh file, built-in mesh or shape" from
//! one text.

mod math;
pub mod material;
pub mod shape;
pub mod fem;
pub mod bake;
pub mod radiation;
pub mod fit;
pub mod provenance;
pub mod file;
pub mod cache;
pub mod source;

pub use foley_dsp::model::{ContactBody, Gains, ModalModel, ModalParts, ModelError};
pub use material::{Damping, Material, MaterialError};
pub use provenance::Provenance;
pub use shape::{Edge, End, Modes, Shape, ShapeError, ShapeOptions};
