//! Errors of the engine.

use foley_dsp::excitation::ContactError;
use foley_dsp::output::OutputError;
use foley_dsp::resonator::BankError;
use thiserror::Error;

/// An error of the engine.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum EngineError {
    /// The resonator bank refused the settings.
    #[error(transparent)]
    Bank(#[from] BankError),
    /// The output stage refused the settings.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Invalid impact parameters.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// The number of objects is at its limit.
    #[error("there are {0} objects already; raise Settings::objects or remove some")]
    TooManyObjects(usize),
    /// The output has no such channel.
    #[error("there is no channel {channel}: the output has {channels}")]
    NoChannel { channel: usize, channels: usize },
    /// The object was removed, or belongs to another engine.
    #[error("the object is not in the scene; it was removed or belongs to another engine")]
    NoObject,
    /// The object has no such surface point or contact.
    #[error("there is no {what} {index}: the object has {count}")]
    NoSurfacePoint { what: &'static str, index: usize, count: usize },
    /// Invalid time of a strike or a position.
    #[error("{0} s is no time: it must be from 0 to 1e9 s")]
    Time(f64),
    /// A position of the listener too far in the future.
    #[error("the listener's position is {0} s ahead: give it at most 10 s ahead of what is heard")]
    Ahead(f64),
    /// A setting out of its range.
    #[error("Settings::{name} is {value}: it must be {must}")]
    Setting { name: &'static str, value: f64, must: &'static str },
    /// Gains that do not fit the model.
    #[error("there are {given} gains: the model has {modes} modes")]
    Gains { given: usize, modes: usize },
    /// Decay rates that do not fit the model.
    #[error("there are {given} decay rates: the model has {modes} modes")]
    Decays { given: usize, modes: usize },
    /// Invalid decay rates.
    #[error("the decay rate of mode {mode} is {value}; it must be from 0 to {most:e} per second")]
    DecayRate { mode: usize, value: f64, most: f64 },
    /// Invalid position, direction or velocity.
    #[error("the {0} must be finite numbers")]
    NotFinite(&'static str),
    /// The engine was made without positions.
    #[error("objects have no positions here: make the engine with Settings::spatial()")]
    NotSpatial,
    /// Invalid impulse.
    #[error("an impulse of {0} N·s: it must be finite and not negative")]
    Impulse(f64),
    /// Invalid gain.
    #[error("a gain of {0} dB: it must be below 100 dB")]
    Gain(f64),
    /// Invalid playback level.
    #[error("a playback level of {0} dB SPL: it must be finite")]
    Playback(f64),
    /// Invalid full scale.
    #[error("a full scale of {0} Pa: it must be from 1e-12 to 1e12 Pa")]
    FullScale(f64),
    /// The command queue is full.
    #[error("{0} commands wait for the audio thread already; render or play first")]
    Busy(usize),
}
