//! Files that a scene names, relative to the folder of the scene file.

use super::fields::Fields;
use crate::assets::Assets;
use crate::diagnostics::truncated;
use crate::schema::Key;
use foley_geometry::bounded_read::ReadCause;
use foley_geometry::mesh::{Gltf, MeshError, ReadOptions};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The folder of the scene file, and the glTF files that were opened.
pub(crate) struct SceneFiles<'a> {
    assets: &'a Assets,
    folder: &'a Path,
    gltf: RefCell<HashMap<PathBuf, Rc<Result<Gltf, MeshError>>>>,
}

impl<'a> SceneFiles<'a> {
    pub(crate) fn new(assets: &'a Assets, folder: &'a Path) -> Self {
        Self { assets, folder, gltf: RefCell::default() }
    }

    /// Returns the files of a scene file.
    pub(crate) fn beside(assets: &'a Assets, scene: &'a Path) -> Self {
        Self::new(assets, scene.parent().unwrap_or(Path::new("")))
    }

    pub(crate) fn assets(&self) -> &Assets {
        self.assets
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder
    }

    /// Returns a glTF file, opened once.
    pub(crate) fn gltf(&self, file: &Path) -> Rc<Result<Gltf, MeshError>> {
        let mut opened = self.gltf.borrow_mut();
        let open = || {
            let path = self.folder.join(file);
            Rc::new(Gltf::open_asset(self.assets.loader(), &path, &ReadOptions::default()))
        };
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
        let problem = match self.assets.loader().check(&path).map_err(|error| error.cause) {
            Ok(()) => return Some(name),
            Err(ReadCause::NotAFile) => format!("{} is not a regular file", path.display()),
            Err(_) => {
                let remedy = "paths are relative to the folder of the scene file";
                format!("there is no file {}; {remedy}", path.display())
            }
        };
        fields.report(key, problem);
        None
    }
}
