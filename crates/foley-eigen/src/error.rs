//! Errors of the eigensolver.

/// Reason why a problem cannot be solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EigenError {
    /// No unknowns, or no modes requested.
    #[error("nothing to solve: the problem needs at least one unknown and one mode")]
    Empty,
    /// An entry lies outside the matrix.
    #[error("{matrix} entry ({row}, {column}) lies outside a matrix of {unknowns} unknowns")]
    OutOfRange {
        /// `stiffness` or `mass`.
        matrix: &'static str,
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Size of the matrix.
        unknowns: usize,
    },
    /// An entry is infinite or not a number.
    #[error("{matrix} entry ({row}, {column}) is not a finite number")]
    NotFinite {
        /// `stiffness` or `mass`.
        matrix: &'static str,
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
    },
    /// The two triangles differ.
    #[error("{matrix} is not symmetric: entries ({row}, {column}) and ({column}, {row}) differ")]
    NotSymmetric {
        /// `stiffness` or `mass`.
        matrix: &'static str,
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
    },
    /// The matrices or the coordinates differ in size.
    #[error("{what} has {found} rows, the stiffness {expected}")]
    Size {
        /// The mismatched input.
        what: &'static str,
        /// Unknowns of the stiffness matrix.
        expected: usize,
        /// Unknowns found.
        found: usize,
    },
    /// The mass matrix is not positive definite.
    #[error("the mass matrix is not positive definite: give every unknown a mass, or remove it")]
    MassNotDefinite,
    /// The stiffness matrix is not positive semi-definite.
    #[error("the stiffness matrix is not positive semi-definite: check the elements' signs")]
    StiffnessNegative,
    /// An empty frequency band.
    #[error("the band from {low} to {high} rad/s is empty: give 0 ≤ low < high")]
    Band {
        /// Lower end, rad/s.
        low: f64,
        /// Upper end, rad/s.
        high: f64,
    },
    /// The factor and the vectors exceed the memory limit.
    #[error(
        "the modes need about {needed_mib} MiB, {limit_mib} MiB are allowed: \
         use a coarser mesh, ask for fewer modes, or raise the limit"
    )]
    OverMemory {
        /// Estimate.
        needed_mib: u64,
        /// Limit of the options.
        limit_mib: u64,
    },
    /// More modes requested than a sparse solver can find efficiently.
    #[error(
        "{wanted} modes of {unknowns} unknowns are too many: \
         ask for at most a quarter, or use a finer mesh"
    )]
    TooMany {
        /// Modes requested.
        wanted: usize,
        /// Unknowns of the problem.
        unknowns: usize,
    },
    /// The progress callback returned false.
    #[error("cancelled")]
    Cancelled,
    /// The iteration did not converge.
    #[error(
        "only {found} of {wanted} modes converged: check the matrices for \
         stiffnesses or masses of very different magnitude"
    )]
    NotConverged {
        /// Modes that converged.
        found: usize,
        /// Modes wanted.
        wanted: usize,
    },
    /// The Sturm count is larger than the number of modes found.
    #[error("{counted} modes lie below the end of the interval, {found} were found")]
    Missed {
        /// Number of modes by the inertia of the shifted matrix.
        counted: usize,
        /// Number of modes found.
        found: usize,
    },
}
