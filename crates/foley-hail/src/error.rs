//! Errors of hail settings, targets and queries.

use thiserror::Error;

/// Why a hail simulation cannot be built or queried.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum HailError {
    /// A setting is out of range.
    #[error("hail: {key} is {value}; it must be {must}")]
    Setting {
        /// The name of the setting.
        key: &'static str,
        /// The given value.
        value: f64,
        /// The allowed values.
        must: &'static str,
    },
    /// Stones would never reach the targets, or too late.
    #[error("hail: {why}; {remedy}")]
    NeverLands {
        /// The cause.
        why: String,
        /// What to change.
        remedy: &'static str,
    },
    /// A number of a target is out of range.
    #[error("target {target}: {key} is {value}; it must be {must}")]
    Number {
        /// The index of the target.
        target: usize,
        /// The name of the number.
        key: &'static str,
        /// The given value.
        value: f64,
        /// The allowed values.
        must: &'static str,
    },
    /// The surface of a target is degenerate.
    #[error("target {target}: {why}")]
    Surface {
        /// The index of the target.
        target: usize,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// A count exceeds its limit.
    #[error("{what}: {found} are more than the {limit} that are allowed; {remedy}")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// The count.
        found: u64,
        /// The largest allowed count.
        limit: u64,
        /// What to do.
        remedy: &'static str,
    },
    /// The bounds of a time interval are reversed, infinite or NaN.
    #[error("from {from_s} s until {until_s} s is no interval of time; {remedy}")]
    Interval {
        /// Its start.
        from_s: f64,
        /// Its end.
        until_s: f64,
        /// What to do.
        remedy: &'static str,
    },
}
