//! Atomic file writer: a file appears complete under its name, or not at all.
//!
//! The content is written beside the target under a temporary name, which is renamed at the end.
//! What a killed process leaves is removed when the next file is written into the folder.

mod leftovers;

pub use leftovers::remove_all as remove_all_temporary;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file under a temporary name beside its target. [`keep`](Self::keep) gives it its name;
/// dropped before, it is removed.
///
/// ```
/// use foley_geometry::atomic_file::AtomicFile;
/// let path = std::env::temp_dir().join(format!("atomic-{}.txt", std::process::id()));
/// AtomicFile::new(&path, b"complete")?.keep()?;
/// assert_eq!(std::fs::read(&path)?, b"complete");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
#[derive(Debug)]
pub struct AtomicFile {
    /// Path as given by the caller, for messages.
    asked: PathBuf,
    /// Path with links resolved, so that a link stays a link.
    path: PathBuf,
    /// Empty once the file is kept.
    temporary: PathBuf,
    file: File,
}

/// Error of writing a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum WriteError {
    /// The target is a folder, a device or a pipe.
    #[error("cannot write {}: it is not an ordinary file; choose another name", path.display())]
    NotAFile { path: PathBuf },
    /// The folder of the target does not exist.
    #[error(
        "cannot write {}: there is no folder {}; create it first",
        path.display(),
        folder.display()
    )]
    MissingFolder { path: PathBuf, folder: PathBuf },
    /// The content exceeds what is read back.
    #[error(
        "cannot write {}: it would have {found} bytes, and more than {limit} are never read",
        path.display()
    )]
    TooLarge { path: PathBuf, found: u64, limit: u64 },
    /// Error of the operating system.
    #[error("cannot write {}: {source}; {}", path.display(), remedy(source))]
    Io { path: PathBuf, source: io::Error },
}

/// Returns what to do about an error of writing.
pub(crate) fn remedy(error: &io::Error) -> &'static str {
    use io::ErrorKind::*;
    match error.kind() {
        InvalidFilename => "choose a shorter or simpler name",
        PermissionDenied | ReadOnlyFilesystem => {
            "choose another folder, or permit writing into this one"
        }
        // Of folders in which nothing can be created, such as /proc.
        NotFound => "choose another folder",
        StorageFull | QuotaExceeded => "free some space",
        _ => "check permissions and free space",
    }
}

impl AtomicFile {
    /// Creates an empty file beside `path`.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, WriteError> {
        let asked = path.as_ref();
        let path = fs::canonicalize(asked).unwrap_or_else(|_| asked.to_owned());
        let not_a_file = || WriteError::NotAFile { path: asked.to_owned() };
        path.file_name().ok_or_else(not_a_file)?;
        // Renaming onto /dev/null would replace the device.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(not_a_file());
        }
        if let Err(source) = fs::symlink_metadata(&path)
            && source.kind() == io::ErrorKind::InvalidFilename
        {
            return Err(WriteError::Io { path: asked.to_owned(), source });
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            let (path, folder) = (asked.to_owned(), folder.to_owned());
            return Err(WriteError::MissingFolder { path, folder });
        }
        leftovers::remove_from(folder);
        let (temporary, file) = leftovers::create(folder, path.extension())
            .map_err(|source| WriteError::Io { path: asked.to_owned(), source })?;
        Ok(Self { asked: asked.to_owned(), path, temporary, file })
    }

    /// Writes this content beside `path`.
    pub fn new(path: impl AsRef<Path>, bytes: &[u8]) -> Result<Self, WriteError> {
        let mut file = Self::create(path)?;
        match file.file.write_all(bytes) {
            Ok(()) => Ok(file),
            Err(source) => Err(WriteError::Io { path: file.asked.clone(), source }),
        }
    }

    /// Returns the file to write to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns the temporary path, for other programs to write to.
    pub fn temporary_path(&self) -> &Path {
        if cfg!(windows) {
            // There a lock keeps other programs from writing.
            let _ = self.file.unlock();
        }
        &self.temporary
    }

    /// Gives the finished file its name, replacing a file that has it.
    pub fn keep(mut self) -> Result<(), WriteError> {
        // Without it, a power cut could leave the name without the content.
        let renamed =
            self.file.sync_data().and_then(|()| leftovers::rename(&self.temporary, &self.path));
        match renamed {
            Ok(()) => {
                self.temporary = PathBuf::new();
                Ok(())
            }
            Err(source) => Err(WriteError::Io { path: self.asked.clone(), source }),
        }
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.temporary.as_os_str().is_empty() {
            leftovers::remove(&self.temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    fn names(folder: &Path) -> Vec<OsString> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn a_file_appears_when_it_is_kept_and_a_dropped_one_never() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for content in [&b"first"[..], b"second"] {
            let file = AtomicFile::new(&path, content).unwrap();
            assert_eq!(names(folder.path()).len(), 1 + usize::from(path.exists()));
            assert_eq!(file.temporary_path().extension().unwrap(), "txt");
            assert_ne!(fs::read(&path).ok().as_deref(), Some(content));
            file.keep().unwrap();
            assert_eq!(fs::read(&path).unwrap(), content);
        }
        drop(AtomicFile::new(&path, b"third").unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn folders_and_missing_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = AtomicFile::create(folder.path()).unwrap_err().to_string();
        assert!(error.contains("not an ordinary file"), "{error}");
        let error = AtomicFile::create(folder.path().join("no/such.txt")).unwrap_err();
        assert!(error.to_string().contains("there is no folder"), "{error}");
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, b"old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        AtomicFile::new(&link, b"new").unwrap().keep().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
    }
}
