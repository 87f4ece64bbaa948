//! A file that appears complete or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::FileError;

/// A temporary file beside its final name; dropped without [`keep`](Self::keep), it is removed.
pub(super) struct Target {
    /// As the caller wrote it, for messages.
    asked: PathBuf,
    /// With links resolved, so that a link stays a link.
    path: PathBuf,
    temporary: NamedTempFile,
}

impl Target {
    pub(super) fn create(asked: &Path) -> Result<Self, FileError> {
        let path = fs::canonicalize(asked).unwrap_or_else(|_| asked.to_owned());
        let not_a_file = || FileError::NotAFile { path: asked.to_owned() };
        let name = path.file_name().ok_or_else(not_a_file)?;
        // Renaming onto /dev/null would replace the device.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(not_a_file());
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            let (path, folder) = (asked.to_owned(), folder.to_owned());
            return Err(FileError::MissingFolder { path, folder });
        }
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(name);
        let temporary = builder()
            .prefix(&prefix)
            .suffix(".part")
            .tempfile_in(folder)
            .map_err(|error| FileError::io(asked, "create", error))?;
        Ok(Self { asked: asked.to_owned(), path, temporary })
    }

    pub(super) fn file(&self) -> &File {
        self.temporary.as_file()
    }

    /// Gives the finished file its name.
    pub(super) fn keep(self) -> Result<(), FileError> {
        let finish = || -> io::Result<()> {
            // Otherwise a power cut could leave the name without the contents.
            self.temporary.as_file().sync_data()?;
            self.temporary.persist(&self.path)?;
            Ok(())
        };
        finish().map_err(|error| FileError::io(&self.asked, "finish writing", error))
    }
}

/// Temporary files are private by default; a sound file is not.
#[cfg(unix)]
fn builder<'a, 'b>() -> tempfile::Builder<'a, 'b> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    builder.permissions(fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn builder<'a, 'b>() -> tempfile::Builder<'a, 'b> {
    tempfile::Builder::new()
}
