//! Foley hears physics: shapes, materials and motion become sound.
//!
//! ```
//! use foley::prelude::*;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let bar: Shape = "bar:300x30x8mm".parse()?;
//!     let model = bar.model(Material::named("steel")?, &Options::default())?;
//!     let (mut engine, renderer) = Engine::new(Settings::default())?;
//!     let bar = engine.add(model)?;
//!     let mallet = Striker::named("wooden mallet")?;
//!     engine.strike(bar, Place::At([0.1, 0.0, 0.0]), &mallet, 1.0, 0.0)?;
//!     # let folder = tempfile::tempdir()?;
//!     # std::env::set_current_dir(&folder)?;
//!     Offline::new(engine, renderer).write("bar.wav", 3.0)?;
//!     Ok(())
//! }
//! ```
//!
//! An [`Engine`] on your thread builds the scene and strikes it. Its [`Renderer`] turns the
//! scene into frames: on the audio thread, or, as [`Offline`], as fast as it goes. A
//! [`backend`] carries the frames to a file or to your ears. To play instead of writing:
//!
//! ```no_run
//! # use foley::prelude::*;
//! # fn scene(rate: u32) -> Result<(Engine, Renderer), EngineError> { Engine::new(Settings::live(rate)) }
//! use foley::backend::device::{self, Device};
//! let device = Device::open(None, &device::Settings::default())?;
//! let (mut engine, renderer) = scene(device.sample_rate_hz())?;
//! let stream = device.play(renderer)?;
//! stream.wait(std::time::Duration::from_secs(3))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod backend;
mod engine;
mod force;
mod message;
mod offline;
mod renderer;
mod settings;

pub use engine::{Engine, EngineError, Object, Place, Report};
pub use foley_dsp::excitation::Motion;
pub use foley_dsp::resonator::{Budget, Clock, Ear, Hearing};
pub use force::{Force, Recorded, Steered, Steering, SteeringError, steered};
pub use offline::Offline;
pub use renderer::Renderer;
pub use settings::{DEFAULT_PLAYBACK_DB, Settings};

/// Everything a small program needs.
pub mod prelude {
    pub use crate::{Engine, EngineError, Force, Object, Offline, Place, Renderer, Settings};
    pub use foley_dsp::excitation::{Impact, Striker};
    pub use foley_dsp::model::ModalModel;
    pub use foley_modal::{Material, Options, Shape};
}
