//! Impacts that are known but not yet due, and how far all are known.

use crate::GpuError;
use foley_hail::{HailError, Impact, Shower};
use std::collections::VecDeque;
use std::sync::Arc;

/// The book of a shower: which stones are decided, and whose impacts wait.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) shower: Arc<Shower>,
    pub(crate) now_s: f64,
    /// The first stone that is not decided yet.
    pub(crate) next_stone: u64,
    /// What waits, in buckets of time since the start; `passed` of them are gone.
    buckets: VecDeque<Vec<Impact>>,
    passed: usize,
    start_s: f64,
    waiting: usize,
}

/// Impacts wait in buckets of time of this length.
const BUCKET_S: f64 = 1.0 / 128.0;

impl Book {
    pub(crate) fn new(shower: Arc<Shower>, from_s: f64) -> Result<Self, GpuError> {
        check_time(from_s, from_s)?;
        let next_stone = shower.born(from_s - shower.longest_flight_s(), from_s).start;
        let buckets = VecDeque::new();
        let (now_s, start_s) = (from_s, from_s);
        Ok(Self { shower, now_s, next_stone, buckets, passed: 0, start_s, waiting: 0 })
    }

    /// The first stone that need not be known for impacts before a time.
    pub(crate) fn stones_before(&self, until_s: f64) -> u64 {
        self.shower.born(until_s, until_s).end.max(self.next_stone)
    }

    /// Stones up to `end` are decided; these are their impacts.
    pub(crate) fn decided(&mut self, end: u64, impacts: impl IntoIterator<Item = Impact>) {
        let now_s = self.now_s;
        impacts
            .into_iter()
            .filter(|impact| impact.at_s >= now_s)
            .for_each(|impact| self.wait(impact));
        self.next_stone = end;
    }

    /// A stone struck in a frame of the map, says the GPU.
    pub(crate) fn struck(&mut self, stone: u64, earliest_s: f64) -> Struck {
        match self.shower.impact_of(stone) {
            None => Struck::Never,
            Some(impact) if impact.at_s < earliest_s => Struck::TooLate,
            Some(impact) => {
                self.wait(impact);
                Struck::Waits
            }
        }
    }

    /// All impacts before this time are known: undecided stones are born later.
    pub(crate) fn known_until_s(&self) -> f64 {
        let hail = self.shower.sky().hail();
        match hail.per_second > 0.0 {
            true => hail.from_s + self.next_stone as f64 / hail.per_second,
            false => f64::INFINITY,
        }
    }

    /// Appends what is due until a time, in order; that time is now, then.
    pub(crate) fn take(&mut self, until_s: f64, due: &mut Vec<Impact>) {
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
        self.now_s = self.now_s.max(until_s);
    }

    /// The whole book; what stays behind has no impacts that wait.
    pub(crate) fn take_all(&mut self) -> Self {
        let buckets = std::mem::take(&mut self.buckets);
        let waiting = std::mem::take(&mut self.waiting);
        Self { shower: Arc::clone(&self.shower), buckets, waiting, ..*self }
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    fn bucket(&self, at_s: f64) -> usize {
        ((at_s - self.start_s) / BUCKET_S).max(0.0) as usize
    }

    fn wait(&mut self, impact: Impact) {
        let place = self.bucket(impact.at_s).saturating_sub(self.passed);
        if place >= self.buckets.len() {
            self.buckets.resize_with(place + 1, Vec::new);
        }
        self.buckets[place].push(impact);
        self.waiting += 1;
    }
}

/// What became of a mark of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Struck {
    /// Its impact waits until it is due.
    Waits,
    /// The stone only passed by closely.
    Never,
    /// It struck something else in an earlier frame, whose edge single precision missed: lost.
    TooLate,
}

/// A time to go on to must be a time, and not lie behind.
pub(crate) fn check_time(now_s: f64, until_s: f64) -> Result<(), GpuError> {
    if until_s.abs() <= 1e9 && until_s >= now_s {
        return Ok(());
    }
    let remedy = "give a time within 1e9 s that is not in the past";
    Err(HailError::Interval { from_s: now_s, until_s, remedy }.into())
}
