//! Hail in closed form, in double precision: the truth that faster versions are tested against.
//!
//! A stone is a pure function of the settings and its number, so every machine, any number of threads
//! and a start at any time agree on it. z points up; the ground is at z = 0. Stones are points to the
//! colliders: their size counts for the sound alone.
//!
//! [CS] is van den Doel, Knott and Pai, *Interactive simulation of complex audio-visual scenes* (2004).
//!
//! ```
//! use foley_hail::{Cloud, Fall, Hail, Sky};
//!
//! let hail = Hail {
//!     per_second: 1000.0,
//!     cloud: Cloud::disc([0.0, 0.0, 20.0], 5.0),
//!     fall: Fall::straight([2.0, 0.0]),
//!     ..Hail::default()
//! };
//! let sky = Sky::new(hail)?;
//! let stone = sky.stone(42);
//! assert!((0.042..0.043).contains(&stone.born_s));
//! assert_eq!(stone.flight.place_m[2], 20.0);
//! # Ok::<(), foley_hail::HailError>(())
//! ```

pub mod bvh;
mod check;
mod cloud;
pub mod collider;
mod error;
mod fall;
mod flight;
mod hail;
pub mod random;
pub mod roots;
mod stone;
mod targets;

pub use cloud::{Cloud, CloudShape};
pub use collider::{Collider, Face, Hit, Part, Region, Shape};
pub use error::HailError;
pub use fall::Fall;
pub use flight::Flight;
pub use hail::{Hail, Ice, LARGEST_RADIUS_M, Sky};
pub use stone::Stone;
pub use targets::{MOST_COLLIDERS, Target, Targets};
