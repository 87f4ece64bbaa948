//! Sparse generalised symmetric eigenproblems K u = ω² M u: the lowest modes, or all modes
//! of a band, with a proof that none is missing.
//!
//! ```
//! use foley_eigen::{self as eigen, Matrix, Options, Problem};
//!
//! // A thousand masses in a row, neighbours joined by springs, both ends free.
//! let n = 1000;
//! let springs = (0..n - 1).flat_map(|i| [(i, i, 1.0), (i + 1, i, -1.0), (i + 1, i + 1, 1.0)]);
//! let stiffness = Matrix::from_triplets("stiffness", n, springs)?;
//! let mass = Matrix::from_triplets("mass", n, (0..n).map(|i| (i, i, 1.0)))?;
//! let problem = Problem::new(stiffness, mass)?;
//!
//! let modes = eigen::lowest(&problem, 5, &mut Options::default())?;
//! assert_eq!(modes.zero_modes, 1);
//! let expected = 2.0 * (0.5 * std::f64::consts::PI / n as f64).sin();
//! assert!((modes.omega_squared[1].sqrt() / expected - 1.0).abs() < 1e-9);
//! # Ok::<(), eigen::EigenError>(())
//! ```
//!
//! The modules stand in the order of the data. [`Matrix`] and [`Problem`] are the input. The
//! problem is scaled and reordered by nested dissection (`pencil`), factorised at a shift by
//! the multifrontal method (`factor`), and block Lanczos on the inverse finds the modes near
//! the shift (`krylov`). Spectrum slicing moves the shift up the spectrum
//! (`spectrum_slicing`), and Sturm counts prove that no mode is missing (`verify`). Small
//! problems go to a [`dense`] solver. `kernels` holds the SIMD kernels of all of them.
//!
//! The crate has its own small random generator (`krylov::random`), because it depends on no
//! other Foley crate.

// Lets unit tests include the problems of the integration tests.
#[cfg(test)]
extern crate self as foley_eigen;

mod error;
mod options;
mod matrix;
mod problem;
mod kernels;
mod pencil;
mod factor;
mod krylov;
mod spectrum_slicing;
mod verify;
pub mod dense;
mod modes;
mod vector_sign;
mod solve;

pub use error::EigenError;
pub use matrix::Matrix;
pub use modes::Modes;
pub use options::{Options, Progress, Stage};
pub use problem::Problem;
pub use solve::{band, band_each, count_below, lowest};
