//! Why a scene cannot be prepared.

use foley_geometry::mesh::MeshError;
use foley_modal::ShapeError;
use foley_modal::bake::BakeError;
use foley_modal::file::FileError;
use foley_modal::{Material, ModelError};
use thiserror::Error;

/// Why a scene cannot be prepared.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// Something is wrong with one object.
    #[error("object \"{object}\": {source}")]
    Object {
        /// Its name.
        object: String,
        /// What is wrong.
        source: ObjectError,
    },
    /// The progress callback said stop.
    #[error("cancelled")]
    Cancelled,
}

/// What is wrong with an object.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// Its mesh cannot be read.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Its model cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its shape cannot have this size.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Its modes cannot be found.
    #[error(transparent)]
    Bake(BakeError),
    /// Its modes make no model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The node is not there, or has no extent.
    #[error("{0}")]
    Node(String),
    /// Too light or too heavy.
    #[error(
        "its mass comes out as {mass_kg} kg in {material}; masses go from 1e-9 to 1e9 kg: check \
         its size and units, or give `mass_kg`"
    )]
    Mass {
        /// What came out.
        mass_kg: f64,
        /// What it is made of.
        material: String,
    },
    /// A model that cannot change its size.
    #[error("its model does not say how it was made, so its `size` must be 1")]
    Size,
    /// A body that cannot have such a collider.
    #[error("it cannot have the collider `{kind}`: {why}")]
    Collider {
        /// As it is written.
        kind: &'static str,
        /// What is missing.
        why: &'static str,
    },
}

impl ObjectError {
    pub(super) fn mass(mass_kg: f64, material: &Material) -> Self {
        Self::Mass { mass_kg, material: material.name.to_string() }
    }

    /// With the name of the object.
    pub(super) fn for_object(self, object: &str) -> PrepareError {
        match self {
            Self::Bake(BakeError::Cancelled) => PrepareError::Cancelled,
            source => PrepareError::Object { object: object.to_owned(), source },
        }
    }
}
