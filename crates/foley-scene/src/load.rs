//! Loads scenes from files.

use crate::assets::{Assets, FolderLoader};
use crate::diagnostics::{Diagnostics, SceneError, Span};
use crate::gltf;
use crate::read::files::SceneFiles;
use crate::read::toml;
use crate::read::value::{Data, Table};
use crate::scene::body::has_extension;
use crate::scene::{BodySource, Scene};
use crate::schema::keys::scene;
use foley_geometry::assets::RecordingLoader;
use foley_geometry::bounded_read::ReadCause;
use foley_geometry::mesh;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Largest size of a scene file; meshes and models are separate files.
pub const MAX_SCENE_BYTES: u64 = 8 << 20;

impl Scene {
    /// Reads a scene from a TOML or a glTF file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::load_from(Assets::default(), path)
    }

    /// Reads a scene from a TOML or a glTF file of an asset loader, from which all files that it
    /// names come, too.
    pub fn load_from(assets: Assets, path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let log = Diagnostics::default();
        let files = SceneFiles::beside(&assets, path);
        let title = path.file_stem().map_or("scene".into(), |s| s.to_string_lossy());
        let table = match has_extension(path, &["gltf", "glb"]) {
            true => path
                .file_name()
                .and_then(|name| gltf::table(&files, Path::new(name), &Span::file(path), &log)),
            false => text(&assets, path, &log).and_then(|text| toml::parse(path, &text, &log)),
        };
        let table = table.and_then(|table| with_gltf(table, &files, &log));
        finish(table, &title, &files, log)
    }

    /// Reads a scene, and returns with it all files that it is made of: the scene file, meshes with their
    /// buffers, models, recorded surfaces and the trace.
    pub fn load_with_files(path: impl AsRef<Path>) -> Result<(Self, Vec<PathBuf>), SceneError> {
        let loader = RecordingLoader::new(FolderLoader::default());
        let mut scene = Self::load_from(Assets::new(loader.clone()), path)?;
        scene.assets = Assets::default();
        let mut files = loader.paths();
        for object in &scene.objects {
            // Reading the scene opens only the glTF files of which it names nodes.
            if let BodySource::Mesh { file, node: None, .. } = &object.body {
                files.extend(mesh::files(scene.folder.join(file)));
            }
        }
        files.sort();
        files.dedup();
        Ok((scene, files))
    }

    /// Reads a scene from TOML in memory; paths are relative to the working folder.
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        Self::parse_from(Assets::default(), text)
    }

    /// Reads a scene from TOML in memory; the files that it names come from an asset loader.
    pub fn parse_from(assets: Assets, text: &str) -> Result<Self, SceneError> {
        let log = Diagnostics::default();
        let path = Path::new("scene.toml");
        let files = SceneFiles::beside(&assets, path);
        let table = match text.len() as u64 > MAX_SCENE_BYTES {
            true => too_large(path, text.len() as u64, &log),
            false => toml::parse(path, text, &log),
        };
        let table = table.and_then(|table| with_gltf(table, &files, &log));
        finish(table, "scene", &files, log)
    }
}

fn finish(
    table: Option<Table>,
    title: &str,
    files: &SceneFiles<'_>,
    log: Diagnostics,
) -> Result<Scene, SceneError> {
    let scene = table.map(|table| Scene::read(&table, title, files, &log));
    // Without a table there is a problem, and the default is never returned.
    log.result(scene.unwrap_or_default())
}

fn too_large<T>(path: &Path, found: u64, log: &Diagnostics) -> Option<T> {
    let cause = ReadCause::TooLarge { found, limit: MAX_SCENE_BYTES };
    log.add(&Span::file(path), "", None, cause.to_string());
    None
}

/// Reads the text of a scene file.
fn text(assets: &Assets, path: &Path, log: &Diagnostics) -> Option<String> {
    let report = |message: String| {
        log.add(&Span::file(path), "", None, message);
        None
    };
    let bytes = assets.loader().load(path, MAX_SCENE_BYTES).map(Cow::into_owned);
    match bytes.map(String::from_utf8) {
        Err(error) => report(error.cause.to_string()),
        Ok(Ok(text)) => Some(text),
        Ok(Err(error)) => {
            let byte = error.utf8_error().valid_up_to();
            report(format!("byte {byte} is not UTF-8, so this is not TOML; save it as UTF-8"))
        }
    }
}

/// Adds the content of the glTF file that a scene names; keys of the scene take precedence.
fn with_gltf(own: Table, files: &SceneFiles<'_>, log: &Diagnostics) -> Option<Table> {
    let Some(value) = own.get(scene::GLTF.name) else { return Some(own) };
    let span = value.span.clone();
    let Data::Text(name) = &value.data else {
        log.add(&span, "", Some(scene::GLTF.name), "`gltf` must be the name of a file".into());
        return None;
    };
    let fields = crate::read::fields::Fields::new(log, &own, "");
    let file = files.check(&fields, &scene::GLTF, name)?;
    let below = gltf::table(files, &file, &span, log)?;
    Some(gltf::merge(below, own))
}
