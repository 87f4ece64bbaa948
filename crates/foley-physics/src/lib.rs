#![doc = include_str!("../README.md")]
//!
//! [`ContactTracker`] finds the same events in a simulation of one's own: a Rapier world
//! ([`RapierView`]), or whatever implements [`ContactSource`]. [`rapier3d`] is exported, so that
//! versions match.

mod body;
mod validate;
mod contact;
mod error;
mod event;
mod frame;
mod rapier_view;
pub mod path;
pub mod trace;
pub mod world;

pub use rapier3d;

pub use body::{Body, Mass, Motion, Waypoint};
pub use contact::axes::Axes;
pub use contact::source::{
    BodyId, BodyState, ContactSide, ContactSource, ContactSurface, Mobility, SolverContact,
    StepLength,
};
pub use contact::tracker::ContactTracker;
pub use error::PhysicsError;
pub use event::{Event, HailImpact, Impact, PoseEvent, SustainedContact};
pub use rapier_view::RapierView;
pub use world::{LostBody, Overlap, Settings, World};
