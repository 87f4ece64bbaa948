//! The engine: objects are added and struck on one thread and rendered on another.
//!
//! ```
//! use foley_dsp::excitation::Striker;
//! use foley_engine::{Engine, Offline, SurfacePoint, Settings};
//! use foley_modal::{Material, ShapeOptions, Shape};
//!
//! let bar: Shape = "bar:300x30x8mm".parse()?;
//! let model = bar.model(Material::named("steel")?, &ShapeOptions::default())?;
//! let (mut engine, renderer) = Engine::new(Settings::default())?;
//! let bar = engine.add(model)?;
//! let mallet = Striker::named("wooden mallet")?;
//! engine.strike(bar, SurfacePoint::At([0.1, 0.0, 0.0]), &mallet, 1.0, 0.0)?;
//! # let folder = tempfile::tempdir()?;
//! # std::env::set_current_dir(&folder)?;
//! Offline::new(engine, renderer).write("bar.wav", 3.0)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`Engine`] on the caller's thread builds the scene and strikes it. Its [`Renderer`] turns
//! the scene into frames: on the audio thread, or, as [`Offline`], as fast as the CPU allows.
//! Whatever plays frames pulls them from a [`Source`]: an [`audio_file`], a [`mock`] device or a
//! sound card. Opening a sound card is the task of the crate `foley`; this crate knows no
//! devices.

mod surface_point;
mod listener;
mod engine;
mod force;
mod message;
mod settings;
mod renderer;
mod telemetry;
mod output_tap;
mod source;
mod offline;
mod audio_buffer;
pub mod audio_file;
pub mod mock;
pub mod cpu_time;

pub use audio_buffer::{AudioBuffer, LevelError};
pub use engine::spatial::SpatialSettings;
pub use engine::{Engine, EngineError, ObjectHandle, Report};
pub use foley_dsp::excitation::Motion;
pub use foley_dsp::propagation::{Air, Position};
pub use foley_dsp::resonator::{Budget, Clock, Listening, Silence, Synthesis};
pub use force::{
    ControlledForce, Force, ForceControlError, ForceController, RecordedForce, force_channel,
};
pub use listener::Listener;
pub use offline::Offline;
pub use output_tap::OutputTap;
pub use renderer::Renderer;
pub use settings::{DEFAULT_PLAYBACK_DB, Settings};
pub use source::Source;
pub use surface_point::{SurfacePoint, SurfacePointError};
pub use telemetry::{Telemetry, VoiceTelemetry};
