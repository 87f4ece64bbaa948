//! Bounded file reader: regular files only, up to a size limit, with errors that name the file.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Error of reading a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", path.display())]
pub struct ReadError {
    /// Path of the file.
    pub path: PathBuf,
    /// Cause of the error.
    pub cause: ReadCause,
}

/// Cause of a [`ReadError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadCause {
    /// A folder, a device or a pipe.
    #[error("this is not a regular file")]
    NotAFile,
    /// A link leads out of the folder that the file must be in.
    #[error("the file is outside its folder; copy it there")]
    Outside,
    /// The file exceeds the size limit.
    #[error("the file has {found} bytes; more than {limit} are never read")]
    TooLarge {
        /// Size of the file.
        found: u64,
        /// Size limit.
        limit: u64,
    },
    /// The file cannot be opened.
    #[error("cannot open the file: {0}")]
    Open(io::Error),
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Read(io::Error),
}

/// Checks that a path leads to a regular file, without opening it: opening a pipe would block.
pub fn check(path: impl AsRef<Path>) -> Result<Metadata, ReadError> {
    let path = path.as_ref();
    let fail = |cause| ReadError { path: path.to_owned(), cause };
    let found = fs::metadata(path).map_err(|error| fail(ReadCause::Open(error)))?;
    if found.is_file() { Ok(found) } else { Err(fail(ReadCause::NotAFile)) }
}

/// Returns the content of a regular file of at most `limit` bytes, also when it grows while it is
/// read.
///
/// ```
/// let error = foley_geometry::bounded_read::read(".", 100).unwrap_err();
/// assert_eq!(error.to_string(), ".: this is not a regular file");
/// ```
pub fn read(path: impl AsRef<Path>, limit: u64) -> Result<Vec<u8>, ReadError> {
    let path = path.as_ref();
    let fail = |cause| ReadError { path: path.to_owned(), cause };
    let fits = |found| match found > limit {
        true => Err(fail(ReadCause::TooLarge { found, limit })),
        false => Ok(found),
    };
    let size = fits(check(path)?.len())?;
    let file = File::open(path).map_err(|error| fail(ReadCause::Open(error)))?;
    let mut bytes = Vec::with_capacity(size as usize);
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| fail(ReadCause::Read(error)))?;
    fits(bytes.len() as u64)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_kept_and_errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ten.bin");
        fs::write(&path, [7; 10]).unwrap();
        assert_eq!(read(&path, 10).unwrap(), [7; 10]);
        let error = read(&path, 9).unwrap_err().to_string();
        assert!(error.contains("ten.bin: the file has 10 bytes"), "{error}");
        let error = read(folder.path().join("none"), 9).unwrap_err().to_string();
        assert!(error.contains("none: cannot open the file"), "{error}");
    }
}
