//! What can go wrong with a sound file, and what to do about it.

use foley_geometry::atomic_file::WriteError;
use std::io;
use std::path::{Path, PathBuf};

/// A sound file could not be written. Nothing is left behind.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum FileError {
    /// The extension (without its dot) names no format that can be written.
    #[error(
        "cannot write {}: {}; use .wav or .flac",
        path.display(),
        match extension {
            Some(extension) => format!("the format .{extension} is not known"),
            None => "its name has no extension to tell the format by".to_owned(),
        }
    )]
    UnknownExtension { path: PathBuf, extension: Option<String> },
    /// FLAC holds integers only.
    #[error(
        "cannot write {} as 32-bit float: FLAC holds integers only; choose 16 or 24 bit, or .wav",
        path.display()
    )]
    FloatFlac { path: PathBuf },
    /// The format cannot hold this many channels, frames or this sample rate.
    #[error("cannot write {}: {reason}", path.display())]
    Unsupported { path: PathBuf, reason: String },
    /// The file cannot be created or given its name.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The progress callback asked to stop.
    #[error("{} was not written: cancelled", path.display())]
    Cancelled { path: PathBuf },
    /// The operating system refused.
    #[error(
        "cannot {action} {}: {source}; check permissions and free space",
        path.display()
    )]
    Io { path: PathBuf, action: &'static str, source: io::Error },
}

impl FileError {
    pub(super) fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), action, source }
    }
}
