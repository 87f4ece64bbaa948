//! The ways in.

use super::factor::{self, Analysis};
use super::modes::Modes;
use super::pencil::Pencil;
use super::{EigenError, Options, Problem, Stage, band as bands, dense, lowest as lowest_modes};

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
    let analysis = prepared(&pencil, count, options)?;
    lowest_modes::lowest(&pencil, &analysis, count, options)
}

/// The modes with `omega_low` ≤ ω < `omega_high` (rad/s), the lowest `most` of them.
pub fn band(
    problem: &Problem,
    omega_low: f64,
    omega_high: f64,
    most: usize,
    options: &mut Options<'_>,
) -> Result<Modes, EigenError> {
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
        return dense::modes(&pencil, low, high, most, options);
    }
    let analysis = prepared(&pencil, most.min(bands::SLICE), options)?;
    bands::band(&pencil, &analysis, low, high, most, options)
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
    let analysis = prepared(&pencil, 0, options)?;
    factor::count_below(&analysis, &pencil, omega.powi(2) / pencil.lambda_scale, options)
}

/// The symbolic factor, if everything will fit and the mass is definite.
fn prepared(
    pencil: &Pencil,
    count: usize,
    options: &mut Options<'_>,
) -> Result<Analysis, EigenError> {
    let analysis = Analysis::new(pencil)?;
    let block = lowest_modes::block_for(count);
    let capacity = lowest_modes::capacity_for(count, block, pencil.unknowns());
    let vectors = (capacity + 2 * count + 6 * block) as u64 * pencil.unknowns() as u64 * 8;
    let dense = 4 * (capacity as u64).pow(2) * 8;
    let matrices = pencil.stiffness.bytes() + pencil.mass.bytes() + 20 * pencil.rows.len() as u64;
    options.check_memory(analysis.bytes(pencil) + vectors + dense + matrices)?;
    options.report(Stage::Factorising, 0.0)?;
    factor::check_mass(pencil)?;
    Ok(analysis)
}
