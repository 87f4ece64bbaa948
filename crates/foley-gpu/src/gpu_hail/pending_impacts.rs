//! How far all impacts are known.

use crate::GpuError;
use foley_hail::{Calendar, HailError, Impact, Shower, Stream, Wanted};
use std::sync::Arc;

/// The book of a shower: which stones are decided, and whose impacts wait.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) shower: Arc<Shower>,
    pub(crate) now_s: f64,
    /// The first stone that is not decided yet.
    pub(crate) next_stone: u64,
    calendar: Calendar,
    pub(crate) wanted: Wanted,
}

impl Book {
    pub(crate) fn new(shower: Arc<Shower>, from_s: f64, wanted: Wanted) -> Result<Self, GpuError> {
        check_time(from_s, from_s)?;
        let next_stone = shower.born(from_s - shower.longest_flight_s(), from_s).start;
        let calendar = Calendar::new(from_s);
        Ok(Self { shower, now_s: from_s, next_stone, calendar, wanted })
    }

    /// The first stone that need not be known for impacts before a time.
    pub(crate) fn stones_before(&self, until_s: f64) -> u64 {
        self.shower.born(until_s, until_s).end.max(self.next_stone)
    }

    /// Stones up to `end` are decided; these are their impacts.
    pub(crate) fn decided(&mut self, end: u64, impacts: impl IntoIterator<Item = Impact>) {
        let to_come = impacts.into_iter().filter(|impact| impact.at_s >= self.now_s);
        to_come.for_each(|impact| self.calendar.put(impact));
        self.next_stone = end;
    }

    /// A stone struck in a frame of the map, says the GPU.
    pub(crate) fn struck(&mut self, stone: u64, earliest_s: f64) -> Struck {
        match self.shower.wanted_impact_of(stone, self.wanted) {
            None => Struck::Never,
            Some(impact) if impact.at_s < earliest_s => Struck::TooLate,
            Some(impact) => {
                self.calendar.put(impact);
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
        self.calendar.take(until_s, due);
        self.now_s = self.now_s.max(until_s);
    }

    /// The CPU goes on from here; no impact waits here any more.
    pub(crate) fn hand_over(&mut self) -> Stream {
        let calendar = std::mem::replace(&mut self.calendar, Calendar::new(self.now_s));
        let shower = Arc::clone(&self.shower);
        Stream::resumed(shower, self.now_s, self.next_stone, calendar).of(self.wanted)
    }

    pub(crate) fn waiting(&self) -> usize {
        self.calendar.waiting()
    }
}

/// What became of a mark of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Struck {
    /// Its impact waits until it is due.
    Waits,
    /// The stone only passed by closely, or nobody wants to know.
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
