//! Rigid-body simulation with Rapier, reported as impacts, sustained contacts and poses.
//!
//! ```
//! use foley_geometry::Collider;
//! use foley_physics::{Body, Event, Mass, World};
//!
//! // A marble falls one metre onto a floor.
//! let mut world = World::new(Default::default())?;
//! let floor = Body::fixed("floor", Collider::cuboid(4.0, 4.0, 0.2)).at([0.0, 0.0, -0.1]);
//! let marble = Body::dynamic("marble", Collider::ball(0.008), Mass::Density(2500.0));
//! world.add(&floor)?;
//! world.add(&marble.at([0.0, 0.0, 1.008]))?;
//!
//! let mut first = None;
//! while first.is_none() {
//!     first = world.step().iter().find_map(|event| match event {
//!         Event::Impact(impact) => Some(*impact),
//!         _ => None,
//!     });
//! }
//! // √(2h/g)
//! let impact = first.ok_or("no impact")?;
//! assert!((impact.at_s - 0.4515).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ContactTracker`] finds the same events in a simulation of one's own: a Rapier world
//! ([`RapierView`]), or whatever implements [`ContactSource`]. [`rapier3d`] is exported, so that
//! versions match.
//!
//! The feature `enhanced-determinism` (on by default) makes results equal on all platforms. Cargo
//! unifies it into all uses of Rapier in a program.

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
