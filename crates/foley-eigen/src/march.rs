//! Slice after slice up the spectrum.
//!
//! R. Grimes, J. Lewis, H. Simon (see `krylov`): a slice of a bounded number of modes
//! keeps the basis small, whose orthogonalisation grows with the square of its size, and
//! the shift amid its modes brings them out in few steps.

use super::check::polished;
use super::factor::Analysis;
use super::modes::Modes;
use super::pencil::Pencil;
use super::slice::{End, Slice};
use super::{EigenError, Options, Stage, slice};

/// The most modes of one slice: the last may be larger than the others by a third.
pub(super) fn largest(analysis: &Analysis) -> usize {
    analysis.slice() * 4 / 3
}

/// Modes handed on at a time.
pub(super) const PIECE: usize = 32;

/// Receives modes in ascending order, some at a time; an error ends the solve.
pub(super) type Sink<'s> = dyn FnMut(Modes) -> Result<(), EigenError> + 's;

/// How far to go.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// To this λ, with so many modes below it.
    UpTo(f64, usize),
    /// To so many modes of the whole problem.
    Count(usize),
}

/// Places where the number of modes below is known, or guessed before any is.
struct Known {
    points: Vec<(f64, f64)>,
    guess: Option<(f64, f64)>,
}

pub(super) struct March<'a> {
    pencil: &'a Pencil,
    analysis: &'a Analysis,
    known: Known,
    low: f64,
    below: usize,
    goal: Goal,
    begun: usize,
    /// The part of the whole that was told.
    told: f64,
}

impl<'a> March<'a> {
    /// Begins at `low`, with so many modes below.
    pub(super) fn new(
        pencil: &'a Pencil,
        analysis: &'a Analysis,
        (low, below): (f64, usize),
        goal: Goal,
    ) -> Self {
        let known = Known { points: Vec::new(), guess: None };
        let march = Self { pencil, analysis, known, low, below, goal, begun: below, told: 0.0 };
        let march = march.knowing(low, below);
        match goal {
            Goal::UpTo(high, count) => march.knowing(high, count),
            Goal::Count(_) => march,
        }
    }

    /// With so many modes below a λ.
    pub(super) fn knowing(mut self, lambda: f64, count: usize) -> Self {
        self.known.learn(lambda, count);
        self
    }

    /// With about so many modes below a λ: where to try first.
    pub(super) fn guessing(mut self, lambda: f64, count: usize) -> Self {
        self.known.guess = (lambda > 0.0).then_some((lambda, count as f64));
        self
    }

    pub(super) fn run(
        &mut self,
        options: &mut Options<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), EigenError> {
        let total = match self.goal {
            Goal::UpTo(_, count) | Goal::Count(count) => count,
        };
        let (size, largest) = (self.analysis.slice(), largest(self.analysis));
        let mut enlarged = 0;
        while self.below < total {
            let remaining = total - self.below;
            let last = remaining <= largest + enlarged;
            let wanted = if last { remaining } else { size + enlarged };
            let factor = self.factor(wanted, options)?;
            let end = match self.goal {
                Goal::UpTo(high, count) if last => End::At(high, count),
                Goal::Count(count) if last => End::Count(count),
                _ => End::Gap(wanted),
            };
            let begun = self.begun;
            let done = |count: usize| (count - begun) as f64 / (total - begun) as f64;
            // A slice may end sooner than hoped, but what was told stands.
            let from = self.told.max(done(self.below));
            let share = (from, from.max(done((self.below + wanted).min(total))));
            self.told = share.1;
            let (pencil, analysis) = (self.pencil, self.analysis);
            if enlarged > 0 {
                options.check_memory(slice::needed(pencil, analysis, wanted))?;
            }
            let (low, below) = (self.low, self.below);
            let slice = Slice { pencil, analysis, factor: &factor, low, below, end, share };
            let Some(found) = slice.search(options)? else {
                enlarged = 2 * (enlarged + size);
                continue;
            };
            enlarged = 0;
            let count = found.chosen.len();
            for first in (0..count).step_by(PIECE) {
                let vectors = found.vectors(first..(first + PIECE).min(count));
                let modes = polished(self.pencil, &factor, vectors, options.tolerance)?;
                let handed = done(self.below + (first + PIECE).min(count));
                options.report(Stage::Iterating, self.told.max(handed))?;
                sink(modes)?;
            }
            self.known.learn(found.high, found.below);
            (self.low, self.below) = (found.high, found.below);
        }
        Ok(())
    }

    /// A factor at a shift with a good part of the wanted modes on either side.
    fn factor(
        &mut self,
        wanted: usize,
        options: &mut Options<'_>,
    ) -> Result<super::factor::Factor<'a>, EigenError> {
        // Below the first slice there is nothing that could disturb its lower side.
        let lower = if self.below == 0 { 0.62 } else { 0.5 };
        let target = self.below as f64 + lower * wanted as f64;
        for tries in 0..40 {
            let (floor, ceiling) = self.known.bracket(target, self.low);
            let sigma = match ceiling {
                // Counts that leap, as at many copies of one mode, defy the guess.
                Some(ceiling) if tries >= 3 => 0.5 * (floor + ceiling),
                _ => self.known.place(target, self.low, self.pencil.top),
            };
            let factor = self.analysis.factor(self.pencil, sigma, Stage::Factorising, options)?;
            self.known.guess = None;
            self.known.learn(sigma, factor.below);
            let left = factor.below.saturating_sub(self.below);
            let (fewest, most) = (wanted / 6, wanted - wanted / 8);
            if (left >= fewest && left <= most) || (left <= wanted && tries >= 5) {
                return Ok(factor);
            }
        }
        Err(EigenError::NotConverged { found: self.below, wanted: self.below + wanted })
    }
}

impl Known {
    /// A count is worth more than a guess: guesses that contradict it go.
    fn learn(&mut self, lambda: f64, count: usize) {
        let count = count as f64;
        self.points.retain(
            |(l, c)| {
                if *l < lambda { *c <= count } else { *l > lambda && *c >= count }
            },
        );
        self.points.push((lambda, count));
        self.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }

    /// The known places on either side of `target` modes.
    fn bracket(&self, target: f64, low: f64) -> (f64, Option<f64>) {
        let below = self.points.iter().rev().find(|(_, c)| *c <= target);
        let above = self.points.iter().find(|(_, c)| *c > target);
        (below.map_or(low, |p| p.0), above.map(|p| p.0))
    }

    /// About where `target` modes lie below, between the points that bracket it.
    fn place(&self, target: f64, low: f64, top: f64) -> f64 {
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
