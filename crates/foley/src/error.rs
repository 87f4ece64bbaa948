//! The error of the façade.

use thiserror::Error;

/// Any error of Foley. Its message names the file, the place and the remedy; `main` prints it when it returns
/// the error.
#[derive(Error)]
#[non_exhaustive]
pub enum Error {
    /// The engine refused a setting or a command.
    #[error(transparent)]
    Engine(#[from] foley_engine::EngineError),
    /// A sound file cannot be written.
    #[error(transparent)]
    File(#[from] foley_engine::audio_file::FileError),
    /// A sound file cannot be read.
    #[error(transparent)]
    Decode(#[from] foley_engine::audio_file::DecodeError),
    /// A sound cannot be levelled.
    #[error(transparent)]
    Level(#[from] foley_engine::LevelError),
    /// A surface profile, a scrape or a roll has invalid parameters.
    #[error(transparent)]
    Force(#[from] foley_dsp::excitation::ForceError),
    /// A contact has invalid parameters, or there is no such striker.
    #[error(transparent)]
    Contact(#[from] foley_dsp::excitation::ContactError),
    /// A modal model is invalid.
    #[error(transparent)]
    Model(#[from] foley_dsp::model::ModelError),
    /// A shape is invalid.
    #[error(transparent)]
    Shape(#[from] foley_modal::ShapeError),
    /// There is no such material, or it is invalid.
    #[error(transparent)]
    Material(#[from] foley_modal::MaterialError),
    /// A name is no model, mesh or shape.
    #[error(transparent)]
    ModelSource(#[from] foley_modal::source::SourceError),
    /// A model file cannot be read or written.
    #[error(transparent)]
    ModelFile(#[from] foley_modal::file::FileError),
    /// A mesh cannot be read.
    #[error(transparent)]
    Mesh(#[from] foley_geometry::mesh::MeshError),
    /// Modes of a mesh cannot be computed.
    #[error(transparent)]
    Bake(#[from] foley_modal::bake::BakeError),
    /// Modes cannot be found in a recording.
    #[error(transparent)]
    Fit(#[from] foley_modal::fit::FitError),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] foley_geometry::bounded_read::ReadError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] foley_geometry::atomic_file::WriteError),
    /// An output is an input or another output, or cannot be written.
    #[error(transparent)]
    Plan(#[from] foley_geometry::file_plan::PlanError),
    /// A scene file has problems.
    #[cfg(feature = "physics")]
    #[error(transparent)]
    Scene(#[from] foley_scene::SceneError),
    /// An object of a scene cannot be prepared.
    #[cfg(feature = "physics")]
    #[error(transparent)]
    Prepare(#[from] foley_scene::prepare::PrepareError),
    /// A scene cannot be played.
    #[cfg(feature = "physics")]
    #[error(transparent)]
    Sonify(#[from] foley_scene::sonify::SonifyError),
    /// An edit was refused.
    #[cfg(feature = "physics")]
    #[error(transparent)]
    Edit(#[from] foley_scene::edit::EditError),
    /// The simulation refused a body or a setting.
    #[cfg(feature = "physics")]
    #[error(transparent)]
    Physics(#[from] foley_physics::PhysicsError),
    /// The sound card cannot play.
    #[cfg(feature = "device")]
    #[error(transparent)]
    Device(#[from] crate::device::DeviceError),
    /// The GPU failed.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] foley_gpu::GpuError),
}

/// The message: what a `main` that returns the error prints.
impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
