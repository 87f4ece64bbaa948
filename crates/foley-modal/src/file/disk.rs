//! Reads and writes models on disk.

use super::{FileError, read, read_with_provenance, write};
use crate::provenance::Provenance;
use foley_dsp::model::ModalModel;
use foley_geometry::atomic_file::AtomicFile;
use foley_geometry::bounded_read;
use std::path::Path;

/// Size limit of `.modal` files, in bytes.
pub const MAX_FILE_BYTES: u64 = 2 << 30;

/// Reads a model from a file of at most [`MAX_FILE_BYTES`].
pub fn load(path: impl AsRef<Path>) -> Result<ModalModel, FileError> {
    parse(path.as_ref(), read)
}

/// Reads a model and the provenance of its modes.
pub fn load_with_provenance(
    path: impl AsRef<Path>,
) -> Result<(ModalModel, Option<Provenance>), FileError> {
    parse(path.as_ref(), read_with_provenance)
}

fn parse<T>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, FileError>,
) -> Result<T, FileError> {
    let bytes = bounded_read::read(path, MAX_FILE_BYTES)?;
    parse(&bytes).map_err(|e| FileError::At { path: path.to_owned(), source: Box::new(e) })
}

/// Writes a model to a file atomically: concurrent readers find the old file or the new one.
pub fn save(model: &ModalModel, path: impl AsRef<Path>) -> Result<(), FileError> {
    Ok(AtomicFile::new(path, &write(model))?.keep()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Material, Shape, ShapeOptions};
    use std::fs::{self, File};

    fn model() -> ModalModel {
        let shape: Shape = "bar:300x30x8mm".parse().unwrap();
        shape.model(Material::named("steel").unwrap(), &ShapeOptions::default()).unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bar.modal");
        save(&model(), &path).unwrap();
        save(&model(), &path).unwrap();
        assert_eq!(load(&path).unwrap(), model());
        assert_eq!(names(folder.path()), ["bar.modal"]);
    }

    #[test]
    fn a_failed_save_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        // A folder cannot be replaced by a file.
        let path = folder.path().join("taken.modal");
        fs::create_dir_all(path.join("inside")).unwrap();
        let error = save(&model(), &path).unwrap_err().to_string();
        assert!(error.contains("taken.modal") && error.contains("not an ordinary file"), "{error}");
        assert_eq!(names(folder.path()), ["taken.modal"]);
        let nowhere = folder.path().join("no/such/folder.modal");
        assert!(save(&model(), &nowhere).is_err());
    }

    #[test]
    fn large_files_and_folders_are_refused_before_they_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge.modal");
        File::create(&path).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
        let error = load(&path).unwrap_err().to_string();
        assert!(error.contains("huge.modal") && error.contains("2147483649 bytes"), "{error}");
        assert!(load(folder.path()).unwrap_err().to_string().contains("not a regular file"));
        let missing = load(folder.path().join("none")).unwrap_err().to_string();
        assert!(missing.contains("cannot open the file"), "{missing}");
    }
}
