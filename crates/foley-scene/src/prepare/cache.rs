//! Solved models, kept in a folder.
//!
//! A cache is never needed: without a folder, with a damaged file or one that cannot be written,
//! the model is solved again.

use foley_geometry::atomic_file::AtomicFile;
use foley_geometry::bounded_read;
use foley_geometry::mesh::Mesh;
use foley_modal::bake::Baked;
use foley_modal::file;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// To be raised when baking changes its results.
const VERSION: u32 = 1;
/// A reason for silence is a sentence.
const MAX_REASON: u64 = 4096;

/// Where solved models are kept.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    folder: Option<PathBuf>,
}

/// What is known of something that was solved.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CacheEntry {
    /// It sounds.
    Model(Box<Baked>),
    /// It does not, for this reason.
    Silent(String),
}

impl Cache {
    /// The user's: `$XDG_CACHE_HOME/foley` or `~/.cache/foley`.
    pub fn user() -> Self {
        let set =
            |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
        let caches = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
        Self { folder: caches.map(|caches| caches.join("foley")) }
    }

    /// This folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()) }
    }

    /// Keeps nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// Where it is; `None` when nothing is kept.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// A number for a mesh and whatever else decides its modes, for names of assets.
    pub fn number(mesh: &Mesh, key: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        (VERSION, env!("CARGO_PKG_VERSION"), key, &mesh.triangles).hash(&mut hasher);
        mesh.vertices.iter().flatten().for_each(|x| x.to_bits().hash(&mut hasher));
        hasher.finish()
    }

    fn path(&self, hash: u64, ending: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(format!("scene-{hash:016x}.{ending}")))
    }

    pub(super) fn load(&self, hash: u64) -> Option<CacheEntry> {
        if let Ok((model, Some(provenance))) = file::load_with_provenance(self.path(hash, "modal")?)
        {
            return Some(CacheEntry::Model(Box::new(Baked { model, provenance })));
        }
        let reason = bounded_read::read(self.path(hash, "silent")?, MAX_REASON).ok()?;
        String::from_utf8(reason).ok().map(CacheEntry::Silent)
    }

    /// A full disk or a folder that is not ours costs time next time, nothing else.
    pub(super) fn store(&self, hash: u64, kept: &CacheEntry) {
        let (ending, bytes) = match kept {
            CacheEntry::Model(baked) => {
                ("modal", file::write_with_provenance(&baked.model, Some(&baked.provenance)))
            }
            CacheEntry::Silent(reason) => ("silent", reason.clone().into_bytes()),
        };
        if let (Some(folder), Some(path)) = (&self.folder, self.path(hash, ending)) {
            let _ = fs::create_dir_all(folder);
            let _ = AtomicFile::new(path, &bytes).and_then(AtomicFile::keep);
        }
    }
}
