//! The time of a frame: when an object or the listener is where the caller says.
//!
//! The audio thread computes whole blocks, and a sound card asks for several of them at a time. A frame
//! that took its time from the number of computed samples would be up to a buffer early or late, and the
//! velocity between two frames, so the Doppler shift, wrong by as much. Frames offline are dated by the
//! samples that were handed out, which are those that the caller asked for; live ones by the system's
//! clock, relative to a smooth estimate of when the first sample was handed out.

use foley_geometry::clock::{self, Instant};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A deviation from the estimate that is not the jitter of a sound card but a gap, s.
const GAP_S: f64 = 0.05;
/// Share of a deviation by which the estimate follows.
const FOLLOW: f64 = 0.1;
/// Longest time that frames are dated beyond the samples that were handed out, s: while the sound card is
/// stopped, frame time does not advance.
const MAX_AHEAD_S: f64 = 0.1;

/// Written by the audio thread, read by the caller's.
#[derive(Debug)]
pub(crate) struct FrameClock {
    sample_rate_hz: f64,
    /// Frames handed out.
    handed_out: AtomicU64,
    /// The reading from which the system's clock is counted; `None` offline.
    began: Option<Instant>,
    /// When the first sample was handed out, s after `began`: the bits of an `f64`, NaN before it is known.
    first_s: AtomicU64,
}

impl FrameClock {
    pub(crate) fn new(sample_rate_hz: f64, is_live: bool) -> Self {
        Self {
            sample_rate_hz,
            handed_out: AtomicU64::new(0),
            began: if is_live { clock::now() } else { None },
            first_s: AtomicU64::new(f64::NAN.to_bits()),
        }
    }

    /// Records that samples are asked for. Real-time: neither locks nor allocates.
    pub(crate) fn begin_fill(&self) {
        if self.began.is_none() {
            return;
        }
        let first_s = clock::elapsed(self.began).as_secs_f64() - self.handed_out_s();
        let last_s = f64::from_bits(self.first_s.load(Relaxed));
        let deviation_s = first_s - last_s;
        let smooth_s = match deviation_s.abs() < GAP_S {
            true => last_s + FOLLOW * deviation_s,
            false => first_s,
        };
        self.first_s.store(smooth_s.to_bits(), Relaxed);
    }

    /// Records how many samples were handed out.
    pub(crate) fn end_fill(&self, frames: u64) {
        self.handed_out.fetch_add(frames, Relaxed);
    }

    fn handed_out_s(&self) -> f64 {
        self.handed_out.load(Relaxed) as f64 / self.sample_rate_hz
    }

    /// Returns the time of the present frame, s.
    pub(crate) fn now_s(&self) -> f64 {
        let handed_out_s = self.handed_out_s();
        let first_s = f64::from_bits(self.first_s.load(Relaxed));
        if self.began.is_none() || first_s.is_nan() {
            return handed_out_s;
        }
        let now_s = clock::elapsed(self.began).as_secs_f64() - first_s;
        now_s.clamp(0.0, handed_out_s + MAX_AHEAD_S)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn offline_frames_are_dated_by_the_samples_that_were_asked_for() {
        let clock = FrameClock::new(48_000.0, false);
        for frame in 0..100u32 {
            assert!((clock.now_s() - f64::from(frame) / 60.0).abs() < 1e-9);
            clock.begin_fill();
            clock.end_fill(800);
        }
    }

    /// A card that asks for 20 ms at a time: frames in between are dated evenly.
    #[test]
    fn live_frames_are_dated_evenly() {
        let clock = FrameClock::new(48_000.0, true);
        let began = std::time::Instant::now();
        let (mut worst_s, mut checked) = (0.0f64, 0);
        for call in 0..50u32 {
            clock.begin_fill();
            clock.end_fill(960);
            for part in 0..4u32 {
                let due_s = f64::from(call) * 0.02 + f64::from(part) * 0.005;
                while began.elapsed().as_secs_f64() < due_s {
                    std::thread::sleep(Duration::from_micros(200));
                }
                let late_s = began.elapsed().as_secs_f64() - due_s;
                // Only where this thread itself was not held up.
                if call > 2 && late_s < 1e-3 {
                    worst_s = worst_s.max((clock.now_s() - due_s).abs());
                    checked += 1;
                }
            }
        }
        assert!(checked >= 10, "this thread was held up at all but {checked} of 188 times");
        assert!(worst_s < 0.01, "{worst_s} s");
    }

    #[test]
    fn frame_time_does_not_advance_while_the_sound_card_is_stopped() {
        let clock = FrameClock::new(48_000.0, true);
        clock.begin_fill();
        clock.end_fill(480);
        std::thread::sleep(Duration::from_millis(250));
        assert!(clock.now_s() <= 0.01 + MAX_AHEAD_S + 1e-9, "{}", clock.now_s());
    }
}
