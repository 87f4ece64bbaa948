//! All modes of an interval of λ.

use super::{Goal, Sink, SpectrumSlicer};
use crate::factor::{SymbolicFactor, count_below};
use crate::pencil::Pencil;
use crate::{EigenError, Options};

/// An interval of λ and the numbers of modes below its ends.
pub(crate) struct Interval {
    low: f64,
    high: f64,
    below_low: usize,
    below_high: usize,
}

impl Interval {
    /// Counts the modes with low ≤ λ' < high, in the pencil's units.
    pub(crate) fn new(
        pencil: &Pencil,
        symbolic: &SymbolicFactor,
        low: f64,
        high: f64,
        options: &mut Options<'_>,
    ) -> Result<Self, EigenError> {
        // Rounding puts zero modes slightly above or below zero.
        let (low, below_low) = if low <= 0.0 {
            (-1e-9 * pencil.lambda_max.max(high), 0)
        } else {
            (low, count_below(symbolic, pencil, low, options)?)
        };
        let below_high = count_below(symbolic, pencil, high, options)?.max(below_low);
        Ok(Self { low, high, below_low, below_high })
    }

    /// Returns the number of modes inside.
    pub(crate) fn count(&self) -> usize {
        self.below_high - self.below_low
    }

    /// Passes the lowest `most` modes to `sink`.
    pub(crate) fn modes(
        &self,
        pencil: &Pencil,
        symbolic: &SymbolicFactor,
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
        SpectrumSlicer::new(pencil, symbolic, begin, goal)
            .with_count(self.high, self.below_high)
            .run(options, sink)
    }
}
