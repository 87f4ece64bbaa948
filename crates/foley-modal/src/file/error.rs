//! Errors of `.modal` files.

use foley_dsp::model::ModelError;
use foley_geometry::atomic_file::WriteError;
use foley_geometry::bounded_read::ReadError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a `.modal` file cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum FileError {
    /// The file has another format.
    #[error("this is not a .modal file: it does not begin with `FOLEYMOD`")]
    NotModal,
    /// The file was written by a later version of Foley.
    #[error("the file has version {found}; this Foley reads version {known}: update it")]
    Version { found: u32, known: u32 },
    /// The end is missing.
    #[error("the file ends after {found} bytes, inside its {what}; copy it again")]
    Truncated { found: usize, what: &'static str },
    /// The checksum differs: the file is damaged.
    #[error("the checksum is {computed:08x} where {stored:08x} is written: the file is damaged")]
    Checksum { stored: u32, computed: u32 },
    /// The header cannot be understood.
    #[error("the header cannot be read: {0}")]
    Header(String),
    /// An array does not fit.
    #[error("array `{name}`: {problem}")]
    Array { name: &'static str, problem: String },
    /// The numbers do not make a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Any of these, with the path of the file.
    #[error("{path}: {source}", path = path.display())]
    At { path: PathBuf, source: Box<FileError> },
}
