#![doc = include_str!("../README.md")]
//!
//! | to | use |
//! |---|---|
//! | make modes from a shape, a mesh or a recording | [`model`], [`modal`] |
//! | strike, scrape and move objects, and move a listener | [`Engine`] |
//! | render or play a scene file, and edit it while it plays | [`render`], [`play`], [`scene`] |
//! | give a physics engine of your own its sounds | [`physics`] |
//! | read and write sound files | [`audio_file`] |

mod error;
mod shortcuts;
#[cfg(feature = "signals")]
pub mod signals;
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
pub use player::{OpenOutput, Output, PlayReport, PlaySettings, Player, play};
#[cfg(feature = "physics")]
pub use render::{RenderOptions, render, render_with};

/// Everything a small program needs.
pub mod prelude {
    pub use foley_dsp::excitation::{Impact, Striker};
    pub use foley_dsp::model::ModalModel;
    pub use foley_engine::{
        AudioBuffer, Engine, EngineError, Force, Listener, MetresPerSecond, NewtonSeconds,
        ObjectHandle, Offline, Renderer, Settings, Source, SurfacePoint, Time,
    };
    pub use foley_modal::{Material, Shape, ShapeOptions};
}
