//! Impacts that are known but not yet due.

use crate::Impact;
use std::collections::VecDeque;

/// Impacts wait in buckets of time of this length.
const BUCKET_S: f64 = 1.0 / 128.0;

/// Impacts that wait until they are due.
#[derive(Clone, Debug)]
pub struct Calendar {
    start_s: f64,
    /// Buckets since the start; `passed` of them are gone.
    buckets: VecDeque<Vec<Impact>>,
    passed: usize,
    waiting: usize,
}

impl Calendar {
    /// For impacts from a time on.
    pub fn new(from_s: f64) -> Self {
        Self { start_s: from_s, buckets: VecDeque::new(), passed: 0, waiting: 0 }
    }

    /// Lets an impact wait.
    pub fn put(&mut self, impact: Impact) {
        let place = self.bucket(impact.at_s).saturating_sub(self.passed);
        if place >= self.buckets.len() {
            self.buckets.resize_with(place + 1, Vec::new);
        }
        self.buckets[place].push(impact);
        self.waiting += 1;
    }

    /// Appends what is due before a time, in order.
    pub fn take(&mut self, until_s: f64, due: &mut Vec<Impact>) {
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
        self.waiting -= due.len() - before;
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    fn bucket(&self, at_s: f64) -> usize {
        ((at_s - self.start_s) / BUCKET_S).max(0.0) as usize
    }
}
