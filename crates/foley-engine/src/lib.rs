#![doc = include_str!("../README.md")]
//!
//! An [`Engine`] on the caller's thread builds the scene and strikes it. Its [`Renderer`] turns
//! the scene into frames: on the audio thread, or, as [`Offline`], as fast as the CPU allows.
//! Whatever plays frames pulls them from a [`Source`]: an [`audio_file`], a [`mock`] device or a
//! sound card.

mod units;
mod surface_point;
mod listener;
mod engine;
mod force;
mod frame_clock;
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
pub use units::{MetresPerSecond, NewtonSeconds, Time};
