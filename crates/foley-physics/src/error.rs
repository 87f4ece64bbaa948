//! Errors of worlds and bodies.

use thiserror::Error;

/// Invalid settings or bodies.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum PhysicsError {
    /// A setting out of range.
    #[error("{what} is {value}; it must be {must}")]
    Setting {
        /// Which one.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What would be right.
        must: &'static str,
    },
    /// A quantity of a body out of range.
    #[error("body `{body}`: {what} is {value}; it must be {must}")]
    Number {
        /// The body's name.
        body: String,
        /// Which number.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What would be right.
        must: &'static str,
    },
    /// An invalid shape.
    #[error("body `{body}`: {why}")]
    Shape {
        /// The body's name.
        body: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// More than the limit of one world.
    #[error("{what}: {found} exceed the limit of {most} per scene")]
    TooMany {
        /// Which items.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The largest accepted number.
        most: usize,
    },
    /// No body has this number.
    #[error("there is no body number {0}")]
    NoBody(u32),
}
