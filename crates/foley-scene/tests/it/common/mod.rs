//! glTF files made by code.
#![allow(dead_code, unreachable_pub)]

pub mod sound;

use foley_geometry::mesh::Mesh;
use serde_json::{Value, json};
use std::path::Path;

/// A GLB file: this document, with the meshes as its meshes 0, 1, … of materials 0, 1, …
pub fn glb(document: Value, meshes: &[&Mesh]) -> Vec<u8> {
    glb_with(document, meshes, &[])
}

/// The same with tables of numbers, such as `("VEC3", …)`, as accessors behind those of the meshes,
/// of which each has two.
pub fn glb_with(mut document: Value, meshes: &[&Mesh], tables: &[(&str, Vec<f32>)]) -> Vec<u8> {
    let (mut binary, mut views, mut accessors, mut items) = (Vec::new(), vec![], vec![], vec![]);
    for (i, mesh) in meshes.iter().enumerate() {
        let start = binary.len();
        for x in mesh.vertices.iter().flatten() {
            binary.extend((*x as f32).to_le_bytes());
        }
        views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": binary.len() - start}));
        let start = binary.len();
        for v in mesh.triangles.iter().flatten() {
            binary.extend(v.to_le_bytes());
        }
        views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": binary.len() - start}));
        accessors.push(json!({"bufferView": 2 * i, "componentType": 5126, "count": mesh.vertices.len(), "type": "VEC3"}));
        accessors.push(json!({"bufferView": 2 * i + 1, "componentType": 5125, "count": 3 * mesh.triangles.len(), "type": "SCALAR"}));
        items.push(json!({"primitives": [{"attributes": {"POSITION": 2 * i}, "indices": 2 * i + 1, "material": i}]}));
    }
    for (shape, numbers) in tables {
        let start = binary.len();
        binary.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        let each = if *shape == "SCALAR" { 1 } else { shape[3..].parse::<usize>().unwrap() };
        accessors.push(json!({"bufferView": views.len(), "componentType": 5126, "count": numbers.len() / each, "type": shape}));
        views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": binary.len() - start}));
    }
    document["asset"] = json!({"version": "2.0"});
    document["buffers"] = json!([{"byteLength": binary.len()}]);
    document["bufferViews"] = views.into();
    document["accessors"] = accessors.into();
    document["meshes"] = items.into();
    container(document.to_string(), binary)
}

/// A GLB file of any text and bytes.
pub fn container(mut json: String, mut binary: Vec<u8>) -> Vec<u8> {
    json.push_str(&" ".repeat(json.len().next_multiple_of(4) - json.len()));
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut file = b"glTF".to_vec();
    let length = 12 + 8 + json.len() + 8 + binary.len();
    for word in [2, length as u32, json.len() as u32] {
        file.extend(word.to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(json.as_bytes());
    file.extend((binary.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(binary);
    file
}

pub fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::write(folder.join(name), bytes).unwrap();
}
