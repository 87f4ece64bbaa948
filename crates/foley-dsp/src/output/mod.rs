//! The last stage before the ear: guard, then limiter.
//!
//! Nothing that leaves here is NaN, infinite or denormal, and with the limiter (on
//! by default) nothing is louder than its ceiling, whatever comes in.
//!
//! Frames are **interleaved**, as audio devices and sound files have them: sample c
//! of frame n stands at `n × channels + c`.
//!
//! For offline analysis [`OutputSettings::limiter`] may be `None`: then only the
//! guard works, there is no latency, good samples pass bit for bit and no ceiling
//! holds.
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

use thiserror::Error;

/// Why an output stage cannot be built.
#[derive(Debug, Error, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OutputError {
    /// No channel, or more than anybody has loudspeakers.
    #[error("{found} output channels; there must be 1 to {MAX_CHANNELS}")]
    Channels {
        /// How many were asked for.
        found: usize,
    },
    /// A number out of range.
    #[error("the {what} is {value}; it must be {min} to {max}")]
    Setting {
        /// Which setting.
        what: &'static str,
        /// The offending value.
        value: f64,
        /// The smallest accepted.
        min: f64,
        /// The largest accepted.
        max: f64,
    },
}

/// The most channels of one output stage: ambisonics of order 15.
pub const MAX_CHANNELS: usize = 256;

/// What the output stage does; by default it guards and limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutputSettings {
    /// How to limit; `None` leaves levels (and time) as they are.
    pub limiter: Option<LimiterSettings>,
}

impl Default for OutputSettings {
    fn default() -> Self {
        Self { limiter: Some(LimiterSettings::default()) }
    }
}

/// What the output stage had to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutputReport {
    /// Blocks with samples that were no sound, since construction.
    pub bad_blocks: u64,
    /// The limiter's smallest gain since the last report; 1 when it had no work.
    pub min_gain: f64,
    /// Samples that the limiter's last clamp caught, since construction: 0.
    pub clamps: u64,
}

/// Guard and limiter in a row.
///
/// Real-time: after [`OutputStage::new`] nothing here allocates, locks, calls the
/// system, logs or panics.
#[derive(Debug, Clone)]
pub struct OutputStage {
    guard: Guard,
    limiter: Option<Limiter>,
}

impl OutputStage {
    /// A stage for interleaved frames of `channels` samples.
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

    /// Works on one block of interleaved frames in place. Tells whether the block
    /// held samples that were no sound: then whoever made it should recover.
    ///
    /// A signal without such samples gives the same result however it is cut into
    /// blocks. An incomplete frame at the end is set to zero.
    pub fn process(&mut self, frames: &mut [f32]) -> bool {
        let recover = self.guard.process(frames);
        if let Some(limiter) = &mut self.limiter {
            limiter.process(frames);
        }
        recover
    }

    /// How many frames later the signal leaves; 0 without the limiter.
    pub fn latency_frames(&self) -> usize {
        self.limiter.as_ref().map_or(0, Limiter::latency_frames)
    }

    /// What had to be done; the minimum gain begins anew.
    pub fn report(&mut self) -> OutputReport {
        OutputReport {
            bad_blocks: self.guard.bad_blocks(),
            min_gain: self.limiter.as_mut().map_or(1.0, Limiter::take_min_gain),
            clamps: self.limiter.as_ref().map_or(0, Limiter::clamps),
        }
    }

    /// As after construction, but the counters stay.
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
