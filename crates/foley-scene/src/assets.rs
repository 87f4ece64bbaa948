//! Files that a scene names, relative to the folder of the scene file.

use crate::diagnostics::truncated;
use crate::read::fields::Fields;
use crate::schema::Key;
use foley_geometry::mesh::{Gltf, MeshError, ReadOptions};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The folder of the scene file, and the glTF files that were opened.
pub(crate) struct Assets {
    folder: PathBuf,
    gltf: RefCell<HashMap<PathBuf, Rc<Result<Gltf, MeshError>>>>,
}

impl Assets {
    /// Returns the assets of a scene file.
    pub(crate) fn beside(scene: &Path) -> Self {
        let folder = scene.parent().unwrap_or(Path::new("")).to_owned();
        Self { folder, gltf: RefCell::default() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns a glTF file, opened once.
    pub(crate) fn gltf(&self, file: &Path) -> Rc<Result<Gltf, MeshError>> {
        let mut opened = self.gltf.borrow_mut();
        let open = || Rc::new(Gltf::open(self.folder.join(file), &ReadOptions::default()));
        opened.entry(file.to_owned()).or_insert_with(open).clone()
    }

    /// Takes a key that names an existing file.
    pub(crate) fn take(&self, fields: &mut Fields<'_>, key: &Key) -> Option<PathBuf> {
        let text = fields.text(key)?;
        self.check(fields, key, text)
    }

    /// Returns the path relative to the folder, if it is relative and the file exists.
    pub(crate) fn check(&self, fields: &Fields<'_>, key: &Key, text: &str) -> Option<PathBuf> {
        let name = PathBuf::from(text);
        if name.is_absolute() || name.has_root() || text.contains('\0') {
            let remedy = "absolute paths are not portable; write it relative to the scene file";
            fields.report(key, format!("`{}`: {remedy}", truncated(text)));
            return None;
        }
        let path = self.folder.join(&name);
        let problem = match std::fs::metadata(&path) {
            Ok(found) if found.is_file() => return Some(name),
            Ok(_) => format!("{} is not a regular file", path.display()),
            Err(_) => {
                let remedy = "paths are relative to the folder of the scene file";
                format!("there is no file {}; {remedy}", path.display())
            }
        };
        fields.report(key, problem);
        None
    }
}
