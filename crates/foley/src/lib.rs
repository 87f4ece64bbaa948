//! Foley hears physics: shapes, materials and motion become sound.
//!
//! ```
//! use foley::prelude::*;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let bar: Shape = "bar:300x30x8mm".parse()?;
//!     let model = bar.model(Material::named("steel")?, &ShapeOptions::default())?;
//!     let (mut engine, renderer) = Engine::new(Settings::default())?;
//!     let bar = engine.add(model)?;
//!     let mallet = Striker::named("wooden mallet")?;
//!     engine.strike(bar, SurfacePoint::At([0.1, 0.0, 0.0]), &mallet, 1.0, 0.0)?;
//!     # let folder = tempfile::tempdir()?;
//!     # std::env::set_current_dir(&folder)?;
//!     Offline::new(engine, renderer).write("bar.wav", 3.0)?;
//!     Ok(())
//! }
//! ```
//!
//! To play instead of writing:
//!
//! ```no_run
//! # use foley::prelude::*;
//! # fn scene(rate: u32) -> Result<(Engine, Renderer), EngineError> { Engine::new(Settings::live(rate)) }
//! use foley::device::{self, Device};
//! let device = Device::open(None, &device::Settings::default())?;
//! let (mut engine, renderer) = scene(device.sample_rate_hz())?;
//! let stream = device.play(renderer)?;
//! stream.wait(std::time::Duration::from_secs(3))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod device;

pub use foley_engine::*;

/// Everything a small program needs.
pub mod prelude {
    pub use foley_dsp::excitation::{Impact, Striker};
    pub use foley_dsp::model::ModalModel;
    pub use foley_engine::{
        Engine, EngineError, Force, ObjectHandle, Offline, Renderer, Settings, SurfacePoint,
    };
    pub use foley_modal::{Material, Shape, ShapeOptions};
}
