//! How far all impacts are known.

use crate::GpuError;
use foley_hail::{EventQueue, HailError, HailSimulation, Impact, ImpactFilter, ImpactStream};
use std::sync::Arc;

/// The book of a shower: which stones are decided, and whose impacts wait.
#[derive(Clone, Debug)]
pub(crate) struct PendingImpacts {
    pub(crate) simulation: Arc<HailSimulation>,
    pub(crate) now_s: f64,
    /// The first stone that is not decided yet.
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

    /// The first stone that need not be known for impacts before a time.
    pub(crate) fn stones_before(&self, until_s: f64) -> u64 {
        self.simulation.stones_born(until_s, until_s).end.max(self.next_stone)
    }

    /// Stones up to `end` are decided; these are their impacts.
    pub(crate) fn decided(&mut self, end: u64, impacts: impl IntoIterator<Item = Impact>) {
        let to_come = impacts.into_iter().filter(|impact| impact.at_s >= self.now_s);
        to_come.for_each(|impact| self.queue.push(impact));
        self.next_stone = end;
    }

    /// A stone struck in a frame of the map, says the GPU.
    pub(crate) fn struck(&mut self, stone: u64, earliest_s: f64) -> MarkOutcome {
        match self.simulation.filtered_impact_of(stone, self.filter) {
            None => MarkOutcome::Never,
            Some(impact) if impact.at_s < earliest_s => MarkOutcome::TooLate,
            Some(impact) => {
                self.queue.push(impact);
                MarkOutcome::Waits
            }
        }
    }

    /// All impacts before this time are known: undecided stones are born later.
    pub(crate) fn known_until_s(&self) -> f64 {
        let hail = self.simulation.emitter().settings();
        match hail.per_second > 0.0 {
            true => hail.from_s + self.next_stone as f64 / hail.per_second,
            false => f64::INFINITY,
        }
    }

    /// Appends what is due until a time, in order; that time is now, then.
    pub(crate) fn take(&mut self, until_s: f64, due: &mut Vec<Impact>) {
        self.queue.drain_until(until_s, due);
        self.now_s = self.now_s.max(until_s);
    }

    /// The CPU goes on from here; no impact waits here any more.
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

/// What became of a mark of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkOutcome {
    /// Its impact waits until it is due.
    Waits,
    /// The stone only passed by closely, or nobody wants to know.
    Never,
    /// It struck something else in an earlier frame, whose edge single precision missed: lost.
    TooLate,
}

/// A time to go on to must be a time, and not lie behind.
pub(crate) fn validate_time(now_s: f64, until_s: f64) -> Result<(), GpuError> {
    if until_s.abs() <= 1e9 && until_s >= now_s {
        return Ok(());
    }
    let remedy = "give a time within 1e9 s that is not in the past";
    Err(HailError::Interval { from_s: now_s, until_s, remedy }.into())
}
