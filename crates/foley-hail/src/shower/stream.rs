//! Impacts frame by frame: every stone's fate is decided once, when its slot of birth begins, and its
//! impact waits until it is due.

use super::{Shower, check_interval};
use crate::{HailError, Impact};
use std::collections::VecDeque;
use std::sync::Arc;

/// Impacts wait in buckets of time of this length.
const BUCKET_S: f64 = 1.0 / 128.0;

/// The impacts of consecutive frames: the same, bit by bit, as [`Shower::impacts`] would give. It needs
/// memory and threads: not for the audio thread.
#[derive(Clone, Debug)]
pub struct Stream {
    shower: Arc<Shower>,
    start_s: f64,
    now_s: f64,
    next_stone: u64,
    /// The number of the first bucket since the start.
    first: usize,
    buckets: VecDeque<Vec<Impact>>,
    waiting: usize,
}

impl Stream {
    /// From a time on; stones that are already in the air are not forgotten.
    pub fn new(shower: Arc<Shower>, from_s: f64) -> Result<Self, HailError> {
        check_interval(from_s, from_s)?;
        let next_stone = shower.born(from_s - shower.longest_s, from_s).start;
        Ok(Self {
            shower,
            start_s: from_s,
            now_s: from_s,
            next_stone,
            first: 0,
            buckets: VecDeque::new(),
            waiting: 0,
        })
    }

    /// Appends all impacts from now until a time, in order; that time is now, then.
    ///
    /// If too many stones would be born until then, nothing changes but the error.
    pub fn advance(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<(), HailError> {
        check_interval(self.now_s, until_s)?;
        let end = self.shower.born(until_s, until_s).end.max(self.next_stone);
        let now_s = self.now_s;
        let new = self.shower.decide(self.next_stone..end, |at_s| at_s >= now_s)?;
        self.next_stone = end;
        let before = due.len();
        self.take_due(until_s, due);
        self.waiting -= due.len() - before;
        for impact in new {
            if impact.at_s < until_s {
                due.push(impact);
            } else {
                self.wait(impact);
            }
        }
        due[before..].sort_unstable_by(Impact::order);
        self.now_s = until_s;
        Ok(())
    }

    /// The time up to which impacts have been given.
    pub fn now_s(&self) -> f64 {
        self.now_s
    }

    /// How many impacts are known but not yet due.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// The shower.
    pub fn shower(&self) -> &Arc<Shower> {
        &self.shower
    }

    /// Empties the buckets that end before a time, and of the next one what is due.
    fn take_due(&mut self, until_s: f64, due: &mut Vec<Impact>) {
        let last = self.bucket(until_s);
        while self.first < last
            && let Some(mut bucket) = self.buckets.pop_front()
        {
            due.append(&mut bucket);
            self.first += 1;
        }
        self.first = self.first.max(last);
        if let Some(bucket) = self.buckets.front_mut() {
            due.extend(bucket.extract_if(.., |impact| impact.at_s < until_s));
        }
    }

    fn bucket(&self, at_s: f64) -> usize {
        ((at_s - self.start_s) / BUCKET_S).max(0.0) as usize
    }

    fn wait(&mut self, impact: Impact) {
        let place = self.bucket(impact.at_s).saturating_sub(self.first);
        if place >= self.buckets.len() {
            self.buckets.resize_with(place + 1, Vec::new);
        }
        self.buckets[place].push(impact);
        self.waiting += 1;
    }
}
