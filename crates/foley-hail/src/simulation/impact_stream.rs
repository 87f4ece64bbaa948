//! Impacts frame by frame: every stone's fate is decided once, when its slot of birth begins, and its
//! impact waits until it is due.

use super::{Calendar, Shower, Wanted, check_interval};
use crate::{HailError, Impact};
use std::sync::Arc;

/// The impacts of consecutive frames: the same, bit by bit, as [`Shower::impacts`] would give. It needs
/// memory and threads: not for the audio thread.
#[derive(Clone, Debug)]
pub struct Stream {
    shower: Arc<Shower>,
    now_s: f64,
    next_stone: u64,
    calendar: Calendar,
    wanted: Wanted,
}

impl Stream {
    /// From a time on; stones that are already in the air are not forgotten.
    pub fn new(shower: Arc<Shower>, from_s: f64) -> Result<Self, HailError> {
        check_interval(from_s, from_s)?;
        let next_stone = shower.born(from_s - shower.longest_s, from_s).start;
        Ok(Self::resumed(shower, from_s, next_stone, Calendar::new(from_s)))
    }

    /// Goes on for somebody who has given all impacts until `now_s` and has decided all stones before
    /// `next_stone`; the calendar has those of their impacts that are still to come.
    pub fn resumed(shower: Arc<Shower>, now_s: f64, next_stone: u64, calendar: Calendar) -> Self {
        Self { shower, now_s, next_stone, calendar, wanted: Wanted::All }
    }

    /// From now on only certain impacts.
    pub fn of(self, wanted: Wanted) -> Self {
        Self { wanted, ..self }
    }

    /// Appends all impacts from now until a time, in order; that time is now, then.
    ///
    /// If too many stones would be born until then, nothing changes but the error.
    pub fn advance(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<(), HailError> {
        check_interval(self.now_s, until_s)?;
        let end = self.shower.born(until_s, until_s).end.max(self.next_stone);
        let now_s = self.now_s;
        let new = self.shower.decide(self.next_stone..end, self.wanted, |at_s| at_s >= now_s)?;
        self.next_stone = end;
        new.into_iter().for_each(|impact| self.calendar.put(impact));
        self.calendar.take(until_s, due);
        self.now_s = until_s;
        Ok(())
    }

    /// The time up to which impacts have been given.
    pub fn now_s(&self) -> f64 {
        self.now_s
    }

    /// How many impacts are known but not yet due.
    pub fn waiting(&self) -> usize {
        self.calendar.waiting()
    }

    /// The shower.
    pub fn shower(&self) -> &Arc<Shower> {
        &self.shower
    }
}
