//! The lowest modes: choice of the first shift.

use super::slice::{End, Slice};
use super::{BATCH, Goal, Sink, SpectrumSlicer};
use crate::factor::{Factor, SymbolicFactor};
use crate::krylov::Krylov;
use crate::pencil::Pencil;
use crate::verify::polished_and_verified;
use crate::{EigenError, Options, Stage};

/// First shift, σ = −FIRST_SHIFT · λ_max: far below the modes of solids, above rounding.
const FIRST_SHIFT: f64 = 1e-6;
/// λ below this fraction of the shift counts as zero.
const ZERO: f64 = 1e-7;
/// Smallest shift: closer to zero, rounding makes K − σM indefinite.
const LAST_SHIFT: f64 = 1e-13;
/// Up to this many modes are found from a shift below the spectrum; for more, a shift amid
/// them is faster.
const MAX_FROM_BELOW: usize = 40;
/// Width and number of Lanczos blocks of the trial that tests the shift.
const TRIAL: (usize, usize) = (8, 5);

/// Passes the `count` lowest modes to `sink`.
pub(crate) fn lowest(
    pencil: &Pencil,
    symbolic: &SymbolicFactor,
    count: usize,
    options: &mut Options<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), EigenError> {
    let mut shift = FIRST_SHIFT;
    loop {
        let factor = definite(pencil, symbolic, &mut shift, options)?;
        let lambda = trial(pencil, &factor, options)?;
        // The wanted modes may be too low for this shift to separate them. Zero modes are
        // ignored: no shift is close enough to them, and several bodies have many.
        let reach = shift * pencil.lambda_max;
        let elastic = lambda.iter().skip(count.min(TRIAL.0) - 1).find(|l| **l > ZERO * reach);
        if let Some(probe) = elastic {
            let better = (1e-2 * probe / pencil.lambda_max).max(LAST_SHIFT);
            if *probe < reach && better < 0.1 * shift {
                shift = better;
                continue;
            }
        }
        if count <= MAX_FROM_BELOW {
            return from_below(pencil, symbolic, &factor, count, options, sink);
        }
        let low = factor.sigma;
        drop(factor);
        // A solid has λ^(3/2) modes, a shell fewer: an estimate, which the counts correct.
        let known = TRIAL.0 * TRIAL.1 / 4;
        return SpectrumSlicer::new(pencil, symbolic, (low, 0), Goal::Count(count))
            .with_guess(lambda[known - 1], known)
            .run(options, sink);
    }
}

/// Factorises at σ = −shift · λ_max, or further down where rounding makes it indefinite.
fn definite<'a>(
    pencil: &Pencil,
    symbolic: &'a SymbolicFactor,
    shift: &mut f64,
    options: &mut Options<'_>,
) -> Result<Factor<'a>, EigenError> {
    for _ in 0..4 {
        let sigma = -*shift * pencil.lambda_max;
        let factor = symbolic.factor(pencil, sigma, Stage::Factorising, options)?;
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

/// Returns estimates of the first λ.
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

/// Finds all modes from one shift below the spectrum.
fn from_below(
    pencil: &Pencil,
    symbolic: &SymbolicFactor,
    factor: &Factor<'_>,
    count: usize,
    options: &mut Options<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), EigenError> {
    let (low, end, share) = (factor.sigma, End::Count(count), (0.0, 1.0));
    let slice = Slice { pencil, symbolic, factor, low, below: 0, end, share };
    let missed = EigenError::NotConverged { found: 0, wanted: count };
    let found = slice.search(options)?.ok_or(missed)?;
    for first in (0..count).step_by(BATCH) {
        let vectors = found.vectors(first..(first + BATCH).min(count));
        sink(polished_and_verified(pencil, factor, vectors, factor.sigma, options.tolerance)?)?;
    }
    options.report(Stage::Iterating, 1.0)
}
