#![doc = include_str!("../README.md")]
//!
//! The modules stand in the order of the data. [`Matrix`] and [`Problem`] are the input. The
//! problem is scaled and reordered by nested dissection (`pencil`), factorised at a shift by
//! the multifrontal method (`factor`), and block Lanczos on the inverse finds the modes near
//! the shift (`krylov`). Spectrum slicing moves the shift up the spectrum
//! (`spectrum_slicing`), and Sturm counts prove that no mode is missing (`verify`). Small
//! problems go to a [`dense`] solver. `kernels` holds the SIMD kernels of all of them.
//!
//! The crate has its own small random generator (`krylov::random`), because of
//! Foley it knows `foley-parallel` alone.

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
