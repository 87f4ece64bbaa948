//! Hail on colliders: all impacts of an interval of time.

mod calendar;
mod finder;
mod stream;

pub use calendar::Calendar;
pub use finder::Finder;
pub use stream::Stream;

use crate::{Fall, Flight, HailError, Hit, Impact, Sky, Targets};
use rayon::prelude::*;
use std::ops::Range;

/// No stone may be longer in the air.
pub const LONGEST_FLIGHT_S: f64 = 600.0;
/// There may be so many stones in the air at once.
pub const MOST_IN_FLIGHT: u64 = 1 << 24;
/// So many stones are decided in one call.
pub const MOST_AT_ONCE: u64 = 1 << 25;
/// Stones a thread takes at a time.
const CHUNK: u64 = 4096;

/// Which impacts somebody wants to know of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// All.
    #[default]
    All,
    /// Those on colliders that are not silent.
    Sounding,
}

/// A sky over colliders.
#[derive(Clone, Debug)]
pub struct Shower {
    sky: Sky,
    targets: Targets,
    longest_s: f64,
}

impl Shower {
    /// Checks that all stones come down in a time and a number that can be borne.
    pub fn new(sky: Sky, targets: Targets) -> Result<Self, HailError> {
        let longest_s = longest_flight(&sky, &targets)?;
        let in_flight = (longest_s * sky.hail().per_second) as u64;
        if in_flight > MOST_IN_FLIGHT {
            return Err(HailError::TooMany {
                what: "stones in the air at once",
                found: in_flight,
                most: MOST_IN_FLIGHT,
                remedy: "lower the cloud, make stones faster, or let fewer of them fall",
            });
        }
        Ok(Self { sky, targets, longest_s })
    }

    /// Where stones come from.
    pub fn sky(&self) -> &Sky {
        &self.sky
    }

    /// What they strike.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// No stone strikes later than this after its birth.
    pub fn longest_flight_s(&self) -> f64 {
        self.longest_s
    }

    /// The fate of one stone: where it strikes, if anywhere.
    pub fn impact_of(&self, index: u64) -> Option<Impact> {
        self.wanted_impact_of(index, Wanted::All)
    }

    /// The fate of one stone, if that is wanted.
    pub fn wanted_impact_of(&self, index: u64, wanted: Wanted) -> Option<Impact> {
        let birth = self.sky.birth(index);
        let until = self.lands_before(&birth.flight)?;
        let hit = match wanted {
            Wanted::All => self.targets.first_hit(&birth.flight, 0.0, until)?,
            Wanted::Sounding => self.targets.first_sounding_hit(&birth.flight, 0.0, until)?,
        };
        Some(Impact::new(&self.sky.complete(&birth), &hit))
    }

    /// The first hit of a stone's flight.
    pub fn first_hit(&self, flight: &Flight) -> Option<Hit> {
        self.targets.first_hit(flight, 0.0, self.lands_before(flight)?)
    }

    /// A stone is below all colliders then; none if it never comes down.
    fn lands_before(&self, flight: &Flight) -> Option<f64> {
        let below = self.targets.bounds().lo[2];
        Some(flight.sinks_below(below)?.min(self.longest_s))
    }

    /// All impacts with `from_s ≤ at_s < until_s`, in the order of time; the same on any number of
    /// threads.
    pub fn impacts(&self, from_s: f64, until_s: f64) -> Result<Vec<Impact>, HailError> {
        check_interval(from_s, until_s)?;
        let stones = self.born(from_s - self.longest_s, until_s);
        let within = |at_s| at_s >= from_s && at_s < until_s;
        let mut impacts = self.decide(stones, Wanted::All, within)?;
        impacts.par_sort_unstable_by(Impact::order);
        Ok(impacts)
    }

    /// The stones whose slots meet an interval of time, and perhaps one more at either end.
    pub fn born(&self, from_s: f64, until_s: f64) -> Range<u64> {
        let hail = self.sky.hail();
        if hail.per_second == 0.0 {
            return 0..0;
        }
        let slot = |at_s: f64| (at_s - hail.from_s) * hail.per_second;
        let first = (slot(from_s).floor() - 1.0).max(0.0) as u64;
        let end = if until_s > hail.from_s { slot(until_s).ceil() + 1.0 } else { 0.0 };
        first.min(end as u64)..end as u64
    }

    /// The impacts of some stones that are wanted, at times that are, in the order of the stones.
    fn decide(
        &self,
        stones: Range<u64>,
        wanted: Wanted,
        within: impl Fn(f64) -> bool + Sync,
    ) -> Result<Vec<Impact>, HailError> {
        let count = stones.end - stones.start;
        if count > MOST_AT_ONCE {
            return Err(HailError::TooMany {
                what: "stones in one interval of time",
                found: count,
                most: MOST_AT_ONCE,
                remedy: "ask for a shorter interval",
            });
        }
        let some = |stones: Range<u64>| -> Vec<Impact> {
            let impacts = stones.filter_map(|index| self.wanted_impact_of(index, wanted));
            impacts.filter(|impact| within(impact.at_s)).collect()
        };
        if self.targets.as_slice().is_empty() {
            return Ok(Vec::new());
        }
        if count <= CHUNK {
            return Ok(some(stones));
        }
        let chunk = |k: u64| {
            let from = stones.start + k * CHUNK;
            some(from..(from + CHUNK).min(stones.end))
        };
        let chunks: Vec<Vec<Impact>> =
            (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
        Ok(chunks.concat())
    }
}

fn check_interval(from_s: f64, until_s: f64) -> Result<(), HailError> {
    if from_s.abs() <= 1e9 && until_s.abs() <= 1e9 && from_s <= until_s {
        return Ok(());
    }
    let remedy = "give two times within 1e9 s, the earlier first";
    Err(HailError::Interval { from_s, until_s, remedy })
}

/// The time in which the slowest stone falls below all colliders.
fn longest_flight(sky: &Sky, targets: &Targets) -> Result<f64, HailError> {
    let bounds = targets.bounds();
    if bounds.is_empty() {
        return Ok(0.0);
    }
    let hail = sky.hail();
    let mut flight = sky.stone(0).flight;
    flight.velocity_m_s[2] = match hail.fall {
        Fall::Accelerated { velocity_m_s, spread_m_s, .. } => velocity_m_s[2] + spread_m_s,
        Fall::Straight { .. } => {
            let r4 = hail.energies_j[0] / hail.ice.energy_per_r4(hail.gravity_m_s2);
            -hail.ice.terminal_m_s(r4.sqrt().sqrt(), hail.gravity_m_s2)
        }
    };
    flight.place_m[2] = hail.cloud.centre_m[2];
    match flight.sinks_below(bounds.lo[2]) {
        // A little more, for rounding.
        Some(t_s) if t_s <= LONGEST_FLIGHT_S => Ok(t_s * (1.0 + 1e-9)),
        other => Err(HailError::NeverLands {
            why: match other {
                Some(t_s) => format!("the slowest stones fall for {t_s:.0} s"),
                None => "the slowest stones never come down".into(),
            },
            remedy: "lower the cloud, or make stones faster: 600 s is the longest fall",
        }),
    }
}
