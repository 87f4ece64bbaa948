//! Errors of the exterior solver.

/// Reason why the sound of a surface cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum WavesError {
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} has a coordinate that is not a finite number")]
    PointNotFinite { vertex: usize },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are {vertices} vertices")]
    NoSuchVertex { triangle: usize, vertex: u32, vertices: usize },
    /// No triangle has an area.
    #[error("the surface has no area: give at least one triangle that is not degenerate")]
    NoArea,
    /// A baffled surface is not flat.
    #[error(
        "a baffled surface must be flat, this one departs from a plane by {height_m:.3e} m: \
         make it open or closed"
    )]
    NotFlat { height_m: f64 },
    /// A surface was declared closed and has holes.
    #[error("the surface has open or overlapping edges and cannot be closed: make it open")]
    NotClosed,
    /// A wave number or frequency that is not positive and finite.
    #[error("the {what} must be positive and finite, not {value}")]
    NotPositive { what: &'static str, value: f64 },
    /// A velocity field of the wrong size.
    #[error("{what} has {found} entries, {expected} are needed")]
    Size { what: &'static str, expected: usize, found: usize },
    /// A velocity is infinite or not a number.
    #[error("velocity field {field} has a value that is not a finite number")]
    VelocityNotFinite { field: usize },
    /// The mesh is too large.
    #[error("the surface has {triangles} triangles, {limit} are allowed: coarsen it")]
    TooManyTriangles { triangles: usize, limit: usize },
    /// The dense matrix would be too large.
    #[error(
        "the surface has {unknowns} unknowns, {limit} are allowed: coarsen it, or raise the limit"
    )]
    TooManyUnknowns { unknowns: usize, limit: usize },
    /// The matrix cannot be factorised.
    #[error("the boundary element matrix is singular: check the mesh for overlapping triangles")]
    Singular,
    /// The progress callback returned false.
    #[error("cancelled")]
    Cancelled,
}
