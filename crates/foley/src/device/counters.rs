//! What the audio thread reports, without ever waiting for a reader.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// How playing has gone so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamStats {
    /// Frames of the source handed to the device.
    pub frames: u64,
    /// Blocks the device asked for.
    pub blocks: u64,
    /// Gaps in the sound: those the device reported, and blocks asked for so late that its
    /// buffer has run empty, unless a server behind it had more in store.
    pub underruns: u64,
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
    pub(super) underruns: AtomicU64,
    pub(super) errors: AtomicU64,
    pub(super) not_finite: AtomicU64,
    /// Largest block asked for, in frames.
    pub(super) largest_block: AtomicU64,
    /// The device is gone.
    pub(super) lost: AtomicBool,
    /// Set by the stream: fade out.
    pub(super) stop: AtomicBool,
    /// Set by the audio thread: nothing but silence is left.
    pub(super) silent: AtomicBool,
}

impl Counters {
    /// Books an error of the device; called on whatever thread has it.
    pub(super) fn fault(&self, error: &cpal::Error) {
        use cpal::ErrorKind as Kind;
        match error.kind() {
            Kind::Xrun => self.underruns.fetch_add(1, Relaxed),
            // Played on all the same.
            Kind::RealtimeDenied | Kind::DeviceChanged => return,
            Kind::DeviceNotAvailable | Kind::StreamInvalidated | Kind::HostUnavailable => {
                self.lost.store(true, Relaxed);
                self.errors.fetch_add(1, Relaxed)
            }
            _ => self.errors.fetch_add(1, Relaxed),
        };
    }

    pub(super) fn stats(&self) -> StreamStats {
        StreamStats {
            frames: self.frames.load(Relaxed),
            blocks: self.blocks.load(Relaxed),
            underruns: self.underruns.load(Relaxed),
            errors: self.errors.load(Relaxed),
            not_finite: self.not_finite.load(Relaxed),
        }
    }
}
