//! glTF files of a scene, opened once, and the nodes that share a mesh.

use super::error::ObjectError;
use crate::gltf;
use crate::scene::Scene;
use foley_geometry::mesh::{Gltf, Mesh, ReadOptions};
use glam::DMat3;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Relative precision at which the scales of two nodes are equal: rotations round to 1e-16.
const SCALE_PRECISION: f64 = 1e-9;

/// The glTF files of a scene.
#[derive(Default)]
pub(super) struct GltfFiles {
    opened: HashMap<PathBuf, Arc<Gltf>>,
}

/// The mesh of a node: instances of one mesh with the same scale are equal.
pub(super) struct NodeMesh {
    file: Arc<Gltf>,
    path: PathBuf,
    node: usize,
    mesh: usize,
    /// Map of the mesh: scale and change of axes.
    stretch: DMat3,
}

impl GltfFiles {
    /// Finds a node in a file of the scene's folder.
    pub(super) fn node(
        &mut self,
        scene: &Scene,
        file: &Path,
        node: &str,
    ) -> Result<NodeMesh, ObjectError> {
        let path = scene.folder.join(file);
        let opened = match self.opened.get(&path) {
            Some(opened) => opened.clone(),
            None => {
                let assets = scene.assets.loader();
                let opened = Gltf::open_asset(assets, &path, &ReadOptions::default())?;
                let opened = Arc::new(opened);
                self.opened.insert(path.clone(), opened.clone());
                opened
            }
        };
        let at = |problem: String| ObjectError::Node(format!("{}: {problem}", path.display()));
        let found = gltf::find(&opened, node).map_err(at)?;
        let stretch = gltf::z_up_stretch(found.scene_from_node);
        let stretch = stretch.ok_or_else(|| at(format!("node {} has no extent", found.number)))?;
        let missing = || at(format!("node {} has no mesh", found.number));
        let (node, mesh) = (found.number, found.mesh.ok_or_else(missing)?);
        Ok(NodeMesh { file: opened, path, node, mesh, stretch })
    }
}

impl NodeMesh {
    /// Returns a text that instances share.
    pub(super) fn key(&self) -> String {
        let numbers = self.stretch.to_cols_array();
        let largest = numbers.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let rounded = numbers.map(|x| (x / (SCALE_PRECISION * largest)).round() as i64);
        format!("{:?} mesh {} by {largest:.9e} {rounded:?}", self.path, self.mesh)
    }

    /// Reads the mesh.
    pub(super) fn read(&self) -> Result<Mesh, ObjectError> {
        Ok(self.file.mesh(self.node, self.stretch)?)
    }
}
