//! Finite-value guard: silences invalid samples and flushes denormals.
//!
//! An unstable resonator outputs NaN, infinity or unbounded numbers. The guard processes one block
//! at a time; a channel with an invalid sample is silenced for the entire block, because the
//! samples before it come from the same invalid state. The last valid value fades out and the next
//! valid block fades in, both over [`FADE_FRAMES`], so that a lost block is heard as a gap and not
//! as a click.
//!
//! Denormal numbers are slow to compute with and inaudible: values smaller than [`TINY`] become
//! zero, independently of the processor's denormal mode.
//!
//! Real-time: after [`Guard::new`] nothing here allocates, locks, calls the system,
//! logs or panics.

/// 180 dB over full scale: larger values come from an unstable resonator.
pub const BLOW_UP: f32 = 1e9;

/// 600 dB under full scale: smaller values become zero.
pub const TINY: f32 = 1e-30;

/// Length of the fades of a silenced channel.
pub const FADE_FRAMES: u32 = 64;

/// Silences invalid blocks of interleaved frames.
///
/// ```
/// use foley_dsp::output::Guard;
/// let mut guard = Guard::new(2);
/// let mut frames = [0.5, 0.5, f32::NAN, 0.5];
/// let recover = guard.process(&mut frames);
/// assert!(recover && guard.bad_blocks() == 1);
/// assert_eq!(frames, [0.0, 0.5, 0.0, 0.5]);
/// ```
#[derive(Debug, Clone)]
pub struct Guard {
    channels: Vec<Channel>,
    bad_blocks: u64,
}

impl Guard {
    /// Makes a guard for interleaved frames of `channels` samples (at least one).
    pub fn new(channels: usize) -> Self {
        Self { channels: vec![Channel::default(); channels.max(1)], bad_blocks: 0 }
    }

    /// Processes one block in place. Returns whether it held invalid samples: then its source
    /// should recover. An incomplete frame at the end is set to zero.
    ///
    /// A valid block passes bit for bit, except that values below [`TINY`] (and −0) become 0. Only
    /// the output around an invalid sample depends on block boundaries.
    pub fn process(&mut self, frames: &mut [f32]) -> bool {
        let width = self.channels.len();
        let complete = frames.len() - frames.len() % width;
        let (frames, remainder) = frames.split_at_mut(complete);
        remainder.fill(0.0);

        // The common case: two branch-free passes over contiguous samples.
        let good = frames.iter().fold(true, |good, &x| good & is_sound(x));
        if good && self.channels.iter().all(Channel::is_clear) {
            for x in frames.iter_mut() {
                *x = flush_tiny(*x);
            }
        } else {
            for (c, channel) in self.channels.iter_mut().enumerate() {
                channel.repair(frames, c, width);
            }
        }

        if let Some(frame) = frames.rchunks_exact(width).next() {
            for (channel, &x) in self.channels.iter_mut().zip(frame) {
                channel.last = x;
            }
        }
        self.bad_blocks += u64::from(!good);
        !good
    }

    /// Returns the number of blocks with a silenced channel, since construction.
    pub fn bad_blocks(&self) -> u64 {
        self.bad_blocks
    }

    /// Ends all fades; the counter stays.
    pub fn reset(&mut self) {
        self.channels.fill(Channel::default());
    }
}

/// State of one channel.
#[derive(Debug, Clone, Copy, Default)]
struct Channel {
    /// The last output sample.
    last: f32,
    /// The last output before the channel was silenced; fades over `tail_left` frames.
    tail: f32,
    tail_left: u32,
    /// Frames until the signal is back at full level.
    rise_left: u32,
    /// Whether the previous block was silenced.
    muted: bool,
}

impl Channel {
    fn is_clear(&self) -> bool {
        self.tail_left == 0 && self.rise_left == 0
    }

    /// Silences channel `c` of interleaved frames if invalid, and applies its fades.
    fn repair(&mut self, frames: &mut [f32], c: usize, width: usize) {
        let bad = !frames.iter().skip(c).step_by(width).all(|&x| is_sound(x));
        if bad && !self.muted {
            (self.tail, self.tail_left) = (self.last, FADE_FRAMES);
        }
        if bad {
            self.rise_left = FADE_FRAMES;
        }
        // An empty block does not change the state.
        if !frames.is_empty() {
            self.muted = bad;
        }
        for x in frames.iter_mut().skip(c).step_by(width) {
            let mut y = 0.0;
            if !bad {
                y = *x * (1.0 - fraction(self.rise_left));
                self.rise_left = self.rise_left.saturating_sub(1);
            }
            self.tail_left = self.tail_left.saturating_sub(1);
            *x = flush_tiny(y + self.tail * fraction(self.tail_left));
        }
    }
}

/// Returns the remaining fraction of a fade, 0…1; exact at both ends.
fn fraction(frames_left: u32) -> f32 {
    frames_left as f32 / FADE_FRAMES as f32
}

/// Returns whether a sample is finite and within [`BLOW_UP`]; NaN fails every comparison.
fn is_sound(x: f32) -> bool {
    x.abs() <= BLOW_UP
}

/// Returns zero for magnitudes below [`TINY`] and for −0.
pub(super) fn flush_tiny(x: f32) -> f32 {
    if x.abs() < TINY { 0.0 } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_bad_sample_silences_its_channel_only() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.1e9, -f32::MAX] {
            let mut guard = Guard::new(2);
            let mut frames = [0.25; 32];
            frames[17] = bad;
            assert!(guard.process(&mut frames));
            assert!(frames.iter().step_by(2).all(|&x| x == 0.25));
            assert!(frames.iter().skip(1).step_by(2).all(|&x| x == 0.0));
            assert_eq!(guard.bad_blocks(), 1);
        }
    }

    #[test]
    fn denormals_and_minus_zero_leave_as_zero() {
        let mut guard = Guard::new(1);
        let mut frames = [1e-40, -1e-40, f32::MIN_POSITIVE, -0.0, 0.9e-30, 1.1e-30];
        assert!(!guard.process(&mut frames));
        assert_eq!(frames.map(f32::to_bits)[..5], [0; 5]);
        assert_eq!(frames[5], 1.1e-30);
    }

    /// For any block size, the output around a gap never changes faster than the two fades: one for
    /// the tail, one for the signal.
    #[test]
    fn a_lost_block_does_not_click() {
        for block in [1, 7, 64, 200] {
            let mut guard = Guard::new(1);
            let mut heard = vec![];
            for start in (0..2000).step_by(block) {
                let mut frames = vec![1.0; block];
                if (500..800).contains(&start) || (830..840).contains(&start) {
                    frames[block / 2] = f32::NAN;
                }
                guard.process(&mut frames);
                heard.extend(frames);
            }
            let slope = 2.0 / FADE_FRAMES as f32 + 1e-6;
            assert!(heard.windows(2).all(|w| (w[1] - w[0]).abs() <= slope), "block {block}");
            assert!(heard[720..790].iter().all(|&x| x == 0.0) && heard[1900] == 1.0);
        }
    }

    #[test]
    fn an_incomplete_frame_is_zeroed_and_an_empty_block_is_nothing() {
        let mut guard = Guard::new(2);
        let mut frames = [0.5, 0.5, f32::NAN];
        assert!(!guard.process(&mut frames));
        assert_eq!(frames, [0.5, 0.5, 0.0]);
        assert!(!guard.process(&mut []));
        assert_eq!(Guard::new(0).channels.len(), 1);
    }
}
