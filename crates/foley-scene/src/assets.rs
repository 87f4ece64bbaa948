//! Assets that a scene names, relative to the folder it lies in.

use crate::diagnostics::short;
use crate::read::fields::Fields;
use crate::schema::Key;
use foley_geometry::mesh::{Gltf, MeshError, ReadOptions};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Where names of files begin, and the glTF files that were opened.
pub(crate) struct Assets {
    folder: PathBuf,
    gltf: RefCell<HashMap<PathBuf, Rc<Result<Gltf, MeshError>>>>,
}

impl Assets {
    /// The folder of this scene file.
    pub(crate) fn beside(scene: &Path) -> Self {
        let folder = scene.parent().unwrap_or(Path::new("")).to_owned();
        Self { folder, gltf: RefCell::default() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A glTF file, opened once.
    pub(crate) fn gltf(&self, file: &Path) -> Rc<Result<Gltf, MeshError>> {
        let mut opened = self.gltf.borrow_mut();
        let open = || Rc::new(Gltf::open(self.folder.join(file), &ReadOptions::default()));
        opened.entry(file.to_owned()).or_insert_with(open).clone()
    }

    /// Takes a key that names a file, which must be there.
    pub(crate) fn take(&self, fields: &mut Fields<'_>, key: &Key) -> Option<PathBuf> {
        let text = fields.text(key)?;
        self.check(fields, key, text)
    }

    /// Says whether there is such a file.
    pub(crate) fn check(&self, fields: &Fields<'_>, key: &Key, text: &str) -> Option<PathBuf> {
        let name = PathBuf::from(text);
        if name.is_absolute() || name.has_root() || text.contains('\0') {
            let why = "a scene with absolute paths works on one machine only; write it relative \
                       to the scene file";
            fields.wrong(key, format!("`{}`: {why}", short(text)));
            return None;
        }
        let path = self.folder.join(&name);
        match std::fs::metadata(&path) {
            Ok(found) if found.is_file() => Some(name),
            Ok(_) => {
                fields.wrong(key, format!("{} is not a regular file", path.display()));
                None
            }
            Err(_) => {
                fields.wrong(
                    key,
                    format!(
                        "there is no file {}; paths begin at the folder of the scene file",
                        path.display()
                    ),
                );
                None
            }
        }
    }
}
