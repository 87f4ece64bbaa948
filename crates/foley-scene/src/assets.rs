//! Assets: the files that a scene names, and the asset loader they come from.

pub use foley_geometry::assets::{AssetLoader, AssetReader, FolderLoader, MemoryLoader};

use crate::scene::Scene;
use foley_geometry::bounded_read::ReadError;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, LazyLock};

static FILE_SYSTEM: LazyLock<FolderLoader> = LazyLock::new(FolderLoader::default);

/// The asset loader of a scene: the file system by default.
///
/// ```
/// use foley_scene::assets::{Assets, MemoryLoader};
/// use foley_scene::Scene;
/// let text = "[[object]]\nmesh = \"square.obj\"\nmaterial = \"steel\"\nthickness_m = 0.002";
/// let mesh = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
/// let files = MemoryLoader::default()
///     .with("scenes/square.toml", text.as_bytes())
///     .with("scenes/square.obj", mesh.as_bytes());
/// let scene = Scene::load_from(Assets::new(files), "scenes/square.toml")?;
/// let prepared = scene.prepare_geometry()?;
/// assert!((prepared.objects[0].mass.mass_kg - 15.7).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Assets(Option<Arc<dyn AssetLoader>>);

impl Assets {
    /// Returns the assets of a loader.
    pub fn new(loader: impl AssetLoader + 'static) -> Self {
        Self(Some(Arc::new(loader)))
    }

    /// Returns the loader. Paths of a scene are relative to its `folder`.
    pub fn loader(&self) -> &dyn AssetLoader {
        match &self.0 {
            Some(loader) => &**loader,
            None => &*FILE_SYSTEM,
        }
    }
}

impl Scene {
    /// Opens a file that the scene names, such as a recorded surface or a trace.
    pub fn open_file(&self, file: &Path) -> Result<Box<dyn AssetReader>, ReadError> {
        self.assets.loader().open(&self.folder.join(file))
    }
}

impl From<Arc<dyn AssetLoader>> for Assets {
    fn from(loader: Arc<dyn AssetLoader>) -> Self {
        Self(Some(loader))
    }
}

/// Assets are equal if they share one loader.
impl PartialEq for Assets {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl fmt::Debug for Assets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.loader().fmt(f)
    }
}
