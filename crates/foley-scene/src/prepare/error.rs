//! Errors of preparation.

use foley_geometry::mesh::MeshError;
use foley_modal::ShapeError;
use foley_modal::bake::BakeError;
use foley_modal::file::FileError;
use foley_modal::{HeldError, Material, ModelError};
use thiserror::Error;

/// An error of preparing a scene.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum PrepareError {
    /// An object cannot be prepared.
    #[error("object \"{object}\": {source}")]
    Object { object: String, source: ObjectError },
    /// The progress callback cancelled it.
    #[error("cancelled")]
    Cancelled,
}

/// The reason why an object cannot be prepared.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum ObjectError {
    /// The mesh cannot be read.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The model file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The shape cannot have this size.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The modal analysis failed.
    #[error(transparent)]
    Bake(BakeError),
    /// The modes are not a valid model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A mounted pane that falls.
    #[error("`held`: what is mounted in a frame does not move freely: write motion = \"fixed\"")]
    Mounted,
    /// It cannot be held like that.
    #[error("`held`: {0}")]
    Held(#[from] HeldError),
    /// The glTF node does not exist or has no extent.
    #[error("{0}")]
    Node(String),
    /// The mass is out of range.
    #[error(
        "its mass is {mass_kg} kg in {material}, but must be from 1e-9 to 1e9 kg: check its size and \
         units, or set `mass_kg`"
    )]
    Mass { mass_kg: f64, material: String },
    /// The scene has too many triangles.
    #[error(
        "with it, the different meshes of the scene have more than {most} triangles: simplify them, \
         or use one mesh for several objects"
    )]
    Triangles { most: usize },
    /// A model without provenance cannot be rescaled.
    #[error("its model has no provenance, so its `size` must be 1")]
    Size,
    /// The body cannot have this collider; `kind` is its name in the scene file.
    #[error("it cannot have the collider `{kind}`: {why}")]
    Collider { kind: &'static str, why: &'static str },
}

impl ObjectError {
    pub(super) fn mass(mass_kg: f64, material: &Material) -> Self {
        Self::Mass { mass_kg, material: material.name.to_string() }
    }

    /// Adds the name of the object.
    pub(super) fn for_object(self, object: &str) -> PrepareError {
        match self {
            Self::Bake(BakeError::Cancelled) => PrepareError::Cancelled,
            source => PrepareError::Object { object: object.to_owned(), source },
        }
    }
}
