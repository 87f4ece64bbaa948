//! Hail over a scene: its geometry, its impact events, and the backend that finds the impacts.

mod geometry;
mod backend;
mod events;

pub use backend::ImpactBackend;
pub use events::HailCounts;
pub(crate) use events::HailEvents;
pub use geometry::HailGeometry;
