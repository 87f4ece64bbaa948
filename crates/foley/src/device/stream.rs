//! A source being played.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::counters::{Counters, StreamStats};
use super::feeder::{Feed, FrameSource};
use super::link::Link;
use super::open_stream::start;
use super::render_ahead::StoredSource;
use super::supervisor::{GLANCE, Shared, Supervisor, Wanted};
use super::{Device, DeviceError, PATIENCE};
use foley_engine::Source;

/// Longest wait for the fade when stopping: a device that asks for nothing needs none.
const FADE_PATIENCE: Duration = Duration::from_millis(500);

/// Plays until it is stopped or dropped.
///
/// When the device is lost or asks for nothing, it is opened again, or the default device in its place, and the
/// sound goes on where it was. [`StreamStats`] counts the gap. After [ten seconds](super::RECOVERY_PATIENCE)
/// without success the sound has ended, and waiting returns the error.
pub struct Stream {
    shared: Arc<Shared>,
    sample_rate_hz: u32,
    /// `None` only while being dropped.
    supervisor: Option<JoinHandle<()>>,
}

impl Stream {
    pub(super) fn start(device: Device, source: Box<dyn Source>) -> Result<Self, DeviceError> {
        let (sample_rate_hz, channels) = (source.sample_rate_hz(), source.channels());
        let counters = Arc::new(Counters::default());
        let shared = Arc::new(Shared::new(&device.name, Arc::clone(&counters)));
        let no_thread = |error: std::io::Error| DeviceError::Refused {
            device: shared.device(),
            reason: format!("no thread can be started: {error}"),
        };
        let source = match device.settings.render_ahead {
            Duration::ZERO => FrameSource::Direct(source),
            ahead => FrameSource::Stored(StoredSource::start(source, ahead).map_err(no_thread)?),
        };
        let feed = Box::new(Feed::new(source, channels, sample_rate_hz));
        let wanted = Wanted {
            name: device.asked.clone(),
            settings: device.settings,
            host: device.host,
            sample_rate_hz,
            channels,
        };
        let stream = start(device, Arc::new(Link::new(None)), &counters)?;
        // The source joins once the device has accepted: its first frame is asked for, not stored.
        stream.link.put(feed);
        let supervisor = Supervisor { wanted, shared: Arc::clone(&shared) };
        let supervisor = thread::Builder::new()
            .name("foley-watch".to_owned())
            .spawn(move || supervisor.run(stream))
            .map_err(no_thread)?;
        let stream = Self { shared, sample_rate_hz, supervisor: Some(supervisor) };
        let began = Instant::now();
        stream.wait_until(|stats| stats.frames > 0 || began.elapsed() >= PATIENCE)?;
        if stream.stats().frames == 0 {
            let (device, seconds) = (stream.device(), PATIENCE.as_secs());
            return Err(DeviceError::Stalled { device, seconds });
        }
        Ok(stream)
    }

    /// How playing has gone so far.
    pub fn stats(&self) -> StreamStats {
        self.shared.counters.stats()
    }

    /// The name of the device, which is another one after the first was lost.
    pub fn device(&self) -> String {
        self.shared.device()
    }

    /// Frames per second.
    pub fn sample_rate_hz(&self) -> u32 {
        self.sample_rate_hz
    }

    /// Lets it play for `duration`.
    ///
    /// Ends early, with an error, when the sound has ended because no device plays it.
    pub fn wait(&self, duration: Duration) -> Result<(), DeviceError> {
        let begin = Instant::now();
        self.wait_until(|_| begin.elapsed() >= duration)
    }

    /// Waits until the source's first `frames` frames have been heard.
    ///
    /// Ends early, with an error, when the sound has ended because no device plays it.
    pub fn wait_frames(&self, frames: u64) -> Result<(), DeviceError> {
        self.wait_until(|_| self.heard_frames() >= frames)
    }

    /// Returns a lower bound of the frames of the source that have been heard.
    pub fn heard_frames(&self) -> u64 {
        self.stats().frames.saturating_sub(self.buffered_frames())
    }

    /// Fades out within a few milliseconds and ends. Returns how playing went.
    pub fn stop(self) -> StreamStats {
        self.shared.counters.stop.store(true, Relaxed);
        let begin = Instant::now();
        let is_silent = || self.shared.counters.silent.load(Relaxed);
        let faded = self.wait_until(|_| is_silent() || begin.elapsed() >= FADE_PATIENCE);
        if faded.is_ok() && is_silent() {
            // The fade is still in the device's buffer.
            let buffer_s = self.buffered_frames() as f64 / f64::from(self.sample_rate_hz);
            thread::sleep(Duration::from_secs_f64(buffer_s.min(PATIENCE.as_secs_f64())));
        }
        self.stats()
    }

    /// An upper bound of what was handed over and not yet heard.
    fn buffered_frames(&self) -> u64 {
        // The server may hold as much again as the stream's two blocks.
        4 * self.shared.counters.largest_block.load(Relaxed)
    }

    fn wait_until(&self, done: impl Fn(&StreamStats) -> bool) -> Result<(), DeviceError> {
        loop {
            if done(&self.stats()) {
                return Ok(());
            }
            self.shared.failure()?;
            thread::sleep(GLANCE);
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.shared.close.store(true, Relaxed);
        let Some(supervisor) = self.supervisor.take() else { return };
        supervisor.thread().unpark();
        let begin = Instant::now();
        // It may wait for a sound system that does not answer.
        while !supervisor.is_finished() && begin.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("device", &self.device())
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
