//! Output stage: finite-value guard, then look-ahead limiter.
//!
//! The output is never NaN, infinite or denormal, and with the limiter (on by default) never louder
//! than its ceiling, for any input.
//!
//! Frames are **interleaved**: sample c of frame n is at `n × channels + c`.
//!
//! For offline analysis [`OutputSettings::limiter`] may be `None`: then only the guard works,
//! without latency or ceiling, and valid samples pass bit for bit.
//!
//! ```
//! use foley_dsp::output::{OutputSettings, OutputStage};
//! let mut stage = OutputStage::new(OutputSettings::default(), 48_000.0, 2)?;
//! let mut frames = vec![1e6; 2 * 256];
//! let recover = stage.process(&mut frames);
//! assert!(!recover && frames.iter().all(|y| y.abs() <= 0.8913));
//! assert!(stage.report().min_gain < 1e-5);
//! # Ok::<(), foley_dsp::output::OutputError>(())
//! ```

mod guard;
mod limiter;
mod sliding_min;
mod smoother;

pub use guard::{BLOW_UP, FADE_FRAMES, Guard, TINY};
pub use limiter::{Limiter, LimiterSettings};

use derive_setters::Setters;
use thiserror::Error;

/// Invalid settings of an output stage.
#[derive(Debug, Error, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum OutputError {
    /// Number of channels out of range.
    #[error("{found} output channels; there must be 1 to {MAX_CHANNELS}")]
    Channels { found: usize },
    /// A setting out of range.
    #[error("the {what} is {value}; it must be {min} to {max}")]
    Setting { what: &'static str, value: f64, min: f64, max: f64 },
}

/// Most channels of one output stage: ambisonics of order 15.
pub const MAX_CHANNELS: usize = 256;

/// Settings of the output stage; by default guard and limiter are on.
#[derive(Debug, Clone, Copy, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct OutputSettings {
    /// Settings of the limiter; `None` switches it off.
    #[setters(into)]
    pub limiter: Option<LimiterSettings>,
}

impl Default for OutputSettings {
    fn default() -> Self {
        Self { limiter: Some(LimiterSettings::default()) }
    }
}

/// Interventions of the output stage.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct OutputReport {
    /// Blocks with invalid samples, since construction.
    pub bad_blocks: u64,
    /// The limiter's smallest gain since the last report; 1 if nothing was limited.
    pub min_gain: f64,
    /// Samples caught by the limiter's final clamp, since construction; 0 unless there is a bug.
    pub clamps: u64,
}

/// Guard and limiter in series.
///
/// Real-time: after [`OutputStage::new`] nothing here allocates, locks, calls the
/// system, logs or panics.
#[derive(Debug, Clone)]
pub struct OutputStage {
    guard: Guard,
    limiter: Option<Limiter>,
}

impl OutputStage {
    /// Makes a stage for interleaved frames of `channels` samples.
    pub fn new(
        settings: OutputSettings,
        sample_rate_hz: f64,
        channels: usize,
    ) -> Result<Self, OutputError> {
        check_layout(sample_rate_hz, channels)?;
        let limiter = settings
            .limiter
            .map(|settings| Limiter::new(settings, sample_rate_hz, channels))
            .transpose()?;
        Ok(Self { guard: Guard::new(channels), limiter })
    }

    /// Processes one block of interleaved frames in place. Returns whether the block held invalid
    /// samples: then its source should recover.
    ///
    /// The result for a valid signal does not depend on block sizes. An incomplete frame at the end
    /// is set to zero.
    pub fn process(&mut self, frames: &mut [f32]) -> bool {
        let recover = self.guard.process(frames);
        if let Some(limiter) = &mut self.limiter {
            limiter.process(frames);
        }
        recover
    }

    /// Returns the latency in frames; 0 without the limiter.
    pub fn latency_frames(&self) -> usize {
        self.limiter.as_ref().map_or(0, Limiter::latency_frames)
    }

    /// Returns the interventions and resets the minimum gain.
    pub fn report(&mut self) -> OutputReport {
        OutputReport {
            bad_blocks: self.guard.bad_blocks(),
            min_gain: self.limiter.as_mut().map_or(1.0, Limiter::take_min_gain),
            clamps: self.limiter.as_ref().map_or(0, Limiter::clamps),
        }
    }

    /// Restores the state after construction, except for the counters.
    pub fn reset(&mut self) {
        self.guard.reset();
        if let Some(limiter) = &mut self.limiter {
            limiter.reset();
        }
    }
}

fn check_layout(sample_rate_hz: f64, channels: usize) -> Result<(), OutputError> {
    if !(1..=MAX_CHANNELS).contains(&channels) {
        return Err(OutputError::Channels { found: channels });
    }
    setting_within("sample rate (Hz)", sample_rate_hz, 1000.0, 768_000.0)
}

fn setting_within(what: &'static str, value: f64, min: f64, max: f64) -> Result<(), OutputError> {
    if (min..=max).contains(&value) {
        Ok(())
    } else {
        Err(OutputError::Setting { what, value, min, max })
    }
}
