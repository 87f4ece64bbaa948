//! Output tap: the finished samples, for meters, scopes and recorders beside the sound card.

use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use crate::message::Published;

/// Longest tap, s.
const MAX_TAP_S: f64 = 600.0;

/// The caller's side of the tap: everything the renderer computes, in order. Blocks that do not fit
/// because it is not read are dropped and counted.
pub struct OutputTap {
    samples: Consumer<f32>,
    published: Arc<Published>,
    channels: usize,
}

/// The audio thread's side.
pub(crate) struct TapWriter {
    samples: Producer<f32>,
    channels: usize,
}

/// Returns both sides of a tap that holds `seconds`, at least two blocks; `None` for 0 s.
pub(crate) fn output_tap(
    seconds: f64,
    sample_rate_hz: u32,
    [block, channels]: [usize; 2],
    published: &Arc<Published>,
) -> Option<(TapWriter, OutputTap)> {
    let frames = (seconds.clamp(0.0, MAX_TAP_S) * f64::from(sample_rate_hz)).ceil() as usize;
    if frames == 0 {
        return None;
    }
    let (producer, consumer) = RingBuffer::new(frames.max(2 * block) * channels);
    let tap = OutputTap { samples: consumer, published: Arc::clone(published), channels };
    Some((TapWriter { samples: producer, channels }, tap))
}

impl TapWriter {
    /// Writes interleaved frames, all or none; real-time.
    pub(crate) fn write(&mut self, frames: &[f32], published: &Published) {
        let Ok(mut chunk) = self.samples.write_chunk(frames.len()) else {
            published.tap_dropped.fetch_add((frames.len() / self.channels) as u64, Relaxed);
            return;
        };
        let (first, second) = chunk.as_mut_slices();
        let (head, tail) = frames.split_at(first.len());
        first.copy_from_slice(head);
        second.copy_from_slice(tail);
        chunk.commit_all();
    }
}

impl OutputTap {
    /// Returns the samples of a frame.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the frames that can be read.
    pub fn available_frames(&self) -> usize {
        self.samples.slots() / self.channels
    }

    /// Returns the frames that were dropped because the tap was full.
    pub fn dropped_frames(&self) -> u64 {
        self.published.tap_dropped.load(Relaxed)
    }

    /// Reads interleaved frames. Returns the number of frames read; the remainder of the buffer is
    /// unchanged.
    pub fn read(&mut self, interleaved: &mut [f32]) -> usize {
        let frames = self.available_frames().min(interleaved.len() / self.channels);
        let Ok(chunk) = self.samples.read_chunk(frames * self.channels) else { return 0 };
        let (first, second) = chunk.as_slices();
        interleaved[..first.len()].copy_from_slice(first);
        interleaved[first.len()..first.len() + second.len()].copy_from_slice(second);
        chunk.commit_all();
        frames
    }
}
