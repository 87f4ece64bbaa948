//! The ways in.

use super::band::Interval;
use super::factor::{self, Analysis};
use super::modes::Modes;
use super::pencil::Pencil;
use super::{EigenError, Options, Problem, Stage, dense, lowest as lowest_modes, march, slice};

/// Problems up to this size are solved densely.
const DENSE: usize = 600;
/// And up to this one where a good part of all modes is wanted.
const DENSE_MANY: usize = 4000;

/// The `count` lowest modes, zero modes included; all of them when there are fewer.
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
    let analysis = prepared(&pencil, count, count, options)?;
    let mut all = Modes::with_room(n, count);
    lowest_modes::lowest(&pencil, &analysis, count, options, &mut |piece| {
        all.append(piece);
        Ok(())
    })?;
    Ok(all)
}

/// The modes with `omega_low` ≤ ω < `omega_high` (rad/s), the lowest `most` of them.
///
/// All vectors are held at once; [`band_each`] does without.
pub fn band(
    problem: &Problem,
    omega_low: f64,
    omega_high: f64,
    most: usize,
    options: &mut Options<'_>,
) -> Result<Modes, EigenError> {
    let n = problem.unknowns();
    let mut all: Option<Modes> = None;
    let each = |piece: Modes, total: usize| {
        all.get_or_insert_with(|| Modes::with_room(n, total)).append(piece);
        Ok(())
    };
    in_band(problem, [omega_low, omega_high], most, true, options, each)?;
    Ok(all.unwrap_or_else(|| Modes::with_room(n, 0)))
}

/// The modes of [`band`], handed over some at a time in ascending order (those of one
/// multiple mode as rounding has them), so that only what is needed of each is kept.
///
/// ```
/// use foley_eigen::{self as eigen, Matrix, Options, Problem, Triangles};
///
/// let n = 1000;
/// let springs = (0..n).flat_map(|i| [(i, i, 2.0)]).chain((1..n).map(|i| (i, i - 1, -1.0)));
/// let stiffness = Matrix::from_triplets("stiffness", n, Triangles::Lower, springs)?;
/// let mass = Matrix::from_triplets("mass", n, Triangles::Lower, (0..n).map(|i| (i, i, 1.0)))?;
/// let problem = Problem::new(stiffness, mass)?;
///
/// // How much each mode moves the first mass.
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
    let each = |piece: Modes, _| {
        each(piece);
        Ok(())
    };
    in_band(problem, [omega_low, omega_high], most, false, options, each)
}

/// Hands the modes of a band to `each`, with their total number.
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
    // Zero modes come out a little on either side of zero.
    let low = if omega_low > 0.0 { omega_low.powi(2) / pencil.lambda_scale } else { f64::MIN };
    let high = omega_high.powi(2) / pencil.lambda_scale;
    if n <= DENSE {
        let modes = dense::modes(&pencil, low, high, most, options)?;
        let total = modes.len();
        return if total == 0 { Ok(()) } else { each(modes, total) };
    }
    let analysis = prepared(&pencil, most, 0, options)?;
    let interval = Interval::new(&pencil, &analysis, low, high, options)?;
    let total = interval.count().min(most);
    if total > n / 2 {
        return Err(EigenError::TooMany { wanted: total, unknowns: n });
    }
    options.check_memory(needed(&pencil, &analysis, total, if kept { total } else { 0 }))?;
    interval.modes(&pencil, &analysis, most, options, &mut |piece| each(piece, total))
}

/// Number of modes with ω below `omega` (rad/s), by Sylvester's law of inertia: exact
/// with all multiplicities, and no mode is computed.
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
    let analysis = prepared(&pencil, 0, 0, options)?;
    factor::count_below(&analysis, &pencil, omega.powi(2) / pencil.lambda_scale, options)
}

/// The symbolic factor, if everything will fit and the mass is definite.
fn prepared(
    pencil: &Pencil,
    count: usize,
    kept: usize,
    options: &mut Options<'_>,
) -> Result<Analysis, EigenError> {
    options.report(Stage::Ordering, 0.6)?;
    let analysis = Analysis::new(pencil)?;
    options.report(Stage::Ordering, 0.9)?;
    options.check_memory(needed(pencil, &analysis, count, kept))?;
    factor::check_mass(pencil)?;
    options.report(Stage::Ordering, 1.0)?;
    Ok(analysis)
}

/// Bytes that finding `count` modes takes, `kept` vectors of them held to the end.
fn needed(pencil: &Pencil, analysis: &Analysis, count: usize, kept: usize) -> u64 {
    let slice = slice::needed(pencil, analysis, count.min(march::largest(analysis)));
    slice + kept as u64 * pencil.unknowns() as u64 * 8
}
