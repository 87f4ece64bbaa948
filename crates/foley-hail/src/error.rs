//! Errors of hail settings, targets and queries.

use thiserror::Error;

/// Why a hail simulation cannot be built or queried.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum HailError {
    /// A setting is out of range.
    #[error("hail: {key} is {value}; it must be {must}")]
    Setting { key: &'static str, value: f64, must: &'static str },
    /// Stones would never reach the targets, or too late.
    #[error("hail: {why}; {remedy}")]
    NeverLands { why: String, remedy: &'static str },
    /// A number of a target is out of range.
    #[error("target {target}: {key} is {value}; it must be {must}")]
    Number { target: usize, key: &'static str, value: f64, must: &'static str },
    /// The surface of a target is degenerate.
    #[error("target {target}: {why}")]
    Surface { target: usize, why: String },
    /// A count exceeds its limit.
    #[error("{what}: {found} are more than the {limit} that are allowed; {remedy}")]
    TooMany { what: &'static str, found: u64, limit: u64, remedy: &'static str },
    /// The bounds of a time interval are reversed, infinite or NaN.
    #[error("from {from_s} s until {until_s} s is no interval of time; {remedy}")]
    Interval { from_s: f64, until_s: f64, remedy: &'static str },
}
