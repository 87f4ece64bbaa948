//! Errors of the eigensolver.

/// Reason why a problem cannot be solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum EigenError {
    /// No unknowns, or no modes requested.
    #[error("nothing to solve: the problem needs at least one unknown and one mode")]
    Empty,
    /// An entry lies outside the matrix.
    #[error("{matrix} entry ({row}, {column}) lies outside a matrix of {unknowns} unknowns")]
    OutOfRange { matrix: &'static str, row: usize, column: usize, unknowns: usize },
    /// An entry is infinite or not a number.
    #[error("{matrix} entry ({row}, {column}) is not a finite number")]
    NotFinite { matrix: &'static str, row: usize, column: usize },
    /// An entry of the upper triangle.
    #[error("{matrix} entry ({row}, {column}) is above the diagonal: give the lower triangle only")]
    AboveDiagonal { matrix: &'static str, row: usize, column: usize },
    /// The matrices or the coordinates differ in size.
    #[error("{what} has {found} rows, the stiffness {expected}")]
    Size { what: &'static str, expected: usize, found: usize },
    /// The mass matrix is not positive definite.
    #[error("the mass matrix is not positive definite: give every unknown a mass, or remove it")]
    MassNotDefinite,
    /// The stiffness matrix is not positive semi-definite.
    #[error("the stiffness matrix is not positive semi-definite: check the elements' signs")]
    StiffnessNegative,
    /// An empty frequency band.
    #[error("the band from {low} to {high} rad/s is empty: give 0 ≤ low < high")]
    Band { low: f64, high: f64 },
    /// The factor and the vectors exceed the memory limit.
    #[error(
        "the modes need about {needed_mib} MiB, {limit_mib} MiB are allowed: \
         use a coarser mesh, ask for fewer modes, or raise the limit"
    )]
    OverMemory { needed_mib: u64, limit_mib: u64 },
    /// More modes requested than a sparse solver can find efficiently.
    #[error(
        "{wanted} modes of {unknowns} unknowns are too many: \
         ask for at most a quarter, or use a finer mesh"
    )]
    TooMany { wanted: usize, unknowns: usize },
    /// The progress callback returned false.
    #[error("cancelled")]
    Cancelled,
    /// The iteration did not converge.
    #[error(
        "only {found} of {wanted} modes converged: check the matrices for \
         stiffnesses or masses of very different magnitude"
    )]
    NotConverged { found: usize, wanted: usize },
    /// The Sturm count is larger than the number of modes found.
    #[error("{counted} modes lie below the end of the interval, {found} were found")]
    Missed { counted: usize, found: usize },
}
