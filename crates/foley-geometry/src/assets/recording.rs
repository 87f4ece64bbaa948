//! An asset loader that records which files are asked for.

use super::{AssetLoader, AssetReader};
use crate::bounded_read::ReadError;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Passes everything to another loader and records the paths. Clones share the record.
///
/// ```
/// use foley_geometry::assets::{AssetLoader, MemoryLoader, RecordingLoader};
/// use std::path::Path;
/// let loader = RecordingLoader::new(MemoryLoader::default().with("a.obj", b"v 0 0 0".to_vec()));
/// loader.check(Path::new("a.obj"))?;
/// assert_eq!(loader.paths(), [Path::new("a.obj")]);
/// # Ok::<(), foley_geometry::bounded_read::ReadError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct RecordingLoader<L> {
    loader: L,
    paths: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl<L: AssetLoader> RecordingLoader<L> {
    /// Records what is asked of a loader.
    pub fn new(loader: L) -> Self {
        Self { loader, paths: Arc::default() }
    }

    /// Returns the paths that were loaded, opened or checked, sorted.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn record(&self, path: PathBuf) {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
    }
}

impl<L: AssetLoader> AssetLoader for RecordingLoader<L> {
    fn load(&self, path: &Path, limit: u64) -> Result<Cow<'_, [u8]>, ReadError> {
        self.record(path.to_owned());
        self.loader.load(path, limit)
    }

    fn check(&self, path: &Path) -> Result<(), ReadError> {
        self.record(path.to_owned());
        self.loader.check(path)
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AssetReader>, ReadError> {
        self.record(path.to_owned());
        self.loader.open(path)
    }

    fn load_below(
        &self,
        folder: &Path,
        name: &Path,
        limit: u64,
    ) -> Result<Cow<'_, [u8]>, ReadError> {
        self.record(folder.join(name));
        self.loader.load_below(folder, name, limit)
    }
}
