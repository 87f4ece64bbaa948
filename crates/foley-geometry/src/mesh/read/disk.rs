//! Mesh files on disk.

use super::{Format, ReadOptions, Siblings, parse};
use crate::assets::{AssetLoader, FolderLoader, RecordingLoader};
use crate::mesh::{Gltf, Mesh, MeshError, RepairOptions, Repaired, repair};
use std::path::{Path, PathBuf};

/// Reads a mesh file without repair. Most callers want [`load`].
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Mesh, MeshError> {
    read_asset(&FolderLoader::default(), path.as_ref(), options)
}

/// Reads a mesh file and its buffers through an asset loader, without repair.
pub fn read_asset(
    assets: &dyn AssetLoader,
    path: &Path,
    options: &ReadOptions,
) -> Result<Mesh, MeshError> {
    let bytes = assets.load(path, options.limits.file_bytes)?;
    let format = Format::detect(path, &bytes).ok_or(MeshError::UnknownFormat);
    let siblings = Siblings::of(assets, path);
    format.and_then(|format| parse(&bytes, format, options, Some(siblings))).map_err(at(path))
}

/// Reads a mesh file and [`repair`]s it.
pub fn load(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Repaired, MeshError> {
    let path = path.as_ref();
    let repairs = RepairOptions { units: options.units, ..RepairOptions::default() };
    repair(read(path, options)?, &repairs).map_err(at(path))
}

/// Returns the files that reading a mesh file reads: itself, and the buffers of a glTF file. A file that
/// cannot be read has none.
pub fn files(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    let assets = RecordingLoader::new(FolderLoader::default());
    if let Some(Format::Gltf | Format::Glb) = Format::detect(path, &[]) {
        // An error is reported when the mesh is read.
        let _ = Gltf::open_asset(&assets, path, &ReadOptions::default());
        return assets.paths();
    }
    vec![path.to_owned()]
}

/// Adds the path to an error.
pub(super) fn at(path: &Path) -> impl FnOnce(MeshError) -> MeshError {
    move |error| MeshError::At { path: path.to_owned(), source: Box::new(error) }
}
