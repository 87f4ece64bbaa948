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
//! println!("{} underruns", stream.stats().underruns);
//! stream.stop();
//! # Ok::<(), foley::device::DeviceError>(())
//! ```
//!
//! On Linux a PulseAudio server, or PipeWire speaking its language, is asked first, over its own
//! socket and without its client library; ALSA is asked when there is none. No call here waits
//! for ever: what takes longer than a few seconds is given up with an error.

mod counters;
mod deadline;
mod error;
mod feeder;
mod hosts;
mod pick;
mod stream;

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
}

impl Default for Settings {
    /// Stereo at 48 kHz in blocks of 512 frames: 21 ms from fill to ear.
    fn default() -> Self {
        Self { sample_rate_hz: 48_000, channels: 2, block_frames: 512 }
    }
}

/// An output device that is there and has agreed on rate, channels and sample format.
pub struct Device {
    device: cpal::Device,
    name: String,
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
        let (wanted_hz, got_hz) = (self.sample_rate_hz(), source.sample_rate_hz());
        if wanted_hz != got_hz {
            return Err(DeviceError::Rate { device: self.name, wanted_hz, got_hz });
        }
        let (outputs, channels) = (self.channels(), source.channels());
        // Stereo on a mono device is mixed; more channels have no meaning to mix them by.
        if channels == 0 || (channels > outputs && channels != 2) {
            return Err(DeviceError::Channels { device: self.name, outputs, channels });
        }
        Stream::start(self.device, self.name, self.picked, Box::new(source))
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("name", &self.name).field("picked", &self.picked).finish()
    }
}
