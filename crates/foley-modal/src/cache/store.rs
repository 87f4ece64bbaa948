//! Where a [`ModelCache`](super::ModelCache) keeps its bytes: a folder, memory, or what a program
//! implements (a browser's storage, an object store that a cluster shares).

use foley_geometry::atomic_file::AtomicFile;
use foley_geometry::bounded_read;
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Keeps bytes by name. Whatever goes wrong, the model is baked again, so nothing here fails: what
/// cannot be read is missing, what cannot be written is lost. Damaged bytes are noticed by the caller.
///
/// ```
/// use foley_modal::cache::{MemoryStore, ModelStore};
/// let store = MemoryStore::default();
/// store.put("a.modal", b"modes");
/// assert_eq!(store.get("a.modal", 100).as_deref(), Some(&b"modes"[..]));
/// assert_eq!(store.get("a.modal", 4), None);
/// ```
pub trait ModelStore: fmt::Debug + Send + Sync {
    /// Returns the bytes of a name, if there are at most `limit`.
    fn get(&self, name: &str, limit: u64) -> Option<Vec<u8>>;

    /// Replaces the bytes of a name, completely or not at all. Names are letters, digits and a point.
    fn put(&self, name: &str, bytes: &[u8]);
}

/// Files in a folder, which is made when the first is written.
#[derive(Debug, Clone)]
pub struct FolderStore {
    folder: PathBuf,
}

impl FolderStore {
    /// Uses this folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }
}

impl ModelStore for FolderStore {
    fn get(&self, name: &str, limit: u64) -> Option<Vec<u8>> {
        bounded_read::read(self.folder.join(name), limit).ok()
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let _ = fs::create_dir_all(&self.folder);
        let _ = AtomicFile::new(self.folder.join(name), bytes).and_then(AtomicFile::keep);
    }
}

/// Models in memory, for programs without files and for tests.
#[derive(Debug, Default)]
pub struct MemoryStore {
    entries: Mutex<HashMap<String, Vec<u8>>>,
}

impl MemoryStore {
    /// Returns the names of all entries, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut names: Vec<String> = entries.keys().cloned().collect();
        names.sort();
        names
    }
}

impl ModelStore for MemoryStore {
    fn get(&self, name: &str, limit: u64) -> Option<Vec<u8>> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.get(name).filter(|bytes| bytes.len() as u64 <= limit).cloned()
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.insert(name.to_owned(), bytes.to_vec());
    }
}
