//! At most so much time per block ([LS 4.3]).
//!
//! Objects are served in order of loudness. Quotas fall along a ramp; what an object does not
//! need goes to the others, the loudest first. What does not fit is left out: it keeps decaying
//! in closed form and comes back when there is time.

use std::time::Instant;

/// A limit on the time a block may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// Microseconds per block.
    pub micros: f64,
    /// How much the loud are favoured: 0 gives all objects the same quota, 1 lets quotas fall to
    /// nothing for the quietest, infinity serves the loudest first, whole.
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
pub(crate) struct Watch {
    began: Option<Instant>,
    /// Charged so far, microseconds.
    charged: f64,
    /// Microseconds that a microsecond of the table takes.
    pub(crate) pace: f64,
}

impl Watch {
    pub(crate) fn start(clock: Clock, pace: f64) -> Self {
        let began = (clock == Clock::Wall).then(Instant::now);
        Self { began, charged: 0.0, pace }
    }

    /// Notes work of so many microseconds of the table.
    pub(crate) fn charge(&mut self, micros: f64) {
        self.charged += micros * self.pace;
    }

    /// Microseconds since the start.
    pub(crate) fn spent(&self) -> f64 {
        self.began.map_or(self.charged, |began| began.elapsed().as_secs_f64() * 1e6)
    }

    /// Microseconds this block took for each of the table, for the next block's pace.
    pub(crate) fn measured_pace(&self) -> Option<f64> {
        let charged = self.charged / self.pace;
        self.began.filter(|_| charged > 0.0).map(|_| self.spent() / charged)
    }
}

/// What somebody asks for: the whole, and the least piece of it that is of use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ask {
    pub(crate) cost: f64,
    pub(crate) piece: f64,
}

impl Ask {
    /// As many whole pieces as `purse` pays.
    fn pieces(self, purse: f64) -> f64 {
        if purse >= self.cost {
            return self.cost;
        }
        let pieces = (purse / self.piece).floor() * self.piece;
        if pieces > 0.0 { pieces.min(self.cost) } else { 0.0 }
    }
}

/// Shares `available` among seats that are sorted by falling loudness: nobody is granted more
/// than it asks for, all together not more than `available`.
pub(crate) fn share<T>(
    seats: &mut [T],
    ask: impl Fn(&T) -> Ask,
    available: f64,
    slope: f64,
    mut grant: impl FnMut(&mut T, f64),
) {
    let count = seats.len().max(1) as f64;
    let slope = if slope.is_nan() { 0.0 } else { slope.clamp(0.0, count) };
    let weight = |i: usize| (1.0 - slope * i as f64 / count).max(0.0);
    let total: f64 = (0..seats.len()).map(weight).sum();
    let quota = |i: usize| available.max(0.0) * weight(i) / total.max(1e-9);
    let taken: f64 = seats.iter().enumerate().map(|(i, seat)| ask(seat).pieces(quota(i))).sum();
    let mut spare = (available - taken).max(0.0);
    for (i, seat) in seats.iter_mut().enumerate() {
        let ask = ask(seat);
        let first = ask.pieces(quota(i));
        let whole = ask.pieces(first + spare).max(first);
        spare -= whole - first;
        grant(seat, whole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(costs: &[f64], available: f64, slope: f64) -> Vec<f64> {
        let mut seats: Vec<(f64, f64)> = costs.iter().map(|cost| (*cost, 0.0)).collect();
        let ask = |seat: &(f64, f64)| Ask { cost: seat.0, piece: 0.5 };
        share(&mut seats, ask, available, slope, |seat, grant| seat.1 = grant);
        seats.into_iter().map(|seat| seat.1).collect()
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
