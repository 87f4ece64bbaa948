//! All modes of an interval, slice by slice.
//!
//! The Sturm counts at the ends of a slice say how many modes it holds, and the shift in
//! its middle brings them out first. Slices of a bounded number of modes keep the basis
//! small, whose orthogonalisation grows with the square of its size.

use faer::Mat;

use super::check::refined;
use super::factor::{Analysis, count_below};
use super::krylov::Krylov;
use super::lowest::{block_for, capacity_for};
use super::modes::Modes;
use super::pencil::Pencil;
use super::product::{add_product, inner};
use super::{EigenError, Options, Stage};

/// Modes wanted from one shift.
pub(super) const SLICE: usize = 160;
/// A λ this close to the end of a slice, relative to its width, may count on either side.
const BORDER: f64 = 1e-7;

#[derive(Clone, Copy)]
struct Slice {
    low: f64,
    high: f64,
    below_low: usize,
    below_high: usize,
}

impl Slice {
    fn count(&self) -> usize {
        self.below_high - self.below_low
    }
}

pub(super) fn band(
    pencil: &Pencil,
    analysis: &Analysis,
    low: f64,
    high: f64,
    most: usize,
    options: &mut Options<'_>,
) -> Result<Modes, EigenError> {
    let from_zero = low <= 0.0;
    let low = if from_zero { -1e-9 * pencil.top.max(high) } else { low };
    let below_low = if from_zero { 0 } else { count_below(analysis, pencil, low, options)? };
    let below_high = count_below(analysis, pencil, high, options)?;
    let whole = Slice { low, high, below_low, below_high: below_high.max(below_low) };

    let mut todo = vec![whole];
    let mut found = Mat::<f64>::zeros(pencil.unknowns(), 0);
    while let Some(slice) = todo.pop() {
        if slice.count() == 0 || found.ncols() >= most {
            continue;
        }
        if slice.count() > SLICE && slice.high - slice.low > 1e-9 * slice.high.abs() {
            let (lower, upper) = split(pencil, analysis, slice, options)?;
            todo.extend([upper, lower]);
            continue;
        }
        let vectors = inside(pencil, analysis, slice, options)?;
        let vectors = orthogonal(pencil, &found, vectors);
        let mut all = Mat::zeros(pencil.unknowns(), found.ncols() + vectors.ncols());
        all.subcols_mut(0, found.ncols()).copy_from(&found);
        all.subcols_mut(found.ncols(), vectors.ncols()).copy_from(&vectors);
        found = all;
    }
    let mut modes = refined(pencil, found, 1e-6 * pencil.top, options)?;
    modes.truncate(most);
    Ok(modes)
}

/// Halves a slice by λ^(3/2), as which the number of modes of a solid grows.
fn split(
    pencil: &Pencil,
    analysis: &Analysis,
    slice: Slice,
    options: &mut Options<'_>,
) -> Result<(Slice, Slice), EigenError> {
    let power = |l: f64| l.max(0.0).powf(1.5);
    let middle = (0.5 * (power(slice.low) + power(slice.high))).powf(2.0 / 3.0);
    let inside = middle.clamp(
        slice.low + 0.1 * (slice.high - slice.low),
        slice.high - 0.1 * (slice.high - slice.low),
    );
    let below = count_below(analysis, pencil, inside, options)?;
    let below = below.clamp(slice.below_low, slice.below_high);
    Ok((
        Slice { high: inside, below_high: below, ..slice },
        Slice { low: inside, below_low: below, ..slice },
    ))
}

/// The modes of one slice.
fn inside(
    pencil: &Pencil,
    analysis: &Analysis,
    slice: Slice,
    options: &mut Options<'_>,
) -> Result<Mat<f64>, EigenError> {
    let count = slice.count();
    let width = slice.high - slice.low;
    options.report(Stage::Factorising, 0.0)?;
    // Off the exact middle, where symmetric problems like to have a mode.
    let sigma = slice.low + 0.503_141 * width;
    let factor = analysis
        .indefinite(pencil, sigma)
        .ok_or(EigenError::NotConverged { found: 0, wanted: count })?;
    let block = block_for(count);
    let capacity = capacity_for(count, block, pencil.unknowns()).max(count + 6 * block);
    let error = EigenError::MassNotDefinite;
    let mut krylov = Krylov::new(pencil, &factor, block, capacity).ok_or(error.clone())?;
    let mut best = 0;
    let mut next_test = (count + 4 * block).min(capacity);
    let mut stale = 0;
    for _ in 0..60 + 12 * capacity / block {
        if krylov.has_room() {
            krylov.expand().ok_or(error.clone())?;
        }
        if krylov.size < next_test && krylov.has_room() {
            options.report(Stage::Iterating, 0.5 * krylov.size as f64 / next_test as f64)?;
            continue;
        }
        let ritz = krylov.ritz().ok_or(EigenError::NotConverged { found: best, wanted: count })?;
        let lambda = |i: usize| sigma + 1.0 / ritz.theta[i];
        let border = BORDER * width;
        let candidates: Vec<usize> = (0..ritz.theta.len())
            .filter(|i| lambda(*i) > slice.low - border && lambda(*i) < slice.high + border)
            .collect();
        let good = |i: &usize| ritz.residual[*i] <= options.tolerance * ritz.theta[*i].abs();
        let chosen: Vec<usize> = candidates.iter().copied().filter(good).collect();
        let surely = chosen
            .iter()
            .filter(|i| lambda(**i) > slice.low + border && lambda(**i) < slice.high - border)
            .count();
        if chosen.len() >= count && surely <= count {
            let mut chosen = chosen;
            // A mode on the border belongs to the side that the count gave it to.
            let depth = |i: usize| (lambda(i) - slice.low).min(slice.high - lambda(i));
            chosen.sort_by(|a, b| depth(*b).total_cmp(&depth(*a)));
            chosen.truncate(count);
            return Ok(krylov.vectors(&ritz, &chosen));
        }
        stale = if chosen.len() > best { 0 } else { stale + 1 };
        best = best.max(chosen.len());
        options.report(Stage::Iterating, 0.5 + 0.5 * best as f64 / count as f64)?;
        let stray = stale >= 2 && candidates.len() == chosen.len();
        next_test = krylov.size + (count / 10).max(2 * block);
        if stray || !krylov.has_room() {
            let keep = (count + (capacity - count) / 3).min(krylov.size.saturating_sub(block));
            krylov.restart(&ritz, &(0..keep.max(1)).collect::<Vec<_>>());
            next_test = (krylov.size + 3 * block).min(capacity);
            if stray {
                krylov.inject(block).ok_or(error.clone())?;
            }
        }
    }
    Err(EigenError::Missed { counted: count, found: best })
}

/// Vectors of different shifts are orthogonal only as far as they have converged, and
/// copies of one mode cut apart by the end of a slice not at all: removes what is left.
fn orthogonal(pencil: &Pencil, found: &Mat<f64>, mut vectors: Mat<f64>) -> Mat<f64> {
    if found.ncols() > 0 {
        let mut mass = Mat::zeros(vectors.nrows(), vectors.ncols());
        pencil.mass.times(vectors.as_ref(), mass.as_mut());
        let h = inner(found.as_ref(), mass.as_ref());
        add_product(vectors.as_mut(), found.as_ref(), h.as_ref(), -1.0);
    }
    vectors
}
