//! A source being played.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use cpal::traits::{DeviceTrait, StreamTrait};
use cpal::{BufferSize, ErrorKind, FromSample, SampleFormat, SizedSample, StreamConfig};

use super::counters::{Counters, StreamStats};
use super::feeder::{Feed, Feeder};
use super::pick::Picked;
use super::{DeviceError, PATIENCE, deadline};
use foley_engine::Source;

/// How often waiting threads look at the counters.
const GLANCE: Duration = Duration::from_millis(5);

/// Plays until it is stopped or dropped.
pub struct Stream {
    /// None only while being dropped.
    inner: Option<cpal::Stream>,
    device: String,
    sample_rate_hz: u32,
    counters: Arc<Counters>,
}

impl Stream {
    pub(super) fn start(
        device: cpal::Device,
        name: String,
        picked: Picked,
        source: Box<dyn Source>,
    ) -> Result<Self, DeviceError> {
        let counters = Arc::new(Counters::default());
        let feed = Feed::new(source);
        let built = {
            let counters = counters.clone();
            deadline::within(2 * PATIENCE, move || build(&device, picked, feed, &counters))
        };
        let stalled = || DeviceError::Stalled { device: name.clone(), seconds: PATIENCE.as_secs() };
        let inner =
            built.ok_or_else(stalled)?.map_err(|error| DeviceError::refused(&name, &error))?;
        let stream = Self {
            inner: Some(inner),
            device: name,
            sample_rate_hz: picked.sample_rate_hz,
            counters,
        };
        stream.wait_until(|stats| stats.frames > 0)?;
        Ok(stream)
    }

    /// How playing has gone so far.
    pub fn stats(&self) -> StreamStats {
        self.counters.stats()
    }

    /// Frames per second.
    pub fn sample_rate_hz(&self) -> u32 {
        self.sample_rate_hz
    }

    /// Lets it play for `duration`.
    ///
    /// Ends early, with an error, when the device goes away or asks for nothing for three seconds.
    pub fn wait(&self, duration: Duration) -> Result<(), DeviceError> {
        let begin = Instant::now();
        self.wait_until(|_| begin.elapsed() >= duration)
    }

    /// Waits until the source's first `frames` frames have been heard.
    ///
    /// Ends early, with an error, when the device goes away or asks for nothing for three seconds.
    pub fn wait_frames(&self, frames: u64) -> Result<(), DeviceError> {
        self.wait_until(|stats| stats.frames >= frames.saturating_add(self.buffered_frames()))
    }

    /// Fades out within a few milliseconds and ends.
    pub fn stop(self) {
        self.counters.stop.store(true, Relaxed);
        let faded = self.wait_until(|_| self.counters.silent.load(Relaxed));
        if faded.is_ok() {
            // The fade is still in the device's buffer.
            let buffer_s = self.buffered_frames() as f64 / f64::from(self.sample_rate_hz);
            thread::sleep(Duration::from_secs_f64(buffer_s.min(PATIENCE.as_secs_f64())));
        }
    }

    /// An upper bound of what was handed over and not yet heard.
    fn buffered_frames(&self) -> u64 {
        // The server may hold as much again as the stream's two blocks.
        4 * self.counters.largest_block.load(Relaxed)
    }

    fn wait_until(&self, done: impl Fn(&StreamStats) -> bool) -> Result<(), DeviceError> {
        let mut last_blocks = self.stats().blocks;
        let mut last_progress = Instant::now();
        loop {
            let stats = self.stats();
            if done(&stats) {
                return Ok(());
            }
            if self.counters.lost.load(Relaxed) {
                return Err(DeviceError::Lost { device: self.device.clone() });
            }
            if stats.blocks != last_blocks {
                (last_blocks, last_progress) = (stats.blocks, Instant::now());
            } else if last_progress.elapsed() >= PATIENCE {
                let seconds = PATIENCE.as_secs();
                return Err(DeviceError::Stalled { device: self.device.clone(), seconds });
            }
            thread::sleep(GLANCE);
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Closing waits for the sound system's threads, which may wait for a dead server.
        if let Some(inner) = self.inner.take() {
            deadline::within(PATIENCE, move || drop(inner));
        }
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("device", &self.device)
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}

/// Builds and starts the stream; the source joins it only once the device has accepted.
fn build(
    device: &cpal::Device,
    picked: Picked,
    feed: Feed,
    counters: &Arc<Counters>,
) -> Result<cpal::Stream, cpal::Error> {
    let attempt = |buffer_size| {
        let (producer, consumer) = rtrb::RingBuffer::new(1);
        let outputs = usize::from(picked.channels);
        let feeder = Feeder::new(consumer, outputs, picked.sample_rate_hz, counters.clone());
        let config = StreamConfig {
            channels: picked.channels,
            sample_rate: picked.sample_rate_hz,
            buffer_size,
        };
        open(device, config, picked.format, feeder, counters).map(|stream| (stream, producer))
    };
    let (stream, mut producer) = match attempt(BufferSize::Fixed(picked.block_frames)) {
        // Some drivers offer block sizes they then refuse.
        Err(error) if error.kind() == ErrorKind::UnsupportedConfig => attempt(BufferSize::Default),
        result => result,
    }?;
    // The queue is new and holds one, so there is room.
    let _ = producer.push(feed);
    stream.play()?;
    Ok(stream)
}

fn open(
    device: &cpal::Device,
    config: StreamConfig,
    format: SampleFormat,
    feeder: Feeder,
    counters: &Arc<Counters>,
) -> Result<cpal::Stream, cpal::Error> {
    match format {
        SampleFormat::F32 => open_as::<f32>(device, config, feeder, counters),
        SampleFormat::I32 => open_as::<i32>(device, config, feeder, counters),
        SampleFormat::I24 => open_as::<cpal::I24>(device, config, feeder, counters),
        SampleFormat::I16 => open_as::<i16>(device, config, feeder, counters),
        SampleFormat::U16 => open_as::<u16>(device, config, feeder, counters),
        _ => Err(ErrorKind::UnsupportedConfig.into()),
    }
}

fn open_as<T: SizedSample + FromSample<f32>>(
    device: &cpal::Device,
    config: StreamConfig,
    mut feeder: Feeder,
    counters: &Arc<Counters>,
) -> Result<cpal::Stream, cpal::Error> {
    let counters = counters.clone();
    device.build_output_stream(
        config,
        move |block: &mut [T], _| feeder.call(block),
        move |error| counters.fault(&error),
        Some(PATIENCE),
    )
}
