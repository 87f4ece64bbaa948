//! The event queue of future impacts: a calendar queue (Brown 1988) with buckets of fixed duration.

use crate::Impact;
use std::collections::VecDeque;

/// The duration of a bucket.
const BUCKET_S: f64 = 1.0 / 128.0;

/// A calendar queue of impacts that are known but not yet due.
#[derive(Clone, Debug)]
pub struct EventQueue {
    start_s: f64,
    /// Buckets since the start, without the first `passed`, which were drained.
    buckets: VecDeque<Vec<Impact>>,
    passed: usize,
    pending: usize,
}

impl EventQueue {
    /// Returns an empty queue for impacts from `from_s` on.
    pub fn new(from_s: f64) -> Self {
        Self { start_s: from_s, buckets: VecDeque::new(), passed: 0, pending: 0 }
    }

    /// Adds an impact.
    pub fn push(&mut self, impact: Impact) {
        let index = self.bucket(impact.at_s).saturating_sub(self.passed);
        if index >= self.buckets.len() {
            self.buckets.resize_with(index + 1, Vec::new);
        }
        self.buckets[index].push(impact);
        self.pending += 1;
    }

    /// Moves the impacts before `until_s` to the end of `due`, in order of time.
    pub fn drain_until(&mut self, until_s: f64, due: &mut Vec<Impact>) {
        let before = due.len();
        let last = self.bucket(until_s);
        while self.passed < last
            && let Some(mut bucket) = self.buckets.pop_front()
        {
            due.append(&mut bucket);
            self.passed += 1;
        }
        self.passed = self.passed.max(last);
        if let Some(bucket) = self.buckets.front_mut() {
            due.extend(bucket.extract_if(.., |impact| impact.at_s < until_s));
        }
        due[before..].sort_unstable_by(Impact::order);
        self.pending -= due.len() - before;
    }

    /// Returns the number of queued impacts.
    pub fn pending(&self) -> usize {
        self.pending
    }

    fn bucket(&self, at_s: f64) -> usize {
        ((at_s - self.start_s) / BUCKET_S).max(0.0) as usize
    }
}
