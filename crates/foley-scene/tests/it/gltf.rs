//! A glTF file and the equivalent TOML file are the same scene.

use crate::common;

use common::{container, glb, write};
use foley_geometry::Collider;
use foley_geometry::mesh::{self, Density};
use foley_modal::shape::Solid;
use foley_scene::Scene;
use serde_json::json;
use std::path::Path;

/// Writes a bell on a shelf and a box as an exporter with y up: (x, y, z) becomes (x, z, −y).
fn picnic(folder: &Path) {
    let yup = |mesh: mesh::Mesh| mesh::Mesh {
        vertices: mesh.vertices.iter().map(|p| [p[0], p[2], -p[1]]).collect(),
        ..mesh
    };
    let bell = yup(mesh::builtin("bell", Density::Coarse).unwrap());
    let solid = Solid::Box { sides_m: [0.5, 0.5, 0.5] };
    let cube = yup(solid.mesh());
    let half = 0.5_f64.sqrt();
    let document = json!({
        "scene": 0,
        "scenes": [{"nodes": [0, 3, 4], "extras": {"foley_seconds": 3, "foley_ground": "wood"}}],
        "materials": [{"name": "Bronze"}, {"name": "Paint.001"}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
        "nodes": [
            {"name": "Shelf", "translation": [1, 2, 0], "children": [1, 2]},
            // Turned about the vertical by a quarter.
            {"name": "Bell", "mesh": 0, "translation": [0, 0.5, 0], "rotation": [0, half, 0, half],
             "scale": [2, 2, 2],
             "extras": {"foley_thickness_m": 0.004, "foley_velocity": [0, 0, -1], "colour": "red"}},
            {"name": "Empty"},
            {"name": "Box", "mesh": 1, "translation": [0, 0, 3], "scale": [1, 2, 3]},
            {"name": "Camera", "camera": 0, "translation": [0, 1, 5]},
        ],
    });
    write(folder, "picnic.glb", glb(document, &[&bell, &cube]));
}

/// The same scene in TOML, z up: y is −z of the glTF file.
const TOML: &str = r#"
title = "picnic"
seconds = 3
ground = "wood"
[listener]
position = [0, -5, 1]
forward = [0, 1, 0]
[[object]]
name = "Bell"
mesh = "picnic.glb#Bell"
material = "bronze"
thickness_m = 0.004
position = [1, 0, 2.5]
rotation = [0, 0, 90]
velocity = [0, 0, -1]
[[object]]
name = "Box"
mesh = "picnic.glb#Box"
position = [0, -3, 0]
motion = "fixed"
silent = true
"#;

/// Compares scenes up to rounding of rotations.
fn assert_alike(mut a: Scene, b: &Scene) {
    assert_eq!(a.objects.len(), b.objects.len());
    for (x, y) in a.objects.iter_mut().zip(&b.objects) {
        for i in 0..4 {
            let (p, q) = (x.pose.rotation[i], y.pose.rotation[i]);
            assert!((p - q).abs() < 1e-12, "{}: {:?} {:?}", x.name, x.pose, y.pose);
        }
        x.pose.rotation = y.pose.rotation;
    }
    assert_eq!(&a, b);
}

#[test]
fn gltf_equals_toml() {
    let folder = tempfile::tempdir().unwrap();
    picnic(folder.path());
    write(folder.path(), "picnic.toml", TOML);
    let gltf = Scene::load(folder.path().join("picnic.glb")).unwrap();
    let toml = Scene::load(folder.path().join("picnic.toml")).unwrap();
    assert_alike(gltf.clone(), &toml);

    // The geometry is equal as well: the bell is the built-in one at twice the size.
    let objects = gltf.prepare_geometry().unwrap().objects;
    let bell = r#"
        [[object]]
        mesh = "bell"
        material = "bronze"
        scale = 2
        thickness_m = 0.004
        [[object]]
        shape = "box:0.5x0.5x0.5m"
        material = "stone"
    "#;
    let bell = Scene::parse(bell).unwrap().prepare_geometry().unwrap().objects;
    let (found, expected) = (objects[1].mass, bell[0].mass);
    assert!((found.mass_kg / expected.mass_kg - 1.0).abs() < 1e-5, "{found:?} {expected:?}");
    for i in 0..3 {
        assert!((found.centre_m[i] - expected.centre_m[i]).abs() < 1e-6, "{found:?} {expected:?}");
        let (p, q) = (found.inertia_kg_m2[i][i], expected.inertia_kg_m2[i][i]);
        assert!((p / q - 1.0).abs() < 1e-5, "{found:?} {expected:?}");
    }
    // Scale (1, 2, 3) in the file's axes is (1, 3, 2) with z up.
    let Some(Collider::Mesh { points_m, .. }) = objects[2].collider.as_deref() else { panic!() };
    let max = |i: usize| points_m.iter().map(|p| p[i]).fold(0.0, f64::max);
    assert_eq!([max(0), max(1), max(2)], [0.25, 0.75, 0.5]);
    assert!((objects[2].mass.mass_kg / (6.0 * bell[1].mass.mass_kg) - 1.0).abs() < 1e-6);
}

#[test]
fn a_sidecar_overrides_keys_of_nodes() {
    let folder = tempfile::tempdir().unwrap();
    picnic(folder.path());
    let sidecar = r#"
gltf = "picnic.glb"
seconds = 7
[listener]
look_at = [0, 0, 1]
[[object]]
name = "Box"
material = "wood"
friction = 0.9
[[object]]
name = "Bell"
shape = "ball:10cm"
thickness_m = 0.004
[[object]]
name = "marble"
shape = "ball:16mm"
material = "glass"
[[strike]]
object = "Bell"
"#;
    write(folder.path(), "side.toml", sidecar);
    let error = Scene::load(folder.path().join("side.toml")).unwrap_err();
    // A ball has no wall; the message names the line of the sidecar.
    assert_eq!((error.problems[0].line, error.count), (Some(13), 1), "{error}");
    write(folder.path(), "side.toml", sidecar.replace("thickness_m = 0.004\n", ""));
    let error = Scene::load(folder.path().join("side.toml")).unwrap_err();
    // The node's own property is invalid for a ball; the message names the glTF file.
    assert!(error.to_string().contains("picnic.glb") && error.to_string().contains("thickness_m"));

    let fewer = sidecar.replace("shape = \"ball:10cm\"\n", "");
    write(folder.path(), "side.toml", fewer);
    let scene = Scene::load(folder.path().join("side.toml")).unwrap();
    assert_eq!(scene.seconds, 7.0);
    assert_eq!(scene.listener.position_m, [0.0, -5.0, 1.0]);
    let names: Vec<_> = scene.objects.iter().map(|o| &*o.name).collect();
    assert_eq!(names, ["ground", "Bell", "Box", "marble"]);
    let cube = scene.object("Box").unwrap();
    assert_eq!((cube.friction, cube.silent, &*cube.material.name), (0.9, false, "wood"));
    assert_eq!(cube.pose.position_m, [0.0, -3.0, 0.0]);
    assert_eq!(scene.strikes[0].object, 1);
    // The written scene needs no sidecar.
    write(folder.path(), "merged.toml", scene.to_toml());
    assert_eq!(Scene::load(folder.path().join("merged.toml")).unwrap(), scene);
}

#[test]
fn invalid_nodes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    picnic(folder.path());
    let reports = |toml: &str, expected: &str| {
        write(folder.path(), "scene.toml", toml);
        let error = Scene::load(folder.path().join("scene.toml")).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let object = |mesh: &str| format!("[[object]]\nmesh = \"{mesh}\"\nmaterial = \"steel\"");
    reports(
        &object("picnic.glb#Bel"),
        "scene.toml:2:8: object 1: `mesh`: there is no node `Bel`; did you mean `Bell`?",
    );
    reports(&object("picnic.glb#Empty"), "has no mesh");
    reports(&object("picnic.glb#/nodes/9"), "there is no node 9");
    let node = |node: serde_json::Value| {
        let ball = Solid::Ball { diameter_m: 0.1 }.mesh();
        let document = json!({"nodes": [node], "materials": [{"name": "steel"}]});
        write(folder.path(), "one.glb", glb(document, &[&ball]));
        Scene::load(folder.path().join("one.glb")).map_err(|error| error.to_string())
    };
    let error = node(json!({"name": "A", "mesh": 0, "extras": {"foley_masss_kg": 1}})).unwrap_err();
    assert!(
        error.contains("one.glb: object \"A\": unknown key `masss_kg`; did you mean `mass_kg`?"),
        "{error}"
    );
    let error = node(json!({"name": "A", "mesh": 0, "scale": [1, 0, 1]})).unwrap_err();
    assert!(error.contains("node 0 \"A\": its scale is 0"), "{error}");
    let error =
        node(json!({"name": "A", "mesh": 0, "extras": {"foley": {"mass_kg": 0}}})).unwrap_err();
    assert!(error.contains("`mass_kg` is 0"), "{error}");
    let valid =
        node(json!({"name": " A ", "mesh": 0, "extras": {"foley": {"motion": "fixed"}}})).unwrap();
    assert_eq!(valid.objects[0].name, "A");
    assert!(
        node(json!({"mesh": 0, "extras": {"foley_ignore": true}}))
            .unwrap_err()
            .contains("the scene has no objects")
    );
}

#[test]
fn hostile_gltf_is_survived() {
    let folder = tempfile::tempdir().unwrap();
    picnic(folder.path());
    let valid = std::fs::read(folder.path().join("picnic.glb")).unwrap();
    let refuses = |bytes: Vec<u8>| {
        write(folder.path(), "bad.glb", bytes);
        Scene::load(folder.path().join("bad.glb")).unwrap_err().to_string()
    };
    for cut in [0, 3, 11, 19, 100, valid.len() / 2, valid.len() - 1] {
        refuses(valid[..cut].to_vec());
    }
    let cycle =
        json!({"nodes": [{"children": [1]}, {"children": [0]}], "scenes": [{"nodes": [0]}]});
    assert!(refuses(container(cycle.to_string(), vec![])).contains("its own ancestor"));
    // Deep chains of nodes need no stack; deep JSON is refused.
    let chain: Vec<_> =
        (0..200_000).map(|i| json!({"children": [i + 1]})).chain([json!({})]).collect();
    let text = json!({"nodes": chain}).to_string();
    assert!(refuses(container(text, vec![])).contains("the scene has no objects"));
    let deep = format!(
        "{{\"nodes\": [{{\"mesh\": 0, \"extras\": {}1{}}}]}}",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    refuses(container(deep, vec![]));
    let many: Vec<_> = (0..20_000).map(|i| json!({"name": i.to_string(), "mesh": 0})).collect();
    let ball = Solid::Ball { diameter_m: 0.1 }.mesh();
    let many = glb(json!({"nodes": many}), &[&ball]);
    assert!(refuses(many).contains("more than 10000 nodes"));
    let nan = json!({"nodes": [{"mesh": 0, "translation": [1e308, 1e308, 1e308], "scale": [1e308, 1, 1]}]});
    refuses(glb(nan, &[&ball]));
}
