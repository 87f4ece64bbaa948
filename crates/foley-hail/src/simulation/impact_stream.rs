//! Impacts frame by frame. Each stone is tested once, when its time slot of birth starts; its impact stays
//! in the event queue until it is due.

use super::{EventQueue, HailSimulation, ImpactFilter, validate_interval};
use crate::{HailError, Impact};
use std::sync::Arc;

/// The impacts of consecutive frames, bit by bit those of [`HailSimulation::impacts`]. It allocates and
/// uses threads: not for the audio thread.
#[derive(Clone, Debug)]
pub struct ImpactStream {
    simulation: Arc<HailSimulation>,
    now_s: f64,
    next_stone: u64,
    queue: EventQueue,
    filter: ImpactFilter,
}

impl ImpactStream {
    /// Starts at `from_s`; stones that are in flight at that time are included.
    pub fn new(simulation: Arc<HailSimulation>, from_s: f64) -> Result<Self, HailError> {
        validate_interval(from_s, from_s)?;
        let next_stone = simulation.stones_born(from_s - simulation.max_flight_s, from_s).start;
        Ok(Self::resume(simulation, from_s, next_stone, EventQueue::new(from_s)))
    }

    /// Continues another source that returned all impacts until `now_s` and tested all stones before
    /// `next_stone`; `queue` holds their impacts after `now_s`.
    pub fn resume(
        simulation: Arc<HailSimulation>,
        now_s: f64,
        next_stone: u64,
        queue: EventQueue,
    ) -> Self {
        Self { simulation, now_s, next_stone, queue, filter: ImpactFilter::All }
    }

    /// Returns the stream with a filter for the stones that are not yet tested.
    pub fn with_filter(self, filter: ImpactFilter) -> Self {
        Self { filter, ..self }
    }

    /// Appends the impacts from the current time until `until_s`, in order, and makes that the current time.
    ///
    /// If too many stones would be born until then, returns an error and changes nothing.
    pub fn advance(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<(), HailError> {
        validate_interval(self.now_s, until_s)?;
        let end = self.simulation.stones_born(until_s, until_s).end.max(self.next_stone);
        let now_s = self.now_s;
        let stones = self.next_stone..end;
        let new = self.simulation.test_stones(stones, self.filter, |at_s| at_s >= now_s)?;
        self.next_stone = end;
        new.into_iter().for_each(|impact| self.queue.push(impact));
        self.queue.drain_until(until_s, due);
        self.now_s = until_s;
        Ok(())
    }

    /// Returns the current time: impacts before it were returned.
    pub fn now_s(&self) -> f64 {
        self.now_s
    }

    /// Returns the number of impacts that are known but not yet due.
    pub fn pending(&self) -> usize {
        self.queue.pending()
    }

    /// Returns the simulation.
    pub fn simulation(&self) -> &Arc<HailSimulation> {
        &self.simulation
    }
}
