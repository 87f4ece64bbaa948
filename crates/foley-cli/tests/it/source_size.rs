//! The command is thin: what it does, a short program does through the crate `foley`.

use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(of).filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

fn lines(source: &PathBuf) -> Vec<String> {
    std::fs::read_to_string(source).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_command_is_small() {
    let all = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let count: usize = all.iter().map(|source| lines(source).len()).sum();
    assert!(count > 1_000, "{count} lines in {} files: these are not all", all.len());
    foley_measured::check!("commands.lines", count as f64);
}

/// Without blank lines, comments and imports.
#[test]
fn programs_that_do_what_a_command_does_are_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../foley/examples/commands");
    let all = sources(&folder);
    assert!(all.len() >= 9, "{all:?}");
    for source in &all {
        let is_code = |line: &&String| {
            let line = line.trim_start();
            !(line.is_empty() || line.starts_with("//") || line.starts_with("use "))
        };
        let count = lines(source).iter().filter(is_code).count();
        println!("{}: {count} lines", source.display());
        foley_measured::check!("commands.example_lines", count as f64);
    }
}
