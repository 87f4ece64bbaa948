//! Readers of glTF in its binary container: as one mesh, as nodes and paths, and as a scene.
#![no_main]

use foley_fuzz::{check_gltf, check_mesh, seeds, write_seeds};
use foley_geometry::mesh::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: write_seeds(seeds::glb), |bytes: &[u8]| {
    check_mesh("mesh.glb", Format::Glb, bytes);
    check_gltf("mesh.glb", bytes);
});
