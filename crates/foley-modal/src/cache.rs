//! Model cache: baked models in a folder, keyed by content and by a fingerprint of the solver's
//! sources.
//!
//! The cache is optional: without a folder, with a damaged file or one that cannot be written, the
//! model is baked again.

use crate::bake::Baked;
use crate::file;
use foley_dsp::model::ModalModel;
use foley_geometry::atomic_file::AtomicFile;
use foley_geometry::bounded_read;
use foley_geometry::mesh::Mesh;
use std::fs;
use std::path::{Path, PathBuf};

/// Largest size of a stored reason for silence, bytes.
const MAX_REASON: u64 = 4096;

/// A folder of baked models.
#[derive(Debug, Clone, Default)]
pub struct ModelCache {
    folder: Option<PathBuf>,
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
}

impl ModelCache {
    /// Uses the platform's cache folder of the user.
    pub fn user() -> Self {
        let folder = directories::BaseDirs::new().map(|base| base.cache_dir().join("foley"));
        Self { folder }
    }

    /// Uses this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()) }
    }

    /// Stores nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns its folder; `None` when it stores nothing.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    fn path(&self, key: &CacheKey, ending: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(format!("{}.{ending}", key.0)))
    }

    /// Returns the result of a bake, where it is stored.
    pub fn load(&self, key: &CacheKey) -> Option<CacheEntry> {
        if let Ok((model, Some(provenance))) = file::load_with_provenance(self.path(key, "modal")?)
        {
            return Some(CacheEntry::Model(Box::new(Baked { model, provenance })));
        }
        let reason = bounded_read::read(self.path(key, "silent")?, MAX_REASON).ok()?;
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
        self.replace(key, ending, &bytes);
    }

    /// Returns the stored model that `is_valid` accepts, or bakes and stores it.
    pub fn model_or_bake<E>(
        &self,
        key: &CacheKey,
        is_valid: impl Fn(&ModalModel) -> bool,
        bake: impl FnOnce() -> Result<ModalModel, E>,
    ) -> Result<ModalModel, E> {
        let stored = self.path(key, "modal").and_then(|path| file::load(path).ok());
        if let Some(model) = stored.filter(is_valid) {
            return Ok(model);
        }
        let model = bake()?;
        self.replace(key, "modal", &file::write(&model));
        Ok(model)
    }

    fn replace(&self, key: &CacheKey, ending: &str, bytes: &[u8]) {
        if let (Some(folder), Some(path)) = (&self.folder, self.path(key, ending)) {
            let _ = fs::create_dir_all(folder);
            let _ = AtomicFile::new(path, bytes).and_then(AtomicFile::keep);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Material, Shape, ShapeOptions};

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
        let path = cache.path(&key, "modal").unwrap();
        fs::write(&path, b"FOLEYMOD?").unwrap();
        assert_eq!([get(&cache), get(&cache)], [2, 2]);
        // A folder that cannot be made, and none at all.
        let impossible = ModelCache::at(path.join("below a file"));
        assert_eq!([get(&impossible), get(&impossible), get(&ModelCache::none())], [3, 4, 5]);
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
