//! Hail in closed form, in double precision: the truth that faster versions are tested against.
//!
//! A stone is a pure function of the settings and its number, so every machine, any number of threads
//! and a start at any time agree on it. z points up; the ground is at z = 0. Stones are points to the
//! colliders: their size counts for the sound alone.
//!
//! \[CS\] is van den Doel, Knott and Pai, *Interactive simulation of complex audio-visual scenes* (2004).
//!
//! ```
//! use foley_hail::{Cloud, Fall, Hail, Shape, Shower, Sky, Targets};
//!
//! // Hail in a light wind, on a table of one square metre.
//! let hail = Hail {
//!     per_second: 10_000.0,
//!     cloud: Cloud::disc([0.0, 0.0, 20.0], 5.0),
//!     fall: Fall::straight([1.0, 0.0]),
//!     ..Hail::default()
//! };
//! let table = Shape::Quad {
//!     corners_m: [[0.0, 0.0, 0.8], [1.0, 0.0, 0.8], [1.0, 1.0, 0.8], [0.0, 1.0, 0.8]],
//! };
//! let shower = Shower::new(Sky::new(hail)?, Targets::new([table.into()])?)?;
//!
//! let impacts = shower.impacts(5.0, 6.0)?;
//! // As many as flux times area.
//! let expected = shower.sky().flux_per_m2_s();
//! assert!((impacts.len() as f64 - expected).abs() < 4.0 * expected.sqrt());
//! # Ok::<(), foley_hail::HailError>(())
//! ```

mod bounce;
pub mod bvh;
mod check;
mod cloud;
pub mod collider;
mod error;
mod fall;
mod flight;
mod hail;
mod ice;
mod impact;
pub mod map;
pub mod random;
pub mod roots;
mod shower;
mod sky;
mod stone;
mod targets;

pub use bounce::{Bounce, LIFE_AFTER_IMPACT_S};
pub use cloud::{Cloud, CloudShape};
pub use collider::{Collider, Face, Hit, Part, Region, Shape};
pub use error::HailError;
pub use fall::Fall;
pub use flight::Flight;
pub use hail::{Hail, LARGEST_RADIUS_M};
pub use ice::Ice;
pub use impact::Impact;
pub use shower::{
    Calendar, Finder, LONGEST_FLIGHT_S, MOST_AT_ONCE, MOST_IN_FLIGHT, Shower, Stream, Wanted,
};
pub use sky::Sky;
pub use stone::Stone;
pub use targets::{MOST_COLLIDERS, Target, Targets};
