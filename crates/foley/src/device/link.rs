//! What one stream of a sound system shares with its supervisor.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_utils::atomic::AtomicCell;

use super::feeder::Feed;

/// Longest time that a call of the device may hold the feed before the supervisor gives it up.
const LONGEST_CALL: Duration = Duration::from_millis(500);

/// The slot of the feed, and signs of life of one stream.
///
/// A call of the device takes the feed from the slot, fills its block and puts it back. The supervisor takes
/// it for good, to give it to the next stream: calls of a stream that was given up find the slot empty and
/// are silent. Taking is one atomic exchange; neither side waits for the other.
pub(super) struct Link {
    feed: AtomicCell<Option<Box<Feed>>>,
    /// Blocks that the device asked for.
    calls: AtomicU64,
    /// The sound system reported that the stream has ended.
    is_lost: AtomicBool,
    /// When the sound system dropped its callback, in nanoseconds after `began`; 0 before.
    dropped_ns: AtomicU64,
    began: Instant,
}

impl Link {
    pub(super) fn new(feed: Option<Box<Feed>>) -> Self {
        Self {
            feed: AtomicCell::new(feed),
            calls: AtomicU64::new(0),
            is_lost: AtomicBool::new(false),
            dropped_ns: AtomicU64::new(0),
            began: Instant::now(),
        }
    }

    /// Calls `fill` with the feed, if there is one. Real-time.
    pub(super) fn with_feed(&self, fill: impl FnOnce(Option<&mut Feed>)) {
        self.calls.fetch_add(1, Relaxed);
        let mut feed = self.feed.take();
        fill(feed.as_deref_mut());
        if feed.is_some() {
            // The slot is empty: only this call has put anything there since it took the feed.
            self.feed.store(feed);
        }
    }

    /// Gives the feed to the stream.
    pub(super) fn put(&self, feed: Box<Feed>) {
        self.feed.store(Some(feed));
    }

    /// Takes the feed for good; `None` if a call of the device never gives it back.
    pub(super) fn take(&self) -> Option<Box<Feed>> {
        let began = Instant::now();
        loop {
            if let Some(feed) = self.feed.take() {
                return Some(feed);
            }
            if began.elapsed() > LONGEST_CALL {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    pub(super) fn calls(&self) -> u64 {
        self.calls.load(Relaxed)
    }

    /// Records that the sound system reported the end of the stream.
    pub(super) fn lose(&self) {
        self.is_lost.store(true, Relaxed);
    }

    /// Records that the sound system dropped its callback, without which nothing is played.
    pub(super) fn drop_callback(&self) {
        let ns = self.began.elapsed().as_nanos().max(1);
        self.dropped_ns.store(u64::try_from(ns).unwrap_or(u64::MAX), Relaxed);
    }

    /// Forgets the end of a stream that could not be built, before another attempt.
    pub(super) fn revive(&self) {
        self.dropped_ns.store(0, Relaxed);
        self.is_lost.store(false, Relaxed);
    }

    /// Returns when the stream ended, if it has ended by itself.
    pub(super) fn ended(&self) -> Option<Instant> {
        match self.dropped_ns.load(Relaxed) {
            0 => self.is_lost.load(Relaxed).then(Instant::now),
            ns => Some(self.began + Duration::from_nanos(ns)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slot_has_no_lock() {
        assert!(AtomicCell::<Option<Box<Feed>>>::is_lock_free());
    }
}
