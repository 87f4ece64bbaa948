//! Numbers are checked before anything is made of them.

use crate::HailError;

/// No place is farther out and nothing is faster, in metres and metres a second: beyond, even double
/// precision could not tell one audio sample from the next.
pub(crate) const FAR: f64 = 1e6;

/// A setting within bounds; what is not a number is not.
pub(crate) fn within(
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

/// All numbers of a setting are finite and not absurdly far.
pub(crate) fn near(key: &'static str, values: &[f64]) -> Result<(), HailError> {
    let must = "a number between -1e6 and 1e6";
    values.iter().try_for_each(|value| within(key, *value, [-FAR, FAR], must))
}

/// All numbers of a collider are finite and not absurdly far.
pub(crate) fn near_of(collider: usize, key: &'static str, values: &[f64]) -> Result<(), HailError> {
    match values.iter().find(|value| !(value.abs() <= FAR)) {
        None => Ok(()),
        Some(value) => {
            let must = "a number between -1e6 and 1e6";
            Err(HailError::Number { collider, key, value: *value, must })
        }
    }
}
