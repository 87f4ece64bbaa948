//! Entry points: the lowest modes, a band, a count.

use crate::factor::{self, SymbolicFactor};
use crate::modes::Modes;
use crate::pencil::Pencil;
use crate::spectrum_slicing::{Goal, SpectrumSlicer, max_slice_size};
use crate::{EigenError, Options, Problem, Stage, dense, spectrum_slicing};

/// Problems up to this size use the dense solver.
const DENSE: usize = 600;
/// So do problems up to this size of which more than a sixth of all modes is wanted.
const DENSE_MANY: usize = 4000;

/// Returns the `count` lowest modes, zero modes included; all modes when there are fewer.
pub fn lowest(
    problem: &Problem,
    count: usize,
    options: &mut Options<'_>,
) -> Result<Modes, EigenError> {
    let n = problem.unknowns();
    let count = count.min(n);
    if count == 0 {
        return Err(EigenError::Empty);
    }
    options.report(Stage::Ordering, 0.0)?;
    let pencil = Pencil::new(problem)?;
    if n <= DENSE || (n <= DENSE_MANY && count > n / 6) {
        return dense::modes(&pencil, f64::NEG_INFINITY, f64::INFINITY, count, options);
    }
    if count > n / 4 {
        return Err(EigenError::TooMany { wanted: count, unknowns: n });
    }
    let symbolic = analyse(&pencil, count, count, options)?;
    let mut all = Modes::with_capacity(n, count);
    spectrum_slicing::lowest(&pencil, &symbolic, count, options, &mut |batch| {
        all.append(batch);
        Ok(())
    })?;
    Ok(all)
}

/// Returns the modes with `omega_low` ≤ ω < `omega_high` (rad/s), the lowest `most` of them.
///
/// Holds all vectors in memory; [`band_each`] does not.
pub fn band(
    problem: &Problem,
    omega_low: f64,
    omega_high: f64,
    most: usize,
    options: &mut Options<'_>,
) -> Result<Modes, EigenError> {
    let n = problem.unknowns();
    let mut all: Option<Modes> = None;
    let each = |batch: Modes, total: usize| {
        all.get_or_insert_with(|| Modes::with_capacity(n, total)).append(batch);
        Ok(())
    };
    in_band(problem, [omega_low, omega_high], most, true, options, each)?;
    Ok(all.unwrap_or_else(|| Modes::with_capacity(n, 0)))
}

/// Passes the modes of [`band`] to `each` in batches, in ascending order (copies of a multiple
/// mode in the order of their rounding), so that the caller can keep only what it needs.
///
/// ```
/// use foley_eigen::{self as eigen, Matrix, Options, Problem};
///
/// let n = 1000;
/// let springs = (0..n).flat_map(|i| [(i, i, 2.0)]).chain((1..n).map(|i| (i, i - 1, -1.0)));
/// let stiffness = Matrix::from_triplets("stiffness", n, springs)?;
/// let mass = Matrix::from_triplets("mass", n, (0..n).map(|i| (i, i, 1.0)))?;
/// let problem = Problem::new(stiffness, mass)?;
///
/// // The displacement of the first mass in each mode.
/// let mut gains = Vec::new();
/// eigen::band_each(&problem, 0.0, 0.3, usize::MAX, &mut Options::default(), |modes| {
///     gains.extend((0..modes.len()).map(|mode| modes.vector(mode)[0]));
/// })?;
/// assert_eq!(gains.len(), 95);
/// # Ok::<(), eigen::EigenError>(())
/// ```
pub fn band_each(
    problem: &Problem,
    omega_low: f64,
    omega_high: f64,
    most: usize,
    options: &mut Options<'_>,
    mut each: impl FnMut(Modes),
) -> Result<(), EigenError> {
    let each = |batch: Modes, _| {
        each(batch);
        Ok(())
    };
    in_band(problem, [omega_low, omega_high], most, false, options, each)
}

/// Passes the modes of a band to `each`, with their total number.
fn in_band(
    problem: &Problem,
    [omega_low, omega_high]: [f64; 2],
    most: usize,
    kept: bool,
    options: &mut Options<'_>,
    mut each: impl FnMut(Modes, usize) -> Result<(), EigenError>,
) -> Result<(), EigenError> {
    if !(omega_low >= 0.0 && omega_high > omega_low && omega_high.is_finite()) {
        return Err(EigenError::Band { low: omega_low, high: omega_high });
    }
    let n = problem.unknowns();
    let most = most.min(n);
    if most == 0 {
        return Err(EigenError::Empty);
    }
    options.report(Stage::Ordering, 0.0)?;
    let pencil = Pencil::new(problem)?;
    let low = if omega_low > 0.0 { omega_low.powi(2) / pencil.lambda_scale } else { f64::MIN };
    let high = omega_high.powi(2) / pencil.lambda_scale;
    if n <= DENSE {
        let modes = dense::modes(&pencil, low, high, most, options)?;
        let total = modes.len();
        return if total == 0 { Ok(()) } else { each(modes, total) };
    }
    let symbolic = analyse(&pencil, most, 0, options)?;
    // Rounding puts zero modes slightly above or below zero.
    let (low, below_low) = if low <= 0.0 {
        (-1e-9 * pencil.lambda_max.max(high), 0)
    } else {
        (low, factor::count_below(&symbolic, &pencil, low, options)?)
    };
    let below_high = factor::count_below(&symbolic, &pencil, high, options)?.max(below_low);
    let inside = below_high - below_low;
    let total = inside.min(most);
    if total > n / 2 {
        return Err(EigenError::TooMany { wanted: total, unknowns: n });
    }
    options.check_memory(memory_bytes(&pencil, &symbolic, total, if kept { total } else { 0 }))?;
    let goal =
        if most < inside { Goal::Count(below_low + most) } else { Goal::UpTo(high, below_high) };
    SpectrumSlicer::new(&pencil, &symbolic, (low, below_low), goal)
        .with_count(high, below_high)
        .run(options, &mut |batch| each(batch, total))
}

/// Returns the number of modes with ω below `omega` (rad/s), by Sylvester's law of inertia:
/// exact with all multiplicities, without computing any mode.
pub fn count_below(
    problem: &Problem,
    omega: f64,
    options: &mut Options<'_>,
) -> Result<usize, EigenError> {
    if !(omega > 0.0 && omega.is_finite()) {
        return Err(EigenError::Band { low: 0.0, high: omega });
    }
    options.report(Stage::Ordering, 0.0)?;
    let pencil = Pencil::new(problem)?;
    let symbolic = analyse(&pencil, 0, 0, options)?;
    factor::count_below(&symbolic, &pencil, omega.powi(2) / pencil.lambda_scale, options)
}

/// Returns the symbolic factor; checks memory and the definiteness of the mass.
fn analyse(
    pencil: &Pencil,
    count: usize,
    kept: usize,
    options: &mut Options<'_>,
) -> Result<SymbolicFactor, EigenError> {
    options.report(Stage::Ordering, 0.6)?;
    let symbolic = SymbolicFactor::new(pencil)?;
    options.report(Stage::Ordering, 0.9)?;
    options.check_memory(memory_bytes(pencil, &symbolic, count, kept))?;
    factor::check_mass(pencil)?;
    options.report(Stage::Ordering, 1.0)?;
    Ok(symbolic)
}

/// Returns the bytes needed to find `count` modes and keep `kept` vectors.
fn memory_bytes(pencil: &Pencil, symbolic: &SymbolicFactor, count: usize, kept: usize) -> u64 {
    let slice =
        spectrum_slicing::memory_bytes(pencil, symbolic, count.min(max_slice_size(symbolic)));
    slice + kept as u64 * pencil.unknowns() as u64 * 8
}
