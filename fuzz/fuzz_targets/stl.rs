//! Reader of STL meshes, and the repair of what it reads.
#![no_main]

use foley_fuzz::{check_mesh, seeds, write_seeds};
use foley_geometry::mesh::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(
    init: write_seeds(seeds::stl),
    |bytes: &[u8]| check_mesh("mesh.stl", Format::Stl, bytes)
);
