//! Real-time: from a source's frames to a device's samples.
//!
//! Runs in the device's callback and neither allocates, locks, waits nor panics.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use cpal::{FromSample, SizedSample};

use super::counters::Counters;
use super::gap_meter::GapMeter;
use super::link::Link;
use super::render_ahead::StoredSource;
use foley_engine::Source;

/// Frames converted at a time; devices may ask for any number.
const CHUNK_FRAMES: usize = 256;

/// Length of the fades when stopping and after a gap: without them there would be a click.
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
    let (channels, sample_rate_hz) = (source.channels(), source.sample_rate_hz());
    let feed = Feed::new(FrameSource::Direct(Box::new(source)), channels, sample_rate_hz);
    let link = Arc::new(Link::new(Some(Box::new(feed))));
    let mut feeder = Feeder::new(link, outputs.max(1), Arc::default());
    move |block| feeder.call(block)
}

/// Where the frames come from.
pub(super) enum FrameSource {
    /// Rendered when the device asks for them.
    Direct(Box<dyn Source>),
    /// Rendered ahead.
    Stored(StoredSource),
}

impl FrameSource {
    /// Fills frames; returns how many, the last ones, are missing.
    fn fill(&mut self, interleaved: &mut [f32]) -> usize {
        match self {
            Self::Direct(source) => {
                source.fill(interleaved);
                0
            }
            Self::Stored(stored) => stored.fill(interleaved),
        }
    }
}

/// A source with all the memory that it needs on the audio thread. It goes from stream to stream when a
/// device is opened again, and its clock goes on.
pub(super) struct Feed {
    source: FrameSource,
    channels: usize,
    chunk: Box<[f32]>,
    gain: f32,
    fade_step: f32,
    meter: GapMeter,
}

impl Feed {
    pub(super) fn new(source: FrameSource, channels: usize, sample_rate_hz: u32) -> Self {
        let fade_step = 1.0 / (FADE_S * sample_rate_hz as f32).max(1.0);
        let chunk = vec![0.0; CHUNK_FRAMES * channels].into_boxed_slice();
        let meter = GapMeter::new(sample_rate_hz);
        Self { source, channels, chunk, gain: 1.0, fade_step, meter }
    }

    /// Prepares for another stream after one that was closed at that time.
    pub(super) fn reopen(&mut self, closed: Instant, counters: &Counters) {
        self.meter.reopen(closed).into_iter().for_each(|gap| counters.gap(gap));
        self.gain = 0.0;
    }

    /// Counts the gap that lasts until now, when no other stream follows.
    pub(super) fn give_up(&mut self, counters: &Counters) {
        let gaps = [self.meter.finish(), self.meter.unended(Instant::now())];
        gaps.into_iter().flatten().for_each(|gap| counters.gap(gap));
    }
}

/// The device's callback.
pub(super) struct Feeder {
    link: Arc<Link>,
    outputs: usize,
    counters: Arc<Counters>,
}

impl Feeder {
    pub(super) fn new(link: Arc<Link>, outputs: usize, counters: Arc<Counters>) -> Self {
        Self { link, outputs, counters }
    }

    pub(super) fn link(&self) -> Arc<Link> {
        Arc::clone(&self.link)
    }

    /// Fills one block of the device.
    pub(super) fn call<T: SizedSample + FromSample<f32>>(&mut self, block: &mut [T]) {
        let (counters, outputs) = (&*self.counters, self.outputs);
        counters.largest_block.fetch_max((block.len() / outputs) as u64, Relaxed);
        counters.blocks.fetch_add(1, Relaxed);
        self.link.with_feed(|feed| match feed {
            Some(feed) => feed.fill(block, outputs, counters),
            None => block.fill(T::EQUILIBRIUM),
        });
    }
}

impl Drop for Feeder {
    /// A sound system drops the callback with its stream, also when that ends without an error.
    fn drop(&mut self) {
        self.link.drop_callback();
    }
}

impl Feed {
    fn fill<T: SizedSample + FromSample<f32>>(
        &mut self,
        block: &mut [T],
        outputs: usize,
        counters: &Counters,
    ) {
        let gap = self.meter.call(Instant::now(), block.len() / outputs);
        self.count(gap, counters);
        if self.meter.has_run_empty() {
            self.gain = 0.0;
        }
        let stopping = counters.stop.load(Relaxed);
        let (target, step) = if stopping { (0.0, -self.fade_step) } else { (1.0, self.fade_step) };
        for part in block.chunks_mut(CHUNK_FRAMES * outputs) {
            let frames = part.len() / outputs;
            let chunk = &mut self.chunk[..frames * self.channels];
            if stopping && self.gain == 0.0 {
                chunk.fill(0.0);
            } else {
                let missing = self.source.fill(chunk);
                counters.frames.fetch_add((frames - missing) as u64, Relaxed);
                counters.not_finite.fetch_add(mend(chunk), Relaxed);
                let gap = self.meter.delivered(frames, missing);
                gap.into_iter().for_each(|gap| counters.gap(gap));
            }
            if self.gain != target {
                for frame in chunk.chunks_exact_mut(self.channels) {
                    frame.iter_mut().for_each(|sample| *sample *= self.gain);
                    self.gain = (self.gain + step).clamp(0.0, 1.0);
                }
            }
            route(chunk, self.channels, part, outputs);
        }
        if stopping && self.gain == 0.0 && !counters.silent.swap(true, Relaxed) {
            let gap = self.meter.finish();
            self.count(gap, counters);
        }
    }

    fn count(&self, gap: Option<Duration>, counters: &Counters) {
        gap.into_iter().for_each(|gap| counters.gap(gap));
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

    fn feed(frame: &[f32]) -> Box<Feed> {
        let source = FrameSource::Direct(Box::new(Constant(frame.to_vec())));
        Box::new(Feed::new(source, frame.len(), 48_000))
    }

    fn feeder(frame: &[f32], outputs: usize) -> (Feeder, Arc<Counters>) {
        let counters = Arc::new(Counters::default());
        let link = Arc::new(Link::new(Some(feed(frame))));
        (Feeder::new(link, outputs, counters.clone()), counters)
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
        let counters = Arc::new(Counters::default());
        let link = Arc::new(Link::new(None));
        let mut feeder = Feeder::new(link.clone(), 1, counters.clone());
        let mut block = [1.0_f32; 480];
        feeder.call(&mut block);
        assert_eq!(block, [0.0; 480]);
        assert_eq!(counters.stats().frames, 0);

        link.put(feed(&[0.5]));
        feeder.call(&mut block);
        assert_eq!(block, [0.5; 480]);

        counters.stop.store(true, Relaxed);
        feeder.call(&mut block);
        assert!(block.windows(2).all(|w| w[0] - w[1] < 0.01), "no step is audible");
        assert_eq!(block[479], 0.0);
        assert!(counters.silent.load(Relaxed));
    }

    #[test]
    fn a_feed_fades_in_on_another_stream() {
        let counters = Arc::new(Counters::default());
        let link = Arc::new(Link::new(Some(feed(&[0.5]))));
        let mut feeder = Feeder::new(link.clone(), 1, counters.clone());
        let mut block = [1.0_f32; 480];
        feeder.call(&mut block);
        let mut feed = link.take().unwrap();
        feeder.call(&mut block);
        assert_eq!(block, [0.0; 480], "a stream that was given up is silent");
        drop(feeder);
        feed.reopen(link.ended().unwrap(), &counters);
        let mut feeder = Feeder::new(Arc::new(Link::new(Some(feed))), 1, counters.clone());
        feeder.call(&mut block);
        assert_eq!((block[0], block[479]), (0.0, 0.5));
        assert!(block.windows(2).all(|w| (0.0..0.01).contains(&(w[1] - w[0]))), "{block:?}");
    }
}
