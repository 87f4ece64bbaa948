//! Pending impacts: the event queue of verified impacts, and how far stones are tested.

use crate::GpuError;
use foley_hail::{EventQueue, HailError, HailSimulation, Impact, ImpactFilter, ImpactStream};
use std::sync::Arc;

/// Verified impacts that are not yet due, and the index of the first untested stone.
#[derive(Clone, Debug)]
pub(crate) struct PendingImpacts {
    pub(crate) simulation: Arc<HailSimulation>,
    pub(crate) now_s: f64,
    /// The first stone that is not yet tested.
    pub(crate) next_stone: u64,
    queue: EventQueue,
    pub(crate) filter: ImpactFilter,
}

impl PendingImpacts {
    pub(crate) fn new(
        simulation: Arc<HailSimulation>,
        from_s: f64,
        filter: ImpactFilter,
    ) -> Result<Self, GpuError> {
        validate_time(from_s, from_s)?;
        let next_stone = simulation.stones_born(from_s - simulation.max_flight_s(), from_s).start;
        let queue = EventQueue::new(from_s);
        Ok(Self { simulation, now_s: from_s, next_stone, queue, filter })
    }

    /// Returns the end of the stones that can cause impacts before a time.
    pub(crate) fn stones_before(&self, until_s: f64) -> u64 {
        self.simulation.stones_born(until_s, until_s).end.max(self.next_stone)
    }

    /// Adds the impacts of all stones up to `end`.
    pub(crate) fn add_tested(&mut self, end: u64, impacts: impl IntoIterator<Item = Impact>) {
        let future = impacts.into_iter().filter(|impact| impact.at_s >= self.now_s);
        future.for_each(|impact| self.queue.push(impact));
        self.next_stone = end;
    }

    /// Verifies a mark of the map and queues its impact.
    pub(crate) fn add_mark(&mut self, stone: u64, earliest_s: f64) -> MarkOutcome {
        match self.simulation.filtered_impact_of(stone, self.filter) {
            None => MarkOutcome::NoImpact,
            Some(impact) if impact.at_s < earliest_s => MarkOutcome::TooLate,
            Some(impact) => {
                self.queue.push(impact);
                MarkOutcome::Queued
            }
        }
    }

    /// Returns the time before which all impacts are known: untested stones are born later.
    pub(crate) fn known_until_s(&self) -> f64 {
        let hail = self.simulation.emitter().settings();
        match hail.per_second > 0.0 {
            true => hail.from_s + self.next_stone as f64 / hail.per_second,
            false => f64::INFINITY,
        }
    }

    /// Appends the impacts until `until_s`, in order, and makes that the current time.
    pub(crate) fn drain_until(&mut self, until_s: f64, due: &mut Vec<Impact>) {
        self.queue.drain_until(until_s, due);
        self.now_s = self.now_s.max(until_s);
    }

    /// Moves the state into a stream on the CPU; the queue is empty afterwards.
    pub(crate) fn take_cpu_stream(&mut self) -> ImpactStream {
        let queue = std::mem::replace(&mut self.queue, EventQueue::new(self.now_s));
        let simulation = Arc::clone(&self.simulation);
        ImpactStream::resume(simulation, self.now_s, self.next_stone, queue)
            .with_filter(self.filter)
    }

    pub(crate) fn pending(&self) -> usize {
        self.queue.pending()
    }
}

/// The result of verifying a mark of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkOutcome {
    /// Its impact is in the queue.
    Queued,
    /// The stone misses within the tolerance, or the filter drops its impact.
    NoImpact,
    /// The stone hit another collider in an earlier frame, at an edge that single precision missed: lost.
    TooLate,
}

/// Checks that a time is finite and not before the current time.
pub(crate) fn validate_time(now_s: f64, until_s: f64) -> Result<(), GpuError> {
    if until_s.abs() <= 1e9 && until_s >= now_s {
        return Ok(());
    }
    let remedy = "give a time within 1e9 s that is not in the past";
    Err(HailError::Interval { from_s: now_s, until_s, remedy }.into())
}
