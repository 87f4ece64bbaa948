//! What can go wrong, and what to do about it.

/// Why a problem has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EigenError {
    /// There is no unknown, or no mode was asked for.
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
    /// The matrices or the coordinates belong to problems of different sizes.
    #[error("{what} has {found} rows, the stiffness {expected}")]
    Size {
        /// What does not fit.
        what: &'static str,
        /// Unknowns of the stiffness matrix.
        expected: usize,
        /// Rows found.
        found: usize,
    },
    /// Some motion has no mass.
    #[error("the mass matrix is not positive definite: give every unknown a mass, or remove it")]
    MassNotDefinite,
    /// Some motion has negative stiffness.
    #[error("the stiffness matrix is not positive semi-definite: check the elements' signs")]
    StiffnessNegative,
    /// A band that holds nothing.
    #[error("the band from {low} to {high} rad/s is empty: give 0 ≤ low < high")]
    Band {
        /// Lower end, rad/s.
        low: f64,
        /// Upper end, rad/s.
        high: f64,
    },
    /// The factor and the vectors would not fit.
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
    /// More modes were asked for than a sparse solver can sensibly find.
    #[error(
        "{wanted} modes of {unknowns} unknowns are too many: \
         ask for at most a quarter, or use a finer mesh"
    )]
    TooMany {
        /// Modes asked for.
        wanted: usize,
        /// Unknowns of the problem.
        unknowns: usize,
    },
    /// The progress callback said stop.
    #[error("cancelled")]
    Cancelled,
    /// The iteration came to no end.
    #[error(
        "only {found} of {wanted} modes converged: check the matrices for \
         stiffnesses or masses of wildly different size"
    )]
    NotConverged {
        /// Modes that converged.
        found: usize,
        /// Modes wanted.
        wanted: usize,
    },
    /// The Sturm count disagrees with what was found.
    #[error("{counted} modes lie below the end of the interval, {found} were found")]
    Missed {
        /// Number of modes by the inertia of the shifted matrix.
        counted: usize,
        /// Number of modes found.
        found: usize,
    },
}
