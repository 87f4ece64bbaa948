//! Real-time: from a source's frames to a device's samples.
//!
//! Runs in the device's callback and neither allocates, locks, waits nor panics.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use cpal::{FromSample, SizedSample};

use super::counters::Counters;
use foley_engine::Source;

/// Frames converted at a time; devices may ask for any number.
const CHUNK_FRAMES: usize = 256;

/// Length of the fade when stopping; an abrupt end would click.
const FADE_S: f32 = 0.005;

/// The largest float below 1, which would be one step too much for 24-bit integers.
const FULL_SCALE: f32 = 1.0 - f32::EPSILON / 2.0;

/// Returns the callback that plays a source on a device with this number of outputs: the one that
/// [`Device::play`](super::Device::play) uses, for a program that opens its device itself.
///
/// Real-time: a call fills a block of interleaved samples and neither allocates, locks, waits nor panics.
pub fn callback<T: SizedSample + FromSample<f32>>(
    source: impl Source + 'static,
    outputs: usize,
) -> impl FnMut(&mut [T]) + Send {
    let (mut producer, arrival) = rtrb::RingBuffer::new(1);
    let sample_rate_hz = source.sample_rate_hz();
    // The queue is new and holds one, so there is room.
    let _ = producer.push(Feed::new(Box::new(source)));
    let mut feeder = Feeder::new(arrival, outputs.max(1), sample_rate_hz, Arc::default());
    move |block| feeder.call(block)
}

/// A source on its way to the audio thread, with all the memory it will need there.
pub(super) struct Feed {
    source: Box<dyn Source>,
    channels: usize,
    chunk: Box<[f32]>,
    gain: f32,
    fade_step: f32,
}

impl Feed {
    pub(super) fn new(source: Box<dyn Source>) -> Self {
        let channels = source.channels();
        let fade_step = 1.0 / (FADE_S * source.sample_rate_hz() as f32).max(1.0);
        let chunk = vec![0.0; CHUNK_FRAMES * channels].into_boxed_slice();
        Self { source, channels, chunk, gain: 1.0, fade_step }
    }
}

/// The device's callback.
pub(super) struct Feeder {
    /// Brings the source once the device has accepted the stream.
    arrival: rtrb::Consumer<Feed>,
    feed: Option<Feed>,
    outputs: usize,
    counters: Arc<Counters>,
    last_call: Option<Instant>,
    frame_s: f64,
}

impl Feeder {
    pub(super) fn new(
        arrival: rtrb::Consumer<Feed>,
        outputs: usize,
        sample_rate_hz: u32,
        counters: Arc<Counters>,
    ) -> Self {
        let frame_s = 1.0 / f64::from(sample_rate_hz.max(1));
        Self { arrival, feed: None, outputs, counters, last_call: None, frame_s }
    }

    /// Fills one block of the device.
    pub(super) fn call<T: SizedSample + FromSample<f32>>(&mut self, block: &mut [T]) {
        self.watch(block.len() / self.outputs);
        if self.feed.is_none() {
            self.feed = self.arrival.pop().ok();
            // Gaps before the sound begins are no gaps.
            self.last_call = None;
        }
        match &mut self.feed {
            Some(feed) => feed.fill(block, self.outputs, &self.counters),
            None => block.fill(T::EQUILIBRIUM),
        }
    }

    /// Counts the block, and an underrun when it was asked for so late that the device's buffer
    /// has run empty: not every sound system reports that by itself.
    fn watch(&mut self, frames: usize) {
        let counters = &self.counters;
        let largest = counters.largest_block.fetch_max(frames as u64, Relaxed).max(frames as u64);
        counters.blocks.fetch_add(1, Relaxed);
        let now = Instant::now();
        if let Some(last) = self.last_call.replace(now) {
            // Devices hold two blocks; one that took its whole buffer at first is as well covered.
            let buffer_s = 2.0 * largest as f64 * self.frame_s;
            if now.saturating_duration_since(last) > Duration::from_secs_f64(buffer_s) {
                counters.underruns.fetch_add(1, Relaxed);
            }
        }
    }
}

impl Feed {
    fn fill<T: SizedSample + FromSample<f32>>(
        &mut self,
        block: &mut [T],
        outputs: usize,
        counters: &Counters,
    ) {
        let stopping = counters.stop.load(Relaxed);
        for part in block.chunks_mut(CHUNK_FRAMES * outputs) {
            let frames = part.len() / outputs;
            let chunk = &mut self.chunk[..frames * self.channels];
            if self.gain > 0.0 {
                self.source.fill(chunk);
                counters.frames.fetch_add(frames as u64, Relaxed);
                counters.not_finite.fetch_add(mend(chunk), Relaxed);
            } else {
                chunk.fill(0.0);
            }
            if stopping {
                for frame in chunk.chunks_exact_mut(self.channels) {
                    frame.iter_mut().for_each(|sample| *sample *= self.gain);
                    self.gain = (self.gain - self.fade_step).max(0.0);
                }
            }
            route(chunk, self.channels, part, outputs);
        }
        if self.gain == 0.0 {
            counters.silent.store(true, Relaxed);
        }
    }
}

/// Limits every sample to full scale and silences what is not a number; returns how many were.
fn mend(chunk: &mut [f32]) -> u64 {
    let mut not_finite = 0;
    for sample in chunk {
        if sample.is_finite() {
            *sample = sample.clamp(-1.0, FULL_SCALE);
        } else {
            *sample = 0.0;
            not_finite += 1;
        }
    }
    not_finite
}

/// Mono goes to all outputs, stereo is mixed for a single one, anything else goes to the first
/// outputs and leaves the others silent.
fn route<T: SizedSample + FromSample<f32>>(
    from: &[f32],
    channels: usize,
    to: &mut [T],
    outputs: usize,
) {
    let mut frames = to.chunks_exact_mut(outputs);
    for (source, device) in from.chunks_exact(channels).zip(&mut frames) {
        match (source, &mut *device) {
            ([mono], device) => device.fill(T::from_sample(*mono)),
            ([left, right], [mono]) => *mono = T::from_sample(0.5 * (left + right)),
            (source, device) => {
                device.fill(T::EQUILIBRIUM);
                device.iter_mut().zip(source).for_each(|(to, from)| *to = T::from_sample(*from));
            }
        }
    }
    frames.into_remainder().fill(T::EQUILIBRIUM);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Constant(Vec<f32>);

    impl Source for Constant {
        fn sample_rate_hz(&self) -> u32 {
            48_000
        }
        fn channels(&self) -> usize {
            self.0.len()
        }
        fn fill(&mut self, interleaved: &mut [f32]) {
            interleaved.chunks_exact_mut(self.0.len()).for_each(|f| f.copy_from_slice(&self.0));
        }
    }

    fn feeder(frame: &[f32], outputs: usize) -> (Feeder, Arc<Counters>) {
        let (mut producer, consumer) = rtrb::RingBuffer::new(1);
        let counters = Arc::new(Counters::default());
        assert!(producer.push(Feed::new(Box::new(Constant(frame.to_vec())))).is_ok());
        (Feeder::new(consumer, outputs, 48_000, counters.clone()), counters)
    }

    fn one_frame<T: SizedSample + FromSample<f32>>(frame: &[f32], outputs: usize) -> Vec<T> {
        // Longer than a chunk and no multiple of it.
        let mut block = vec![T::EQUILIBRIUM; 1001 * outputs];
        let (mut feeder, counters) = feeder(frame, outputs);
        feeder.call(&mut block);
        assert_eq!(counters.stats().frames, 1001);
        let first = block[..outputs].to_vec();
        assert!(block.chunks(outputs).all(|frame| frame == first));
        first
    }

    #[test]
    fn channels_find_their_outputs() {
        assert_eq!(one_frame::<f32>(&[0.5], 1), [0.5]);
        assert_eq!(one_frame::<f32>(&[0.5], 4), [0.5; 4]);
        assert_eq!(one_frame::<f32>(&[0.5, -0.25], 1), [0.125]);
        assert_eq!(one_frame::<f32>(&[0.5, -0.25], 2), [0.5, -0.25]);
        assert_eq!(one_frame::<f32>(&[0.5, -0.25], 4), [0.5, -0.25, 0.0, 0.0]);
        assert_eq!(one_frame::<u16>(&[0.5, -0.5], 3), [49_152, 16_384, 32_768]);
    }

    #[test]
    fn every_format_spans_its_whole_range() {
        let loud = [-1.0, 1.0, 0.0, 9.0];
        assert_eq!(one_frame::<f32>(&loud, 4), [-1.0, FULL_SCALE, 0.0, FULL_SCALE]);
        assert_eq!(one_frame::<i16>(&loud, 4), [i16::MIN, i16::MAX, 0, i16::MAX]);
        assert_eq!(one_frame::<i32>(&loud, 4), [i32::MIN, i32::MAX - 127, 0, i32::MAX - 127]);
        assert_eq!(one_frame::<u16>(&loud, 4), [0, u16::MAX, 32_768, u16::MAX]);
        let i24 = one_frame::<cpal::I24>(&loud, 4).iter().map(|s| s.inner()).collect::<Vec<_>>();
        assert_eq!(i24, [-(1 << 23), (1 << 23) - 1, 0, (1 << 23) - 1]);
    }

    #[test]
    fn a_callback_plays_the_source_from_its_first_call_on() {
        let mut callback = callback::<i16>(Constant(vec![0.5, -0.5]), 3);
        let mut block = [7; 9];
        callback(&mut block);
        assert_eq!(block, [16_384, -16_384, 0, 16_384, -16_384, 0, 16_384, -16_384, 0]);
    }

    #[test]
    fn broken_samples_are_silent_and_counted() {
        let (mut feeder, counters) = feeder(&[f32::NAN, f32::INFINITY], 2);
        let mut block = [1.0_f32; 20];
        feeder.call(&mut block);
        assert_eq!(block, [0.0; 20]);
        assert_eq!(counters.stats().not_finite, 20);
    }

    #[test]
    fn silence_until_the_source_arrives_and_a_fade_when_it_stops() {
        let (mut producer, consumer) = rtrb::RingBuffer::new(1);
        let counters = Arc::new(Counters::default());
        let mut feeder = Feeder::new(consumer, 1, 48_000, counters.clone());
        let mut block = [1.0_f32; 480];
        feeder.call(&mut block);
        assert_eq!(block, [0.0; 480]);
        assert_eq!(counters.stats().frames, 0);

        assert!(producer.push(Feed::new(Box::new(Constant(vec![0.5])))).is_ok());
        feeder.call(&mut block);
        assert_eq!(block, [0.5; 480]);

        counters.stop.store(true, Relaxed);
        feeder.call(&mut block);
        assert!(block.windows(2).all(|w| w[0] - w[1] < 0.01), "no step is audible");
        assert_eq!(block[479], 0.0);
        assert!(counters.silent.load(Relaxed));
    }

    #[test]
    fn a_long_pause_between_blocks_is_an_underrun() {
        let (mut feeder, counters) = feeder(&[0.0], 1);
        feeder.call(&mut [0.0_f32; 48]);
        feeder.call(&mut [0.0_f32; 48]);
        std::thread::sleep(Duration::from_millis(20));
        feeder.call(&mut [0.0_f32; 48]);
        assert!(counters.stats().underruns >= 1);
        // The same pause is no harm to a device with a long buffer.
        feeder.call(&mut vec![0.0_f32; 4_800_000]);
        let underruns = counters.stats().underruns;
        std::thread::sleep(Duration::from_millis(20));
        feeder.call(&mut [0.0_f32; 48]);
        assert_eq!(counters.stats().underruns, underruns);
    }
}
