//! From the text of a file to tables of values that remember where they stood.
//!
//! TOML (`toml`) and the custom properties of glTF (`json`) become the same [`value::Table`]s,
//! and [`fields::Fields`] takes the keys out of them one by one: what is asked for is known,
//! what is left over is a problem.

pub(crate) mod fields;
pub(crate) mod json;
pub(crate) mod toml;
pub(crate) mod value;
