//! Reads and writes models on disk.

use super::{FileError, read, read_with_provenance, write};
use crate::provenance::Provenance;
use foley_dsp::model::ModalModel;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Largest file that is read.
pub const MAX_FILE_BYTES: u64 = 2 << 30;

fn io(doing: &'static str) -> impl FnOnce(io::Error) -> FileError {
    move |source| FileError::Io { doing, source }
}

fn at<T>(path: &Path, result: Result<T, FileError>) -> Result<T, FileError> {
    result.map_err(|e| FileError::At { path: path.to_owned(), source: Box::new(e) })
}

/// Reads a model from a file of at most [`MAX_FILE_BYTES`].
pub fn load(path: impl AsRef<Path>) -> Result<ModalModel, FileError> {
    let path = path.as_ref();
    at(path, bounded(path, MAX_FILE_BYTES).and_then(|bytes| read(&bytes)))
}

/// Reads a model and its provenance.
pub fn load_with_provenance(
    path: impl AsRef<Path>,
) -> Result<(ModalModel, Option<Provenance>), FileError> {
    let path = path.as_ref();
    at(path, bounded(path, MAX_FILE_BYTES).and_then(|bytes| read_with_provenance(&bytes)))
}

/// Reads a file; fails if it is too large or grows meanwhile.
fn bounded(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    // Checked before opening: opening a pipe would block until it has a writer.
    if !fs::metadata(path).map_err(io("open the file"))?.is_file() {
        return Err(FileError::NotAFile);
    }
    let file = File::open(path).map_err(io("open the file"))?;
    let found = file.metadata().map_err(io("read the file"))?.len();
    if found > limit {
        return Err(FileError::TooLarge { found, limit });
    }
    let mut bytes = Vec::with_capacity(found as usize);
    file.take(limit + 1).read_to_end(&mut bytes).map_err(io("read the file"))?;
    match bytes.len() as u64 {
        found if found > limit => Err(FileError::TooLarge { found, limit }),
        _ => Ok(bytes),
    }
}

/// Writes a model to a file atomically: a concurrent reader finds the old file or the new one.
pub fn save(model: &ModalModel, path: impl AsRef<Path>) -> Result<(), FileError> {
    let path = path.as_ref();
    at(path, replace(path, &write(model)))
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let beside = beside(path)?;
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()
    })();
    let renamed = written
        .map_err(io("write a file beside it"))
        .and_then(|()| fs::rename(&beside, path).map_err(io("put the new file in its place")));
    if renamed.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    renamed
}

/// Returns an unused name in the same folder.
fn beside(path: &Path) -> Result<PathBuf, FileError> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().ok_or(FileError::NotAFile)?);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}-{count}.tmp", std::process::id()));
    Ok(path.with_file_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Material, Shape, ShapeOptions};

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
        // A folder that is not empty cannot be replaced by a file.
        let path = folder.path().join("taken.modal");
        fs::create_dir_all(path.join("inside")).unwrap();
        let error = save(&model(), &path).unwrap_err().to_string();
        assert!(error.contains("taken.modal") && error.contains("in its place"), "{error}");
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
