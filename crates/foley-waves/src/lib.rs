#![doc = include_str!("../README.md")]

mod error;
mod quadrature;
mod green;
mod surface;
mod velocity;
mod operator;
mod baffle;
mod exterior;
mod far_field;
mod resolution;
mod modes;

pub use error::WavesError;
pub use exterior::{Densities, Exterior, MAX_UNKNOWNS};
pub use far_field::{DIRECTIVITY_DEGREE, Directivity, FarField};
pub use foley_geometry::spherical_harmonics::real_spherical_harmonics;
pub use modes::{
    Method, ModeRadiation, ModeVelocity, ModesRadiation, Options, Progress, Report, RigidRadiation,
    Solve, radiate_modes, radiate_rigid_body,
};
pub use num_complex::Complex64;
pub use surface::{Kind, Surface};
pub use velocity::NormalVelocity;
