//! Model cache: baked models, keyed by content and by a fingerprint of the solver's sources, in a
//! folder or in any other [`ModelStore`].
//!
//! The cache is optional: without a store, with a damaged entry or one that cannot be written, the
//! model is baked again.

mod store;

pub use store::{FolderStore, MemoryStore, ModelStore};

use crate::bake::Baked;
use crate::file;
use foley_dsp::model::ModalModel;
use foley_geometry::mesh::Mesh;
use std::path::PathBuf;
use std::sync::Arc;

/// Largest size of a stored reason for silence, bytes.
const MAX_REASON: u64 = 4096;

/// Baked models in a store. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct ModelCache {
    store: Option<Arc<dyn ModelStore>>,
}

/// The result of a bake.
#[derive(Debug, Clone, PartialEq)]
pub enum CacheEntry {
    /// A model.
    Model(Box<Baked>),
    /// No audible mode, with the reason.
    Silent(String),
}

/// Key of a bake: a hash of the mesh, the options and the solver's sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheKey(String);

impl CacheKey {
    /// Makes the key of a mesh and of all options of its bake, as text.
    pub fn new(mesh: &Mesh, options: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(env!("FOLEY_SOLVER_FINGERPRINT").as_bytes());
        hasher.update(&(options.len() as u64).to_le_bytes());
        hasher.update(options.as_bytes());
        hasher.update(&(mesh.vertices.len() as u64).to_le_bytes());
        mesh.vertices.iter().flatten().for_each(|x| {
            hasher.update(&x.to_le_bytes());
        });
        mesh.triangles.iter().flatten().for_each(|v| {
            hasher.update(&v.to_le_bytes());
        });
        Self(hasher.finalize().to_hex()[..32].into())
    }

    fn name(&self, ending: &str) -> String {
        format!("{}.{ending}", self.0)
    }
}

impl ModelCache {
    /// Uses the folder that the environment variable `FOLEY_CACHE_DIR` names, otherwise the folder
    /// `foley` in the platform's cache folder of the user.
    pub fn user() -> Self {
        if let Some(folder) = std::env::var_os("FOLEY_CACHE_DIR").filter(|name| !name.is_empty()) {
            return Self::at(folder);
        }
        let base = directories::BaseDirs::new();
        base.map_or_else(Self::none, |base| Self::at(base.cache_dir().join("foley")))
    }

    /// Uses this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self::with_store(Arc::new(FolderStore::new(folder)))
    }

    /// Keeps models in memory.
    pub fn in_memory() -> Self {
        Self::with_store(Arc::new(MemoryStore::default()))
    }

    /// Uses a program's own store.
    pub fn with_store(store: Arc<dyn ModelStore>) -> Self {
        Self { store: Some(store) }
    }

    /// Stores nothing.
    pub fn none() -> Self {
        Self::default()
    }

    fn get(&self, key: &CacheKey, ending: &str, limit: u64) -> Option<Vec<u8>> {
        self.store.as_ref()?.get(&key.name(ending), limit)
    }

    fn put(&self, key: &CacheKey, ending: &str, bytes: &[u8]) {
        self.store.iter().for_each(|store| store.put(&key.name(ending), bytes));
    }

    /// Returns the result of a bake, where it is stored.
    pub fn load(&self, key: &CacheKey) -> Option<CacheEntry> {
        if let Some(bytes) = self.get(key, "modal", file::MAX_FILE_BYTES)
            && let Ok((model, Some(provenance))) = file::read_with_provenance(&bytes)
        {
            return Some(CacheEntry::Model(Box::new(Baked { model, provenance })));
        }
        let reason = self.get(key, "silent", MAX_REASON)?;
        String::from_utf8(reason).ok().map(CacheEntry::Silent)
    }

    /// Stores the result of a bake. A failed write costs time next time, nothing else.
    pub fn store(&self, key: &CacheKey, entry: &CacheEntry) {
        let (ending, bytes) = match entry {
            CacheEntry::Model(baked) => {
                ("modal", file::write_with_provenance(&baked.model, Some(&baked.provenance)))
            }
            CacheEntry::Silent(reason) => ("silent", reason.clone().into_bytes()),
        };
        self.put(key, ending, &bytes);
    }

    /// Returns the stored model that `is_valid` accepts, or bakes and stores it.
    pub fn model_or_bake<E>(
        &self,
        key: &CacheKey,
        is_valid: impl Fn(&ModalModel) -> bool,
        bake: impl FnOnce() -> Result<ModalModel, E>,
    ) -> Result<ModalModel, E> {
        let stored = self.get(key, "modal", file::MAX_FILE_BYTES);
        let stored = stored.and_then(|bytes| file::read(&bytes).ok());
        if let Some(model) = stored.filter(is_valid) {
            return Ok(model);
        }
        let model = bake()?;
        self.put(key, "modal", &file::write(&model));
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Material, Shape, ShapeOptions};
    use std::fs;

    #[test]
    fn a_model_is_baked_once_and_again_when_the_file_is_damaged() {
        let bar: Shape = "bar:300x30x8mm".parse().unwrap();
        let options = ShapeOptions { max_modes: 3, ..ShapeOptions::default() };
        let model = bar.model(Material::named("steel").unwrap(), &options).unwrap();
        let key = CacheKey::new(&Mesh::default(), "bar");
        let mut baked = 0;
        let mut get = |cache: &ModelCache| {
            let found = cache.model_or_bake(
                &key,
                |found| found.mode_count() == 3,
                || {
                    baked += 1;
                    Ok::<_, ()>(model.clone())
                },
            );
            assert_eq!(found.as_ref(), Ok(&model));
            baked
        };
        let folder = tempfile::tempdir().unwrap();
        let cache = ModelCache::at(folder.path().join("foley"));
        assert_eq!([get(&cache), get(&cache)], [1, 1]);
        let path = folder.path().join("foley").join(key.name("modal"));
        fs::write(&path, b"FOLEYMOD?").unwrap();
        assert_eq!([get(&cache), get(&cache)], [2, 2]);
        // A folder that cannot be made, and none at all.
        let impossible = ModelCache::at(path.join("below a file"));
        assert_eq!([get(&impossible), get(&impossible), get(&ModelCache::none())], [3, 4, 5]);
        // Clones of one in memory share their models.
        let memory = ModelCache::in_memory();
        assert_eq!([get(&memory), get(&memory.clone()), get(&memory)], [6, 6, 6]);
    }

    #[test]
    fn keys_differ_by_mesh_and_options() {
        let mesh = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
        let mut moved = mesh.clone();
        moved.vertices[1][0] = 1.0 + f64::EPSILON;
        let key = |mesh: &Mesh, options| CacheKey::new(mesh, options);
        assert_eq!(key(&mesh, "a"), key(&mesh.clone(), "a"));
        assert_ne!(key(&mesh, "a"), key(&mesh, "b"));
        assert_ne!(key(&mesh, "a"), key(&moved, "a"));
    }
}
