//! Why a mesh gives no elements.

use crate::eigen::EigenError;
use thiserror::Error;

/// Why a mesh could not be made discrete.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FemError {
    /// No triangle has an area.
    #[error("the mesh has no triangle with an area; check that it is not empty or collapsed")]
    Flat,
    /// A list of thicknesses of the wrong length.
    #[error("{found} thicknesses for {expected} triangles; give one for each")]
    Thicknesses {
        /// How many there are.
        found: usize,
        /// How many triangles there are.
        expected: usize,
    },
    /// A wall that cannot be.
    #[error("the wall at triangle {triangle} is {value_m} m thick; give a positive thickness")]
    Thickness {
        /// Which triangle.
        triangle: usize,
        /// Its thickness.
        value_m: f64,
    },
    /// The matrices were refused.
    #[error(transparent)]
    Eigen(#[from] EigenError),
}
