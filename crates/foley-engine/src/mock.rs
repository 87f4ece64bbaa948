//! A sound device without hardware, for tests and benchmarks.
//!
//! It pulls blocks as a sound card would: of one size, of a given sequence of sizes, or of
//! random sizes from a seed. Its clock is virtual: it advances by what was played, so a test of
//! ten minutes need not take ten minutes. Paced, it also keeps step with the wall clock. How long
//! a source takes is measured by the wall clock too, or by a [`VirtualClock`] that the source moves.

mod clock;

pub use clock::VirtualClock;

use clock::Clock;
use std::time::Duration;

use super::Source;
use foley_geometry::rng::SplitMix64;

/// How many frames the device asks for at a time.
#[derive(Debug, Clone)]
pub enum Blocks {
    /// Always as many.
    Fixed(usize),
    /// These, over and over.
    Cycle(Vec<usize>),
    /// Any number from `min` to `max`, both included.
    Random {
        /// Smallest block, in frames.
        min: usize,
        /// Largest block, in frames.
        max: usize,
        /// The same seed gives the same sizes.
        seed: u64,
    },
}

/// Whether the device waits between blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Never: the next block is asked for at once.
    Free,
    /// As long as a block lasts, like hardware.
    WallClock,
}

/// What was played, and how well the source kept up.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Played {
    /// All samples, interleaved; empty when recording is off.
    pub samples: Vec<f32>,
    /// Frames played.
    pub frames: u64,
    /// Blocks played.
    pub blocks: u64,
    /// Blocks that came after their deadline: heard as a gap on a real device.
    pub late_blocks: u64,
    /// Time spent inside [`Source::fill`].
    pub busy: Duration,
    /// Largest share of its own duration that a block took to fill; above 1 it was too slow.
    pub worst_load: f64,
}

impl Played {
    /// Share of real time the source needed on average; 0.1 is ten times faster than real time.
    pub fn load(&self, sample_rate_hz: u32) -> f64 {
        if self.frames == 0 {
            return 0.0;
        }
        self.busy.as_secs_f64() * f64::from(sample_rate_hz) / self.frames as f64
    }
}

/// A device without hardware.
///
/// ```
/// use foley_engine::mock::{Blocks, MockDevice};
/// # struct Silence;
/// # impl foley_engine::Source for Silence {
/// #     fn sample_rate_hz(&self) -> u32 { 48_000 }
/// #     fn channels(&self) -> usize { 2 }
/// #     fn fill(&mut self, interleaved: &mut [f32]) { interleaved.fill(0.0) }
/// # }
///
/// let blocks = Blocks::Random { min: 1, max: 1024, seed: 7 };
/// let played = MockDevice::new(blocks).play(&mut Silence, 48_000);
/// assert_eq!(played.frames, 48_000);
/// assert_eq!(played.samples.len(), 96_000);
/// ```
#[derive(Debug)]
pub struct MockDevice {
    blocks: Blocks,
    pace: Pace,
    clock: Clock,
    recording: bool,
    rng: SplitMix64,
    position: usize,
    buffer: Vec<f32>,
}

impl Default for MockDevice {
    /// 512 frames at a time, free running, recording.
    fn default() -> Self {
        Self::new(Blocks::Fixed(512))
    }
}

impl MockDevice {
    /// A free-running device that records. Blocks of no frames are taken as one frame.
    pub fn new(blocks: Blocks) -> Self {
        let seed = match blocks {
            Blocks::Random { seed, .. } => seed,
            _ => 0,
        };
        Self {
            blocks,
            pace: Pace::Free,
            clock: Clock::Wall(foley_geometry::clock::now()),
            recording: true,
            rng: SplitMix64::new(seed),
            position: 0,
            buffer: Vec::new(),
        }
    }

    /// Whether to wait between blocks.
    pub fn with_pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// Tells time by this clock instead of the wall's.
    pub fn with_clock(mut self, clock: VirtualClock) -> Self {
        self.clock = Clock::Virtual(clock);
        self
    }

    /// Switch recording off for benchmarks and long runs.
    pub fn with_recording(mut self, recording: bool) -> Self {
        self.recording = recording;
        self
    }

    /// Plays the next `frames` frames of `source`. Block sizes go on where they stopped.
    pub fn play(&mut self, source: &mut dyn Source, frames: u64) -> Played {
        self.play_with(source, frames, |_, _| {})
    }

    /// The same; `before_block` is called with the source and the virtual time in seconds before
    /// each block, to change things at known moments.
    pub fn play_with<S: Source + ?Sized>(
        &mut self,
        source: &mut S,
        frames: u64,
        mut before_block: impl FnMut(&mut S, f64),
    ) -> Played {
        let rate_hz = f64::from(source.sample_rate_hz());
        let channels = source.channels();
        let mut played = Played::default();
        if self.recording {
            played.samples.reserve(frames as usize * channels);
        }
        let mut deadlines = Deadlines::start(self.pace, self.clock.clone());
        while played.frames < frames {
            let now = (self.next_block() as u64).min(frames - played.frames) as usize;
            before_block(source, played.frames as f64 / rate_hz);
            self.buffer.resize(now * channels, 0.0);
            // A source that forgets to write is caught by its NaNs.
            self.buffer.fill(f32::NAN);

            let begin = self.clock.now();
            source.fill(&mut self.buffer);
            let took = self.clock.now().saturating_sub(begin);

            let lasts_s = now as f64 / rate_hz;
            played.frames += now as u64;
            played.blocks += 1;
            played.busy += took;
            played.worst_load = played.worst_load.max(took.as_secs_f64() / lasts_s);
            played.late_blocks += u64::from(deadlines.missed(took, lasts_s));
            if self.recording {
                played.samples.extend_from_slice(&self.buffer);
            }
        }
        played
    }

    fn next_block(&mut self) -> usize {
        let frames = match &self.blocks {
            Blocks::Fixed(frames) => *frames,
            Blocks::Cycle(sizes) if sizes.is_empty() => 1,
            Blocks::Cycle(sizes) => {
                let size = sizes[self.position % sizes.len()];
                self.position += 1;
                size
            }
            Blocks::Random { min, max, .. } => {
                let span = max.saturating_sub(*min) as u64 + 1;
                min + (self.rng.next_u64() % span) as usize
            }
        };
        frames.max(1)
    }
}

/// Decides which blocks a listener would have missed.
///
/// The device holds one block while the next is filled, so a block must be ready before the one
/// handed over last has been played.
struct Deadlines {
    pace: Pace,
    clock: Clock,
    start: Duration,
    /// When the last block handed over will have been played, in seconds after `start`.
    plays_until_s: f64,
}

impl Deadlines {
    fn start(pace: Pace, clock: Clock) -> Self {
        let start = clock.now();
        Self { pace, clock, start, plays_until_s: 0.0 }
    }

    /// Records a block that took `took` to fill and lasts `lasts_s`; waits when paced.
    fn missed(&mut self, took: Duration, lasts_s: f64) -> bool {
        if self.pace == Pace::Free {
            return took.as_secs_f64() > lasts_s;
        }
        let now_s = self.clock.now().saturating_sub(self.start).as_secs_f64();
        let first = self.plays_until_s == 0.0;
        let late = !first && now_s > self.plays_until_s;
        // After a gap the device goes on from now; it does not try to catch up.
        let begins_s = self.plays_until_s.max(now_s);
        self.plays_until_s = begins_s + lasts_s;
        self.clock.wait(Duration::from_secs_f64(begins_s - now_s));
        late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts frames; `nap` makes it slow.
    struct Counter {
        next: u32,
        sizes: Vec<usize>,
        nap: Duration,
    }

    impl Counter {
        fn new(nap: Duration) -> Self {
            Self { next: 0, sizes: Vec::new(), nap }
        }
    }

    impl Source for Counter {
        fn sample_rate_hz(&self) -> u32 {
            48_000
        }
        fn channels(&self) -> usize {
            2
        }
        fn fill(&mut self, interleaved: &mut [f32]) {
            self.sizes.push(interleaved.len() / 2);
            for frame in interleaved.chunks_exact_mut(2) {
                frame.fill(self.next as f32);
                self.next += 1;
            }
            std::thread::sleep(self.nap);
        }
    }

    fn sizes(blocks: Blocks, frames: u64) -> Vec<usize> {
        let mut source = Counter::new(Duration::ZERO);
        let played = MockDevice::new(blocks).play(&mut source, frames);
        let expected: Vec<f32> = (0..frames).flat_map(|i| [i as f32; 2]).collect();
        assert_eq!(played.samples, expected);
        assert_eq!(played.blocks as usize, source.sizes.len());
        source.sizes
    }

    #[test]
    fn blocks_have_the_sizes_asked_for() {
        assert_eq!(sizes(Blocks::Fixed(64), 150), [64, 64, 22]);
        assert_eq!(sizes(Blocks::Cycle(vec![1, 100]), 203), [1, 100, 1, 100, 1]);
        let random = |seed| sizes(Blocks::Random { min: 3, max: 9, seed }, 10_000);
        let (a, b) = (random(1), random(2));
        assert_eq!(a, random(1));
        assert_ne!(a, b);
        assert!(a[..a.len() - 1].iter().all(|n| (3..=9).contains(n)));
        assert!((3..=9).all(|n| a.contains(&n)));
    }

    #[test]
    fn nonsense_sizes_still_end() {
        assert_eq!(sizes(Blocks::Fixed(0), 3), [1, 1, 1]);
        assert_eq!(sizes(Blocks::Cycle(vec![]), 2), [1, 1]);
        assert_eq!(sizes(Blocks::Random { min: 5, max: 1, seed: 0 }, 10), [5, 5]);
    }

    #[test]
    fn virtual_time_follows_the_frames() {
        let mut times = Vec::new();
        MockDevice::new(Blocks::Fixed(480)).play_with(
            &mut Counter::new(Duration::ZERO),
            1440,
            |source, t| times.push((source.next, t)),
        );
        assert_eq!(times, [(0, 0.0), (480, 0.01), (960, 0.02)]);
    }

    #[test]
    fn slow_sources_are_late_at_any_pace() {
        for pace in [Pace::Free, Pace::WallClock] {
            // 1 ms of sound that takes 5 ms to make.
            let mut source = Counter::new(Duration::from_millis(5));
            let played = MockDevice::new(Blocks::Fixed(48)).with_pace(pace).play(&mut source, 480);
            assert!(played.late_blocks >= 9, "{pace:?}: {played:?}");
            assert!(played.worst_load >= 5.0);
            assert!(played.load(48_000) >= 5.0);
        }
    }

    /// A source that takes as long as it likes, by a clock of its own.
    struct Worker(VirtualClock, Vec<u64>);

    impl Source for Worker {
        fn sample_rate_hz(&self) -> u32 {
            1000
        }
        fn channels(&self) -> usize {
            1
        }
        fn fill(&mut self, interleaved: &mut [f32]) {
            interleaved.fill(0.0);
            self.0.advance(Duration::from_millis(self.1.pop().unwrap_or(0)));
        }
    }

    #[test]
    fn by_a_virtual_clock_late_blocks_are_those_that_took_too_long() {
        // Blocks of 10 ms. A free device only compares; a paced one also remembers the gaps: after
        // the 25 ms it begins anew, and 9 ms are in time again.
        for (pace, late) in [(Pace::Free, 2), (Pace::WallClock, 2)] {
            let clock = VirtualClock::default();
            let mut source = Worker(clock.clone(), vec![9, 9, 11, 9, 25, 9, 9, 9]);
            let device = MockDevice::new(Blocks::Fixed(10)).with_pace(pace).with_clock(clock);
            let played = { device }.play(&mut source, 80);
            assert_eq!((played.blocks, played.late_blocks), (8, late), "{pace:?}");
            assert_eq!(played.busy, Duration::from_millis(90));
            assert!((played.worst_load - 2.5).abs() < 1e-9);
        }
    }

    #[test]
    fn pacing_keeps_step_with_the_wall_clock() {
        // A second per block leaves room for a busy machine.
        let begin = std::time::Instant::now();
        let played = MockDevice::new(Blocks::Fixed(24_000))
            .with_pace(Pace::WallClock)
            .with_recording(false)
            .play(&mut Counter::new(Duration::ZERO), 48_000);
        assert!(begin.elapsed() >= Duration::from_millis(490));
        assert_eq!(played.late_blocks, 0);
        assert!(played.samples.is_empty());
    }
}
