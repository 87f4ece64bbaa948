//! The modes around one shift.
//!
//! Those below the shift are known by number from the factor's inertia, so it is known
//! when none is missing. Those above are taken as far as they have converged, up to a
//! gap in which a Sturm count proves that they are all.

use super::block::Block;
use super::check::{self, Must};
use super::factor::{Analysis, Factor, count_below};
use super::krylov::{Krylov, Ritz};
use super::march::PIECE;
use super::pencil::Pencil;
use super::tile::LANES;
use super::{EigenError, Options, Stage};

/// Vectors per step: one panel. Wider blocks need more vectors for the same modes.
pub(super) const BLOCK: usize = LANES;

/// Most basis vectors held.
pub(super) fn capacity_for(count: usize, unknowns: usize) -> usize {
    (3 * count + 10 * BLOCK).min(unknowns)
}

/// Bytes that a slice of so many modes takes with its factor.
pub(super) fn needed(pencil: &Pencil, analysis: &Analysis, count: usize) -> u64 {
    let capacity = capacity_for(count, pencil.unknowns());
    let passing = 8 * BLOCK + 6 * PIECE.min(count);
    let vectors = (capacity + passing) as u64 * pencil.unknowns() as u64 * 8;
    let dense = 6 * (capacity as u64).pow(2) * 8;
    analysis.bytes() + pencil.bytes() + vectors + dense
}

/// Where a slice ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// At this λ, with so many modes of the whole problem below it.
    At(f64, usize),
    /// After so many modes of the whole problem.
    Count(usize),
    /// At a gap, after about so many modes of the slice.
    Gap(usize),
}

/// A slice to search.
pub(super) struct Slice<'a> {
    pub(super) pencil: &'a Pencil,
    pub(super) analysis: &'a Analysis,
    pub(super) factor: &'a Factor<'a>,
    /// All modes below are done.
    pub(super) low: f64,
    /// How many they are.
    pub(super) below: usize,
    pub(super) end: End,
    /// Share of the whole solve that is done before and after, for the progress.
    pub(super) share: (f64, f64),
}

/// What one slice found.
pub(super) struct Found<'a> {
    krylov: Krylov<'a>,
    ritz: Ritz,
    /// Ritz pairs in order of λ.
    pub(super) chosen: Vec<usize>,
    /// No mode is missing below.
    pub(super) high: f64,
    /// Number of modes of the whole problem below it.
    pub(super) below: usize,
}

impl Found<'_> {
    /// The vectors of some of the chosen modes.
    pub(super) fn vectors(&self, modes: std::ops::Range<usize>) -> Block {
        self.krylov.vectors(&self.ritz, &self.chosen[modes])
    }
}

/// Ritz values on both sides of the shift, nearest first, and how far they are good.
struct Sides {
    left: Vec<usize>,
    left_good: usize,
    right: Vec<usize>,
    right_good: usize,
}

/// What a test of the Ritz values says.
enum Verdict {
    Done {
        chosen: Vec<usize>,
        high: f64,
        below: usize,
    },
    /// More steps are needed.
    GoOn,
    /// Something is missing that the Krylov space has no part in.
    Stray,
}

impl<'a> Slice<'a> {
    /// Modes of the slice below the shift.
    fn left(&self) -> usize {
        self.factor.below.saturating_sub(self.below)
    }

    /// Modes wanted above the shift.
    fn right(&self) -> usize {
        match self.end {
            End::At(_, count) | End::Count(count) => count.saturating_sub(self.factor.below),
            // One more, to see the gap.
            End::Gap(wanted) => wanted.saturating_sub(self.left()).max(4) + 1,
        }
    }

    /// None when there is no gap to end at.
    pub(super) fn search(
        &self,
        options: &mut Options<'_>,
    ) -> Result<Option<Found<'a>>, EigenError> {
        let wanted = self.left() + self.right();
        let block = BLOCK;
        let capacity = capacity_for(wanted, self.pencil.unknowns());
        let error = EigenError::MassNotDefinite;
        let mut krylov =
            Krylov::new(self.pencil, self.factor, block, capacity).ok_or(error.clone())?;
        let mut must = Must::default();
        let (mut best, mut stale, mut told) = (0, 0, 0.0_f64);
        let mut next_test = (2 * wanted + 4 * block).min(capacity);
        for _ in 0..60 + 12 * capacity / block {
            if krylov.has_room() {
                krylov.expand().ok_or(error.clone())?;
            }
            let tested = krylov.size >= next_test || !krylov.has_room();
            let grown = 0.5 * (krylov.size as f64 / next_test as f64).min(1.0);
            let converged = 0.5 + 0.5 * best as f64 / wanted as f64;
            told = told.max(if best > 0 { converged } else { grown });
            self.report(told, options)?;
            if !tested {
                continue;
            }
            let ritz = krylov.ritz().ok_or(EigenError::NotConverged { found: best, wanted })?;
            let sides = self.sides(&ritz, options.tolerance);
            let good = sides.left_good + sides.right_good.min(self.right());
            let mut stray = match self.judge(&ritz, &sides, &mut must, options)? {
                Some(Verdict::Done { chosen, high, below }) => {
                    return Ok(Some(Found { krylov, ritz, chosen, high, below }));
                }
                Some(Verdict::GoOn) => false,
                Some(Verdict::Stray) => true,
                None => return Ok(None),
            };
            stale = if good > best { 0 } else { stale + 1 };
            best = best.max(good);
            if stale >= 4 {
                (stray, stale) = (true, 0);
            }
            next_test = krylov.size + (wanted / 12).max(2 * block);
            if stray || !krylov.has_room() {
                let keep = wanted + (capacity - wanted.min(capacity)) / 3;
                let keep = keep.min(krylov.size.saturating_sub(block)).max(1);
                krylov.restart(&ritz, &(0..keep).collect::<Vec<_>>());
                next_test = (krylov.size + 3 * block).min(capacity);
                if stray {
                    krylov.inject(block).ok_or(error.clone())?;
                }
            }
        }
        Err(match must.missed() {
            Some(error) => error,
            None => EigenError::NotConverged { found: best, wanted },
        })
    }

    fn report(&self, done: f64, options: &mut Options<'_>) -> Result<(), EigenError> {
        let (from, to) = self.share;
        options.report(Stage::Iterating, from + (to - from) * done)
    }

    fn lambda(&self, ritz: &Ritz, i: usize) -> f64 {
        self.factor.sigma + 1.0 / ritz.theta[i]
    }

    /// The Ritz values come with the largest |θ| first, which is the nearest to the shift.
    fn sides(&self, ritz: &Ritz, tolerance: f64) -> Sides {
        let good = |i: &usize| ritz.residual[*i] <= tolerance * ritz.theta[*i].abs();
        let side = |sign: f64| -> Vec<usize> {
            (0..ritz.theta.len()).filter(|i| sign * ritz.theta[*i] > 0.0).collect()
        };
        let (mut left, right) = (side(-1.0), side(1.0));
        left.truncate(self.left());
        let left_good = left.iter().filter(|i| good(i)).count();
        let right_good = right.iter().take_while(|i| good(i)).count();
        Sides { left, left_good, right, right_good }
    }

    /// Whether the slice is complete; None when it cannot be closed.
    fn judge(
        &self,
        ritz: &Ritz,
        sides: &Sides,
        must: &mut Must,
        options: &mut Options<'_>,
    ) -> Result<Option<Verdict>, EigenError> {
        let (left, right) = (self.left(), self.right());
        if sides.left_good < left || sides.right_good < right {
            return Ok(Some(Verdict::GoOn));
        }
        // A mode that lies below the slice stands in for one that is missing.
        let border = check::distance(self.low, self.pencil.top);
        if sides.left.iter().any(|i| self.lambda(ritz, *i) < self.low - border) {
            return Ok(Some(Verdict::Stray));
        }
        let chosen = |right: usize| -> Vec<usize> {
            sides.left.iter().rev().chain(&sides.right[..right]).copied().collect()
        };
        let below = self.factor.below + right;
        let done = |right: usize, high: f64, below: usize| {
            Ok(Some(Verdict::Done { chosen: chosen(right), high, below }))
        };
        match self.end {
            End::At(high, count) => {
                let border = check::distance(high, self.pencil.top);
                match right.checked_sub(1).map(|last| self.lambda(ritz, sides.right[last])) {
                    Some(last) if last > high + border => Ok(Some(Verdict::Stray)),
                    _ => done(right, high, count),
                }
            }
            End::Count(_) => {
                let chosen = chosen(right);
                let lambda: Vec<f64> = chosen.iter().map(|i| self.lambda(ritz, *i)).collect();
                let (pencil, analysis) = (self.pencil, self.analysis);
                if must.satisfied(&lambda, self.below, pencil, analysis, options)? {
                    let high = lambda.last().copied().unwrap_or(self.low);
                    return Ok(Some(Verdict::Done { chosen, high, below }));
                }
                Ok(Some(Verdict::Stray))
            }
            End::Gap(_) => {
                let lambda = |r: usize| self.lambda(ritz, sides.right[r]);
                // The widest gap among the last, where a count falls on clear ground.
                let gap = |r: &usize| (lambda(*r) - lambda(*r - 1)) / lambda(*r).abs();
                let good = sides.right_good;
                let widest = (1.max(good - good / 4 - 1)..good)
                    .max_by(|a, b| gap(a).total_cmp(&gap(b)))
                    .filter(|r| gap(r) > 1e3 * check::CLOSE);
                let Some(r) = widest else {
                    // All copies of one mode: end at the shift itself if that is any use.
                    let (sigma, below) = (self.factor.sigma, self.factor.below);
                    return if left > 0 { done(0, sigma, below) } else { Ok(None) };
                };
                let high = 0.5 * (lambda(r) + lambda(r - 1));
                let counted = count_below(self.analysis, self.pencil, high, options)?;
                if counted <= self.factor.below + r {
                    return done(r, high, counted);
                }
                Ok(Some(Verdict::Stray))
            }
        }
    }
}
