//! Why a mesh has no elastic model.

use foley_eigen::EigenError;
use foley_geometry::mesh::MeshError;
use thiserror::Error;

/// What is wrong, and what helps.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FemError {
    /// The mesh itself is of no use.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The matrices are of no use.
    #[error(transparent)]
    Eigen(#[from] EigenError),
    /// A number that no material and no calculation has.
    #[error("{what} is {value}; it must be {must}")]
    Value {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What would be accepted.
        must: &'static str,
    },
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
    /// There is no inside.
    #[error(
        "the mesh bounds no solid: {open} open edges are left after {filled} rims were filled, \
         {branching} edges have more than two triangles, {twisted} turn into their own back; \
         close the mesh, or treat it as a thin shell with a thickness"
    )]
    NotClosed {
        /// Edges with one triangle.
        open: usize,
        /// Rims that were filled.
        filled: usize,
        /// Edges with more than two triangles.
        branching: usize,
        /// Edges whose triangles are wound against each other.
        twisted: usize,
    },
    /// The inside is empty.
    #[error(
        "the mesh encloses {volume_m3:e} m3, which is nothing for its size of {size_m:e} m: \
         give it some thickness, or treat it as a thin shell"
    )]
    NoVolume {
        /// What it encloses.
        volume_m3: f64,
        /// The longest side of the box around it.
        size_m: f64,
    },
    /// The cells do not see it.
    #[error(
        "walls of about {wall_m:e} m are too thin for cells of {cell_m:e} m: \
         allow more unknowns, or treat the mesh as a thin shell"
    )]
    TooThin {
        /// Twice the volume over the area.
        wall_m: f64,
        /// The size of a cell.
        cell_m: f64,
    },
    /// No grid is coarse enough.
    #[error(
        "{triangles} triangles overlap so much that no grid can hold them: \
         simplify the mesh, or split it into parts"
    )]
    TooComplex {
        /// How many triangles there are.
        triangles: usize,
    },
    /// The budget does not hold the coarsest grid.
    #[error("{found} unknowns are needed at least, {limit} are allowed: raise the limit")]
    Budget {
        /// Unknowns of the coarsest grid tried.
        found: usize,
        /// The limit.
        limit: usize,
    },
}
