//! Range checks of settings and target parameters.

use crate::HailError;

/// The largest coordinate in metres and the largest speed in m/s. Beyond it, double precision could not
/// separate neighbouring audio samples.
pub(crate) const MAX_MAGNITUDE: f64 = 1e6;

/// Checks that a setting lies within `bounds`; NaN does not.
pub(crate) fn in_range(
    key: &'static str,
    value: f64,
    bounds: [f64; 2],
    must: &'static str,
) -> Result<(), HailError> {
    if value >= bounds[0] && value <= bounds[1] {
        return Ok(());
    }
    Err(HailError::Setting { key, value, must })
}

/// Checks that all components of a setting are finite and at most [`MAX_MAGNITUDE`].
pub(crate) fn in_bounds(key: &'static str, values: &[f64]) -> Result<(), HailError> {
    let must = "a number between -1e6 and 1e6";
    let bounds = [-MAX_MAGNITUDE, MAX_MAGNITUDE];
    values.iter().try_for_each(|value| in_range(key, *value, bounds, must))
}

/// Checks that all numbers of a target are finite and at most [`MAX_MAGNITUDE`].
pub(crate) fn target_in_bounds(
    target: usize,
    key: &'static str,
    values: &[f64],
) -> Result<(), HailError> {
    match values.iter().find(|value| !(value.abs() <= MAX_MAGNITUDE)) {
        None => Ok(()),
        Some(value) => {
            let must = "a number between -1e6 and 1e6";
            Err(HailError::Number { target, key, value: *value, must })
        }
    }
}
