//! The body of an object: a shape, a mesh, a model, or the ground.

use crate::diagnostics::{suggestion, truncated};
use crate::gltf;
use crate::read::fields::Fields;
use crate::read::files::SceneFiles;
use crate::read::value::Table;
use crate::schema::Key;
use crate::schema::keys::object;
use crate::write;
use foley_geometry::mesh::{self, Units};
use foley_modal::Shape;
use foley_modal::shape::Solid;
use std::fmt;
use std::path::{Path, PathBuf};

/// The body of an object.
#[derive(Debug, Clone, PartialEq)]
pub enum BodySource {
    /// A shape with modes in closed form: `shape = "bar:300x30x8mm"`.
    Shape(Shape),
    /// A solid of simple shape: `shape = "ball:16mm"`.
    Solid(Solid),
    /// A built-in mesh: `mesh = "bell"`.
    Builtin(&'static str),
    /// A mesh file: `mesh = "bell.obj"`, `mesh = "scene.glb#Bell"`.
    Mesh {
        /// Relative to the scene's folder.
        file: PathBuf,
        /// A node of a glTF file, by name or as `/nodes/7`; `None` for all nodes.
        node: Option<String>,
        /// The unit of its coordinates, for formats that do not define it.
        units: Option<Units>,
    },
    /// A model file: `model = "bell.modal"`.
    Model(PathBuf),
    /// The half-space below the object's xy plane: `shape = "ground"`.
    Ground,
}

/// The keys of a body; an object has exactly one.
pub(crate) const BODIES: [&Key; 3] = [&object::SHAPE, &object::MESH, &object::MODEL];
const MESHES: [&str; 5] = ["obj", "ply", "stl", "gltf", "glb"];

/// Returns whether a file has one of these extensions.
pub(crate) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let found = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    extensions.iter().any(|extension| extension.eq_ignore_ascii_case(found))
}

impl BodySource {
    pub(crate) fn read(fields: &mut Fields<'_>, files: &SceneFiles<'_>) -> Option<Self> {
        let [shape, mesh, model] = BODIES.map(|key| fields.text(key));
        let units = fields.choice(&object::UNITS, &Units::NAMES);
        let given: Vec<&Key> = BODIES.into_iter().filter(|key| fields.has(key)).collect();
        match given[..] {
            [] => {
                let problem = "is missing: write shape = \"bar:300x30x8mm\", mesh = \"bell.obj\" \
                               or model = \"bell.modal\"";
                fields.report(&object::SHAPE, problem);
                return None;
            }
            [_] => (),
            [first, second, ..] => {
                fields.exclude(second, first);
                return None;
            }
        }
        if units.is_some() && !mesh.is_some_and(|m| has_extension(Path::new(m), &MESHES[..3])) {
            fields.report(
                &object::UNITS,
                "is for OBJ, PLY and STL files, which do not define their unit",
            );
        }
        match (shape, mesh, model) {
            (Some(text), ..) => read_shape(fields, text),
            (_, Some(text), _) => read_mesh(fields, files, text, units),
            (_, _, Some(text)) => {
                if !has_extension(Path::new(text), &["modal"]) {
                    fields.report(
                        &object::MODEL,
                        format!("`{}` is not a .modal file", truncated(text)),
                    );
                    return None;
                }
                files.check(fields, &object::MODEL, text).map(Self::Model)
            }
            _ => None,
        }
    }

    pub(crate) fn write(&self, table: &mut Table) {
        let key = match self {
            Self::Ground | Self::Shape(_) | Self::Solid(_) => object::SHAPE,
            Self::Builtin(_) | Self::Mesh { .. } => object::MESH,
            Self::Model(_) => object::MODEL,
        };
        table.put(key.name, write::text(self.to_string()));
        if let Self::Mesh { units: Some(units), .. } = self
            && let Some((name, _)) = Units::NAMES.iter().find(|(_, unit)| unit == units)
        {
            table.put(object::UNITS.name, write::text(*name));
        }
    }

    /// Returns the name of an object that has none, without its number.
    pub(crate) fn default_name(&self) -> String {
        let stem = |path: &Path| {
            path.file_stem().map_or_else(|| "mesh".into(), |s| s.to_string_lossy().into_owned())
        };
        match self {
            Self::Ground => "ground".into(),
            Self::Builtin(name) => (*name).into(),
            Self::Mesh { node: Some(node), .. } => node.clone(),
            Self::Mesh { file, .. } | Self::Model(file) => stem(file),
            Self::Shape(_) | Self::Solid(_) => {
                self.to_string().split(':').next().unwrap_or("object").to_owned()
            }
        }
    }
}

/// Writes the body as in a scene file.
impl fmt::Display for BodySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ground => f.write_str("ground"),
            Self::Shape(shape) => shape.fmt(f),
            Self::Solid(solid) => solid.fmt(f),
            Self::Builtin(name) => f.write_str(name),
            Self::Model(file) | Self::Mesh { file, node: None, .. } => {
                f.write_str(&file.to_string_lossy())
            }
            Self::Mesh { file, node: Some(node), .. } => {
                write!(f, "{}#{node}", file.to_string_lossy())
            }
        }
    }
}

fn read_shape(fields: &Fields<'_>, text: &str) -> Option<BodySource> {
    let kind = text.split(':').next().unwrap_or("").trim().to_lowercase();
    let read = match &*kind {
        "ground" if !text.contains(':') => Ok(BodySource::Ground),
        kind if Solid::KINDS.contains(&kind) => text.parse().map(BodySource::Solid),
        kind if Shape::KINDS.contains(&kind) => text.parse().map(BodySource::Shape),
        kind => {
            let all = Shape::KINDS.into_iter().chain(Solid::KINDS).chain(["ground"]);
            let hint = suggestion(kind, all);
            fields.report(&object::SHAPE, format!("there is no shape `{}`{hint}", truncated(kind)));
            return None;
        }
    };
    read.map_err(|error| fields.report(&object::SHAPE, error.to_string())).ok()
}

fn read_mesh(
    fields: &Fields<'_>,
    files: &SceneFiles<'_>,
    text: &str,
    units: Option<Units>,
) -> Option<BodySource> {
    let (file, node) = match text.split_once('#') {
        Some((file, node)) => (file, Some(node.to_owned())),
        None => (text, None),
    };
    if !has_extension(Path::new(file), &MESHES) {
        return match mesh::builtin_info(text) {
            Ok(builtin) => Some(BodySource::Builtin(builtin.name)),
            Err(error) => {
                let extensions = MESHES.join(", .");
                let problem = format!("is not a mesh file (.{extensions}), and {error}");
                fields.report(&object::MESH, problem);
                None
            }
        };
    }
    if node.is_some() && !has_extension(Path::new(file), &["gltf", "glb"]) {
        fields.report(&object::MESH, format!("`{}`: only glTF files have nodes", truncated(text)));
        return None;
    }
    let file = files.check(fields, &object::MESH, file)?;
    if let Some(node) = &node {
        let found = match &*files.gltf(&file) {
            Ok(gltf) => gltf::find(gltf, node).map(drop),
            Err(error) => Err(error.to_string()),
        };
        found.map_err(|problem| fields.report(&object::MESH, problem)).ok()?;
    }
    Some(BodySource::Mesh { file, node, units })
}
