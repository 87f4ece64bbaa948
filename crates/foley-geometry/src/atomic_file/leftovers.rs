//! Temporary files that must not stay: those of this process when a signal ends it, and those that
//! killed processes left.
//!
//! A process holds a lock on each of its temporary files. The operating system releases it however
//! the process ends, so a temporary file that can be locked belongs to no process any more. Numbers
//! of processes would not do: they are used again, and differ between containers that share a folder.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How names of temporary files begin.
const PREFIX: &str = ".foley-part-";

/// Temporary files of this process.
static IN_USE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Folders in which this process has looked for leftovers.
static SEARCHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn locked(set: &Mutex<BTreeSet<PathBuf>>) -> MutexGuard<'_, BTreeSet<PathBuf>> {
    set.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a temporary file in a folder, with this extension: other programs choose the format by it.
pub(super) fn create(folder: &Path, extension: Option<&OsStr>) -> io::Result<(PathBuf, File)> {
    // Held until the file is in the list, for `remove_all`.
    let mut in_use = locked(&IN_USE);
    loop {
        let path = absolute(&folder.join(new_name(extension)));
        let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
            // Left by a process of the same number that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            opened => opened?,
        };
        // Where files cannot be locked, leftovers cannot be either, and stay.
        let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        // Another process may have removed it as a leftover before it was locked.
        if !is_taken && path.exists() {
            in_use.insert(path.clone());
            return Ok((path, file));
        }
    }
}

fn new_name(extension: Option<&OsStr>) -> OsString {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(format!("{PREFIX}{}-{count}", std::process::id()));
    if let Some(extension) = extension {
        name.push(".");
        name.push(extension);
    }
    name
}

/// Gives a temporary file its name.
pub(super) fn rename(temporary: &Path, path: &Path) -> io::Result<()> {
    let mut in_use = locked(&IN_USE);
    fs::rename(temporary, path)?;
    in_use.remove(temporary);
    Ok(())
}

/// Removes a temporary file. Nothing can be done about an error.
pub(super) fn remove(temporary: &Path) {
    let mut in_use = locked(&IN_USE);
    let _ = fs::remove_file(temporary);
    in_use.remove(temporary);
}

/// Returns the path whatever the working folder becomes.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Removes the temporary files that killed processes left in a folder, once for each folder.
pub(super) fn remove_from(folder: &Path) {
    if !locked(&SEARCHED).insert(absolute(folder)) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_temporary = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        // A link to another file is not ours.
        if is_temporary && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            remove_unlocked(&entry.path());
        }
    }
}

/// Removes a file that no process has locked. An error costs nothing but the space.
fn remove_unlocked(path: &Path) {
    if let Ok(file) = OpenOptions::new().write(true).open(path)
        && file.try_lock().is_ok()
    {
        let _ = fs::remove_file(path);
    }
}

/// Removes all temporary files of this process, which must end now: no file is created, and none gets
/// its name, after this call. For handlers of signals, on a thread of their own.
pub fn remove_all() {
    let files = locked(&IN_USE);
    for path in files.iter() {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(files);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_that_no_process_holds_are_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let [left, held, other] = [".foley-part-1-0.wav", ".foley-part-2-0.wav", ".part-3-0.wav"]
            .map(|name| {
                let path = folder.path().join(name);
                fs::write(&path, b"half").unwrap();
                path
            });
        let holder = File::open(&held).unwrap();
        holder.try_lock().unwrap();
        remove_from(folder.path());
        assert_eq!([&left, &held, &other].map(|path| path.exists()), [false, true, true]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join(".foley-part-1-0"));
        fs::write(&real, b"kept").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        remove_from(folder.path());
        assert!(real.exists() && link.exists());
    }
}
