//! Errors of a fit.

use foley_dsp::model::ModelError;
use thiserror::Error;

/// Why recordings give no model. The fields count recordings from 0, the messages from 1.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum FitError {
    /// No recordings.
    #[error("there are no recordings; give at least one strike")]
    NoRecordings,
    /// More data than the limit.
    #[error("{found} {what} are more than the limit of {limit}; cut the recordings to the strikes")]
    TooMuch { what: &'static str, found: usize, limit: usize },
    /// The numbers of places and recordings differ.
    #[error("{places} places for {recordings} recordings; give one place for each, or none")]
    Places { places: usize, recordings: usize },
    /// A sample rate out of range, or one that differs from the first recording's.
    #[error("recording {} has {rate_hz} samples per second; {must}", recording + 1)]
    SampleRate { recording: usize, rate_hz: f64, must: String },
    /// A sample that is not a number, infinite or absurdly large.
    #[error(
        "sample {sample} of recording {} is {value}, which is not a sound; repair the file",
        recording + 1
    )]
    Sample { recording: usize, sample: usize, value: f32 },
    /// All samples are equal.
    #[error("recording {} is silent; is it the right file or channel?", recording + 1)]
    Silent { recording: usize },
    /// Too little is left after the onset.
    #[error(
        "recording {} lasts {seconds:.3} s after its onset; at least {needed} s are needed",
        recording + 1
    )]
    TooShort { recording: usize, seconds: f64, needed: f64 },
    /// No decaying sinusoid stands out of the noise.
    #[error(
        "no mode stands above the noise; record closer or strike harder, and check that the \
         strike is in the recording"
    )]
    NoModes,
    /// The recording of scraping is too short.
    #[error("the recording lasts {seconds:.3} s; at least {needed} s of scraping are needed")]
    ShortScrape { seconds: f64, needed: f64 },
    /// Too little of the spectrum is above the noise.
    #[error(
        "too little of the recording stands above its noise to tell a surface; record closer, \
         or scrape harder"
    )]
    NoScrape,
    /// An option out of range.
    #[error("{what} is {value}; it must be {must}")]
    Option { what: &'static str, value: f64, must: &'static str },
    /// The numbers found do not make a model.
    #[error("the fitted numbers do not make a model")]
    Model(#[from] ModelError),
}

impl FitError {
    /// Returns the recording that caused the error, if one did.
    pub fn recording(&self) -> Option<usize> {
        match self {
            Self::SampleRate { recording, .. }
            | Self::Sample { recording, .. }
            | Self::Silent { recording }
            | Self::TooShort { recording, .. } => Some(*recording),
            _ => None,
        }
    }
}
