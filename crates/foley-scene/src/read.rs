//! From the text of a file to tables of values with their positions in the file.
//!
//! TOML (`toml`) and the custom properties of glTF (`json`) become the same [`value::Table`]s.
//! [`fields::Fields`] takes their keys one by one; a key that is never asked for is reported.

pub(crate) mod value;
pub(crate) mod toml;
pub(crate) mod json;
pub(crate) mod fields;
pub(crate) mod files;
