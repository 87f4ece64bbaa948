//! Modes of finite elements: the sparse problem K u = ω² M u.
//!
//! ```
//! use foley_eigen::{self as eigen, Matrix, Options, Problem, Triangles};
//!
//! // A thousand masses in a row, neighbours joined by springs, both ends free.
//! let n = 1000;
//! let springs = (0..n - 1).flat_map(|i| [(i, i, 1.0), (i + 1, i, -1.0), (i + 1, i + 1, 1.0)]);
//! let stiffness = Matrix::from_triplets("stiffness", n, Triangles::Lower, springs)?;
//! let mass = Matrix::from_triplets("mass", n, Triangles::Lower, (0..n).map(|i| (i, i, 1.0)))?;
//! let problem = Problem::new(stiffness, mass)?;
//!
//! let modes = eigen::lowest(&problem, 5, &mut Options::default())?;
//! assert_eq!(modes.zero_modes, 1);
//! let expected = 2.0 * (0.5 * std::f64::consts::PI / n as f64).sin();
//! assert!((modes.omega_squared[1].sqrt() / expected - 1.0).abs() < 1e-9);
//! # Ok::<(), eigen::EigenError>(())
//! ```
//!
//! A [`Problem`] is scaled and put into the order of elimination (`pencil`,
//! `dissection`), factorised at a shift (`factor`), and a Krylov space of the inverse is
//! grown until the modes have converged (`krylov`). A Sturm count then proves that none
//! is missing (`check`). Small problems go to a dense solver.

mod band;
mod basis;
mod block;
mod check;
mod dense;
mod dissection;
mod error;
mod factor;
mod fronts;
mod krylov;
pub mod generalised;
mod lowest;
mod march;
mod matrix;
mod modes;
mod options;
mod pencil;
mod problem;
mod product;
mod random;
mod slice;
mod solve;
mod sweep;
mod tile;
mod tree;

pub use error::EigenError;
pub use matrix::{Matrix, Triangles};
pub use modes::Modes;
pub use options::{Options, Progress, Stage};
pub use problem::Problem;
pub use solve::{band, band_each, count_below, lowest};
