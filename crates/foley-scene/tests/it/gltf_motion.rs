//! Animations of a glTF file are motion paths, as in TOML.

use crate::common;

use common::{glb_with, write};
use foley_modal::shape::Solid;
use foley_scene::Scene;
use foley_scene::scene::{Motion, Pose};
use serde_json::{Value, json};

/// Index of the first accessor after those of the mesh.
const FIRST: usize = 2;

type Table<'a> = (&'a str, Vec<f32>);

fn load(nodes: Value, animations: Value, tables: &[Table<'_>]) -> Result<Scene, String> {
    let folder = tempfile::tempdir().unwrap();
    let ball = Solid::Ball { diameter_m: 0.1 }.mesh();
    let document = json!({"nodes": nodes, "scenes": [{"nodes": [0]}], "animations": animations,
                          "materials": [{"name": "steel"}]});
    write(folder.path(), "moved.glb", glb_with(document, &[&ball], tables));
    Scene::load(folder.path().join("moved.glb")).map_err(|error| error.to_string())
}

/// Returns an animation with a sampler for each channel; all take their times from accessor 2.
fn animation(channels: &[(usize, &str, &str)]) -> Value {
    let target = |(i, (node, path, _)): (usize, &(usize, &str, &str))| json!({"sampler": i, "target": {"node": node, "path": path}});
    let sampler = |(i, (_, _, how)): (usize, &(usize, &str, &str))| json!({"input": FIRST, "output": FIRST + 1 + i, "interpolation": how});
    json!([{"name": "Fly",
            "channels": channels.iter().enumerate().map(target).collect::<Vec<_>>(),
            "samplers": channels.iter().enumerate().map(sampler).collect::<Vec<_>>()}])
}

fn bell() -> Value {
    json!([{"name": "Bell", "mesh": 0, "translation": [0, 1, 0]}])
}

fn close(a: [f64; 3], b: [f64; 3], within: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < within)
}

/// Returns the direction of the x axis.
fn x_axis(pose: Pose) -> [f64; 3] {
    Pose { position_m: [0.0; 3], ..pose }.apply([1.0, 0.0, 0.0])
}

fn at(scene: &Scene, time_s: f64) -> Pose {
    scene.objects[0].motion.pose_at(time_s).unwrap()
}

/// y of the file is z, and its z is −y.
#[test]
fn linear_motion_equals_that_of_toml() {
    let half = 0.5_f32.sqrt();
    let tables = [
        ("SCALAR", vec![0.5, 1.5, 2.5]),
        ("VEC3", vec![0.0, 1.0, 0.0, 2.0, 1.0, 0.0, 2.0, 3.0, -1.0]),
        // A quarter about the vertical, then back.
        ("VEC4", vec![0.0, 0.0, 0.0, 1.0, 0.0, half, 0.0, half, 0.0, 0.0, 0.0, 1.0]),
    ];
    let channels = [(0, "translation", "LINEAR"), (0, "rotation", "LINEAR")];
    let scene = load(bell(), animation(&channels), &tables).unwrap();
    let toml = "[[object]]\nshape = \"ball:10cm\"\nmaterial = \"steel\"\nmotion = [\n\
                { at_s = 0.5, position = [0, 0, 1] },\n\
                { at_s = 1.5, position = [2, 0, 1], rotation = [0, 0, 90] },\n\
                { at_s = 2.5, position = [2, 1, 3], rotation = [0, 0, 0] },\n]";
    let toml = Scene::parse(toml).unwrap();
    let Motion::Path(keys) = &scene.objects[0].motion else { panic!() };
    assert_eq!(keys.len(), 3);
    for k in 0..40 {
        let time_s = 0.1 * f64::from(k);
        let (p, q) = (at(&scene, time_s), at(&toml, time_s));
        assert!(close(p.position_m, q.position_m, 1e-6), "{time_s}: {p:?} {q:?}");
        assert!(close(x_axis(p), x_axis(q), 1e-6), "{time_s}: {p:?} {q:?}");
    }
}

#[test]
fn steps_hold_and_jump() {
    let tables = [
        ("SCALAR", vec![0.0, 1.0, 2.0]),
        ("VEC3", vec![0.0, 1.0, 0.0, 5.0, 1.0, 0.0, 7.0, 1.0, 0.0]),
    ];
    let scene = load(bell(), animation(&[(0, "translation", "STEP")]), &tables).unwrap();
    for (time_s, x) in [(0.0, 0.0), (0.99, 0.0), (1.0, 5.0), (1.5, 5.0), (1.99, 5.0), (2.5, 7.0)] {
        let found = at(&scene, time_s).position_m[0];
        assert!((found - x).abs() < 1e-6, "{time_s} s: {found}");
    }
}

/// A cubic spline reproduces a polynomial of third degree from its values and slopes.
#[test]
fn cubic_splines_reproduce_cubics() {
    let x = |t: f64| 1.0 + 2.0 * t - 3.0 * t * t + 0.7 * t * t * t;
    let slope = |t: f64| 2.0 - 6.0 * t + 2.1 * t * t;
    let key = |t: f64| {
        let (x, slope) = (x(t) as f32, slope(t) as f32);
        [slope, 0.0, 0.0, x, 1.0, 0.0, slope, 0.0, 0.0]
    };
    let tables = [("SCALAR", vec![0.5, 2.0]), ("VEC3", [key(0.5), key(2.0)].concat())];
    let scene = load(bell(), animation(&[(0, "translation", "CUBICSPLINE")]), &tables).unwrap();
    for k in 0..=150 {
        let time_s = 0.5 + 0.01 * f64::from(k);
        let found = at(&scene, time_s).position_m[0];
        // Linear between keyframes 1/120 s apart: the error is below x'' Δt² / 8.
        assert!((found - x(time_s)).abs() < 1e-4, "{time_s} s: {found} {}", x(time_s));
    }
}

/// A child of a rotating node moves in a circle and rotates with it.
#[test]
fn children_move_with_their_parents() {
    let half = 0.5_f32.sqrt();
    let nodes = json!([
        {"name": "Arm", "children": [1]},
        {"name": "Bell", "mesh": 0, "translation": [1, 0, 0]},
    ]);
    let tables =
        [("SCALAR", vec![0.0, 1.0]), ("VEC4", vec![0.0, 0.0, 0.0, 1.0, 0.0, half, 0.0, half])];
    let scene = load(nodes, animation(&[(0, "rotation", "LINEAR")]), &tables).unwrap();
    for k in 0..=20 {
        let time_s = 0.05 * f64::from(k);
        let (sin, cos) = (std::f64::consts::FRAC_PI_2 * time_s).sin_cos();
        let pose = at(&scene, time_s);
        assert!(close(pose.position_m, [cos, sin, 0.0], 1e-4), "{time_s}: {pose:?}");
        assert!(close(x_axis(pose), [cos, sin, 0.0], 1e-4), "{time_s}: {pose:?}");
    }
}

#[test]
fn a_constant_scale_is_accepted_and_custom_properties_take_precedence() {
    let tables = [("SCALAR", vec![0.0, 1.0]), ("VEC3", vec![1.0; 6])];
    let scene = load(bell(), animation(&[(0, "scale", "LINEAR")]), &tables).unwrap();
    assert!(close(at(&scene, 0.5).position_m, [0.0, 0.0, 1.0], 1e-9));
    let own = json!([{"name": "Bell", "mesh": 0, "extras": {"foley_motion": "dynamic"}}]);
    let scene = load(own, animation(&[(0, "translation", "LINEAR")]), &tables).unwrap();
    assert_eq!(scene.objects[0].motion, Motion::Dynamic);
}

#[test]
fn errors_name_file_animation_and_node() {
    let times = || ("SCALAR", vec![0.0, 1.0]);
    let reports = |animations: Value, tables: &[Table<'_>], expected: &[&str]| {
        let error = load(bell(), animations, tables).unwrap_err();
        for text in ["moved.glb"].iter().chain(expected) {
            assert!(error.contains(text), "{error} / {text}");
        }
    };
    let fly = |path: &str, how: &str| animation(&[(0, path, how)]);
    let here = ["animation 0 \"Fly\"", "node 0 \"Bell\""];
    let with = |text| [here[0], here[1], text];
    let straight = fly("translation", "LINEAR");
    let vec3 = |count: usize| ("VEC3", vec![1.0; 3 * count]);
    reports(straight.clone(), &[times(), vec3(3)], &with("2 times and 3 values"));
    reports(straight.clone(), &[times(), ("VEC4", vec![1.0; 8])], &with("it should be a VEC3"));
    reports(straight.clone(), &[("SCALAR", vec![1.0, 1.0]), vec3(2)], &with("times must increase"));
    reports(
        straight.clone(),
        &[("SCALAR", vec![-1.0, 1.0]), vec3(2)],
        &with("times must increase"),
    );
    reports(straight.clone(), &[times(), ("VEC3", vec![f32::NAN; 6])], &with("not all finite"));
    reports(fly("translation", "SMOOTH"), &[times(), vec3(2)], &with("`SMOOTH` is not known"));
    reports(fly("translation", "CUBICSPLINE"), &[times(), vec3(2)], &with("each needs 3"));
    let flat = ("VEC4", vec![0.0; 8]);
    reports(fly("rotation", "LINEAR"), &[times(), flat], &with("rotation of length 0"));
    reports(
        fly("scale", "LINEAR"),
        &[times(), ("VEC3", vec![1.0, 1.0, 1.0, 2.0, 2.0, 2.0])],
        &[here[1], "its animation changes its scale"],
    );
    let twice = animation(&[(0, "translation", "LINEAR"), (0, "translation", "LINEAR")]);
    reports(twice, &[times(), vec3(2), vec3(2)], &with("animates it too"));
    let missing = animation(&[(7, "translation", "LINEAR")]);
    reports(missing, &[times(), vec3(2)], &["animation 0 \"Fly\", node 7", "does not exist"]);
    // A curve over a day would need ten million keyframes.
    let long = ("SCALAR", vec![0.0, 86_400.0]);
    reports(fly("translation", "CUBICSPLINE"), &[long, vec3(6)], &[here[1], "shorten it"]);
}
