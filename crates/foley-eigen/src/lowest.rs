//! The lowest modes.

use super::check::polished;
use super::factor::{Analysis, Factor};
use super::krylov::Krylov;
use super::march::{Goal, March, PIECE, Sink};
use super::pencil::Pencil;
use super::slice::{End, Slice};
use super::{EigenError, Options, Stage};

/// First shift: σ = −this · top. Far below the modes of solids, above rounding.
const FIRST_SHIFT: f64 = 1e-6;
/// Below this part of the shift λ counts as zero.
const ZERO: f64 = 1e-7;
/// Last shift: closer to zero, rounding makes K − σM indefinite.
const LAST_SHIFT: f64 = 1e-13;
/// Up to so many modes are found from below; for more a shift amid them pays.
const FEW: usize = 40;
/// Width and number of the blocks after which the shift is judged.
const TRIAL: (usize, usize) = (8, 5);

pub(super) fn lowest(
    pencil: &Pencil,
    analysis: &Analysis,
    count: usize,
    options: &mut Options<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), EigenError> {
    let mut shift = FIRST_SHIFT;
    loop {
        let factor = definite(pencil, analysis, &mut shift, options)?;
        let lambda = trial(pencil, &factor, options)?;
        // The wanted modes may lie so low that this shift cannot tell them apart. Zero modes,
        // of which several bodies have many, say nothing: no shift is near enough to them.
        let reach = shift * pencil.top;
        let elastic = lambda.iter().skip(count.min(TRIAL.0) - 1).find(|l| **l > ZERO * reach);
        if let Some(probe) = elastic {
            let better = (1e-2 * probe / pencil.top).max(LAST_SHIFT);
            if *probe < reach && better < 0.1 * shift {
                shift = better;
                continue;
            }
        }
        if count <= FEW {
            return from_below(pencil, analysis, &factor, count, options, sink);
        }
        let low = factor.sigma;
        drop(factor);
        // A solid has λ^(3/2) modes, a shell fewer: a guess, which the counts will mend.
        let known = TRIAL.0 * TRIAL.1 / 4;
        return March::new(pencil, analysis, (low, 0), Goal::Count(count))
            .guessing(lambda[known - 1], known)
            .run(options, sink);
    }
}

/// L D Lᵀ at σ = −shift · top, further down where rounding demands it.
fn definite<'a>(
    pencil: &Pencil,
    analysis: &'a Analysis,
    shift: &mut f64,
    options: &mut Options<'_>,
) -> Result<Factor<'a>, EigenError> {
    for _ in 0..4 {
        let sigma = -*shift * pencil.top;
        let factor = analysis.factor(pencil, sigma, Stage::Factorising, options)?;
        if factor.below == 0 {
            return Ok(factor);
        }
        *shift *= 30.0;
        if *shift > 1e-5 {
            break;
        }
    }
    Err(EigenError::StiffnessNegative)
}

/// The first λ, roughly.
fn trial(
    pencil: &Pencil,
    factor: &Factor<'_>,
    options: &mut Options<'_>,
) -> Result<Vec<f64>, EigenError> {
    let (block, blocks) = TRIAL;
    let room = (block * (blocks + 1)).min(pencil.unknowns());
    let mut krylov = Krylov::new(pencil, factor, block, room).ok_or(EigenError::MassNotDefinite)?;
    while krylov.has_room() {
        options.report(Stage::Iterating, 0.0)?;
        krylov.expand().ok_or(EigenError::MassNotDefinite)?;
    }
    let ritz = krylov.ritz().ok_or(EigenError::NotConverged { found: 0, wanted: 1 })?;
    Ok(ritz.theta.iter().map(|theta| factor.sigma + 1.0 / theta).collect())
}

/// From the shift below the spectrum alone.
fn from_below(
    pencil: &Pencil,
    analysis: &Analysis,
    factor: &Factor<'_>,
    count: usize,
    options: &mut Options<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), EigenError> {
    let (low, end, share) = (factor.sigma, End::Count(count), (0.0, 1.0));
    let slice = Slice { pencil, analysis, factor, low, below: 0, end, share };
    let missed = EigenError::NotConverged { found: 0, wanted: count };
    let found = slice.search(options)?.ok_or(missed)?;
    for first in (0..count).step_by(PIECE) {
        let vectors = found.vectors(first..(first + PIECE).min(count));
        sink(polished(pencil, factor, vectors, options.tolerance)?)?;
    }
    options.report(Stage::Iterating, 1.0)
}
