//! Why a scene cannot be performed.

use foley_dsp::excitation::ContactError;
use foley_dsp::excitation::ForceError;
use foley_dsp::output::OutputError;
use foley_engine::EngineError;
use foley_hail::HailError;
use foley_physics::PhysicsError;
use foley_physics::trace::TraceError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a scene cannot be performed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SonifyError {
    /// The simulation does not accept it.
    #[error(transparent)]
    Physics(#[from] PhysicsError),
    /// The engine does not accept it.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A contact nature does not know.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// A surface that cannot be.
    #[error("the surface of \"{object}\": {source}")]
    Surface {
        /// Whose.
        object: String,
        /// Why.
        source: ForceError,
    },
    /// A force that cannot be.
    #[error(transparent)]
    Force(#[from] ForceError),
    /// The output stage does not accept it.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Hail that cannot fall.
    #[error(transparent)]
    Hail(#[from] HailError),
    /// Who was to find the impacts of hail cannot.
    #[error("hail: {0}")]
    ImpactBackend(Box<dyn std::error::Error + Send + Sync>),
    /// Something that hail cannot strike.
    #[error("\"{object}\" under hail: {source}; give it another collider, or \"none\"")]
    HailCollider {
        /// What.
        object: String,
        /// Why.
        source: HailError,
    },
    /// A trace that cannot be read.
    #[error("{}: {source}", path.display())]
    Trace {
        /// Which.
        path: PathBuf,
        /// Why.
        source: TraceError,
    },
    /// A trace of another scene.
    #[error(
        "{}: it tells of {found} bodies, the scene has {expected}; record it anew, or take the \
         scene it was made from", path.display()
    )]
    TraceOfOtherScene {
        /// Which.
        path: PathBuf,
        /// Bodies of the trace.
        found: usize,
        /// Objects of the scene.
        expected: usize,
    },
    /// A file that cannot be opened.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// More happens than there is memory for.
    #[error("more than {0} things happen; make the scene shorter or lower physics_hz")]
    TooManyEvents(usize),
}
