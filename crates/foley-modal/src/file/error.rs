//! Errors of `.modal` files.

use foley_dsp::model::ModelError;
use foley_geometry::atomic_file::WriteError;
use foley_geometry::bounded_read::ReadError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a `.modal` file cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file has another format.
    #[error("this is not a .modal file: it does not begin with `FOLEYMOD`")]
    NotModal,
    /// The file was written by a later version of Foley.
    #[error("the file has version {found}; this Foley reads version {known}: update it")]
    Version {
        /// The version of the file.
        found: u32,
        /// The version that can be read.
        known: u32,
    },
    /// The end is missing.
    #[error("the file ends after {found} bytes, inside its {what}; copy it again")]
    Truncated {
        /// How long it is.
        found: usize,
        /// The part that is cut off.
        what: &'static str,
    },
    /// The checksum differs: the file is damaged.
    #[error("the checksum is {computed:08x} where {stored:08x} is written: the file is damaged")]
    Checksum {
        /// The sum in the file.
        stored: u32,
        /// The sum of its bytes.
        computed: u32,
    },
    /// The header cannot be understood.
    #[error("the header cannot be read: {0}")]
    Header(String),
    /// An array does not fit.
    #[error("array `{name}`: {problem}")]
    Array {
        /// Its name.
        name: &'static str,
        /// What is wrong.
        problem: String,
    },
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
    At {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<FileError>,
    },
}
