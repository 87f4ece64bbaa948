//! Errors of shapes.

use crate::material::MaterialError;
use foley_dsp::model::ModelError;
use thiserror::Error;

/// Why a shape is invalid or has no modes.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum ShapeError {
    /// A dimension, force or density out of range.
    #[error("the {what} is {value} {unit}; it must be between {min} and {max} {unit}")]
    Dimension { what: &'static str, value: f64, unit: &'static str, min: f64, max: f64 },
    /// Too thick for the theory of thin bodies.
    #[error("the {what} is {value} m, more than {of} of {limit} m; thin-body theory ends there")]
    Proportion { what: &'static str, value: f64, of: &'static str, limit: f64 },
    /// An option out of range.
    #[error("the option {what} is {value}; it must be {must}")]
    Options { what: &'static str, value: f64, must: &'static str },
    /// No mode falls in the band, or all are overdamped.
    #[error(
        "no mode of {shape} in {material} is heard between {min_hz} and {max_hz} Hz; \
         change its size, take a less damped material or widen the band"
    )]
    Silent { shape: String, material: String, min_hz: f64, max_hz: f64 },
    /// Too many modes to compute.
    #[error(
        "the {what} has too many modes up to {up_to_hz:.1} Hz to compute them; \
         make it smaller or thicker, or lower the top of the band or the number of modes"
    )]
    TooLarge { what: &'static str, up_to_hz: f64 },
    /// A text that names no shape.
    #[error("`{text}` is not a shape: {problem}; write for example `{example}`")]
    Text { text: String, problem: String, example: &'static str },
    /// The material is impossible.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The modes make no model.
    #[error(transparent)]
    Model(#[from] ModelError),
}
