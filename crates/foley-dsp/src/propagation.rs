//! Propagation: from an emitter to the listener, after the resonators.
//!
//! An emitter is a position in space with a signal, the sound pressure at 1 m. Its path to the
//! listener delays the signal by the time of flight, which makes the Doppler effect, attenuates it
//! with 1/r, and filters it by the absorption of the air and by the directivity of the object.

mod air_absorption;
mod air_filter;
mod directivity_gains;
mod delay_line;
mod trajectory;
mod motion;
mod equalizer;
mod path;
mod emitter_set;

pub use air_absorption::{Air, AirAbsorption};
pub use air_filter::AirFilter;
pub use directivity_gains::{LEAST_POWER, directivity_gains};
pub use emitter_set::EmitterSet;
pub use equalizer::{BANDS, EqualizerDesign, EqualizerWeights, FIRST_BAND_HZ, Sections};
pub use motion::Motion;
pub use path::{MIN_DISTANCE_M, PathSettings, PropagationPath, spreading_gain};
pub use trajectory::{Position, Trajectory};
