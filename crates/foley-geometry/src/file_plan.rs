//! File plan: what a program will read and write, checked before it starts to work. No output may be an
//! input or another output, under whatever name, and every output must be writable.
//!
//! ```
//! use foley_geometry::file_plan::{FilePlan, PlanError};
//! let folder = tempfile::tempdir()?;
//! let scene = folder.path().join("scene.toml");
//! std::fs::write(&scene, "seconds = 1")?;
//! let mut plan = FilePlan::default();
//! plan.read("the scene", &scene);
//! plan.write("--stats", folder.path().join("./scene.toml"));
//! assert!(matches!(plan.check(), Err(PlanError::Clash { .. })));
//! # Ok::<(), std::io::Error>(())
//! ```

use crate::atomic_file::{AtomicFile, WriteError};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The files of a program, each with what it is for: the option that names it, or what names it.
#[derive(Debug, Clone, Default)]
pub struct FilePlan {
    inputs: Vec<(String, PathBuf)>,
    outputs: Vec<(String, PathBuf)>,
    folders: Vec<PathBuf>,
}

/// Why a plan cannot be followed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum PlanError {
    /// An output is an input or another output.
    #[error(
        "{option} {}: the same file is {use_of_other} {other} ({}); name another file with {option}",
        path.display(),
        other_path.display()
    )]
    Clash {
        option: String,
        path: PathBuf,
        use_of_other: &'static str,
        other: String,
        other_path: PathBuf,
    },
    /// An output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A folder is needed where something else is.
    #[error("cannot make the folder {}: {} is not a folder; choose another name", path.display(), other.display())]
    NotAFolder { path: PathBuf, other: PathBuf },
}

impl FilePlan {
    /// Adds a file that is read.
    pub fn read(&mut self, what: impl Into<String>, path: impl Into<PathBuf>) {
        self.inputs.push((what.into(), path.into()));
    }

    /// Adds a file that is written; `option` chooses its name.
    pub fn write(&mut self, option: impl Into<String>, path: impl Into<PathBuf>) {
        self.outputs.push((option.into(), path.into()));
    }

    /// Adds a folder that is made when the first file is written into it, with the names of these files.
    pub fn write_folder<N: AsRef<Path>>(
        &mut self,
        option: &str,
        folder: &Path,
        names: impl IntoIterator<Item = N>,
    ) {
        self.folders.push(folder.to_owned());
        names.into_iter().for_each(|name| self.write(option, folder.join(name)));
    }

    /// Checks that no output is an input or another output, then that all outputs can be written.
    /// Nothing is written, no folder is made.
    pub fn check(&self) -> Result<(), PlanError> {
        let inputs: Vec<FileId> = self.inputs.iter().map(|(_, path)| FileId::of(path)).collect();
        let outputs: Vec<FileId> = self.outputs.iter().map(|(_, path)| FileId::of(path)).collect();
        for (k, (option, path)) in self.outputs.iter().enumerate() {
            let is_same = |id: &FileId| *id == outputs[k];
            let read = inputs.iter().position(is_same).map(|i| ("read as", &self.inputs[i]));
            let written = outputs[..k].iter().position(is_same);
            let written = written.map(|i| ("written by", &self.outputs[i]));
            if let Some((use_of_other, (other, other_path))) = read.or(written) {
                return Err(PlanError::Clash {
                    option: option.clone(),
                    path: path.clone(),
                    use_of_other,
                    other: other.clone(),
                    other_path: other_path.clone(),
                });
            }
        }
        self.folders.iter().try_for_each(|folder| check_folder(folder))?;
        for (_, path) in &self.outputs {
            let is_missing = |folder: &PathBuf| path.starts_with(folder) && !folder.exists();
            if !self.folders.iter().any(is_missing) {
                drop(AtomicFile::create(path)?);
            }
        }
        Ok(())
    }
}

/// Checks that a folder exists or can be made, and can be written to.
fn check_folder(folder: &Path) -> Result<(), PlanError> {
    let existing = folder.ancestors().find(|path| fs::symlink_metadata(path).is_ok());
    let existing = existing.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !existing.is_dir() {
        let (path, other) = (folder.to_owned(), existing.to_owned());
        return Err(PlanError::NotAFolder { path, other });
    }
    match AtomicFile::create(existing.join("probe")) {
        Err(WriteError::Io { source, .. }) => {
            Err(WriteError::Io { path: folder.to_owned(), source }.into())
        }
        probe => probe.map(drop).map_err(PlanError::from),
    }
}

/// The identity of a file, the same for all its names.
#[derive(Debug, Clone, PartialEq, Eq)]
enum FileId {
    /// An existing file: device and number, which links share.
    #[cfg(unix)]
    Inode(u64, u64),
    /// A path without links. Of files that do not exist, in lower case: whether names that differ in case
    /// alone would be one file is known only when they exist.
    Path(PathBuf),
}

impl FileId {
    fn of(path: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(found) = fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            return Self::Inode(found.dev(), found.ino());
        }
        if let Ok(real) = fs::canonicalize(path) {
            return Self::Path(real);
        }
        Self::Path(PathBuf::from(future(path).to_string_lossy().to_lowercase()))
    }
}

/// Returns the path that a file will have: its nearest existing folder without links, and the rest.
fn future(path: &Path) -> PathBuf {
    let path = without_links(path);
    let real =
        path.ancestors().skip(1).find_map(|folder| Some((folder, folder.canonicalize().ok()?)));
    let Some((folder, real)) = real else { return path };
    path.strip_prefix(folder).map_or_else(|_| path.clone(), |rest| real.join(rest))
}

/// Follows all links of a path, also those to files that do not exist, which the operating system does not
/// resolve: they lead to the file as soon as another output makes it.
fn without_links(path: &Path) -> PathBuf {
    /// Longer chains are loops; the operating system refuses them too.
    const LONGEST_CHAIN: usize = 40;
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let parts = |path: &Path| -> Vec<OsString> {
        path.components().rev().map(|part| part.as_os_str().to_owned()).collect()
    };
    let (mut left, mut real, mut links) = (parts(&path), PathBuf::new(), 0);
    while let Some(part) = left.pop() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => drop(real.pop()),
            Some(Component::CurDir) | None => (),
            Some(Component::Normal(_)) if links < LONGEST_CHAIN => {
                match fs::read_link(real.join(&part)) {
                    Ok(target) => {
                        links += 1;
                        left.extend(parts(&target));
                    }
                    Err(_) => real.push(part),
                }
            }
            // The start of an absolute path replaces what is before it.
            Some(_) => real.push(part),
        }
    }
    real
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clashes(input: &Path, outputs: &[&Path]) -> bool {
        let mut plan = FilePlan::default();
        plan.read("the scene", input);
        outputs.iter().for_each(|path| plan.write("-o", *path));
        matches!(plan.check(), Err(PlanError::Clash { .. }))
    }

    #[test]
    fn a_file_is_recognised_under_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("below")).unwrap();
        fs::write(path("a.wav"), b"a").unwrap();
        fs::hard_link(path("a.wav"), path("hard.wav")).unwrap();
        let mut names = vec!["a.wav", "./a.wav", "below/../a.wav"];
        if cfg!(unix) {
            names.push("hard.wav");
        }
        for name in names {
            assert!(clashes(&path("a.wav"), &[&path(name)]), "{name}");
        }
        assert!(!clashes(&path("a.wav"), &[&path("b.wav"), &path("below/a.wav")]));
        // Files that do not exist yet.
        for name in ["new.wav", "./new.wav", "below/../new.wav", "NEW.wav"] {
            assert!(clashes(&path("a.wav"), &[&path("new.wav"), &path(name)]), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("real")).unwrap();
        fs::write(path("real/a.wav"), b"a").unwrap();
        symlink(path("real/a.wav"), path("link.wav")).unwrap();
        symlink(path("real"), path("folder")).unwrap();
        assert!(clashes(&path("real/a.wav"), &[&path("link.wav")]));
        assert!(clashes(&path("link.wav"), &[&path("folder/a.wav")]));
        let new = [path("real/new.wav"), path("folder/new.wav")];
        assert!(clashes(&path("link.wav"), &[&new[0], &new[1]]));
    }

    #[cfg(unix)]
    #[test]
    fn links_to_files_that_do_not_exist_are_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("scene"), b"").unwrap();
        fs::create_dir(path("real")).unwrap();
        symlink("real", path("folder")).unwrap();
        symlink("new.wav", path("real/to_new.wav")).unwrap();
        symlink("real/to_new.wav", path("chain.wav")).unwrap();
        symlink(path("real/new.wav"), path("absolute.wav")).unwrap();
        symlink("../folder/../real/new.wav", path("real/around.wav")).unwrap();
        let names = [
            "real/to_new.wav",
            "folder/to_new.wav",
            "chain.wav",
            "absolute.wav",
            "real/around.wav",
        ];
        for name in names {
            let [link, new] = [path(name), path("real/new.wav")];
            assert!(clashes(&path("scene"), &[&link, &new]), "{name}");
            assert!(clashes(&path("scene"), &[&new, &link]), "{name}");
            assert!(!clashes(&path("scene"), &[&link, &path("new.wav")]), "{name}");
        }
        // A link to itself leads nowhere.
        symlink("loop.wav", path("loop.wav")).unwrap();
        assert!(!clashes(&path("scene"), &[&path("loop.wav"), &path("real/new.wav")]));
    }

    #[test]
    fn folders_are_checked_and_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), b"in the way").unwrap();
        let check = |at: &str| {
            let mut plan = FilePlan::default();
            plan.write_folder("--plots", &path(at), ["a.png", "b.png"]);
            plan.check().map_err(|error| error.to_string())
        };
        check("new/folder").unwrap();
        check(".").unwrap();
        let error = check("file/folder").unwrap_err();
        assert!(error.contains("file is not a folder"), "{error}");
        let mut plan = FilePlan::default();
        plan.write("-o", path("none/a.wav"));
        let error = plan.check().unwrap_err().to_string();
        assert!(error.contains("there is no folder"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
