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

use crate::atomic_file::{AtomicFile, WriteError, remedy};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// The files of a program, each with what it is for: the option that names it, or what names it.
#[derive(Debug, Clone, Default)]
pub struct FilePlan {
    inputs: Vec<(String, PathBuf)>,
    outputs: Vec<(String, PathBuf)>,
    folders: Vec<(String, PathBuf)>,
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
    /// A folder is needed where an output is written, or below.
    #[error(
        "{option} {}: {other} writes a file there ({}); name another folder with {option}",
        path.display(),
        other_path.display()
    )]
    FolderClash { option: String, path: PathBuf, other: String, other_path: PathBuf },
    /// An output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A folder is needed where something else is.
    #[error("cannot make the folder {}: {} is not a folder; choose another name", path.display(), other.display())]
    NotAFolder { path: PathBuf, other: PathBuf },
    /// A folder cannot be made.
    #[error("cannot make the folder {}: {source}; {}", path.display(), remedy(source))]
    Folder { path: PathBuf, source: io::Error },
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
        self.folders.push((option.to_owned(), folder.to_owned()));
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
        self.check_folders_are_no_files()?;
        self.folders.iter().try_for_each(|(_, folder)| check_folder(folder))?;
        let made: Vec<PathBuf> = self.folders.iter().map(|(_, folder)| place(folder)).collect();
        for (_, path) in &self.outputs {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let will_be_made = folder.is_some_and(|folder| {
                !folder.exists() && made.iter().any(|made| made.starts_with(place(folder)))
            });
            if will_be_made {
                check_names(path)
                    .map_err(|source| WriteError::Io { path: path.clone(), source })?;
            } else {
                drop(AtomicFile::create(path)?);
            }
        }
        Ok(())
    }

    /// Makes the folders, with those above them. Call it before the first file is written: other outputs
    /// may lie in them, too.
    pub fn create_folders(&self) -> Result<(), PlanError> {
        self.folders.iter().try_for_each(|(_, folder)| {
            fs::create_dir_all(folder)
                .map_err(|source| PlanError::Folder { path: folder.clone(), source })
        })
    }

    /// Checks that no output lies where a folder will be, or a folder above it.
    fn check_folders_are_no_files(&self) -> Result<(), PlanError> {
        let outputs: Vec<PathBuf> =
            self.outputs.iter().map(|(_, path)| place_in_lower_case(path)).collect();
        for (option, path) in &self.folders {
            let folder = place_in_lower_case(path);
            if let Some(k) = outputs.iter().position(|output| folder.starts_with(output)) {
                let (option, path) = (option.clone(), path.clone());
                let (other, other_path) = self.outputs[k].clone();
                return Err(PlanError::FolderClash { option, path, other, other_path });
            }
        }
        Ok(())
    }
}

/// Checks that a folder exists or can be made, and can be written to.
fn check_folder(folder: &Path) -> Result<(), PlanError> {
    check_names(folder).map_err(|source| PlanError::Folder { path: folder.to_owned(), source })?;
    let existing = folder.ancestors().find(|path| fs::symlink_metadata(path).is_ok());
    let existing = existing.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !existing.is_dir() {
        let (path, other) = (folder.to_owned(), existing.to_owned());
        return Err(PlanError::NotAFolder { path, other });
    }
    match AtomicFile::create(existing.join("probe")) {
        Err(WriteError::Io { source, .. }) => {
            Err(PlanError::Folder { path: folder.to_owned(), source })
        }
        probe => probe.map(drop).map_err(PlanError::from),
    }
}

/// Checks that the file system accepts the names in a path that do not exist yet. It looks at a name only in a
/// folder that exists: each is tried in the nearest one.
fn check_names(path: &Path) -> io::Result<()> {
    let path = place(path);
    let folder = path.ancestors().skip(1).find(|folder| folder.exists());
    let names = folder.into_iter().flat_map(|folder| {
        let missing = path.strip_prefix(folder).into_iter().flat_map(Path::components);
        missing.map(|name| folder.join(name))
    });
    [path.clone()].into_iter().chain(names).try_for_each(|path| match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => Err(error),
        _ => Ok(()),
    })
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
        Self::Path(place_in_lower_case(path))
    }
}

/// Returns the path that a file has or will have.
fn place(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| future(path))
}

/// Returns the same in lower case. Names that differ in case alone may be one file, which is a reason to refuse
/// them; they may also be two, so that it is never a reason to permit them.
fn place_in_lower_case(path: &Path) -> PathBuf {
    PathBuf::from(place(path).to_string_lossy().to_lowercase())
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

    #[test]
    fn a_file_is_not_a_folder_of_other_outputs() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let check = |file: &str, plots: &str| {
            let mut plan = FilePlan::default();
            plan.write("--output", path(file));
            plan.write_folder("--plots", &path(plots), ["a.png"]);
            plan.check()
        };
        fs::create_dir(path("there")).unwrap();
        for [file, plots] in
            [["x", "x"], ["x", "./x"], ["x", "x/plots"], ["X", "x/plots"], ["there", "there"]]
        {
            let error = check(file, plots).unwrap_err();
            assert!(matches!(error, PlanError::FolderClash { .. }), "{file} {plots}: {error}");
        }
        assert!(matches!(check("x/a.png", "x"), Err(PlanError::Clash { .. })));
    }

    #[test]
    fn outputs_may_lie_in_folders_that_will_be_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let plan = |file: &str| {
            let mut plan = FilePlan::default();
            plan.write_folder("--plots", &path("new/plots"), ["a.png"]);
            plan.write("--trace", path(file));
            plan
        };
        for missing in ["new/plots/deep/t", "NEW/t", "new/PLOTS/t"] {
            let error = plan(missing).check().unwrap_err().to_string();
            assert!(error.contains("there is no folder"), "{missing}: {error}");
        }
        for file in ["new/plots/t", "new/t"] {
            let plan = plan(file);
            plan.check().unwrap();
            plan.create_folders().unwrap();
            AtomicFile::new(path(file), b"t").unwrap().keep().unwrap();
            fs::remove_dir_all(path("new")).unwrap();
        }
    }

    #[test]
    fn too_long_names_are_refused_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let long = folder.path().join("n".repeat(300));
        let mut plan = FilePlan::default();
        plan.write("--output", &long);
        let file = plan.check().unwrap_err().to_string();
        let mut plan = FilePlan::default();
        plan.write_folder("--plots", &long, ["a.png"]);
        let plots = plan.check().unwrap_err().to_string();
        assert!(file.contains("choose a shorter or simpler name"), "{file}");
        assert!(plots.contains("choose a shorter or simpler name"), "{plots}");
        // In folders that will be made.
        let new = folder.path().join("new");
        let mut plan = FilePlan::default();
        plan.write_folder("--plots", &new, ["a.png"]);
        plan.write("--trace", new.join("n".repeat(300)));
        let file = plan.check().unwrap_err().to_string();
        let mut plan = FilePlan::default();
        plan.write_folder("--plots", &new.join("n".repeat(300)).join("below"), ["a.png"]);
        let plots = plan.check().unwrap_err().to_string();
        assert!(file.starts_with("cannot write") && file.contains("a shorter"), "{file}");
        assert!(
            plots.starts_with("cannot make the folder") && plots.contains("a shorter"),
            "{plots}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
