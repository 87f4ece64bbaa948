//! A time budget per block (\[LS\] §4.3).
//!
//! Voices are served in order of loudness. Quotas fall along a ramp; the unused part of a quota
//! goes to the others, the loudest first. A voice that does not fit is left out: it keeps decaying
//! in closed form and returns when there is time.

use foley_geometry::clock::{self, Instant};

/// A limit on the time of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// Microseconds per block.
    pub micros: f64,
    /// Preference for loud voices: 0 gives all voices the same quota, 1 lets the quotas fall to
    /// zero for the quietest, infinity serves the loudest in full first.
    pub slope: f64,
    /// The clock that measures the time.
    pub clock: Clock,
}

impl Budget {
    /// Returns a budget in wall-clock time, the loudest voices first: for live playback.
    pub fn live(micros: f64) -> Self {
        Self { micros, slope: f64::INFINITY, clock: Clock::Wall }
    }

    /// Returns a budget in virtual time, with the same decisions on every machine: for files.
    pub fn offline(micros: f64) -> Self {
        Self { micros, slope: f64::INFINITY, clock: Clock::Virtual }
    }
}

/// How time is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// By the cost model.
    Virtual,
    /// By the clock of the machine; by the cost model where there is none.
    Wall,
}

/// Time spent in one block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockTimer {
    began: Option<Instant>,
    /// Charged so far, microseconds.
    charged: f64,
    /// Real microseconds per microsecond of the cost model.
    pub(crate) cost_scale: f64,
}

impl BlockTimer {
    pub(crate) fn start(clock: Clock, cost_scale: f64) -> Self {
        let began = (clock == Clock::Wall).then(clock::now).flatten();
        Self { began, charged: 0.0, cost_scale }
    }

    /// Charges work of `micros` microseconds by the cost model.
    pub(crate) fn charge(&mut self, micros: f64) {
        self.charged += micros * self.cost_scale;
    }

    /// Returns the microseconds since the start.
    pub(crate) fn spent(&self) -> f64 {
        self.began.map_or(self.charged, |began| began.elapsed().as_secs_f64() * 1e6)
    }

    /// Returns the measured [`cost_scale`](Self::cost_scale) of this block, for the next one.
    pub(crate) fn measured_scale(&self) -> Option<f64> {
        let charged = self.charged / self.cost_scale;
        self.began.filter(|_| charged > 0.0).map(|_| self.spent() / charged)
    }
}

/// A request for time: the full cost, and the smallest useful part of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Request {
    pub(crate) cost: f64,
    pub(crate) quantum: f64,
}

impl Request {
    /// Returns as many whole quanta as `available` pays for.
    fn quanta(self, available: f64) -> f64 {
        if available >= self.cost {
            return self.cost;
        }
        let quanta = (available / self.quantum).floor() * self.quantum;
        if quanta > 0.0 { quanta.min(self.cost) } else { 0.0 }
    }
}

/// Shares `available` among items sorted by falling loudness. No item is granted more than it
/// requests, and the sum is at most `available`.
pub(crate) fn share<T>(
    items: &mut [T],
    request: impl Fn(&T) -> Request,
    available: f64,
    slope: f64,
    mut grant: impl FnMut(&mut T, f64),
) {
    let count = items.len().max(1) as f64;
    let slope = if slope.is_nan() { 0.0 } else { slope.clamp(0.0, count) };
    let weight = |i: usize| (1.0 - slope * i as f64 / count).max(0.0);
    let total: f64 = (0..items.len()).map(weight).sum();
    let quota = |i: usize| available.max(0.0) * weight(i) / total.max(1e-9);
    let taken: f64 = items.iter().enumerate().map(|(i, item)| request(item).quanta(quota(i))).sum();
    let mut spare = (available - taken).max(0.0);
    for (i, item) in items.iter_mut().enumerate() {
        let request = request(item);
        let first = request.quanta(quota(i));
        let granted = request.quanta(first + spare).max(first);
        spare -= granted - first;
        grant(item, granted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(costs: &[f64], available: f64, slope: f64) -> Vec<f64> {
        let mut items: Vec<(f64, f64)> = costs.iter().map(|cost| (*cost, 0.0)).collect();
        let request = |item: &(f64, f64)| Request { cost: item.0, quantum: 0.5 };
        share(&mut items, request, available, slope, |item, grant| item.1 = grant);
        items.into_iter().map(|item| item.1).collect()
    }

    #[test]
    fn shares_follow_the_slope() {
        let costs = [10.0; 5];
        assert_eq!(granted(&costs, 25.0, 0.0), [5.0; 5]);
        assert_eq!(granted(&costs, 25.0, f64::INFINITY), [10.0, 10.0, 5.0, 0.0, 0.0]);
        let ramp = granted(&costs, 15.0, 1.0);
        assert!(ramp.windows(2).all(|w| w[0] > w[1]) && ramp[4] > 0.0, "{ramp:?}");
    }

    #[test]
    fn surplus_is_handed_on_and_nothing_is_overdrawn() {
        for slope in [0.0, 0.5, 1.0, 3.0, f64::INFINITY, f64::NAN] {
            for available in [-1.0, 0.0, 3.0, 17.0, 1e3] {
                let costs = [1.0, 20.0, 0.5, 7.0, 2.0, 0.0];
                let grants = granted(&costs, available, slope);
                let total: f64 = grants.iter().sum();
                assert!(grants.iter().zip(costs).all(|(g, c)| *g <= c + 1e-9));
                let due = available.max(0.0).min(costs.iter().sum());
                assert!(total <= due + 1e-9, "{slope} {available}: {grants:?}");
                assert!(total > due - 0.5, "{slope} {available}: {grants:?}");
            }
        }
    }
}
