//! Shared by the fuzz targets: what is checked after reading, the files beside the one that is read,
//! and seeds.

pub mod seeds;

use foley_geometry::assets::MemoryLoader;
use foley_geometry::mesh::{
    Format, Gltf, Mesh, ReadOptions, RepairOptions, read_asset, read_bytes, repair,
};
use foley_scene::{Assets, Scene};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Triangles above which a mesh is not repaired: it would only be slow.
const MOST_TRIANGLES: usize = 10_000;

/// Writes the seeds of a target into the folder `FOLEY_FUZZ_SEEDS`, if it is set.
///
/// # Panics
/// If a file cannot be written.
pub fn write_seeds(seeds: impl Fn() -> Vec<Vec<u8>>) {
    let Some(folder) = std::env::var_os("FOLEY_FUZZ_SEEDS").map(PathBuf::from) else { return };
    for (number, seed) in seeds().iter().enumerate() {
        let file = folder.join(format!("seed-{number}"));
        std::fs::write(&file, seed).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

/// Returns the files that seeds name.
pub fn assets() -> &'static MemoryLoader {
    static ASSETS: OnceLock<MemoryLoader> = OnceLock::new();
    ASSETS.get_or_init(seeds::assets)
}

/// Reads a mesh and repairs it. Readers keep what is no number; a repaired mesh has valid indices and finite
/// coordinates.
pub fn check_mesh(name: &str, format: Format, bytes: &[u8]) {
    let options = ReadOptions::default();
    let _ = read_bytes(bytes, format, &options);
    let files = assets().clone().with(name, bytes.to_vec());
    let Ok(mesh) = read_asset(&files, Path::new(name), &options) else { return };
    if mesh.triangles.len() > MOST_TRIANGLES {
        return;
    }
    let Ok(repaired) = repair(mesh, &RepairOptions::default()) else { return };
    let Mesh { vertices, triangles, .. } = &repaired.mesh;
    assert!(triangles.iter().flatten().all(|vertex| (*vertex as usize) < vertices.len()));
    assert!(vertices.iter().flatten().all(|x| x.is_finite()));
}

/// Reads a glTF file as nodes with their meshes and paths, and as a scene.
pub fn check_gltf(name: &str, bytes: &[u8]) {
    let files = assets().clone().with(name, bytes.to_vec());
    if let Ok(gltf) = Gltf::open_asset(&files, Path::new(name), &ReadOptions::default()) {
        for node in gltf.nodes() {
            let _ = gltf.mesh(node.number, glam::DMat3::IDENTITY);
        }
    }
    let _ = Scene::load_from(Assets::new(files), name);
}
