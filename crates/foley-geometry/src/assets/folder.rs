//! Assets in a folder of the file system.

use super::{AssetLoader, AssetReader};
use crate::bounded_read::{self, ReadCause, ReadError};
use std::borrow::Cow;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Loads regular files; paths are relative to a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderLoader {
    folder: PathBuf,
}

impl FolderLoader {
    /// Returns a loader of the files in a folder. With the default loader, paths are relative to
    /// the working folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }
}

impl AssetLoader for FolderLoader {
    fn load(&self, path: &Path, limit: u64) -> Result<Cow<'_, [u8]>, ReadError> {
        bounded_read::read(self.folder.join(path), limit).map(Cow::Owned)
    }

    fn check(&self, path: &Path) -> Result<(), ReadError> {
        bounded_read::check(self.folder.join(path)).map(drop)
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AssetReader>, ReadError> {
        let path = self.folder.join(path);
        bounded_read::check(&path)?;
        match File::open(&path) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(ReadError { path, cause: ReadCause::Open(error) }),
        }
    }

    fn load_below(
        &self,
        folder: &Path,
        name: &Path,
        limit: u64,
    ) -> Result<Cow<'_, [u8]>, ReadError> {
        let folder = self.folder.join(folder);
        let path = folder.join(name);
        let real = |real: &Path| {
            let fail = |error| ReadError { path: path.clone(), cause: ReadCause::Open(error) };
            real.canonicalize().map_err(fail)
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        // A symbolic link may lead out of the folder.
        let found = real(&path)?;
        if !found.starts_with(real(folder)?) {
            return Err(ReadError { path, cause: ReadCause::Outside });
        }
        bounded_read::read(found, limit).map(Cow::Owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn files_are_loaded_opened_and_checked_relative_to_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.bin"), b"0123").unwrap();
        let loader = FolderLoader::new(folder.path());
        let file = Path::new("a.bin");
        assert_eq!(&*loader.load(file, 4).unwrap(), b"0123");
        assert!(matches!(
            loader.load(file, 3).unwrap_err().cause,
            ReadCause::TooLarge { found: 4, limit: 3 }
        ));
        let mut text = String::new();
        loader.open(file).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "0123");
        loader.check(file).unwrap();
        assert!(loader.check(Path::new("none")).is_err());
        assert!(loader.open(Path::new("none")).is_err());
        assert!(matches!(loader.check(Path::new(".")).unwrap_err().cause, ReadCause::NotAFile));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_of_the_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(folder.path().join("secret"), b"x").unwrap();
        std::fs::write(inner.join("plain"), b"y").unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), inner.join("link")).unwrap();
        let loader = FolderLoader::new(folder.path());
        let below = |name| loader.load_below(Path::new("inner"), Path::new(name), 10);
        assert_eq!(&*below("plain").unwrap(), b"y");
        assert!(matches!(below("link").unwrap_err().cause, ReadCause::Outside));
        assert!(matches!(below("none").unwrap_err().cause, ReadCause::Open(_)));
    }
}
