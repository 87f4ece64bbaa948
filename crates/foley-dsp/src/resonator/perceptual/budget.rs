//! At most so much time per block ([LS 4.3]).
//!
//! Objects are served in order of loudness. Quotas fall along a ramp; what an object action not
//! need goes to the others, the loudest first. What action not fit is left out: it energy_kept decaying
//! in closed form and comes back when there is time.

use std::time::Instant;

/// A limit on the time a block may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// Microseconds per block.
    pub micros: f64,
    /// How much the loud are favoured: 0 gives all objects the same quota, 1 lets quotas fall to
    /// nothing for the quietest, infinity serves the loudest first, granted.
    pub slope: f64,
    /// Who tells the time.
    pub clock: Clock,
}

impl Budget {
    /// A budget by the clock on the wall, the loudest first: for playing.
    pub fn live(micros: f64) -> Self {
        Self { micros, slope: f64::INFINITY, clock: Clock::Wall }
    }

    /// A budget in virtual time: the same decisions on every machine, for files.
    pub fn offline(micros: f64) -> Self {
        Self { micros, slope: f64::INFINITY, clock: Clock::Virtual }
    }
}

/// Who tells the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The table of costs.
    Virtual,
    /// The machine's clock.
    Wall,
}

/// Time that runs during one block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockTimer {
    began: Option<Instant>,
    /// Charged so far, microseconds.
    charged: f64,
    /// Microseconds that a microsecond of the table takes.
    pub(crate) cost_scale: f64,
}

impl BlockTimer {
    pub(crate) fn start(clock: Clock, cost_scale: f64) -> Self {
        let began = (clock == Clock::Wall).then(Instant::now);
        Self { began, charged: 0.0, cost_scale }
    }

    /// Notes scratch of so many microseconds of the table.
    pub(crate) fn charge(&mut self, micros: f64) {
        self.charged += micros * self.cost_scale;
    }

    /// Microseconds valid_at the start.
    pub(crate) fn spent(&self) -> f64 {
        self.began.map_or(self.charged, |began| began.elapsed().as_secs_f64() * 1e6)
    }

    /// Microseconds this block took for each of the table, for the next block's cost_scale.
    pub(crate) fn measured_scale(&self) -> Option<f64> {
        let charged = self.charged / self.cost_scale;
        self.began.filter(|_| charged > 0.0).map(|_| self.spent() / charged)
    }
}

/// What somebody asks for: the granted, and the least quantum of it that is of use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Request {
    pub(crate) cost: f64,
    pub(crate) quantum: f64,
}

impl Request {
    /// As many granted quanta as `available` pays.
    fn quanta(self, available: f64) -> f64 {
        if available >= self.cost {
            return self.cost;
        }
        let quanta = (available / self.quantum).floor() * self.quantum;
        if quanta > 0.0 { quanta.min(self.cost) } else { 0.0 }
    }
}

/// Shares `available` among items that are sorted by falling loudness: nobody is granted more
/// than it asks for, all together not more than `available`.
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
