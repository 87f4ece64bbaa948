//! The sound card, through `cpal`.
//!
//! Open the device first: it says at which rate the source has to be built. Then play.
//!
//! ```no_run
//! # fn build(rate_hz: u32) -> Box<dyn foley::Source> { unimplemented!() }
//! use foley::device::{Device, Settings};
//! use std::time::Duration;
//!
//! let device = Device::open(None, &Settings::default())?;
//! let source = build(device.sample_rate_hz());
//! let stream = device.play(source)?;
//! stream.wait(Duration::from_secs(10))?;
//! let stats = stream.stop();
//! println!("{} gaps, the longest of {:?}", stats.gaps, stats.longest_gap);
//! # Ok::<(), foley::device::DeviceError>(())
//! ```
//!
//! On Linux a PulseAudio server, or PipeWire speaking its language, is asked first, over its own
//! socket and without its client library; ALSA is asked when there is none. No call here waits
//! for ever: what takes longer than a few seconds is given up with an error.
//!
//! A device that is lost while it plays is opened again: after a process was stopped and continued, after a server
//! was restarted, when a card is plugged in again. If it stays away, the default device takes its place. The
//! source goes on where it was, with a short fade; [`StreamStats`] counts the gap.

mod counters;
mod deadline;
mod error;
mod feeder;
mod gap_meter;
mod hosts;
mod link;
mod open_stream;
mod pick;
mod render_ahead;
mod stream;
mod supervisor;

pub use counters::StreamStats;
/// Formats of samples, for [`callback`].
pub use cpal::{FromSample, SizedSample};
pub use error::DeviceError;
pub use feeder::callback;
pub use hosts::{DeviceInfo, devices};
pub use stream::Stream;

use derive_setters::Setters;
use std::time::Duration;

use foley_engine::Source;
use pick::Picked;

/// Longest wait for a server or driver to answer, and for a block to be asked for.
///
/// PulseAudio's null sink, which is what a computer without a card shows, works two seconds ahead
/// while idle, so a sound that is well may begin that late.
const PATIENCE: Duration = Duration::from_secs(3);

/// Longest time without sound before it ends with an error: while a device asks for nothing, or none can be opened
/// in the place of one that was lost. Time in which the process was stopped does not count.
pub const RECOVERY_PATIENCE: Duration = Duration::from_secs(10);

/// What to ask a device for. Devices that cannot do it give the nearest they can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Settings {
    /// Preferred sample rate.
    pub sample_rate_hz: u32,
    /// Preferred number of channels.
    pub channels: u16,
    /// Frames per block; the device holds two blocks, which is most of the delay.
    pub block_frames: u32,
    /// Length of the sound that is rendered ahead, by a thread of its own: blocks that take long to render make
    /// no gap. It delays what is done to the source, not the fade of [`Stream::stop`]. Zero renders on
    /// the device's own thread.
    pub render_ahead: Duration,
}

impl Default for Settings {
    /// Stereo at 48 kHz in blocks of 512 frames, nothing rendered ahead: 21 ms from fill to ear.
    fn default() -> Self {
        let render_ahead = Duration::ZERO;
        Self { sample_rate_hz: 48_000, channels: 2, block_frames: 512, render_ahead }
    }
}

/// An output device that is there and has agreed on rate, channels and sample format.
pub struct Device {
    device: cpal::Device,
    name: String,
    host: Option<cpal::HostId>,
    /// The name that it was opened by; `None` for the default device.
    asked: Option<String>,
    settings: Settings,
    picked: Picked,
}

impl Device {
    /// Opens the device of that name, or the system's default.
    ///
    /// The name may be a full [`DeviceInfo::id`], a [`DeviceInfo::name`] in any case, or any part
    /// of one that fits a single device.
    pub fn open(name: Option<&str>, settings: &Settings) -> Result<Self, DeviceError> {
        let (name, settings) = (name.map(str::to_owned), *settings);
        let answer = deadline::within(2 * PATIENCE, move || match name {
            Some(name) => hosts::open_named(&name, &settings),
            None => hosts::open_default(&settings),
        });
        answer.unwrap_or_else(|| Err(DeviceError::none("the sound system does not answer")))
    }

    /// The device's own name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rate a source must have to be played here.
    pub fn sample_rate_hz(&self) -> u32 {
        self.picked.sample_rate_hz
    }

    /// How many outputs there are. Mono sources go to all of them, others to the first ones.
    pub fn channels(&self) -> usize {
        usize::from(self.picked.channels)
    }

    /// Starts playing `source` until the stream is stopped or dropped.
    ///
    /// Returns when the device has asked for its first block, or with an error within seconds.
    pub fn play(self, source: impl Source + 'static) -> Result<Stream, DeviceError> {
        self.check(source.sample_rate_hz(), source.channels())?;
        Stream::start(self, Box::new(source))
    }

    /// Checks that a source can be played here.
    fn check(&self, got_hz: u32, channels: usize) -> Result<(), DeviceError> {
        let (wanted_hz, outputs) = (self.sample_rate_hz(), self.channels());
        if wanted_hz != got_hz {
            return Err(DeviceError::Rate { device: self.name.clone(), wanted_hz, got_hz });
        }
        // Stereo on a mono device is mixed; more channels have no meaning to mix them by.
        if channels == 0 || (channels > outputs && channels != 2) {
            return Err(DeviceError::Channels { device: self.name.clone(), outputs, channels });
        }
        Ok(())
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("name", &self.name).field("picked", &self.picked).finish()
    }
}
