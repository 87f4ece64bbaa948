//! Spectrum slicing: shift-and-invert Lanczos on one interval of λ after another.
//!
//! R. Grimes, J. Lewis, H. Simon (see `krylov`). A slice has a bounded number of modes, which
//! keeps the basis small (orthogonalisation costs the square of its size), and the shift lies
//! amid its modes, so that they converge in few steps.

mod lowest;
mod slice;

pub(crate) use lowest::lowest;
pub(crate) use slice::memory_bytes;

use crate::factor::{Factor, SymbolicFactor};
use crate::modes::Modes;
use crate::pencil::Pencil;
use crate::verify::polished_and_verified;
use crate::{EigenError, Options, Stage};
use slice::{End, Slice, SliceModes};

/// Returns the largest number of modes of a slice: the last one may be a third larger.
pub(crate) fn max_slice_size(symbolic: &SymbolicFactor) -> usize {
    symbolic.modes_per_slice() * 4 / 3
}

/// Modes passed on at a time.
pub(crate) const BATCH: usize = 32;

/// Receives modes in ascending order, in batches; an error ends the solve.
pub(crate) type Sink<'s> = dyn FnMut(Modes) -> Result<(), EigenError> + 's;

/// End of the search.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// Up to this λ, with the number of modes below it.
    UpTo(f64, usize),
    /// Up to this number of modes of the problem.
    Count(usize),
}

/// Sturm counts: λ and the number of modes below it, and a first estimate.
struct ModeCounts {
    points: Vec<(f64, f64)>,
    guess: Option<(f64, f64)>,
}

pub(crate) struct SpectrumSlicer<'a> {
    pencil: &'a Pencil,
    symbolic: &'a SymbolicFactor,
    counts: ModeCounts,
    low: f64,
    below: usize,
    goal: Goal,
    begun: usize,
    /// Fraction of the solve reported so far.
    reported: f64,
}

impl<'a> SpectrumSlicer<'a> {
    /// Starts at `low` with `below` modes below it.
    pub(crate) fn new(
        pencil: &'a Pencil,
        symbolic: &'a SymbolicFactor,
        (low, below): (f64, usize),
        goal: Goal,
    ) -> Self {
        let counts = ModeCounts { points: Vec::new(), guess: None };
        let slicer =
            Self { pencil, symbolic, counts, low, below, goal, begun: below, reported: 0.0 };
        let slicer = slicer.with_count(low, below);
        match goal {
            Goal::UpTo(high, count) => slicer.with_count(high, count),
            Goal::Count(_) => slicer,
        }
    }

    /// Adds a known count of modes below a λ.
    pub(crate) fn with_count(mut self, lambda: f64, count: usize) -> Self {
        self.counts.record(lambda, count);
        self
    }

    /// Sets an estimated count of modes below a λ, for the first shift.
    pub(crate) fn with_guess(mut self, lambda: f64, count: usize) -> Self {
        self.counts.guess = (lambda > 0.0).then_some((lambda, count as f64));
        self
    }

    pub(crate) fn run(
        &mut self,
        options: &mut Options<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), EigenError> {
        let total = match self.goal {
            Goal::UpTo(_, count) | Goal::Count(count) => count,
        };
        let (size, max_size) = (self.symbolic.modes_per_slice(), max_slice_size(self.symbolic));
        let mut enlarged = 0;
        while self.below < total {
            let remaining = total - self.below;
            let last = remaining <= max_size + enlarged;
            let wanted = if last { remaining } else { size + enlarged };
            let factor = self.factor(wanted, options)?;
            let end = match self.goal {
                Goal::UpTo(high, count) if last => End::At(high, count),
                Goal::Count(count) if last => End::Count(count),
                _ => End::Gap(wanted),
            };
            let begun = self.begun;
            let done = |count: usize| (count - begun) as f64 / (total - begun) as f64;
            // A slice may end early, but the reported fraction must not fall.
            let from = self.reported.max(done(self.below));
            let share = (from, from.max(done((self.below + wanted).min(total))));
            self.reported = share.1;
            let (pencil, symbolic) = (self.pencil, self.symbolic);
            if enlarged > 0 {
                options.check_memory(slice::memory_bytes(pencil, symbolic, wanted))?;
            }
            let (low, below) = (self.low, self.below);
            let slice = Slice { pencil, symbolic, factor: &factor, low, below, end, share };
            let Some(found) = slice.search(options)? else {
                enlarged = 2 * (enlarged + size);
                continue;
            };
            enlarged = 0;
            let count = found.chosen.len();
            let mut clear = None;
            for first in (0..count).step_by(BATCH) {
                let range = first..(first + BATCH).min(count);
                let modes = self.verified(&found, range, wanted, &factor, &mut clear, options)?;
                let fraction = done(self.below + (first + BATCH).min(count));
                options.report(Stage::Iterating, self.reported.max(fraction))?;
                sink(modes)?;
            }
            self.counts.record(found.high, found.below);
            (self.low, self.below) = (found.high, found.below);
        }
        Ok(())
    }

    /// Returns verified modes of a slice of `wanted` modes. Where the shift is so close to a mode that
    /// its factor cannot polish the others, they are polished from a shift amid the widest gap, whose
    /// factor is kept in `clear`.
    ///
    /// A solve multiplies the part of a mode μ in a vector of the mode λ by |λ − σ|/|μ − σ|, and rounding
    /// errors of the Lanczos iteration grow as the largest 1/|μ − σ|. No choice by counts limits these.
    /// The widest of the gaps between n modes is at least the (n − 1)th part of their range, so that
    /// from its middle the ratio is at most 2 (n − 1).
    fn verified(
        &self,
        found: &SliceModes<'_>,
        range: std::ops::Range<usize>,
        wanted: usize,
        factor: &Factor<'_>,
        clear: &mut Option<Factor<'a>>,
        options: &mut Options<'_>,
    ) -> Result<Modes, EigenError> {
        let (pencil, symbolic, sigma) = (self.pencil, self.symbolic, factor.sigma);
        let polished = |factor: &Factor<'_>, tolerance: f64| {
            polished_and_verified(pencil, factor, found.vectors(range.clone()), sigma, tolerance)
        };
        let failed = match polished(clear.as_ref().unwrap_or(factor), options.tolerance) {
            Err(error @ EigenError::NotConverged { .. }) if clear.is_none() => error,
            answer => return answer,
        };
        let Some(middle) = found.middle_of_widest_gap(sigma) else { return Err(failed) };
        // Both factors are held at once.
        let bytes = slice::memory_bytes(pencil, symbolic, wanted) + symbolic.bytes();
        if options.check_memory(bytes).is_err() {
            return Err(failed);
        }
        let moved = symbolic.factor(pencil, middle, Stage::Factorising, options)?;
        polished(clear.insert(moved), options.tolerance)
    }

    /// Returns a factor at a shift with wanted modes on both sides.
    fn factor(
        &mut self,
        wanted: usize,
        options: &mut Options<'_>,
    ) -> Result<Factor<'a>, EigenError> {
        // No modes lie below the first slice, so its shift can be higher.
        let lower = if self.below == 0 { 0.62 } else { 0.5 };
        let target = self.below as f64 + lower * wanted as f64;
        for tries in 0..40 {
            let (floor, ceiling) = self.counts.bracket(target, self.low);
            let sigma = match ceiling {
                // Interpolation fails where counts jump, as at a multiple mode.
                Some(ceiling) if tries >= 3 => 0.5 * (floor + ceiling),
                _ => self.counts.shift_for(target, self.low, self.pencil.lambda_max),
            };
            let factor = self.symbolic.factor(self.pencil, sigma, Stage::Factorising, options)?;
            self.counts.guess = None;
            self.counts.record(sigma, factor.below);
            let left = factor.below.saturating_sub(self.below);
            let (fewest, most) = (wanted / 6, wanted - wanted / 8);
            if (left >= fewest && left <= most) || (left <= wanted && tries >= 5) {
                return Ok(factor);
            }
        }
        Err(EigenError::NotConverged { found: self.below, wanted: self.below + wanted })
    }
}

impl ModeCounts {
    /// Records a count and drops the points that contradict it.
    fn record(&mut self, lambda: f64, count: usize) {
        let count = count as f64;
        self.points.retain(
            |(l, c)| {
                if *l < lambda { *c <= count } else { *l > lambda && *c >= count }
            },
        );
        self.points.push((lambda, count));
        self.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }

    /// Returns the known λ on either side of `target` modes.
    fn bracket(&self, target: f64, low: f64) -> (f64, Option<f64>) {
        let below = self.points.iter().rev().find(|(_, c)| *c <= target);
        let above = self.points.iter().find(|(_, c)| *c > target);
        (below.map_or(low, |p| p.0), above.map(|p| p.0))
    }

    /// Returns an estimate of the λ with `target` modes below, between its bracket.
    fn shift_for(&self, target: f64, low: f64, top: f64) -> f64 {
        let above = self.points.iter().find(|(_, c)| *c > target).copied();
        let below = self.points.iter().rev().find(|(_, c)| *c <= target).copied();
        let (below, above) = match self.guess {
            Some(guess) if guess.1 > target => (below, above.or(Some(guess))),
            Some(guess) => (Some(guess), above),
            None => (below, above),
        };
        let grows = |(l, c): (f64, f64)| l > 0.0 && c > 0.5;
        let sigma = match (below, above) {
            (Some(a), Some(b)) if grows(a) => {
                a.0 * (b.0 / a.0).powf((target / a.1).ln() / (b.1 / a.1).ln())
            }
            (_, Some(b)) => b.0 * (target / b.1),
            (Some(a), None) if grows(a) => a.0 * (target / a.1).min(8.0),
            _ => 1e-6 * top,
        };
        let (floor, ceiling) = self.bracket(target, low);
        match ceiling {
            Some(ceiling) => {
                let margin = 0.02 * (ceiling - floor);
                sigma.clamp(floor + margin, ceiling - margin)
            }
            None => sigma.max(floor + 0.02 * floor.abs()),
        }
    }
}
