//! Instances of a mesh in a glTF file share it.

use crate::common;

use common::{glb, write};
use foley_geometry::mesh::{self, Density};
use foley_scene::Scene;
use foley_scene::prepare::ModelCache;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Writes a file with dies: 40 turned ones of size 1, and 10 of size 2.
fn write_dies(folder: &Path) {
    let die = mesh::builtin("die", Density::Coarse).unwrap();
    let nodes: Vec<Value> = (0..50)
        .map(|k| {
            let (sin, cos) = (0.1 * f64::from(k)).sin_cos();
            let scale = if k < 40 { 1.0 } else { 2.0 };
            json!({"name": format!("die {k}"), "mesh": 0, "translation": [0.1 * f64::from(k), 1, 0],
                   "rotation": [0.6 * sin, 0.0, 0.8 * sin, cos], "scale": [scale, scale, scale]})
        })
        .collect();
    let document = json!({
        "scenes": [{"nodes": (0..50).collect::<Vec<_>>()}],
        "materials": [{"name": "steel"}],
        "nodes": nodes,
    });
    write(folder, "dies.glb", glb(document, &[&die]));
}

#[test]
fn turned_instances_share_collider_and_model() {
    let folder = tempfile::tempdir().unwrap();
    write_dies(folder.path());
    let scene = Scene::load(folder.path().join("dies.glb")).unwrap();
    let mut solved = std::collections::BTreeSet::new();
    let cache = ModelCache::at(folder.path().join("cache"));
    let prepared = scene.prepare(&cache, &mut |step| {
        solved.insert(step.done);
        assert_eq!(step.of, 2);
        true
    });
    let objects = prepared.unwrap().objects;
    assert_eq!(solved.len(), 2);
    for (k, object) in objects.iter().enumerate() {
        let first = &objects[if k < 40 { 0 } else { 40 }];
        let same = Arc::ptr_eq(object.collider.as_ref().unwrap(), first.collider.as_ref().unwrap());
        assert!(same, "die {k} has a collider of its own");
        assert_eq!(object.mass, first.mass);
        match (&object.model, &first.model) {
            (Some(a), Some(b)) => assert!(Arc::ptr_eq(a, b), "die {k} has a model of its own"),
            (a, b) => assert!(a.is_none() && b.is_none()),
        }
    }
    let ratio = objects[40].mass.mass_kg / objects[0].mass.mass_kg;
    assert!((ratio - 8.0).abs() < 1e-5, "{ratio}");
}

#[test]
fn objects_of_a_scene_file_share_the_mesh_of_several_nodes() {
    let folder = tempfile::tempdir().unwrap();
    write_dies(folder.path());
    let object = |node: &str, keys: &str| {
        format!(
            "[[object]]\nmesh = \"dies.glb#{node}\"\nmaterial = \"glass\"\nsilent = true\n{keys}"
        )
    };
    let text = [
        object("die 3", ""),
        object("/nodes/7", ""),
        object("die 9", "size = 2\n"),
        object("die 11", "size = 2\n"),
        object("die 45", ""),
    ];
    write(folder.path(), "dies.toml", text.concat());
    let scene = Scene::load(folder.path().join("dies.toml")).unwrap();
    let objects = scene.prepare_geometry().unwrap().objects;
    let collider = |k: usize| Arc::as_ptr(objects[k].collider.as_ref().unwrap());
    assert_eq!(collider(0), collider(1));
    assert_eq!(collider(2), collider(3));
    assert_ne!(collider(0), collider(2));
    // Of the same size, but by the scale of its node.
    assert!((objects[4].mass.mass_kg / objects[2].mass.mass_kg - 1.0).abs() < 1e-5);
}
