#![doc = include_str!("../README.md")]
//!
//! z points up; the ground is at z = 0. Stones are points in the intersection tests: their size only
//! affects the sound.
//!
//! The data flow: [`HailSettings`] → [`ParticleEmitter`] → [`Hailstone`] with a [`Trajectory`] →
//! [`TargetSet`] → [`Impact`], by interval ([`HailSimulation`]) or frame by frame ([`ImpactStream`]).
//!
//! \[CS\] is van den Doel, Knott and Pai, *Interactive simulation of complex audio-visual scenes* (2004).

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
