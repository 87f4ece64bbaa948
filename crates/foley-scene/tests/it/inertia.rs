//! Objects of a scene fall, roll and turn with their own centre of mass and inertia.

use crate::common;

use common::sound::{exact, prepared};
use foley_physics::{Event, PoseEvent};
use foley_scene::Scene;
use foley_scene::sonify::{SceneEvent, render};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

const G: f64 = foley_geometry::constants::GRAVITY_M_S2;

/// Writes a ball of triangles.
fn write_ball(folder: &Path, radius_m: f64) {
    let (around, down) = (96, 48);
    let mut text = String::new();
    for i in 0..=down {
        let polar = PI * f64::from(i) / f64::from(down);
        for j in 0..around {
            let (azimuth, s) = (TAU * f64::from(j) / f64::from(around), radius_m * polar.sin());
            let (x, y, z) = (s * azimuth.cos(), s * azimuth.sin(), radius_m * polar.cos());
            writeln!(text, "v {x} {y} {z}").unwrap();
        }
    }
    let at = |i: i32, j: i32| 1 + i * around + j % around;
    for (i, j) in (0..down).flat_map(|i| (0..around).map(move |j| (i, j))) {
        writeln!(text, "f {} {} {} {}", at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))
            .unwrap();
    }
    common::write(folder, "ball.obj", text);
}

/// Returns the poses of an object of a rendered scene.
fn poses(scene: &Arc<Scene>, object: u32) -> Vec<PoseEvent> {
    let rendered = render(scene, &prepared(scene), &exact(), &mut |_| true).unwrap().unwrap();
    let pose = |event: &SceneEvent| match event {
        SceneEvent::Physics(Event::Pose(pose)) if pose.body == object => Some(*pose),
        _ => None,
    };
    rendered.events.iter().filter_map(pose).collect()
}

#[test]
fn a_hollow_ball_rolls_down_a_slope_slower_than_a_full_one() {
    let folder = tempfile::tempdir().unwrap();
    write_ball(folder.path(), 0.1);
    // A slope of 0.3 rad; silent objects need no modes.
    let [y, z] = [0.1 * 0.3_f64.sin(), 0.1 * 0.3_f64.cos()];
    let degrees = 0.3_f64.to_degrees();
    for (body, share) in [
        ("mesh = \"ball.obj\"\nmethod = \"shell\"\nthickness_m = 0.001", 2.0 / 3.0),
        ("mesh = \"ball.obj\"", 0.4),
        ("shape = \"ball:200mm\"", 0.4),
    ] {
        let text = format!(
            "seconds = 1\n[[object]]\nname = \"slope\"\nshape = \"ground\"\nmaterial = \"stone\"\n\
             rotation = [{degrees}, 0, 0]\nfriction = 0.9\nrestitution = 0\nsilent = true\n\
             [[object]]\nname = \"ball\"\n{body}\ncollider = \"ball\"\nmaterial = \"steel\"\n\
             position = [0, {}, {z}]\nfriction = 0.9\nrestitution = 0\nsilent = true\n",
            -y
        );
        let text = if body.starts_with("shape") {
            text.replace("collider = \"ball\"\n", "")
        } else {
            text
        };
        common::write(folder.path(), "slope.toml", text);
        let scene = Arc::new(Scene::load(folder.path().join("slope.toml")).unwrap());
        let poses = poses(&scene, 1);
        let speed = |at_s: f64| {
            let pose =
                poses.iter().min_by(|a, b| (a.at_s - at_s).abs().total_cmp(&(b.at_s - at_s).abs()));
            let pose = pose.unwrap();
            (pose.at_s, DVec3::from(pose.velocity).length())
        };
        let ((from_s, slow), (to_s, fast)) = (speed(0.2), speed(0.95));
        let found = (fast - slow) / (to_s - from_s);
        let right = G * 0.3_f64.sin() / (1.0 + share);
        assert!((found / right - 1.0).abs() < 0.01, "{body}: {found} instead of {right} m/s²");
    }
}

#[test]
fn a_bowl_turns_about_its_centre_of_mass_as_it_falls() {
    let text = "seconds = 0.4\n[[object]]\nname = \"bowl\"\nmesh = \"bowl\"\nmaterial = \"steel\"\n\
                position = [0, 0, 2]\nspin = [500, 0, 200]\nsilent = true\n";
    let scene = common::sound::scene(text);
    let mass = scene.prepare_geometry().unwrap().objects[0].mass;
    let centre = DVec3::from(mass.centre_m);
    // 65 mm deep: a shell has its centre of mass below the middle of its height, its hull above it.
    assert!((0.015..0.032).contains(&centre.z) && centre.truncate().length() < 1e-4, "{centre}");
    let start = DVec3::new(0.0, 0.0, 2.0) + centre;
    let poses = poses(&scene, 0);
    assert!(poses.len() > 50);
    for pose in &poses {
        let found = DVec3::from(pose.position) + DQuat::from_array(pose.rotation) * centre;
        let fallen = DVec3::Z * (-0.5 * G * pose.at_s * pose.at_s);
        assert!((found - start - fallen).length() < 5e-4, "{} s: {found}", pose.at_s);
    }
    let axis = DQuat::from_array(poses.last().unwrap().rotation) * DVec3::Z;
    assert!(axis.z < 0.0, "it does not turn: {axis}");
}
