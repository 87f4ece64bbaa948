//! What an object is: a shape, a mesh, a model, or the ground.

use crate::assets::Assets;
use crate::diagnostics::short;
use crate::gltf;
use crate::read::fields::Fields;
use crate::read::value::Table;
use crate::schema::Key;
use crate::schema::keys::object;
use crate::write;
use foley_geometry::mesh::{self, Units};
use foley_modal::Shape;
use foley_modal::shape::Solid;
use std::fmt;
use std::path::{Path, PathBuf};

/// What an object is.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// A shape whose modes are known in closed form: `shape = "bar:300x30x8mm"`.
    Shape(Shape),
    /// A filled body of simple form: `shape = "ball:16mm"`.
    Solid(Solid),
    /// A mesh that is built in: `mesh = "bell"`.
    Builtin(&'static str),
    /// A mesh file: `mesh = "bell.obj"`, `mesh = "scene.glb#Bell"`.
    Mesh {
        /// Relative to the scene's folder.
        file: PathBuf,
        /// One node of a glTF file, by its name or as `/nodes/7`; all of them when `None`.
        node: Option<String>,
        /// The unit of its numbers, where the file leaves it open.
        units: Option<Units>,
    },
    /// A model file: `model = "bell.modal"`.
    Model(PathBuf),
    /// Everything below the object's xy plane: `shape = "ground"`.
    Ground,
}

/// The keys that say what an object is; one of them is needed.
pub(crate) const BODIES: [&Key; 3] = [&object::SHAPE, &object::MESH, &object::MODEL];
const MESHES: [&str; 5] = ["obj", "ply", "stl", "gltf", "glb"];
pub(crate) const UNITS: [(&str, Units); 5] = [
    ("m", Units::Metres),
    ("cm", Units::Centimetres),
    ("mm", Units::Millimetres),
    ("in", Units::Inches),
    ("ft", Units::Feet),
];

/// Whether a file's name ends as one of these.
pub(crate) fn ends_as(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    endings.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

impl Body {
    pub(crate) fn read(fields: &mut Fields<'_>, assets: &Assets) -> Option<Self> {
        let [shape, mesh, model] = BODIES.map(|key| fields.text(key));
        let units = fields.choice(&object::UNITS, &UNITS);
        let given: Vec<&Key> = BODIES.into_iter().filter(|key| fields.has(key)).collect();
        match given[..] {
            [] => {
                let what = "say what it is: shape = \"bar:300x30x8mm\", mesh = \"bell.obj\" or \
                            model = \"bell.modal\"";
                fields.wrong(&object::SHAPE, what);
                return None;
            }
            [_] => (),
            [_, second, ..] => {
                fields.wrong(
                    second,
                    format!("stands beside `{}`; one of them is enough", given[0].name),
                );
                return None;
            }
        }
        if units.is_some() && !mesh.is_some_and(|m| ends_as(Path::new(m), &MESHES[..3])) {
            fields.wrong(&object::UNITS, "only OBJ, PLY and STL files leave their unit open");
        }
        match (shape, mesh, model) {
            (Some(text), ..) => read_shape(fields, text),
            (_, Some(text), _) => read_mesh(fields, assets, text, units),
            (_, _, Some(text)) => {
                if !ends_as(Path::new(text), &["modal"]) {
                    fields.wrong(&object::MODEL, format!("`{}` is no .modal file", short(text)));
                    return None;
                }
                assets.check(fields, &object::MODEL, text).map(Self::Model)
            }
            _ => None,
        }
    }

    pub(crate) fn write(&self, table: &mut Table) {
        let key = match self {
            Self::Ground | Self::Shape(_) | Self::Solid(_) => "shape",
            Self::Builtin(_) | Self::Mesh { .. } => "mesh",
            Self::Model(_) => "model",
        };
        table.put(key, write::text(self.to_string()));
        if let Self::Mesh { units: Some(units), .. } = self
            && let Some((name, _)) = UNITS.iter().find(|(_, unit)| unit == units)
        {
            table.put(object::UNITS.name, write::text(*name));
        }
    }

    /// A word for objects without a name.
    pub(crate) fn word(&self) -> String {
        let stem = |path: &Path| {
            path.file_stem().map_or_else(|| "mesh".into(), |s| s.to_string_lossy().into_owned())
        };
        match self {
            Self::Ground => "ground".into(),
            Self::Builtin(name) => (*name).into(),
            Self::Mesh { node: Some(node), .. } => node.clone(),
            Self::Mesh { file, .. } | Self::Model(file) => stem(file),
            Self::Shape(_) | Self::Solid(_) => before_colon(&self.to_string()),
        }
    }
}

/// As it is written in a scene file.
impl fmt::Display for Body {
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

fn before_colon(text: &str) -> String {
    text.split(':').next().unwrap_or("object").to_owned()
}

fn read_shape(fields: &Fields<'_>, text: &str) -> Option<Body> {
    let kind = text.split(':').next().unwrap_or("").trim().to_lowercase();
    let read = match &*kind {
        "ground" if !text.contains(':') => Ok(Body::Ground),
        kind if Solid::KINDS.contains(&kind) => text.parse().map(Body::Solid),
        "bar" | "rod" | "plate" | "disc" | "membrane" | "string" => text.parse().map(Body::Shape),
        kind => {
            let analytic = ["bar", "rod", "plate", "disc", "membrane", "string"];
            let all = analytic.into_iter().chain(Solid::KINDS).chain(["ground"]);
            let hint = crate::diagnostics::known(kind, all);
            fields.wrong(&object::SHAPE, format!("there is no shape `{}`{hint}", short(kind)));
            return None;
        }
    };
    read.map_err(|error| fields.wrong(&object::SHAPE, error.to_string())).ok()
}

fn read_mesh(
    fields: &Fields<'_>,
    assets: &Assets,
    text: &str,
    units: Option<Units>,
) -> Option<Body> {
    let (file, node) = match text.split_once('#') {
        Some((file, node)) => (file, Some(node.to_owned())),
        None => (text, None),
    };
    if !ends_as(Path::new(file), &MESHES) {
        return match mesh::builtin_info(text) {
            Ok(builtin) => Some(Body::Builtin(builtin.name)),
            Err(error) => {
                let endings = MESHES.join(", .");
                fields.wrong(&object::MESH, format!("no mesh file (.{endings}), and {error}"));
                None
            }
        };
    }
    if node.is_some() && !ends_as(Path::new(file), &["gltf", "glb"]) {
        fields.wrong(&object::MESH, format!("`{}`: only glTF files have nodes", short(text)));
        return None;
    }
    let file = assets.check(fields, &object::MESH, file)?;
    if let Some(node) = &node {
        let found = match &*assets.gltf(&file) {
            Ok(gltf) => gltf::find(gltf, node).map(drop),
            Err(error) => Err(error.to_string()),
        };
        found.map_err(|problem| fields.wrong(&object::MESH, problem)).ok()?;
    }
    Some(Body::Mesh { file, node, units })
}
