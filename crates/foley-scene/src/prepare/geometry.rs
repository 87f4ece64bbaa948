//! Geometry of an object, read from files and scaled.

use super::error::ObjectError;
use super::gltf_nodes::GltfFiles;
use crate::gltf;
use crate::scene::body::has_extension;
use crate::scene::{BodySource, Object, Scene};
use foley_geometry::assets::AssetLoader;
use foley_geometry::mesh::{self, Measures, Mesh, ReadOptions, RepairOptions};
use foley_modal::file::{FileError, MAX_FILE_BYTES, read_with_provenance};
use foley_modal::shape::Solid;
use foley_modal::{ModalModel, Provenance, Shape};
use std::path::Path;

/// Geometry of an object at size 1.
#[derive(Debug)]
pub(super) enum Geometry {
    Ground,
    Shape(Shape),
    Solid(Solid),
    Mesh {
        mesh: Mesh,
        measures: Measures,
        /// Wall thickness of a built-in mesh.
        wall_m: Option<f64>,
        /// The solid that the mesh approximates, if known.
        solid: Option<Solid>,
    },
    Model(Box<ModalModel>, Option<Provenance>),
}

impl Geometry {
    /// Returns the number of triangles that are kept of it.
    pub(super) fn triangles(&self) -> usize {
        match self {
            Self::Mesh { mesh, .. } => mesh.triangles.len(),
            Self::Model(model, _) => model.triangles.len(),
            Self::Ground | Self::Shape(_) | Self::Solid(_) => 0,
        }
    }
}

/// Builds the geometry of an object at size 1.
pub(super) fn build(
    object: &Object,
    scene: &Scene,
    files: &mut GltfFiles,
) -> Result<Geometry, ObjectError> {
    let assets = scene.assets.loader();
    Ok(match &object.body {
        BodySource::Ground => Geometry::Ground,
        BodySource::Shape(shape) => Geometry::Shape(shape.clone()),
        BodySource::Solid(solid) => Geometry::Solid(*solid),
        BodySource::Model(file) => {
            let (model, provenance) = read_model(assets, &scene.folder.join(file))?;
            Geometry::Model(Box::new(model), provenance)
        }
        BodySource::Builtin(name) => {
            let info = mesh::builtin_info(name)?;
            let uniform = object.scale.windows(2).all(|s| s[0] == s[1]);
            // The built-in ring has a diameter of 80 mm and a wire of 8 mm.
            let solid = match (*name, uniform) {
                ("ring", true) => {
                    let ring = Solid::Ring { diameter_m: 0.08, wire_m: 0.008 };
                    Some(ring.scaled(object.scale[0].abs())?)
                }
                _ => None,
            };
            let wall_m = info.thickness_m.filter(|_| !info.closed);
            finish(info.mesh(object.modes.detail), object.scale, wall_m, solid)?
        }
        BodySource::Mesh { file, node, units } => {
            let path = scene.folder.join(file);
            let options = ReadOptions::default().with_units(*units);
            let mesh = match node {
                Some(node) => files.node(scene, file, node)?.read()?,
                None if has_extension(&path, &["gltf", "glb"]) => {
                    let mut mesh = mesh::read_asset(assets, &path, &options)?;
                    mesh.vertices.iter_mut().for_each(|p| *p = gltf::z_up((*p).into()).to_array());
                    mesh
                }
                None => mesh::read_asset(assets, &path, &options)?,
            };
            finish(mesh, object.scale, None, None)?
        }
    })
}

/// Reads a model and the provenance of its modes.
fn read_model(
    assets: &dyn AssetLoader,
    path: &Path,
) -> Result<(ModalModel, Option<Provenance>), FileError> {
    let bytes = assets.load(path, MAX_FILE_BYTES)?;
    let at = |error| FileError::At { path: path.to_owned(), source: Box::new(error) };
    read_with_provenance(&bytes).map_err(at)
}

/// Scales and repairs a mesh.
fn finish(
    mut mesh: Mesh,
    scale: [f64; 3],
    wall_m: Option<f64>,
    solid: Option<Solid>,
) -> Result<Geometry, ObjectError> {
    for p in &mut mesh.vertices {
        *p = [0, 1, 2].map(|i| p[i] * scale[i]);
    }
    // A reflection reverses the orientation of triangles.
    if scale.iter().product::<f64>() < 0.0 {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    let (mesh, report) = mesh::repair(mesh, &RepairOptions::default())?.into();
    Ok(Geometry::Mesh { mesh, measures: report.measures, wall_m, solid })
}
