//! Ears: from directions to output channels.

mod stereo_panner;

pub use stereo_panner::{Head, StereoPanner};
