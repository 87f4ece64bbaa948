//! Errors of worlds and bodies.

use thiserror::Error;

/// Invalid settings or bodies.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum PhysicsError {
    /// A setting out of range.
    #[error("{what} is {value}; it must be {must}")]
    Setting { what: &'static str, value: f64, must: &'static str },
    /// A quantity of a body out of range.
    #[error("body `{body}`: {what} is {value}; it must be {must}")]
    Number { body: String, what: &'static str, value: f64, must: &'static str },
    /// An invalid shape.
    #[error("body `{body}`: {why}")]
    Shape { body: String, why: String },
    /// More than the limit of one world.
    #[error("{what}: {found} exceed the limit of {most} per scene")]
    TooMany { what: &'static str, found: usize, most: usize },
    /// Too many bodies start inside each other.
    #[error(
        "more than {most} pairs of bodies start inside each other, `{}` and `{}` among them; place them \
         apart", bodies[0], bodies[1]
    )]
    TooManyOverlaps { bodies: [String; 2], most: usize },
    /// No body has this number.
    #[error("there is no body number {0}")]
    NoBody(u32),
}
