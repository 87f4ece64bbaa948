//! Errors of sonification.

use crate::edit::EditError;
use crate::prepare::PrepareError;
use foley_dsp::excitation::ContactError;
use foley_dsp::excitation::ForceError;
use foley_dsp::output::OutputError;
use foley_engine::audio_file::{DecodeError, FileError};
use foley_engine::{EngineError, LevelError};
use foley_geometry::atomic_file::WriteError;
use foley_geometry::bounded_read::ReadError;
use foley_hail::HailError;
use foley_physics::PhysicsError;
use foley_physics::trace::TraceError;
use std::path::PathBuf;
use thiserror::Error;

/// An error of sonification.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum SonifyError {
    /// The simulation rejected a body or setting.
    #[error(transparent)]
    Physics(#[from] PhysicsError),
    /// The engine rejected a setting or command.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A strike on a surface point that the model does not have.
    #[error(
        "the strike on \"{object}\" at {at_s} s: there is no surface point {place}; its model has {count}, from 0 on: \
         write a smaller `place`, or coordinates"
    )]
    NoPlace { object: String, at_s: f64, place: usize, count: usize },
    /// Invalid contact parameters.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// Invalid surface.
    #[error("the surface of \"{object}\": {source}")]
    Surface { object: String, source: ForceError },
    /// Invalid force parameters.
    #[error(transparent)]
    Force(#[from] ForceError),
    /// The output stage rejected its settings.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The loudness cannot be measured.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// Invalid hail.
    #[error(transparent)]
    Hail(#[from] HailError),
    /// The backend failed to find hail impacts.
    #[error("hail: {0}")]
    ImpactBackend(Box<dyn std::error::Error + Send + Sync>),
    /// A collider that hail cannot strike.
    #[error("\"{object}\" under hail: {source}; give it another collider, or \"none\"")]
    HailCollider { object: String, source: HailError },
    /// Invalid trace.
    #[error("{}: {source}", path.display())]
    Trace { path: PathBuf, source: TraceError },
    /// The trace belongs to another scene.
    #[error(
        "{}: the trace has {found} bodies, the scene has {expected}; record it again, or use the \
         scene it was recorded from", path.display()
    )]
    TraceOfOtherScene { path: PathBuf, found: usize, expected: usize },
    /// A recorded surface profile cannot be read.
    #[error(transparent)]
    Profile(#[from] DecodeError),
    /// An edit was refused.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// An object of an edit cannot be prepared.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The modes of an object were not computed, or for another edit.
    #[error("the modes of \"{0}\" were not computed: prepare the edit for the scene as it is now")]
    NotPrepared(String),
    /// A sound file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// More events than memory allows.
    #[error("more than {0} events; shorten the scene or lower physics_hz")]
    TooManyEvents(usize),
}
