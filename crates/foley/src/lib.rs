//! Foley hears physics: shapes, materials and motion become sound.
//!
//! The smallest program strikes a bar and writes a file:
//!
//! ```
//! use foley::prelude::*;
//!
//! fn main() -> Result<(), foley::Error> {
//!     let bar = foley::model("bar:300x30x8mm", "steel")?;
//!     let (mut engine, renderer) = Engine::new(Settings::default())?;
//!     let bar = engine.add(bar)?;
//!     let mallet = Striker::named("wooden mallet")?;
//!     engine.strike(bar, SurfacePoint::At([0.1, 0.0, 0.0]), &mallet, 1.0, 0.0)?;
//!     # let folder = tempfile::tempdir().unwrap();
//!     # std::env::set_current_dir(&folder).unwrap();
//!     Offline::new(engine, renderer).write("bar.wav", 3.0)?;
//!     Ok(())
//! }
//! ```
//!
//! A scene file, in which bodies fall, collide, slide and roll, becomes sound in one line:
//!
//! ```no_run
//! # fn main() -> Result<(), foley::Error> {
//! foley::render(&foley::Scene::load("scene.toml")?)?.write("scene.wav")?;
//! # Ok(())
//! # }
//! ```
//!
//! | to | use |
//! |---|---|
//! | make modes from a shape, a mesh or a recording | [`model`], [`modal`] |
//! | strike, scrape and move objects, and move a listener | [`Engine`] |
//! | render or play a scene file, and edit it while it plays | [`render`], [`play`], [`scene`] |
//! | give a physics engine of your own its sounds | [`physics`] |
//! | read and write sound files | [`audio_file`] |
//!
//! Features: `physics` (default) brings scenes and rigid bodies, `device` sound cards, `gpu` hail on
//! graphics hardware, `flac` FLAC files beside WAV, `serde` descriptions that can be serialised, `plot`
//! pictures, `bench` the measurements of `foley bench`.
//!
//! The examples are in learning order: `strike`, `live`, `drop`, `own_physics`, `fit`,
//! `moving_listener`, `edit_while_playing`.

mod error;
mod shortcuts;
#[cfg(feature = "physics")]
mod render;
#[cfg(feature = "device")]
pub mod device;
#[cfg(all(feature = "device", feature = "physics"))]
mod player;
#[cfg(all(feature = "gpu", feature = "physics"))]
pub mod gpu_hail;

pub use error::Error;
pub use foley_dsp as dsp;
pub use foley_engine::*;
pub use foley_geometry as geometry;
pub use foley_modal as modal;
pub use shortcuts::model;

#[cfg(feature = "bench")]
pub use foley_bench as bench;
#[cfg(feature = "gpu")]
pub use foley_gpu as gpu;
#[cfg(feature = "physics")]
pub use foley_hail as hail;
#[cfg(feature = "physics")]
pub use foley_physics as physics;
#[cfg(feature = "plot")]
pub use foley_plot as plot;
#[cfg(feature = "physics")]
pub use foley_scene::{self as scene, Scene};
#[cfg(all(feature = "device", feature = "physics"))]
pub use player::{Output, Player, play};
#[cfg(feature = "physics")]
pub use render::{RenderOptions, render, render_with};

/// Everything a small program needs.
pub mod prelude {
    pub use foley_dsp::excitation::{Impact, Striker};
    pub use foley_dsp::model::ModalModel;
    pub use foley_engine::{
        Engine, EngineError, Force, Listener, ObjectHandle, Offline, Renderer, Settings, Source,
        SurfacePoint,
    };
    pub use foley_modal::{Material, Shape, ShapeOptions};
}
