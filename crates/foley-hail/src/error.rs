//! What can be wrong with a shower.

use thiserror::Error;

/// Why a shower cannot be made or asked.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum HailError {
    /// A setting of the hail makes no sense.
    #[error("hail: {key} is {value}; it must be {must}")]
    Setting {
        /// Which one.
        key: &'static str,
        /// What was given.
        value: f64,
        /// What would be right.
        must: &'static str,
    },
    /// Stones would stay in the air.
    #[error("hail: {why}; {remedy}")]
    NeverLands {
        /// What keeps them up.
        why: String,
        /// What to change.
        remedy: &'static str,
    },
    /// A number of a collider makes no sense.
    #[error("collider {collider}: {key} is {value}; it must be {must}")]
    Number {
        /// The collider's number.
        collider: usize,
        /// Which number.
        key: &'static str,
        /// What was given.
        value: f64,
        /// What would be right.
        must: &'static str,
    },
    /// A collider's shape is none.
    #[error("collider {collider}: {why}")]
    Shape {
        /// The collider's number.
        collider: usize,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// Too much at once.
    #[error("{what}: {found} are more than the {most} that are allowed; {remedy}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: u64,
        /// How many there may be.
        most: u64,
        /// What to do.
        remedy: &'static str,
    },
    /// An interval of time that is none.
    #[error("from {from_s} s until {until_s} s is no interval of time; {remedy}")]
    Interval {
        /// Its beginning.
        from_s: f64,
        /// Its end.
        until_s: f64,
        /// What to do.
        remedy: &'static str,
    },
}
