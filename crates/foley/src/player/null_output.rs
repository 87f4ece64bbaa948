//! An output that is not heard, in real time.

use foley_engine::mock::{Blocks, MockDevice, Pace};
use foley_engine::{Renderer, Source};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::JoinHandle;

use crate::device::StreamStats;

pub(super) const NULL_HZ: u32 = 48_000;
const BLOCK: usize = 512;

/// Renders in real time on a thread of its own, as a card would.
pub(super) struct NullOutput {
    shared: Arc<Shared>,
    /// `None` only while being dropped.
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    frames: AtomicU64,
    blocks: AtomicU64,
    late_blocks: AtomicU64,
}

impl NullOutput {
    pub(super) fn start(mut renderer: Renderer) -> Self {
        let shared = Arc::new(Shared::default());
        let counts = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            let device = MockDevice::new(Blocks::Fixed(BLOCK)).with_pace(Pace::WallClock);
            let mut device = device.with_recording(false);
            let tenth = u64::from(renderer.sample_rate_hz()) / 10;
            while !counts.stop.load(Relaxed) {
                let played = device.play(&mut renderer, tenth);
                counts.blocks.fetch_add(played.blocks, Relaxed);
                counts.late_blocks.fetch_add(played.late_blocks, Relaxed);
                counts.frames.fetch_add(played.frames, Relaxed);
            }
        });
        Self { shared, thread: Some(thread) }
    }

    /// Blocks that come late are gaps, whose length is not known.
    pub(super) fn stats(&self) -> StreamStats {
        StreamStats {
            frames: self.shared.frames.load(Relaxed),
            blocks: self.shared.blocks.load(Relaxed),
            gaps: self.shared.late_blocks.load(Relaxed),
            ..StreamStats::default()
        }
    }

    pub(super) fn stop(self) -> StreamStats {
        self.stats()
    }
}

impl Drop for NullOutput {
    fn drop(&mut self) {
        self.shared.stop.store(true, Relaxed);
        // A thread that panicked has nothing more to say.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
