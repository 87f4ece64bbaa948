//! Mesh files on disk.

use super::{Format, ReadOptions, parse};
use crate::mesh::{Mesh, MeshError, RepairOptions, Repaired, repair};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

fn io(doing: &'static str) -> impl FnOnce(io::Error) -> MeshError {
    move |source| MeshError::Io { doing, source }
}

fn at<T>(path: &Path, result: Result<T, MeshError>) -> Result<T, MeshError> {
    result.map_err(|e| MeshError::At { path: path.to_owned(), source: Box::new(e) })
}

/// Reads a mesh file without repair. Most callers want [`load`].
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Mesh, MeshError> {
    let path = path.as_ref();
    at(path, read_file(path, options))
}

/// Reads a mesh file and [`repair`]s it.
pub fn load(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Repaired, MeshError> {
    let path = path.as_ref();
    let repairs = RepairOptions { units: options.units, ..RepairOptions::default() };
    at(path, read_file(path, options).and_then(|mesh| repair(mesh, &repairs)))
}

fn read_file(path: &Path, options: &ReadOptions) -> Result<Mesh, MeshError> {
    let bytes = bounded(path, options.limits.file_bytes)?;
    let format = Format::detect(path, &bytes).ok_or(MeshError::UnknownFormat)?;
    parse(&bytes, format, options, Some(path.parent().unwrap_or(Path::new(""))))
}

/// Returns the file's content, unless it exceeds `limit`, also when it grows while being read.
pub(in crate::mesh) fn bounded(path: &Path, limit: u64) -> Result<Vec<u8>, MeshError> {
    // Checked before opening: opening a pipe would wait for its writer.
    if !fs::metadata(path).map_err(io("open the file"))?.is_file() {
        return Err(MeshError::NotAFile);
    }
    let file = File::open(path).map_err(io("open the file"))?;
    let found = file.metadata().map_err(io("read the file"))?.len();
    let check = |found| match found > limit {
        true => Err(MeshError::Limit { what: "bytes in the file", found, limit }),
        false => Ok(()),
    };
    check(found)?;
    let mut bytes = Vec::with_capacity(found as usize);
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(io("read the file"))?;
    check(bytes.len() as u64)?;
    Ok(bytes)
}
