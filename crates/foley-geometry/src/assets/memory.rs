//! Assets in memory.

use super::{AssetLoader, AssetReader};
use crate::bounded_read::{ReadCause, ReadError};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Loads files from a map. Clones share their content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryLoader {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl MemoryLoader {
    /// Adds a file, replacing one of the same path.
    pub fn insert(&mut self, path: impl AsRef<Path>, bytes: impl Into<Arc<[u8]>>) {
        self.files.insert(normalised(path.as_ref()), bytes.into());
    }

    /// Returns the same files and this one.
    #[must_use]
    pub fn with(mut self, path: impl AsRef<Path>, bytes: impl Into<Arc<[u8]>>) -> Self {
        self.insert(path, bytes);
        self
    }

    fn find(&self, path: &Path) -> Result<&Arc<[u8]>, ReadError> {
        let missing = || {
            let error = Error::new(ErrorKind::NotFound, "there is no such file in memory");
            ReadError { path: path.to_owned(), cause: ReadCause::Open(error) }
        };
        self.files.get(&normalised(path)).ok_or_else(missing)
    }
}

impl AssetLoader for MemoryLoader {
    fn load(&self, path: &Path, limit: u64) -> Result<Cow<'_, [u8]>, ReadError> {
        let bytes = self.find(path)?;
        let found = bytes.len() as u64;
        if found > limit {
            let cause = ReadCause::TooLarge { found, limit };
            return Err(ReadError { path: path.to_owned(), cause });
        }
        Ok(Cow::Borrowed(bytes))
    }

    fn check(&self, path: &Path) -> Result<(), ReadError> {
        self.find(path).map(drop)
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AssetReader>, ReadError> {
        Ok(Box::new(Cursor::new(self.find(path)?.clone())))
    }
}

/// Removes `.`, and `..` with the component before it. A `..` at the root stays, so that such a
/// path finds nothing that has a plain one.
fn normalised(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => (),
            Component::ParentDir
                if matches!(found.components().next_back(), Some(Component::Normal(_))) =>
            {
                found.pop();
            }
            component => found.push(component),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek, SeekFrom};

    #[test]
    fn equivalent_paths_find_the_same_file_and_others_none() {
        let loader = MemoryLoader::default().with("a/b.bin", *b"0123");
        for path in ["a/b.bin", "./a/b.bin", "a/../a/b.bin", "c/../a/./b.bin"] {
            assert_eq!(&*loader.load(Path::new(path), 4).unwrap(), b"0123", "{path}");
        }
        for path in ["b.bin", "../a/b.bin", "a/../../a/b.bin", "/a/b.bin", "a", ""] {
            let error = loader.check(Path::new(path)).unwrap_err();
            assert!(matches!(error.cause, ReadCause::Open(_)), "{path}");
        }
    }

    #[test]
    fn an_open_file_can_be_searched() {
        let loader = MemoryLoader::default().with("a", *b"0123");
        let mut file = loader.open(Path::new("a")).unwrap();
        file.seek(SeekFrom::Start(2)).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "23");
    }
}
