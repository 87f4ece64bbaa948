//! Every target has a source, every check a target, and MEASURED.md states the bounds that are checked.

use foley_measured::{document, targets};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the sources of all crates but this one.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir()
            && path.file_name().is_none_or(|name| name != "foley-measured" && name != "target")
        {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Returns the ids that are checked or recorded, each with the files that do. An id is a literal: what is computed cannot be
/// found here.
fn checked() -> BTreeMap<String, Vec<PathBuf>> {
    let (mut files, mut checked) = (Vec::new(), BTreeMap::<_, Vec<_>>::new());
    sources(&root().join("crates"), &mut files);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let is_imported = text.contains("use foley_measured::check");
        let call = if is_imported { "check!(" } else { "measured::check!(" };
        for call in text.split(call).skip(1) {
            let id = call.trim_start().strip_prefix('"').and_then(|call| call.split('"').next());
            let id =
                id.unwrap_or_else(|| panic!("{}: a check without a literal id", file.display()));
            checked.entry(id.to_owned()).or_default().push(file.clone());
        }
    }
    // Comparisons with other programs are written in Python, and append their records themselves.
    for name in ["scipy_eigsh.py", "bempp_radiation.py"] {
        let script = root().join("benches").join(name);
        for call in std::fs::read_to_string(&script).unwrap().split("record(\"").skip(1) {
            let id = call.split('"').next().unwrap().to_owned();
            checked.entry(id).or_default().push(script.clone());
        }
    }
    checked
}

#[test]
fn every_target_has_one_source_and_every_check_a_target() {
    let checked = checked();
    let mut problems = Vec::new();
    let mut ids = Vec::new();
    for target in targets::all() {
        match (checked.get(target.id), target.bench) {
            // Figures that need recordings or hardware come from scripts.
            (None, None) if target.needs.is_some() => {}
            (None, None) => problems.push(format!("{}: nothing checks it", target.id)),
            (Some(_), Some(_)) => problems.push(format!("{}: a test and a benchmark", target.id)),
            _ => {}
        }
        // A benchmark compares nothing by itself: only reported targets come from one.
        if target.bench.is_some()
            && target.reported.is_none()
            && target.bound != foley_measured::Bound::None
        {
            problems.push(format!("{}: from a benchmark, so say why it fails no test", target.id));
        }
        ids.push(target.id);
    }
    for (id, files) in &checked {
        if !ids.contains(&id.as_str()) {
            problems.push(format!("{id}: checked in {files:?}, but there is no such target"));
        }
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "two targets have the same id");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Bounds stand in the table alone, so a page that states others was edited by hand or is old.
#[test]
fn the_page_states_the_bounds_that_are_checked() {
    // `make measure` writes the page after the tests.
    if std::env::var_os(foley_measured::record::VARIABLE).is_some() {
        return;
    }
    let page = std::fs::read_to_string(root().join("MEASURED.md")).unwrap();
    let problems = document::problems(&page);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
