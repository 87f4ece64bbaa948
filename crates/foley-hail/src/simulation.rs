//! The hail simulation: which impacts happen in `[from_s, until_s)`.

mod impact;
mod event_queue;
mod impact_source;
mod impact_stream;
mod bounce;

pub use bounce::{Bounce, LIFE_AFTER_IMPACT_S};
pub use event_queue::EventQueue;
pub use impact::Impact;
pub use impact_source::ImpactSource;
pub use impact_stream::ImpactStream;

use crate::{FallModel, HailError, Hit, ParticleEmitter, TargetSet, Trajectory};
use foley_parallel::prelude::*;
use std::ops::Range;

/// The longest allowed time of flight.
pub const MAX_FLIGHT_S: f64 = 600.0;
/// The largest allowed number of stones in flight at once.
pub const MAX_IN_FLIGHT: u64 = 1 << 24;
/// The largest number of stones tested in one call.
pub const MAX_STONES_PER_CALL: u64 = 1 << 25;
/// Stones per parallel task.
const CHUNK: u64 = 4096;

/// Which impacts are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactFilter {
    /// All impacts.
    #[default]
    All,
    /// Only impacts on sounding targets; silent ones still occlude.
    SoundingOnly,
}

/// A particle emitter above targets.
#[derive(Clone, Debug)]
pub struct HailSimulation {
    emitter: ParticleEmitter,
    targets: TargetSet,
    max_flight_s: f64,
}

impl HailSimulation {
    /// Checks that time of flight and number of stones in flight are within their limits.
    pub fn new(emitter: ParticleEmitter, targets: TargetSet) -> Result<Self, HailError> {
        let max_flight_s = max_flight(&emitter, &targets)?;
        let in_flight = (max_flight_s * emitter.settings().per_second) as u64;
        if in_flight > MAX_IN_FLIGHT {
            return Err(HailError::TooMany {
                what: "stones in the air at once",
                found: in_flight,
                limit: MAX_IN_FLIGHT,
                remedy: "lower the cloud, make stones faster, or reduce their rate",
            });
        }
        Ok(Self { emitter, targets, max_flight_s })
    }

    /// Returns the emitter.
    pub fn emitter(&self) -> &ParticleEmitter {
        &self.emitter
    }

    /// Returns the targets.
    pub fn targets(&self) -> &TargetSet {
        &self.targets
    }

    /// Returns the upper bound of the time from birth to impact.
    pub fn max_flight_s(&self) -> f64 {
        self.max_flight_s
    }

    /// Returns the impact of one stone, if it hits a target.
    pub fn impact_of(&self, index: u64) -> Option<Impact> {
        self.filtered_impact_of(index, ImpactFilter::All)
    }

    /// Returns the impact of one stone, if it hits a target and passes the filter.
    pub fn filtered_impact_of(&self, index: u64, filter: ImpactFilter) -> Option<Impact> {
        let birth = self.emitter.birth(index);
        let until = self.below_targets_after(&birth.trajectory)?;
        let hit = match filter {
            ImpactFilter::All => self.targets.first_hit(&birth.trajectory, 0.0, until)?,
            ImpactFilter::SoundingOnly => {
                self.targets.first_sounding_hit(&birth.trajectory, 0.0, until)?
            }
        };
        Some(Impact::new(&self.emitter.complete(&birth), &hit))
    }

    /// Returns the first hit on a trajectory.
    pub fn first_hit(&self, trajectory: &Trajectory) -> Option<Hit> {
        self.targets.first_hit(trajectory, 0.0, self.below_targets_after(trajectory)?)
    }

    /// Returns the time after which a stone is below all targets; none if it never gets there.
    fn below_targets_after(&self, trajectory: &Trajectory) -> Option<f64> {
        let below = self.targets.bounds().lo[2];
        Some(trajectory.sinks_below(below)?.min(self.max_flight_s))
    }

    /// Returns the impacts with `from_s ≤ at_s < until_s` in order of time. The result does not depend on
    /// the number of threads.
    pub fn impacts(&self, from_s: f64, until_s: f64) -> Result<Vec<Impact>, HailError> {
        validate_interval(from_s, until_s)?;
        let stones = self.stones_born(from_s - self.max_flight_s, until_s);
        let within = |at_s| at_s >= from_s && at_s < until_s;
        let mut impacts = self.test_stones(stones, ImpactFilter::All, within)?;
        impacts.par_sort_unstable_by(Impact::order);
        Ok(impacts)
    }

    /// Returns the stones whose time slots overlap an interval, and possibly one more at either end.
    pub fn stones_born(&self, from_s: f64, until_s: f64) -> Range<u64> {
        let hail = self.emitter.settings();
        if hail.per_second == 0.0 {
            return 0..0;
        }
        let slot = |at_s: f64| (at_s - hail.from_s) * hail.per_second;
        let first = (slot(from_s).floor() - 1.0).max(0.0) as u64;
        let end = if until_s > hail.from_s { slot(until_s).ceil() + 1.0 } else { 0.0 };
        first.min(end as u64)..end as u64
    }

    /// Returns the impacts of a range of stones that pass the filter and the time predicate, in order of the
    /// stones.
    fn test_stones(
        &self,
        stones: Range<u64>,
        filter: ImpactFilter,
        within: impl Fn(f64) -> bool + Sync,
    ) -> Result<Vec<Impact>, HailError> {
        let count = stones.end - stones.start;
        if count > MAX_STONES_PER_CALL {
            return Err(HailError::TooMany {
                what: "stones in one interval of time",
                found: count,
                limit: MAX_STONES_PER_CALL,
                remedy: "ask for a shorter interval",
            });
        }
        let impacts_of = |stones: Range<u64>| -> Vec<Impact> {
            let impacts = stones.filter_map(|index| self.filtered_impact_of(index, filter));
            impacts.filter(|impact| within(impact.at_s)).collect()
        };
        if self.targets.as_slice().is_empty() {
            return Ok(Vec::new());
        }
        if count <= CHUNK {
            return Ok(impacts_of(stones));
        }
        let chunk = |k: u64| {
            let from = stones.start + k * CHUNK;
            impacts_of(from..(from + CHUNK).min(stones.end))
        };
        let chunks: Vec<Vec<Impact>> =
            (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
        Ok(chunks.concat())
    }
}

fn validate_interval(from_s: f64, until_s: f64) -> Result<(), HailError> {
    if from_s.abs() <= 1e9 && until_s.abs() <= 1e9 && from_s <= until_s {
        return Ok(());
    }
    let remedy = "give two times within 1e9 s, the earlier first";
    Err(HailError::Interval { from_s, until_s, remedy })
}

/// Returns the time in which the slowest stone falls below all targets.
fn max_flight(emitter: &ParticleEmitter, targets: &TargetSet) -> Result<f64, HailError> {
    let bounds = targets.bounds();
    if bounds.is_empty() {
        return Ok(0.0);
    }
    let hail = emitter.settings();
    let mut trajectory = emitter.stone(0).trajectory;
    trajectory.velocity_m_s[2] = match hail.fall {
        FallModel::Accelerated { velocity_m_s, spread_m_s, .. } => velocity_m_s[2] + spread_m_s,
        FallModel::Straight { .. } => {
            let r4 = hail.energies_j[0] / hail.ice.energy_per_r4(hail.gravity_m_s2);
            -hail.ice.terminal_m_s(r4.sqrt().sqrt(), hail.gravity_m_s2)
        }
    };
    trajectory.position_m[2] = hail.cloud.centre_m[2];
    match trajectory.sinks_below(bounds.lo[2]) {
        // A margin for rounding.
        Some(t_s) if t_s <= MAX_FLIGHT_S => Ok(t_s * (1.0 + 1e-9)),
        other => Err(HailError::NeverLands {
            why: match other {
                Some(t_s) => format!("the slowest stones fall for {t_s:.0} s"),
                None => "the slowest stones never come down".into(),
            },
            remedy: "lower the cloud, or make stones faster: 600 s is the longest fall",
        }),
    }
}
