//! Errors of a bake.

use super::method::length;
use crate::fem::FemError;
use crate::material::MaterialError;
use foley_dsp::model::ModelError;
use foley_eigen::EigenError;
use foley_geometry::mesh::MeshError;
use thiserror::Error;

/// Why a mesh gives no model.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum BakeError {
    /// The mesh is not usable.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The material is impossible.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The elements cannot be built.
    #[error(transparent)]
    Fem(FemError),
    /// The eigensolver failed.
    #[error(transparent)]
    Eigen(EigenError),
    /// The numbers do not make a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// An option out of range.
    #[error("the {what} is {value}; it must be {must}")]
    Option { what: &'static str, value: f64, must: &'static str },
    /// A mesh that is far too small or too large.
    #[error("its size is {size_m} m, but must be from 1e-5 to 1e4 m: check its units")]
    Size { size_m: f64 },
    /// A wall that is thicker than the object, and the length that is likely meant.
    #[error(
        "its wall of {thickness_m} m is thicker than the object ({}): check the thickness and its unit{}",
        length(*size_m),
        likely.as_ref().map_or(String::new(), |likely| format!("; did you mean {likely}?"))
    )]
    TooThick { thickness_m: f64, size_m: f64, likely: Option<String> },
    /// Too fine a mesh.
    #[error(
        "{vertices} vertices need about {needed_gib:.1} GiB, {limit_gib:.1} GiB are allowed: reduce \
         the mesh to {advised} vertices or fewer, or allow more memory"
    )]
    TooLarge { vertices: usize, needed_gib: f64, limit_gib: f64, advised: usize },
    /// Vertices without mass.
    #[error("some vertices belong to no triangle with an area: repair the mesh first")]
    Massless,
    /// Modes that the eigensolver does not find.
    #[error(
        "only {found} of {wanted} modes could be separated from rounding errors: the wall is too thin or \
         too uneven for its mesh: give it evenly sized triangles or a larger thickness, or use \
         another method"
    )]
    Stiff { found: usize, wanted: usize },
    /// More gains than a model may hold.
    #[error(
        "more than {modes} modes at {points} points are too many for a model: ask for fewer modes \
         or a lower maximum frequency, or reduce the mesh"
    )]
    TooManyGains { modes: usize, points: usize },
    /// No mode in the band.
    #[error(
        "it makes no sound between {min_hz} Hz and {max_hz} Hz: its lowest mode rings at \
         {lowest}; check size and units, or widen the band"
    )]
    Silent { min_hz: f64, max_hz: f64, lowest: String },
    /// All modes below the band.
    #[error(
        "it makes no sound between {min_hz} Hz and {max_hz} Hz: {reason}; check size, thickness and \
         units, refine the mesh or ask for more modes"
    )]
    BelowBand { min_hz: f64, max_hz: f64, reason: String },
    /// The progress callback cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl From<EigenError> for BakeError {
    fn from(error: EigenError) -> Self {
        match error {
            EigenError::Cancelled => Self::Cancelled,
            EigenError::MassNotDefinite => Self::Massless,
            EigenError::NotConverged { found, wanted } => Self::Stiff { found, wanted },
            EigenError::Missed { counted, found } => Self::Stiff { found, wanted: counted },
            other => Self::Eigen(other),
        }
    }
}

impl From<FemError> for BakeError {
    fn from(error: FemError) -> Self {
        match error {
            FemError::Eigen(error) => error.into(),
            other => Self::Fem(other),
        }
    }
}
