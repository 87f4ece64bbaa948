//! Errors of the discretisation.

use foley_eigen::EigenError;
use foley_geometry::mesh::MeshError;
use thiserror::Error;

/// Reason why a mesh cannot be discretised.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum FemError {
    /// The mesh is invalid.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The matrices are invalid.
    #[error(transparent)]
    Eigen(#[from] EigenError),
    /// A parameter out of range.
    #[error("{what} is {value}; it must be {must}")]
    Value { what: &'static str, value: f64, must: &'static str },
    /// No triangle has an area.
    #[error("the mesh has no triangle with an area; check that it is not empty or collapsed")]
    Flat,
    /// A list of thicknesses of the wrong length.
    #[error("{found} thicknesses for {expected} triangles; give one for each")]
    Thicknesses { found: usize, expected: usize },
    /// An invalid wall thickness.
    #[error("the wall at triangle {triangle} is {value_m} m thick; give a positive thickness")]
    Thickness { triangle: usize, value_m: f64 },
    /// The mesh is not closed.
    #[error(
        "the mesh bounds no solid: {open} open edges are left after {filled} rims were filled, \
         {branching} edges have more than two triangles, {twisted} have inconsistent winding; \
         close the mesh, or treat it as a thin shell with a thickness"
    )]
    NotClosed { open: usize, filled: usize, branching: usize, twisted: usize },
    /// The enclosed volume is negligible for the longest side of the bounding box.
    #[error(
        "the mesh encloses {volume_m3:e} m3, which is negligible for its size of {size_m:e} m: \
         give it some thickness, or treat it as a thin shell"
    )]
    NoVolume { volume_m3: f64, size_m: f64 },
    /// Walls (twice the volume divided by the area) too thin for the cells.
    #[error(
        "walls of about {wall_m:e} m are too thin for cells of {cell_m:e} m: \
         allow more unknowns, or treat the mesh as a thin shell"
    )]
    TooThin { wall_m: f64, cell_m: f64 },
    /// Too many overlapping triangles for any grid.
    #[error(
        "{triangles} triangles overlap so much that no grid can hold them: \
         simplify the mesh, or split it into parts"
    )]
    TooComplex { triangles: usize },
    /// The unknowns do not match the rings of a cyclic symmetry.
    #[error(
        "the shell has {unknowns} unknowns, its rings need {expected}: give all rings the same \
         number of vertices, and fix none"
    )]
    NotCyclic { unknowns: usize, expected: usize },
    /// The coarsest grid exceeds the limit of unknowns.
    #[error("at least {found} unknowns are needed, {limit} are allowed: raise the limit")]
    Budget { found: usize, limit: usize },
}
