//! Computes a fingerprint of the solver's sources for the keys of the model cache.

use std::path::{Path, PathBuf};

/// The crates whose sources decide what a bake returns; those that are not beside this one (in a
/// published crate) are represented by the version of this one.
const SOLVER: [&str; 4] =
    ["../foley-geometry/src", "../foley-eigen/src", "../foley-waves/src", "src"];

fn main() {
    let mut hasher = blake3::Hasher::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    for folder in SOLVER {
        println!("cargo::rerun-if-changed={folder}");
        let mut files = Vec::new();
        collect(Path::new(folder), &mut files);
        files.sort();
        for file in files {
            hasher.update(file.to_string_lossy().as_bytes());
            hasher.update(&std::fs::read(&file).unwrap_or_default());
        }
    }
    println!("cargo::rustc-env=FOLEY_SOLVER_FINGERPRINT={}", hasher.finalize().to_hex());
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
