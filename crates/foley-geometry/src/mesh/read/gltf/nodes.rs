//! Nodes of a glTF file: transforms, meshes, materials, cameras and custom properties.

use super::document::Document;
use super::{buffers, document, glb, scene, wrong};
use crate::assets::{AssetLoader, FolderLoader};
use crate::mesh::read::builder::Builder;
use crate::mesh::read::{Format, ReadOptions, Siblings, disk};
use crate::mesh::{Mesh, MeshError};
use glam::{DAffine3, DMat3};
use std::borrow::Cow;
use std::path::Path;

/// Limit on the length of extras, in bytes.
const MAX_EXTRAS: usize = 1 << 16;

/// A glTF file with access to its nodes.
///
/// ```
/// use foley_geometry::mesh::{Gltf, ReadOptions};
/// let json = r#"{"nodes": [{"name": "Bell", "extras": {"foley_material": "bronze"}}]}"#;
/// let file = Gltf::read(json.as_bytes(), None, &ReadOptions::default())?;
/// let bell = &file.nodes()[0];
/// assert_eq!((&*bell.name, &bell.extras["foley_material"]), ("Bell", &"bronze".into()));
/// # Ok::<(), foley_geometry::mesh::MeshError>(())
/// ```
pub struct Gltf {
    pub(super) document: Document,
    pub(super) buffers: Vec<Cow<'static, [u8]>>,
    options: ReadOptions,
    nodes: Vec<GltfNode>,
    extras: serde_json::Value,
}

/// A node of the default scene.
#[derive(Debug, Clone, PartialEq)]
pub struct GltfNode {
    /// Index in the file's list of nodes.
    pub number: usize,
    /// Name; may be empty.
    pub name: String,
    /// Transform from node to scene.
    pub scene_from_node: DAffine3,
    /// Index of its mesh; nodes with the same one are instances.
    pub mesh: Option<usize>,
    /// Names of the materials of its mesh, each once.
    pub materials: Vec<String>,
    /// Whether it is a camera, which looks along −z with y up.
    pub is_camera: bool,
    /// Custom properties; null when absent.
    pub extras: serde_json::Value,
}

impl Gltf {
    /// Reads a file and its external buffers.
    pub fn open(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, MeshError> {
        Self::open_asset(&FolderLoader::default(), path.as_ref(), options)
    }

    /// Reads a file and its external buffers through an asset loader.
    pub fn open_asset(
        assets: &dyn AssetLoader,
        path: &Path,
        options: &ReadOptions,
    ) -> Result<Self, MeshError> {
        let bytes = assets.load(path, options.limits.file_bytes)?;
        let file = match Format::detect(path, &bytes) {
            Some(Format::Gltf | Format::Glb) => {
                Self::parse(&bytes, Some(Siblings::of(assets, path)), options)
            }
            _ => Err(wrong("the file", "it is not a glTF file")),
        };
        file.map_err(disk::at(path))
    }

    /// Reads a file from memory; external buffers are in `folder`.
    pub fn read(
        bytes: &[u8],
        folder: Option<&Path>,
        options: &ReadOptions,
    ) -> Result<Self, MeshError> {
        let assets = FolderLoader::default();
        let siblings = folder.map(|folder| Siblings { assets: &assets, folder });
        Self::parse(bytes, siblings, options)
    }

    fn parse(
        bytes: &[u8],
        siblings: Option<Siblings<'_>>,
        options: &ReadOptions,
    ) -> Result<Self, MeshError> {
        let (json, binary) = glb::split(bytes)?;
        let document = document::parse(json)?;
        let buffers = buffers::load(&document, binary, siblings, options.limits.file_bytes)?;
        let buffers = buffers.into_iter().map(|b| Cow::Owned(b.into_owned())).collect();
        let nodes = nodes(&document)?;
        let default = document.scenes.get(document.scene.unwrap_or(0));
        let text = default.and_then(|scene| scene.extras.as_ref());
        let extras = extras("scene", text.map(|raw| raw.get()))?;
        Ok(Self { document, buffers, options: *options, nodes, extras })
    }

    /// Returns the nodes of the default scene, parents before children.
    pub fn nodes(&self) -> &[GltfNode] {
        &self.nodes
    }

    /// Returns the custom properties of the default scene; null when absent.
    pub fn extras(&self) -> &serde_json::Value {
        &self.extras
    }

    /// Returns the mesh of the node of this [number](GltfNode::number), transformed by
    /// `linear`.
    pub fn mesh(&self, number: usize, linear: DMat3) -> Result<Mesh, MeshError> {
        let node = self.document.nodes.get(number);
        let mesh = node.and_then(|node| self.document.meshes.get(node.mesh?));
        let mesh = mesh.ok_or_else(|| wrong(format!("node {number}"), "it has no mesh"))?;
        let mut limits = self.options.limits;
        limits.vertices = limits.vertices.min(1 << 30);
        limits.triangles = limits.triangles.min(1 << 30);
        let unit_m = self.options.units.map_or(1.0, |units| units.metres());
        let mut builder = Builder::new(limits, unit_m);
        let name = node.and_then(|node| node.name.as_deref());
        let at = DAffine3::from_mat3(linear);
        scene::read_one(&self.document, &self.buffers, mesh, name, at, &mut builder)?;
        builder.finish()
    }
}

fn nodes(document: &Document) -> Result<Vec<GltfNode>, MeshError> {
    let mut nodes = Vec::new();
    scene::traverse(document, |number, node, mesh, scene_from_node| {
        let mut materials: Vec<String> = Vec::new();
        for primitive in mesh.iter().flat_map(|mesh| &mesh.primitives) {
            let material = primitive.material.and_then(|m| document.materials.get(m));
            let Some(name) = material.and_then(|m| m.name.as_deref()) else { continue };
            if materials.len() < 100 && !materials.iter().any(|known| known == name) {
                materials.push(name.chars().take(200).collect());
            }
        }
        nodes.push(GltfNode {
            number,
            name: node.name.iter().flat_map(|name| name.chars().take(200)).collect(),
            scene_from_node,
            mesh: node.mesh,
            materials,
            is_camera: node.camera.is_some(),
            extras: extras(&format!("node {number}"), node.extras.as_ref().map(|raw| raw.get()))?,
        });
        Ok(())
    })?;
    Ok(nodes)
}

fn extras(place: &str, text: Option<&str>) -> Result<serde_json::Value, MeshError> {
    let Some(text) = text else { return Ok(serde_json::Value::Null) };
    if text.len() > MAX_EXTRAS {
        let problem = format!("its extras are longer than {MAX_EXTRAS} bytes: remove some");
        return Err(wrong(place, problem));
    }
    serde_json::from_str(text).map_err(|e| wrong(place, format!("its extras: {e}")))
}
