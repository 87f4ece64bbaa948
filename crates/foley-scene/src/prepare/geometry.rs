//! What an object is, in numbers: read from files and made to its size.

use super::error::ObjectError;
use crate::gltf;
use crate::scene::{Body, Object};
use foley_geometry::mesh::{self, Gltf, Measures, Mesh, ReadOptions, RepairOptions};
use foley_modal::shape::Solid;
use foley_modal::{ModalModel, Provenance, Shape};
use std::path::Path;

/// What an object is, at size 1.
#[derive(Debug)]
pub(super) enum Geometry {
    Ground,
    Shape(Shape),
    Solid(Solid),
    Mesh {
        mesh: Mesh,
        facts: Measures,
        /// The wall that a built-in mesh has.
        wall_m: Option<f64>,
        /// What it is exactly, where that is known.
        exactly: Option<Solid>,
    },
    Model(ModalModel, Option<Provenance>),
}

/// Builds the geometry of an object at size 1.
pub(super) fn build(object: &Object, folder: &Path) -> Result<Geometry, ObjectError> {
    Ok(match &object.body {
        Body::Ground => Geometry::Ground,
        Body::Shape(shape) => Geometry::Shape(shape.clone()),
        Body::Solid(solid) => Geometry::Solid(*solid),
        Body::Model(file) => {
            let (model, provenance) = foley_modal::file::load_with_provenance(folder.join(file))?;
            Geometry::Model(model, provenance)
        }
        Body::Builtin(name) => {
            let info = mesh::builtin_info(name)?;
            let uniform = object.scale.windows(2).all(|s| s[0] == s[1]);
            // The ring that is built in is 80 mm of 8 mm.
            let exactly = match (*name, uniform) {
                ("ring", true) => {
                    let ring = Solid::Ring { diameter_m: 0.08, wire_m: 0.008 };
                    Some(ring.scaled(object.scale[0].abs())?)
                }
                _ => None,
            };
            let wall_m = info.thickness_m.filter(|_| !info.closed);
            finished(info.mesh(object.modes.detail), object.scale, wall_m, exactly)?
        }
        Body::Mesh { file, node, units } => {
            let path = folder.join(file);
            let options = ReadOptions { units: *units, ..ReadOptions::default() };
            let mesh = match node {
                Some(node) => one_node(&path, node)?,
                None if is_gltf(&path) => {
                    let mut mesh = mesh::read(&path, &options)?;
                    // From y up to z up.
                    mesh.vertices.iter_mut().for_each(|p| *p = [p[0], -p[2], p[1]]);
                    mesh
                }
                None => mesh::read(&path, &options)?,
            };
            finished(mesh, object.scale, None, None)?
        }
    })
}

fn is_gltf(path: &Path) -> bool {
    crate::scene::body::has_extension(path, &["gltf", "glb"])
}

fn one_node(path: &Path, node: &str) -> Result<Mesh, ObjectError> {
    let file = Gltf::open(path, &ReadOptions::default())?;
    let at = |problem: String| ObjectError::Node(format!("{}: {problem}", path.display()));
    let node = gltf::find(&file, node).map_err(at)?;
    let linear = gltf::linear(node.scene_from_node);
    let linear = linear.ok_or_else(|| at(format!("node {} has no extent", node.number)))?;
    Ok(file.mesh(node.number, linear)?)
}

fn finished(
    mut mesh: Mesh,
    scale: [f64; 3],
    wall_m: Option<f64>,
    exactly: Option<Solid>,
) -> Result<Geometry, ObjectError> {
    for p in &mut mesh.vertices {
        *p = [0, 1, 2].map(|i| p[i] * scale[i]);
    }
    // A mirror turns triangles inside out.
    if scale.iter().product::<f64>() < 0.0 {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    let (mesh, report) = mesh::repair(mesh, &RepairOptions::default())?.into();
    Ok(Geometry::Mesh { mesh, facts: report.measures, wall_m, exactly })
}
