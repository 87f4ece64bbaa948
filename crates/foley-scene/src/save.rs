//! Saves scenes to files.

use crate::load::MAX_SCENE_BYTES;
use crate::scene::{BodySource, Scene, SurfaceDescription};
use foley_geometry::atomic_file::{AtomicFile, WriteError};
use std::path::{Component, Path, PathBuf};

impl Scene {
    /// Writes the scene to a TOML file, replacing one of this name. It reads back as the same scene,
    /// with the ids 0, 1, 2, …. Names of files, which are relative to the scene's `folder`, become relative to
    /// the folder of the file.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        let path = path.as_ref();
        let folder = path.parent().unwrap_or(Path::new(""));
        let text = match way_between(folder, &self.folder) {
            Some(way) => self.with_files_below(&way).to_toml(),
            None => self.to_toml(),
        };
        let (found, limit) = (text.len() as u64, MAX_SCENE_BYTES);
        if found > limit {
            return Err(WriteError::TooLarge { path: path.to_owned(), found, limit });
        }
        AtomicFile::new(path, text.as_bytes())?.keep()
    }

    /// Returns the scene with the names of its files below another folder.
    fn with_files_below(&self, way: &Path) -> Self {
        let mut scene = self.clone();
        let below = |file: &mut PathBuf| *file = way.join(&file);
        for object in &mut scene.objects {
            match &mut object.body {
                BodySource::Mesh { file, .. } | BodySource::Model(file) => below(file),
                _ => {}
            }
            if let Some(SurfaceDescription::Recorded { file, .. }) = &mut object.surface {
                below(file);
            }
        }
        scene.trace.iter_mut().for_each(below);
        scene
    }
}

/// Returns the relative path from one folder to another; `None` if they are the same or do not exist, as for
/// scenes that come from an asset loader.
fn way_between(from: &Path, to: &Path) -> Option<PathBuf> {
    let canonical = |folder: &Path| {
        let here = folder.as_os_str().is_empty();
        if here { Path::new(".") } else { folder }.canonicalize().ok()
    };
    let (from, to) = (canonical(from)?, canonical(to)?);
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[common..].iter().map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to[common..].iter().copied()).collect();
    // Without a common root, as on two drives, there is no relative path.
    (common > 0 && !way.as_os_str().is_empty()).then_some(way)
}
