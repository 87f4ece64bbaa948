//! Slice after slice up the spectrum.
//!
//! R. Grimes, J. Lewis, H. Simon (see `krylov`): a slice of a bounded number of modes
//! keeps the basis small, whose orthogonalisation grows with the square of its size, and
//! the shift amid its modes brings them out in few steps.

use super::check::refined;
use super::factor::Analysis;
use super::modes::Modes;
use super::pencil::Pencil;
use super::slice::{End, Slice};
use super::{EigenError, Options, Stage};

/// Modes wanted from one shift.
pub(super) const SLICE: usize = 200;
/// A last slice may be this much larger before it is divided.
pub(super) const LAST: usize = SLICE + SLICE / 3;
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

/// Places where the number of modes below is known or guessed.
struct Known {
    points: Vec<(f64, f64)>,
}

pub(super) struct March<'a> {
    pencil: &'a Pencil,
    analysis: &'a Analysis,
    known: Known,
    low: f64,
    below: usize,
    goal: Goal,
    begun: usize,
}

impl<'a> March<'a> {
    /// Begins at `low`, with so many modes below; `guess` says about how many lie below
    /// some other λ.
    pub(super) fn new(
        pencil: &'a Pencil,
        analysis: &'a Analysis,
        (low, below): (f64, usize),
        goal: Goal,
        guess: Option<(f64, f64)>,
    ) -> Self {
        let mut known = Known { points: Vec::new() };
        known.points.extend(guess);
        known.learn(low, below);
        if let Goal::UpTo(high, count) = goal {
            known.learn(high, count);
        }
        Self { pencil, analysis, known, low, below, goal, begun: below }
    }

    pub(super) fn run(
        &mut self,
        options: &mut Options<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), EigenError> {
        let total = match self.goal {
            Goal::UpTo(_, count) | Goal::Count(count) => count,
        };
        let mut enlarged = 0;
        while self.below < total {
            let remaining = total - self.below;
            let last = remaining <= LAST + enlarged;
            let wanted = if last { remaining } else { SLICE + enlarged };
            let factor = self.factor(wanted, options)?;
            let end = match self.goal {
                Goal::UpTo(high, count) if last => End::At(high, count),
                Goal::Count(count) if last => End::Count(count),
                _ => End::Gap(wanted),
            };
            let done = |count: usize| {
                (count - self.begun) as f64 / (total - self.begun) as f64
            };
            let share = (done(self.below), done((self.below + wanted).min(total)));
            let (pencil, analysis) = (self.pencil, self.analysis);
            let (low, below) = (self.low, self.below);
            let slice = Slice { pencil, analysis, factor: &factor, low, below, end, share };
            let Some(found) = slice.search(options)? else {
                enlarged = 2 * (enlarged + SLICE);
                continue;
            };
            enlarged = 0;
            let count = found.chosen.len();
            for first in (0..count).step_by(PIECE) {
                let vectors = found.vectors(first..(first + PIECE).min(count));
                let modes = refined(self.pencil, vectors, factor.sigma, options.tolerance)?;
                options.report(Stage::Iterating, done(self.below + (first + PIECE).min(count)))?;
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
        let target = self.below as f64 + 0.5 * wanted as f64;
        for tries in 0..40 {
            let (floor, ceiling) = self.known.bracket(target, self.low);
            let sigma = match ceiling {
                // Counts that leap, as at many copies of one mode, defy the guess.
                Some(ceiling) if tries >= 3 => 0.5 * (floor + ceiling),
                _ => self.known.place(target, self.low, self.pencil.top),
            };
            let factor = self.analysis.factor(self.pencil, sigma, Stage::Factorising, options)?;
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
        self.points.retain(|(l, c)| {
            if *l < lambda { *c <= count } else { *l > lambda && *c >= count }
        });
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
