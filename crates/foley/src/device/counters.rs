//! What the audio thread reports, without ever waiting for a reader.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// How playing has gone so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamStats {
    /// Frames of the source handed to the device.
    pub frames: u64,
    /// Blocks the device asked for.
    pub blocks: u64,
    /// Gaps in the sound: times of 3 ms or more in which the device played nothing of the source, by its
    /// own time. A gap is known some blocks after its end.
    pub gaps: u64,
    /// Length of the longest gap.
    pub longest_gap: Duration,
    /// Length of all gaps together.
    pub silent: Duration,
    /// How often a device was opened again.
    pub reopened: u64,
    /// Other faults the device reported.
    pub errors: u64,
    /// Infinities and NaNs, played as silence. Anything above 0 is a fault of the source.
    pub not_finite: u64,
}

/// Shared by the audio thread, which writes, and the stream, which reads.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) frames: AtomicU64,
    pub(super) blocks: AtomicU64,
    gaps: AtomicU64,
    longest_gap_us: AtomicU64,
    silent_us: AtomicU64,
    pub(super) reopened: AtomicU64,
    errors: AtomicU64,
    pub(super) not_finite: AtomicU64,
    /// Largest block asked for, in frames.
    pub(super) largest_block: AtomicU64,
    /// Set by the stream: fade out.
    pub(super) stop: AtomicBool,
    /// Set by the audio thread: nothing but silence is left.
    pub(super) silent: AtomicBool,
}

impl Counters {
    /// Counts an error of the device, on whatever thread has it. Returns whether the stream has ended.
    pub(super) fn fault(&self, error: &cpal::Error) -> bool {
        use cpal::ErrorKind as Kind;
        match error.kind() {
            // Played on all the same; gaps are measured.
            Kind::Xrun | Kind::RealtimeDenied | Kind::DeviceChanged => return false,
            _ => self.errors.fetch_add(1, Relaxed),
        };
        matches!(
            error.kind(),
            Kind::DeviceNotAvailable | Kind::StreamInvalidated | Kind::HostUnavailable
        )
    }

    /// Counts a gap.
    pub(super) fn gap(&self, length: Duration) {
        let us = u64::try_from(length.as_micros()).unwrap_or(u64::MAX);
        self.gaps.fetch_add(1, Relaxed);
        self.longest_gap_us.fetch_max(us, Relaxed);
        self.silent_us.fetch_add(us, Relaxed);
    }

    pub(super) fn stats(&self) -> StreamStats {
        StreamStats {
            frames: self.frames.load(Relaxed),
            blocks: self.blocks.load(Relaxed),
            gaps: self.gaps.load(Relaxed),
            longest_gap: Duration::from_micros(self.longest_gap_us.load(Relaxed)),
            silent: Duration::from_micros(self.silent_us.load(Relaxed)),
            reopened: self.reopened.load(Relaxed),
            errors: self.errors.load(Relaxed),
            not_finite: self.not_finite.load(Relaxed),
        }
    }
}
