//! Saves scenes to files.

use crate::load::MAX_SCENE_BYTES;
use crate::scene::Scene;
use foley_geometry::atomic_file::{AtomicFile, WriteError};
use std::path::Path;

impl Scene {
    /// Writes the scene to a TOML file, replacing one of this name. It reads back as the same scene,
    /// with the ids 0, 1, 2, … in the scene's `folder`: names of files are relative to it.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        let (path, text) = (path.as_ref(), self.to_toml());
        let (found, limit) = (text.len() as u64, MAX_SCENE_BYTES);
        if found > limit {
            return Err(WriteError::TooLarge { path: path.to_owned(), found, limit });
        }
        AtomicFile::new(path, text.as_bytes())?.keep()
    }
}
