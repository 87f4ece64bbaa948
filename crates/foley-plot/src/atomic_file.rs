//! Atomic file replacement: a file appears complete or not at all.

use anyhow::{Context, Result, anyhow, bail};
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A complete file under a temporary name; [`AtomicFile::keep`] renames it, dropping deletes it.
#[must_use]
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    temporary: NamedTempFile,
}

impl AtomicFile {
    /// Writes the bytes beside `path`.
    pub fn new(path: &Path, bytes: &[u8]) -> Result<Self> {
        let refused = || format!("cannot write {}", path.display());
        // A symbolic link stays a link.
        let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if real.exists() && !real.is_file() {
            bail!("{}: it is not an ordinary file; choose another name", refused());
        }
        let folder = real.parent().filter(|f| !f.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        if !folder.is_dir() {
            bail!("{}: there is no folder {}; create it first", refused(), folder.display());
        }
        let written = builder().tempfile_in(folder).and_then(|mut temporary| {
            temporary.write_all(bytes)?;
            // Otherwise a power failure could leave the name without the contents.
            temporary.as_file().sync_data()?;
            Ok(temporary)
        });
        // The kind alone: the full message would name the temporary file.
        let temporary = written.map_err(|e| {
            anyhow!("{}: {}; check permissions and free space", refused(), e.kind())
        })?;
        Ok(Self { path: real, temporary })
    }

    /// Lets `make` write a file beside `path`, with the same extension.
    pub fn written_by(path: &Path, make: impl FnOnce(&Path) -> Result<()>) -> Result<Self> {
        let empty = Self::new(path, &[])?;
        let folder = empty.temporary.path().parent().unwrap_or(Path::new("."));
        let ending = path.extension().map(|e| format!(".{}", e.display())).unwrap_or_default();
        let temporary = builder().suffix(&ending).tempfile_in(folder)?;
        make(temporary.path())?;
        Ok(Self { temporary, ..empty })
    }

    /// Renames the file to its final name.
    pub fn keep(self) -> Result<()> {
        let path = self.path;
        let kept = self.temporary.persist(&path).map(drop).map_err(|e| e.error);
        kept.with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Temporary files are private by default; these get the permissions of ordinary files.
#[cfg(unix)]
fn builder<'a, 'b>() -> tempfile::Builder<'a, 'b> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".foley").permissions(std::fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn builder<'a, 'b>() -> tempfile::Builder<'a, 'b> {
    tempfile::Builder::new()
}
