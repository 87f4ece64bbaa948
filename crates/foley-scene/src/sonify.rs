//! Physically based sonification: a moving scene becomes contacts, contacts become sound.
//!
//! [`EventSource`] produces the events of a scene in order of time: from a simulation, from the
//! scene file's strikes and scrapes, from hail, or from a trace. [`Sonifier`] turns each event into
//! excitations of an engine and moves its objects and its listener. [`render`], which steps a
//! [`SceneRenderer`], and [`LiveScene`] use the same sonifier, so they make the same sound.

mod event_source;
mod poses;
mod sonifier;
mod changes;
mod excitation;
mod contact_slots;
mod supports;
mod render;
mod impulses;
mod level_note;
mod live;
mod stream;
mod check;
mod error;

pub use check::check;
pub use error::SonifyError;
pub use event_source::{EventSource, HailCounts, HailGeometry, ImpactBackend, SceneEvent};
pub use impulses::{ImpactRecord, impulses};
pub use live::{LiveScene, PreparedEdit, live_full_scale_pa, live_settings};
pub use render::{RenderSettings, Rendered, SceneRenderer, computed_share, render};
pub use sonifier::{Sonifier, SonifyStats};
pub use stream::SceneStream;
