//! All modes of an interval.

use super::factor::{Analysis, count_below};
use super::march::{Goal, March, Sink};
use super::pencil::Pencil;
use super::{EigenError, Options};

/// An interval of λ and how many modes lie below its ends.
pub(super) struct Interval {
    low: f64,
    high: f64,
    below_low: usize,
    below_high: usize,
}

impl Interval {
    /// Counts the modes with low ≤ λ' < high, in the pencil's units.
    pub(super) fn new(
        pencil: &Pencil,
        analysis: &Analysis,
        low: f64,
        high: f64,
        options: &mut Options<'_>,
    ) -> Result<Self, EigenError> {
        // Zero modes come out a little on either side of zero.
        let (low, below_low) = if low <= 0.0 {
            (-1e-9 * pencil.top.max(high), 0)
        } else {
            (low, count_below(analysis, pencil, low, options)?)
        };
        let below_high = count_below(analysis, pencil, high, options)?.max(below_low);
        Ok(Self { low, high, below_low, below_high })
    }

    /// Number of modes inside.
    pub(super) fn count(&self) -> usize {
        self.below_high - self.below_low
    }

    /// The lowest `most` of them.
    pub(super) fn modes(
        &self,
        pencil: &Pencil,
        analysis: &Analysis,
        most: usize,
        options: &mut Options<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), EigenError> {
        let goal = if most < self.count() {
            Goal::Count(self.below_low + most)
        } else {
            Goal::UpTo(self.high, self.below_high)
        };
        let begin = (self.low, self.below_low);
        March::new(pencil, analysis, begin, goal)
            .knowing(self.high, self.below_high)
            .run(options, sink)
    }
}
