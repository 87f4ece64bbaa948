//! Node tree traversal and the primitives of meshes.

use super::accessor::AccessorView;
use super::document::{Document, MeshItem, Node, Primitive};
use super::wrong;
use crate::mesh::MeshError;
use crate::mesh::read::builder::Builder;
use glam::{DAffine3, DMat4, DQuat};
use std::borrow::Cow;
use std::collections::HashMap;

/// Limit on primitives in all; nodes may share meshes.
const MAX_PRIMITIVES: usize = 1_000_000;
/// A triangle takes a byte of its file or more. A file with more triangles than bytes repeats meshes,
/// and above this number they would take too much time and memory as one mesh.
const MAX_REPEATED: u64 = 1_000_000;

pub(super) fn read(
    document: &Document,
    buffers: &[Cow<'_, [u8]>],
    file_bytes: usize,
    builder: &mut Builder,
) -> Result<(), MeshError> {
    let mut reader = Reader::new(document, buffers, file_bytes, builder);
    if document.nodes.is_empty() {
        for mesh in &document.meshes {
            reader.mesh(mesh, None, DAffine3::IDENTITY)?;
        }
        return Ok(());
    }
    traverse(document, |_, node, mesh, scene_from_node| match mesh {
        Some(mesh) => reader.mesh(mesh, node.name.as_deref(), scene_from_node),
        None => Ok(()),
    })
}

/// Visits every node of the default scene once, with its index, mesh and transform.
pub(super) fn traverse<'a>(
    document: &'a Document,
    mut visit: impl FnMut(usize, &'a Node, Option<&'a MeshItem>, DAffine3) -> Result<(), MeshError>,
) -> Result<(), MeshError> {
    let mut seen = vec![false; document.nodes.len()];
    let mut stack: Vec<(usize, DAffine3)> =
        roots(document)?.into_iter().rev().map(|root| (root, DAffine3::IDENTITY)).collect();
    while let Some((number, scene_from_parent)) = stack.pop() {
        let place = || format!("node {number}");
        let node = document.nodes.get(number).ok_or_else(|| wrong(place(), "does not exist"))?;
        if std::mem::replace(&mut seen[number], true) {
            return Err(wrong(place(), "it has two parents, or is its own ancestor"));
        }
        let scene_from_node = scene_from_parent * transform(node);
        let missing = |mesh| wrong(place(), format!("its mesh {mesh} does not exist"));
        let mesh = node.mesh.map(|i| document.meshes.get(i).ok_or_else(|| missing(i)));
        visit(number, node, mesh.transpose()?, scene_from_node)?;
        stack.extend(node.children.iter().rev().map(|&child| (child, scene_from_node)));
    }
    Ok(())
}

/// Reads a single mesh, transformed by `at`.
pub(super) fn read_one(
    document: &Document,
    buffers: &[Cow<'_, [u8]>],
    mesh: &MeshItem,
    name: Option<&str>,
    at: DAffine3,
    builder: &mut Builder,
) -> Result<(), MeshError> {
    Reader::new(document, buffers, 0, builder).mesh(mesh, name, at)
}

/// Returns the root nodes of the default scene; without scenes, the nodes without parent.
fn roots(document: &Document) -> Result<Vec<usize>, MeshError> {
    if let Some(scene) = document.scenes.get(document.scene.unwrap_or(0)) {
        return Ok(scene.nodes.clone());
    }
    if let Some(scene) = document.scene {
        return Err(wrong(format!("scene {scene}"), "it does not exist"));
    }
    let mut root = vec![true; document.nodes.len()];
    for &child in document.nodes.iter().flat_map(|node| &node.children) {
        if let Some(root) = root.get_mut(child) {
            *root = false;
        }
    }
    Ok((0..root.len()).filter(|&i| root[i]).collect())
}

struct Reader<'a> {
    document: &'a Document,
    buffers: &'a [Cow<'a, [u8]>],
    builder: &'a mut Builder,
    primitives: usize,
    triangles: u64,
    max_triangles: u64,
}

impl<'a> Reader<'a> {
    fn new(
        document: &'a Document,
        buffers: &'a [Cow<'a, [u8]>],
        file_bytes: usize,
        builder: &'a mut Builder,
    ) -> Self {
        let bytes = buffers.iter().map(|buffer| buffer.len() as u64).sum::<u64>();
        let max_triangles = MAX_REPEATED.max(bytes.saturating_add(file_bytes as u64));
        Self { document, buffers, builder, primitives: 0, triangles: 0, max_triangles }
    }

    fn mesh(
        &mut self,
        mesh: &MeshItem,
        name: Option<&str>,
        scene_from_node: DAffine3,
    ) -> Result<(), MeshError> {
        for primitive in &mesh.primitives {
            self.primitives += 1;
            if self.primitives > MAX_PRIMITIVES {
                let (found, limit) = (self.primitives as u64, MAX_PRIMITIVES as u64);
                return Err(MeshError::Limit { what: "primitives", found, limit });
            }
            let short = |name: &str| name.chars().take(200).collect::<String>();
            self.builder.name(&short(name.or(mesh.name.as_deref()).unwrap_or_default()));
            let material = primitive.material.and_then(|m| self.document.materials.get(m));
            let material = material.and_then(|m| m.name.as_deref()).map(short);
            self.builder.material(material.as_deref());
            self.primitive(primitive, scene_from_node)?;
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &Primitive, at: DAffine3) -> Result<(), MeshError> {
        let mode = primitive.mode.unwrap_or(4);
        let Some(position) = primitive.attributes.position.filter(|_| matches!(mode, 4..=6)) else {
            return Ok(());
        };
        let points = AccessorView::new(self.document, self.buffers, position, "VEC3")?;
        let indices = primitive
            .indices
            .map(|i| AccessorView::new(self.document, self.buffers, i, "SCALAR"))
            .transpose()?;
        let corners = indices.as_ref().map_or(points.count, |table| table.count);
        let triangles = if mode == 4 { corners / 3 } else { corners.saturating_sub(2) };
        self.triangles = self.triangles.saturating_add(triangles as u64);
        if self.triangles > self.max_triangles {
            return Err(MeshError::Repeated { limit: self.max_triangles });
        }
        self.builder.expect(0, triangles as u64, (corners, 1))?;
        // A reflection reverses the winding.
        let mirror = at.matrix3.determinant() < 0.0;
        let mut vertices: HashMap<u32, u32> = HashMap::new();
        for t in 0..triangles {
            let places = match mode {
                4 => [3 * t, 3 * t + 1, 3 * t + 2],
                5 => [t, t + 1 + t % 2, t + 2 - t % 2],
                _ => [t + 1, t + 2, 0],
            };
            let mut triangle = [0; 3];
            for (vertex, place) in triangle.iter_mut().zip(places) {
                let index = match &indices {
                    Some(table) => table.index(place),
                    None => Some(place as u32),
                };
                let point = index.and_then(|i| Some((i, points.item(i as usize)?)));
                let (index, point) = point.ok_or_else(|| {
                    let what = index.map_or("that is no integer".to_owned(), |i| i.to_string());
                    let there = points.count;
                    let problem =
                        format!("triangle {t} refers to vertex {what}; there are {there}");
                    wrong(format!("accessor {position}"), problem)
                })?;
                *vertex = match vertices.get(&index) {
                    Some(&vertex) => vertex,
                    None => {
                        let vertex =
                            self.builder.vertex(at.transform_point3(point.into()).to_array())?;
                        vertices.insert(index, vertex);
                        vertex
                    }
                };
            }
            if mirror {
                triangle.swap(1, 2);
            }
            self.builder.triangle(triangle)?;
        }
        Ok(())
    }
}

/// Returns `parent_from_node`, from a matrix or from translation, rotation and scale.
pub(super) fn transform(node: &Node) -> DAffine3 {
    match node.matrix {
        Some(m) => DAffine3::from_mat4(DMat4::from_cols_array(&m)),
        None => composed(node.translation, node.rotation.map(DQuat::from_array), node.scale),
    }
}

/// Returns the transform that scales, then rotates, then translates.
pub(super) fn composed(
    translation: Option<[f64; 3]>,
    rotation: Option<DQuat>,
    scale: Option<[f64; 3]>,
) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        scale.unwrap_or([1.0; 3]).into(),
        rotation.unwrap_or_default(),
        translation.unwrap_or_default().into(),
    )
}
