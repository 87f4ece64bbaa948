//! Hail in closed form, in double precision: the reference that faster versions are tested against.
//!
//! A hailstone is a pure function of the settings and its index, so every machine, any number of threads
//! and a start at any time give the same stones. z points up; the ground is at z = 0. Stones are points in
//! the intersection tests: their size only affects the sound.
//!
//! The data flow: [`HailSettings`] → [`ParticleEmitter`] → [`Hailstone`] with a [`Trajectory`] →
//! [`TargetSet`] → [`Impact`], by interval ([`HailSimulation`]) or frame by frame ([`ImpactStream`]).
//!
//! \[CS\] is van den Doel, Knott and Pai, *Interactive simulation of complex audio-visual scenes* (2004).
//!
//! ```
//! use foley_hail::{Cloud, FallModel, HailSettings, HailSimulation, ParticleEmitter, Surface, TargetSet};
//!
//! // Hail in a light wind, on a table of one square metre.
//! let settings = HailSettings {
//!     per_second: 10_000.0,
//!     cloud: Cloud::disc([0.0, 0.0, 20.0], 5.0),
//!     fall: FallModel::straight([1.0, 0.0]),
//!     ..HailSettings::default()
//! };
//! let table = Surface::Quad {
//!     corners_m: [[0.0, 0.0, 0.8], [1.0, 0.0, 0.8], [1.0, 1.0, 0.8], [0.0, 1.0, 0.8]],
//! };
//! let targets = TargetSet::new([table.into()])?;
//! let simulation = HailSimulation::new(ParticleEmitter::new(settings)?, targets)?;
//!
//! let impacts = simulation.impacts(5.0, 6.0)?;
//! // The expected count is flux times area.
//! let expected = simulation.emitter().flux_per_m2_s();
//! assert!((impacts.len() as f64 - expected).abs() < 4.0 * expected.sqrt());
//! # Ok::<(), foley_hail::HailError>(())
//! ```

mod error;
mod validate;

mod emitter;
mod trajectory;

pub mod roots;

pub mod bvh;
pub mod target;

mod simulation;

pub mod map;

pub use emitter::{
    Cloud, CloudShape, FallModel, HailSettings, Hailstone, Ice, LARGEST_RADIUS_M, ParticleEmitter,
    random,
};
pub use error::HailError;
pub use simulation::{
    Bounce, EventQueue, HailSimulation, Impact, ImpactFilter, ImpactSource, ImpactStream,
    LIFE_AFTER_IMPACT_S, MAX_FLIGHT_S, MAX_IN_FLIGHT, MAX_STONES_PER_CALL,
};
pub use target::{
    CheckedTarget, Hit, MAX_TARGETS, Part, PartRole, Region, Surface, Target, TargetSet,
};
pub use trajectory::Trajectory;
