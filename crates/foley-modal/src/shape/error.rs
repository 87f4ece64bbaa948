//! Errors of shapes.

use crate::material::MaterialError;
use foley_dsp::model::ModelError;
use thiserror::Error;

/// Why a shape is invalid or has no modes.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A dimension, force or density out of range.
    #[error("the {what} is {value} {unit}; it must be between {min} and {max} {unit}")]
    Dimension {
        /// Which dimension of which shape.
        what: &'static str,
        /// The offending value.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// The least that is accepted.
        min: f64,
        /// The most that is accepted.
        max: f64,
    },
    /// Too thick for the theory of thin bodies.
    #[error("the {what} is {value} m, more than {of} of {limit} m; thin-body theory ends there")]
    Proportion {
        /// Which dimension of which shape.
        what: &'static str,
        /// The offending value.
        value: f64,
        /// The dimension it is compared with.
        of: &'static str,
        /// That dimension.
        limit: f64,
    },
    /// An option out of range.
    #[error("the option {what} is {value}; it must be {must}")]
    Options {
        /// Which option.
        what: &'static str,
        /// The offending value.
        value: f64,
        /// What would be accepted.
        must: &'static str,
    },
    /// No mode falls in the band, or all are overdamped.
    #[error(
        "no mode of {shape} in {material} is heard between {min_hz} and {max_hz} Hz; \
         change its size, take a less damped material or widen the band"
    )]
    Silent {
        /// The shape, as text.
        shape: String,
        /// The material.
        material: String,
        /// Lower end of the band.
        min_hz: f64,
        /// Upper end of the band.
        max_hz: f64,
    },
    /// Too many modes to compute.
    #[error(
        "the {what} has too many modes up to {up_to_hz:.1} Hz to compute them; \
         make it smaller or thicker, or lower the top of the band or the number of modes"
    )]
    TooLarge {
        /// Which shape.
        what: &'static str,
        /// The frequency up to which modes would be needed.
        up_to_hz: f64,
    },
    /// A text that names no shape.
    #[error("`{text}` is not a shape: {problem}; write for example `{example}`")]
    Text {
        /// What was read, shortened.
        text: String,
        /// What is wrong with it.
        problem: String,
        /// A text that would be accepted.
        example: &'static str,
    },
    /// The material is impossible.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The modes make no model.
    #[error(transparent)]
    Model(#[from] ModelError),
}
