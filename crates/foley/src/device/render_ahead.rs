//! A source that is rendered on a thread of its own, a little ahead of the device.
//!
//! The device's callback then only copies: a block that takes long, or a processor that is busy with other
//! things, makes no gap while there is something in store.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use foley_engine::Source;

/// Frames rendered at a time.
const CHUNK_FRAMES: usize = 128;

/// Pause of the thread while the store is full.
const PAUSE: Duration = Duration::from_millis(2);

/// Speed of rendering in real time, at most: what is done to the source while its store is filled must have time
/// to arrive.
const MAX_SPEED: f64 = 2.0;

/// Longest wait for the store to be filled at first.
const FIRST_FILL: Duration = Duration::from_secs(1);

/// The side of the device. Real-time.
pub(super) struct StoredSource {
    samples: rtrb::Consumer<f32>,
    channels: usize,
}

impl StoredSource {
    /// Starts the thread that renders; it ends when the value is dropped. Returns when the store is full.
    pub(super) fn start(mut source: Box<dyn Source>, ahead: Duration) -> io::Result<Self> {
        let (channels, rate_hz) = (source.channels(), source.sample_rate_hz());
        let frames = (ahead.as_secs_f64() * f64::from(rate_hz)).ceil() as usize;
        let capacity = frames.max(2 * CHUNK_FRAMES) * channels;
        let (mut store, samples) = rtrb::RingBuffer::new(capacity);
        let least =
            Duration::from_secs_f64(CHUNK_FRAMES as f64 / f64::from(rate_hz.max(1)) / MAX_SPEED);
        let render = move || {
            let mut chunk = vec![0.0; CHUNK_FRAMES * channels];
            let mut next = Instant::now();
            while !store.is_abandoned() {
                let room = store.slots();
                if room < chunk.len() {
                    thread::sleep(PAUSE);
                    continue;
                }
                let now = Instant::now();
                // What is nearly empty is filled at once.
                if room < capacity - capacity / 4 && next > now + PAUSE {
                    thread::sleep(next - now);
                }
                next = next.max(now) + least;
                source.fill(&mut chunk);
                // There is room: checked above.
                let _ = store.push_entire_slice(&chunk);
            }
        };
        thread::Builder::new().name("foley-render".to_owned()).spawn(render)?;
        let began = Instant::now();
        while samples.slots() + CHUNK_FRAMES * channels <= capacity && began.elapsed() < FIRST_FILL
        {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(Self { samples, channels })
    }

    /// Fills frames and returns how many of them, the last ones, are missing and were made silent.
    pub(super) fn fill(&mut self, interleaved: &mut [f32]) -> usize {
        let ready = self.samples.slots().min(interleaved.len()) / self.channels * self.channels;
        let (now, missing) = interleaved.split_at_mut(ready);
        // As many are there: counted above.
        let _ = self.samples.pop_entire_slice(now);
        missing.fill(0.0);
        missing.len() / self.channels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts frames; takes a second for the frame after the first `quick` ones.
    struct Counting {
        next: u32,
        quick: u32,
    }

    impl Source for Counting {
        fn sample_rate_hz(&self) -> u32 {
            48_000
        }
        fn channels(&self) -> usize {
            2
        }
        fn fill(&mut self, interleaved: &mut [f32]) {
            if self.next >= self.quick {
                thread::sleep(Duration::from_secs(1));
            }
            for frame in interleaved.chunks_exact_mut(2) {
                frame.fill(self.next as f32);
                self.next += 1;
            }
        }
    }

    #[test]
    fn what_is_missing_is_silent_and_comes_later() {
        let quick = 4_800 / CHUNK_FRAMES as u32 * CHUNK_FRAMES as u32;
        let source = Counting { next: 1, quick };
        let mut stored = StoredSource::start(Box::new(source), Duration::from_millis(100)).unwrap();
        let mut block = vec![9.0; 2 * 4_800];
        let missing = stored.fill(&mut block);
        assert_eq!(missing, 4_800 - quick as usize);
        let expected = |frame: u32| if frame <= quick { frame as f32 } else { 0.0 };
        assert!(block.chunks(2).zip(1..).all(|(heard, frame)| heard == [expected(frame); 2]));
        while stored.samples.is_empty() {
            thread::sleep(Duration::from_millis(10));
        }
        let mut next = [0.0; 2];
        assert_eq!(stored.fill(&mut next), 0);
        assert_eq!(next, [(quick + 1) as f32; 2]);
    }
}
