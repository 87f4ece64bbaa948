//! One slice: the modes around one shift.
//!
//! The inertia of the factor gives the number of modes below the shift, which proves them
//! complete. The modes above are taken as far as they have converged, up to a gap in which a
//! Sturm count proves them complete.

use super::BATCH;
use crate::factor::{Factor, SymbolicFactor, count_below};
use crate::kernels::block_vector::BlockVector;
use crate::kernels::simd::LANES;
use crate::krylov::{Krylov, Ritz};
use crate::pencil::Pencil;
use crate::verify::{self, SturmCheck};
use crate::{EigenError, Options, Stage};

/// Vectors per Lanczos step: one panel. Wider blocks need more vectors for the same modes.
pub(crate) const BLOCK: usize = LANES;

/// Part of the tolerance to which the Lanczos iteration converges: its residual has another norm, by
/// which a mode that has just converged may miss the tolerance several times.
const LANCZOS_MARGIN: f64 = 0.1;

/// Returns the capacity of the basis.
pub(crate) fn capacity_for(count: usize, unknowns: usize) -> usize {
    (3 * count + 10 * BLOCK).min(unknowns)
}

/// Returns the bytes of a slice of `count` modes with its factor.
pub(crate) fn memory_bytes(pencil: &Pencil, symbolic: &SymbolicFactor, count: usize) -> u64 {
    let capacity = capacity_for(count, pencil.unknowns());
    let temporary = 8 * BLOCK + 6 * BATCH.min(count);
    let vectors = (capacity + temporary) as u64 * pencil.unknowns() as u64 * 8;
    let dense = 6 * (capacity as u64).pow(2) * 8;
    symbolic.bytes() + pencil.bytes() + vectors + dense
}

/// Upper end of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// At this λ, with the number of modes of the problem below it.
    At(f64, usize),
    /// After this number of modes of the problem.
    Count(usize),
    /// At a gap, after about this number of modes of the slice.
    Gap(usize),
}

/// A slice of the spectrum.
pub(crate) struct Slice<'a> {
    pub(crate) pencil: &'a Pencil,
    pub(crate) symbolic: &'a SymbolicFactor,
    pub(crate) factor: &'a Factor<'a>,
    /// Lower end: all modes below are found.
    pub(crate) low: f64,
    /// Number of modes below `low`.
    pub(crate) below: usize,
    pub(crate) end: End,
    /// Completed fraction of the solve before and after this slice, for the progress.
    pub(crate) share: (f64, f64),
}

/// The modes found in one slice.
pub(crate) struct SliceModes<'a> {
    krylov: Krylov<'a>,
    ritz: Ritz,
    /// Ritz pairs in order of λ.
    pub(crate) chosen: Vec<usize>,
    /// Upper end: no mode is missing below.
    pub(crate) high: f64,
    /// Number of modes of the problem below `high`.
    pub(crate) below: usize,
}

impl SliceModes<'_> {
    /// Returns the vectors of a range of the chosen modes.
    pub(crate) fn vectors(&self, modes: std::ops::Range<usize>) -> BlockVector {
        self.krylov.vectors(&self.ritz, &self.chosen[modes])
    }

    /// Returns the λ amid the widest gap between the chosen modes, found from the shift σ; `None` when
    /// there is no gap.
    pub(crate) fn middle_of_widest_gap(&self, sigma: f64) -> Option<f64> {
        let lambda: Vec<f64> =
            self.chosen.iter().map(|i| sigma + 1.0 / self.ritz.theta[*i]).collect();
        let gap = |pair: &&[f64]| pair[1] - pair[0];
        let widest = lambda.windows(2).max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        (gap(&widest) > 0.0).then_some(0.5 * (widest[0] + widest[1]))
    }
}

/// Ritz values on both sides of the shift, nearest first, and how many have converged.
struct Sides {
    left: Vec<usize>,
    left_good: usize,
    right: Vec<usize>,
    right_good: usize,
}

/// Result of a completeness test.
enum Verdict {
    Complete {
        chosen: Vec<usize>,
        high: f64,
        below: usize,
    },
    /// More steps are needed.
    Continue,
    /// A mode outside the Krylov space is missing.
    Missing,
}

impl<'a> Slice<'a> {
    /// Returns the number of modes of the slice below the shift.
    fn left(&self) -> usize {
        self.factor.below.saturating_sub(self.below)
    }

    /// Returns the number of modes wanted above the shift.
    fn right(&self) -> usize {
        match self.end {
            End::At(_, count) | End::Count(count) => count.saturating_sub(self.factor.below),
            // One more, to find the gap.
            End::Gap(wanted) => wanted.saturating_sub(self.left()).max(4) + 1,
        }
    }

    /// Searches the slice; `None` when there is no gap to end at.
    pub(crate) fn search(
        &self,
        options: &mut Options<'_>,
    ) -> Result<Option<SliceModes<'a>>, EigenError> {
        let wanted = self.left() + self.right();
        let block = BLOCK;
        let capacity = capacity_for(wanted, self.pencil.unknowns());
        let error = EigenError::MassNotDefinite;
        let mut krylov =
            Krylov::new(self.pencil, self.factor, block, capacity).ok_or(error.clone())?;
        let mut sturm = SturmCheck::default();
        let (mut best, mut stale, mut reported) = (0, 0, 0.0_f64);
        let mut next_test = (2 * wanted + 4 * block).min(capacity);
        for _ in 0..60 + 12 * capacity / block {
            if krylov.has_room() {
                krylov.expand().ok_or(error.clone())?;
            }
            let tested = krylov.size >= next_test || !krylov.has_room();
            let grown = 0.5 * (krylov.size as f64 / next_test as f64).min(1.0);
            let converged = 0.5 + 0.5 * best as f64 / wanted as f64;
            reported = reported.max(if best > 0 { converged } else { grown });
            self.report(reported, options)?;
            if !tested {
                continue;
            }
            let ritz = krylov.ritz().ok_or(EigenError::NotConverged { found: best, wanted })?;
            self.report(reported, options)?;
            let sides = self.sides(&ritz, options.tolerance);
            let good = sides.left_good + sides.right_good.min(self.right());
            let mut missing = match self.test_completeness(&ritz, &sides, &mut sturm, options)? {
                Some(Verdict::Complete { chosen, high, below }) => {
                    return Ok(Some(SliceModes { krylov, ritz, chosen, high, below }));
                }
                Some(Verdict::Continue) => false,
                Some(Verdict::Missing) => true,
                None => return Ok(None),
            };
            stale = if good > best { 0 } else { stale + 1 };
            best = best.max(good);
            if stale >= 4 {
                (missing, stale) = (true, 0);
            }
            next_test = krylov.size + (wanted / 12).max(2 * block);
            if missing || !krylov.has_room() {
                let keep = wanted + (capacity - wanted.min(capacity)) / 3;
                let keep = keep.min(krylov.size.saturating_sub(block)).max(1);
                self.report(reported, options)?;
                krylov.restart(&ritz, &(0..keep).collect::<Vec<_>>());
                self.report(reported, options)?;
                next_test = (krylov.size + 3 * block).min(capacity);
                if missing {
                    krylov.add_random_directions(block).ok_or(error.clone())?;
                }
            }
        }
        Err(match sturm.missed() {
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

    /// Splits the Ritz values by side. They are sorted by falling |θ|, nearest first.
    fn sides(&self, ritz: &Ritz, tolerance: f64) -> Sides {
        let bound = LANCZOS_MARGIN * tolerance;
        let good = |i: &usize| ritz.residual[*i] <= bound * ritz.theta[*i].abs();
        let side = |sign: f64| -> Vec<usize> {
            (0..ritz.theta.len()).filter(|i| sign * ritz.theta[*i] > 0.0).collect()
        };
        let (mut left, right) = (side(-1.0), side(1.0));
        left.truncate(self.left());
        let left_good = left.iter().filter(|i| good(i)).count();
        let right_good = right.iter().take_while(|i| good(i)).count();
        Sides { left, left_good, right, right_good }
    }

    /// Tests whether the slice is complete; `None` when it has no end.
    fn test_completeness(
        &self,
        ritz: &Ritz,
        sides: &Sides,
        sturm: &mut SturmCheck,
        options: &mut Options<'_>,
    ) -> Result<Option<Verdict>, EigenError> {
        let (left, right) = (self.left(), self.right());
        if sides.left_good < left || sides.right_good < right {
            return Ok(Some(Verdict::Continue));
        }
        // A mode from below the slice replaces a missing one.
        let border = verify::separation(self.low, self.pencil.lambda_max);
        if sides.left.iter().any(|i| self.lambda(ritz, *i) < self.low - border) {
            return Ok(Some(Verdict::Missing));
        }
        let chosen = |right: usize| -> Vec<usize> {
            sides.left.iter().rev().chain(&sides.right[..right]).copied().collect()
        };
        let below = self.factor.below + right;
        let done = |right: usize, high: f64, below: usize| {
            Ok(Some(Verdict::Complete { chosen: chosen(right), high, below }))
        };
        match self.end {
            End::At(high, count) => {
                let border = verify::separation(high, self.pencil.lambda_max);
                match right.checked_sub(1).map(|last| self.lambda(ritz, sides.right[last])) {
                    Some(last) if last > high + border => Ok(Some(Verdict::Missing)),
                    _ => done(right, high, count),
                }
            }
            End::Count(_) => {
                let chosen = chosen(right);
                let lambda: Vec<f64> = chosen.iter().map(|i| self.lambda(ritz, *i)).collect();
                let (pencil, symbolic) = (self.pencil, self.symbolic);
                if sturm.is_complete(&lambda, self.below, pencil, symbolic, options)? {
                    let high = lambda.last().copied().unwrap_or(self.low);
                    return Ok(Some(Verdict::Complete { chosen, high, below }));
                }
                Ok(Some(Verdict::Missing))
            }
            End::Gap(_) => {
                let lambda = |r: usize| self.lambda(ritz, sides.right[r]);
                // The widest gap among the last modes, where a Sturm count is reliable.
                let gap = |r: &usize| (lambda(*r) - lambda(*r - 1)) / lambda(*r).abs();
                let good = sides.right_good;
                let widest = (1.max(good - good / 4 - 1)..good)
                    .max_by(|a, b| gap(a).total_cmp(&gap(b)))
                    .filter(|r| gap(r) > 1e3 * verify::CLOSE);
                let Some(r) = widest else {
                    // All are copies of one mode: end at the shift if modes lie below it.
                    let (sigma, below) = (self.factor.sigma, self.factor.below);
                    return if left > 0 { done(0, sigma, below) } else { Ok(None) };
                };
                let high = 0.5 * (lambda(r) + lambda(r - 1));
                let counted = count_below(self.symbolic, self.pencil, high, options)?;
                if counted <= self.factor.below + r {
                    return done(r, high, counted);
                }
                Ok(Some(Verdict::Missing))
            }
        }
    }
}
