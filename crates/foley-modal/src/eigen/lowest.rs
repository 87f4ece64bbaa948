//! The lowest modes, from one shift just below the spectrum.

use super::check::{self, refined};
use super::factor::{Analysis, Factor};
use super::krylov::{Krylov, Ritz};
use super::modes::Modes;
use super::pencil::Pencil;
use super::{EigenError, Options, Stage};

/// First shift: σ = −this · top. Far below the modes of solids, above rounding.
const FIRST_SHIFT: f64 = 1e-6;
/// Last shift: closer to zero, rounding makes K − σM indefinite.
const LAST_SHIFT: f64 = 1e-13;
/// Blocks after which the shift is judged.
const TRIAL_BLOCKS: usize = 2;

pub(super) fn lowest(
    pencil: &Pencil,
    analysis: &Analysis,
    count: usize,
    options: &mut Options<'_>,
) -> Result<Modes, EigenError> {
    let block = block_for(count);
    let capacity = capacity_for(count, block, pencil.unknowns());
    let mut shift = FIRST_SHIFT;
    let modes = loop {
        options.report(Stage::Factorising, 0.0)?;
        let factor = definite(pencil, analysis, &mut shift)?;
        let mut search = Search::new(pencil, &factor, count, block, capacity)?;
        match search.better_shift(options)? {
            Some(better) if better < 0.1 * shift => shift = better,
            _ => break search.run(analysis, options)?,
        }
    };
    Ok(modes)
}

/// Vectors per step: wide blocks use the memory well, narrow ones need fewer vectors.
pub(super) fn block_for(count: usize) -> usize {
    match count {
        0..=40 => 8,
        _ => 16,
    }
}

/// Most basis vectors held.
pub(super) fn capacity_for(count: usize, block: usize, unknowns: usize) -> usize {
    (2 * count + count / 4 + 8 * block).min(unknowns)
}

/// L Lᵀ at σ = −shift · top, further down where rounding demands it.
fn definite<'a>(
    pencil: &Pencil,
    analysis: &'a Analysis,
    shift: &mut f64,
) -> Result<Factor<'a>, EigenError> {
    for _ in 0..4 {
        if let Some(factor) = analysis.definite(pencil, -*shift * pencil.top) {
            return Ok(factor);
        }
        *shift *= 30.0;
        if *shift > 1e-5 {
            break;
        }
    }
    Err(EigenError::StiffnessNegative)
}

struct Search<'a> {
    pencil: &'a Pencil,
    krylov: Krylov<'a>,
    sigma: f64,
    count: usize,
    block: usize,
    capacity: usize,
}

impl<'a> Search<'a> {
    fn new(
        pencil: &'a Pencil,
        factor: &'a Factor<'a>,
        count: usize,
        block: usize,
        capacity: usize,
    ) -> Result<Self, EigenError> {
        let krylov =
            Krylov::new(pencil, factor, block, capacity).ok_or(EigenError::MassNotDefinite)?;
        Ok(Self { pencil, krylov, sigma: factor.sigma, count, block, capacity })
    }

    fn expand(&mut self) -> Result<(), EigenError> {
        self.krylov.expand().ok_or(EigenError::MassNotDefinite)
    }

    fn ritz(&self) -> Result<Ritz, EigenError> {
        self.krylov.ritz().ok_or(EigenError::NotConverged { found: 0, wanted: self.count })
    }

    /// After a few blocks: a shift nearer to zero when the wanted modes lie so low that
    /// this one cannot tell them apart.
    fn better_shift(&mut self, options: &mut Options<'_>) -> Result<Option<f64>, EigenError> {
        for _ in 0..TRIAL_BLOCKS {
            options.report(Stage::Iterating, 0.0)?;
            self.expand()?;
        }
        let ritz = self.ritz()?;
        let probe = self.count.min(self.krylov.size) - 1;
        let lambda = self.sigma + 1.0 / ritz.theta[probe];
        let relative = (1e-2 * lambda / self.pencil.top).max(LAST_SHIFT);
        let shift = -self.sigma / self.pencil.top;
        Ok((lambda < -self.sigma && relative < shift).then_some(relative))
    }

    fn run(&mut self, analysis: &Analysis, options: &mut Options<'_>) -> Result<Modes, EigenError> {
        let mut must = check::Must::default();
        let most_steps = 40 + 12 * self.capacity / self.block;
        let mut next_test = (3 * self.count / 2 + 2 * self.block).min(self.capacity);
        for _ in 0..most_steps {
            if self.krylov.has_room() {
                self.expand()?;
            }
            if self.krylov.size < next_test && self.krylov.has_room() {
                let done = self.krylov.size as f64 / next_test as f64;
                options.report(Stage::Iterating, 0.5 * done)?;
                continue;
            }
            let ritz = self.ritz()?;
            let wanted = self.count.min(ritz.theta.len());
            let good = (0..wanted)
                .take_while(|i| ritz.residual[*i] <= options.tolerance * ritz.theta[*i].abs())
                .count();
            options.report(Stage::Iterating, 0.5 + 0.5 * good as f64 / self.count as f64)?;
            let mut stray = false;
            if good == self.count {
                let chosen: Vec<usize> = (0..good).collect();
                let lambda: Vec<f64> =
                    ritz.theta[..good].iter().map(|t| self.sigma + 1.0 / t).collect();
                if must.satisfied(&lambda, self.pencil, analysis, options)? {
                    let vectors = self.krylov.vectors(&ritz, &chosen);
                    return refined(self.pencil, vectors, self.sigma, options);
                }
                stray = true;
            }
            next_test = self.krylov.size + (self.count / 10).max(2 * self.block);
            if stray || !self.krylov.has_room() {
                let keep = self.count + (self.capacity - self.count) / 3;
                let keep = keep.min(self.krylov.size.saturating_sub(self.block)).max(1);
                self.krylov.restart(&ritz, &(0..keep).collect::<Vec<_>>());
                next_test = (keep + 4 * self.block).min(self.capacity);
                if stray {
                    self.krylov.inject(self.block).ok_or(EigenError::MassNotDefinite)?;
                }
            }
        }
        Err(match must.missed() {
            Some(error) => error,
            None => EigenError::NotConverged { found: 0, wanted: self.count },
        })
    }
}
