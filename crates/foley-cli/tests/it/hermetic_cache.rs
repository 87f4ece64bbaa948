//! Models are kept where the user's environment says, and tests never use the user's own.

use crate::common;

use common::Foley;
use std::fs;
use std::path::{Path, PathBuf};

/// A mesh that is baked quickly.
const BAKED: &str =
    "seconds = 0.1\n[[object]]\nmesh = \"ring\"\ndetail = \"coarse\"\nmaterial = \"steel\"\n";

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.append(&mut files_below(&path)),
            false => found.push(path),
        }
    }
    found
}

#[test]
fn the_cache_is_where_the_environment_says_and_nowhere_else() {
    let foley = Foley::new();
    foley.write("ring.toml", BAKED);
    let home = foley.path("home");
    fs::create_dir(&home).unwrap();
    let render = |own: Option<&Path>| {
        let mut command = foley.command(&["render", "ring.toml"]);
        command.env("HOME", &home).env("XDG_CACHE_HOME", home.join("cache"));
        match own {
            Some(folder) => command.env("FOLEY_CACHE_DIR", folder),
            None => command.env_remove("FOLEY_CACHE_DIR"),
        };
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    render(Some(&foley.path("own")));
    assert_eq!(files_below(&foley.path("own")).len(), 1);
    assert!(files_below(&home).is_empty(), "{:?}", files_below(&home));
    if cfg!(target_os = "linux") {
        render(None);
        let found = files_below(&home);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with(home.join("cache/foley")), "{found:?}");
    }
}

/// The sources of all tests: files of test programs, and what stands behind `#[cfg(test)]`.
fn test_sources() -> Vec<(PathBuf, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for path in
        files_below(crates).into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs"))
    {
        let text = fs::read_to_string(&path).unwrap();
        let below = path.strip_prefix(crates).unwrap();
        let is_test = below.components().any(|part| part.as_os_str() == "tests")
            || path.file_name().is_some_and(|name| name == "tests.rs");
        match text.find("#[cfg(test)]") {
            _ if is_test => found.push((path, text)),
            Some(at) => found.push((path, text[at..].to_owned())),
            None => (),
        }
    }
    found
}

#[test]
fn no_test_uses_the_cache_of_the_user() {
    let sources = test_sources();
    assert!(sources.len() > 100, "{} sources", sources.len());
    // In two parts: this file is searched, too.
    let names = [
        ["ModelCache::", "user"],
        ["RenderOptions::", "default"],
        ["foley::", "render("],
        ["foley::", "play("],
    ];
    for (path, text) in sources {
        // What a test build replaces is not a test.
        let replaced = ["#[cfg(not(test))]\n    ModelCache::", "user()"].concat();
        let text = text.replace(&replaced, "");
        for name in names.map(|name| name.concat()) {
            assert!(!text.contains(&name), "{}: {name} keeps models of the user", path.display());
        }
    }
}
