//! What can be wrong with a scene.

use thiserror::Error;

/// Why a world or a body cannot be made.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum PhysicsError {
    /// A setting of the world makes no sense.
    #[error("{what} is {value}; it must be {must}")]
    Setting {
        /// Which one.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What would be right.
        must: &'static str,
    },
    /// A number of a body makes no sense.
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
    /// A shape encloses nothing, or is no shape at all.
    #[error("body `{body}`: {why}")]
    Shape {
        /// The body's name.
        body: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// Too much for one world.
    #[error("{what}: {found} are more than the {most} that one scene may have")]
    TooMany {
        /// Too many of what.
        what: &'static str,
        /// How many.
        found: usize,
        /// How many may be.
        most: usize,
    },
    /// No body has this number.
    #[error("there is no body number {0}")]
    NoBody(u32),
}
