//! The half-space has no end, and bodies touch it as they touch a large box.

use crate::common;

use common::{G, contacts, impacts, run};
use foley_geometry::Collider;
use foley_physics::{Body, Mass, PhysicsError, Settings, World};
use glam::{DQuat, DVec3};

/// Makes a world with the half-space z < 0 as body 0, or a box of 40 m instead.
fn ground(is_box: bool, friction: f64, restitution: f64, reach_m: f64) -> World {
    let mut world = World::new(Settings::default().with_max_distance_m(reach_m)).unwrap();
    let ground = match is_box {
        true => Body::fixed("ground", Collider::cuboid(40.0, 40.0, 1.0)).at([0.0, 0.0, -0.5]),
        false => Body::fixed("ground", Collider::HalfSpace),
    };
    world.add(&ground.with_surface(friction, restitution)).unwrap();
    world
}

#[test]
fn a_ball_bounces_a_kilometre_away_as_at_the_origin() {
    for far_m in [0.0, 150.0, 1000.0, 20_000.0] {
        let mut world = ground(false, 0.0, 0.8, 5e4);
        let ball = Body::dynamic("ball", Collider::ball(0.1), Mass::Kilograms(0.3));
        let place = [far_m, -far_m, 1.1];
        world.add(&ball.at(place).with_surface(0.0, 0.8)).unwrap();
        let bounces = impacts(&run(&mut world, 1.5));
        let falls_s = (2.0 / G).sqrt();
        let right = [falls_s, falls_s * 2.6, falls_s * (2.6 + 1.28)];
        assert!(bounces.len() >= 2, "{far_m} m: {bounces:?}");
        for (k, bounce) in bounces.iter().take(3).enumerate() {
            assert!((bounce.at_s - right[k]).abs() < 2e-3, "{far_m} m: {bounces:?}");
            let speed = 0.8_f64.powi(k as i32) * (2.0 * G).sqrt();
            assert!((bounce.speed_m_s / speed - 1.0).abs() < 0.01, "{far_m} m: {bounces:?}");
        }
    }
}

#[test]
fn a_fast_ball_slides_out_of_sight_and_stays_on_the_ground() {
    // From the origin to 1.2 km, without friction, and at 280 m/s steeply into the ground.
    let mut world = ground(false, 0.0, 0.0, 5000.0);
    let ball = Body::dynamic("ball", Collider::ball(0.05), Mass::Kilograms(0.3));
    let ball = ball.with_surface(0.0, 0.0);
    let slides = ball.clone().at([0.0, 0.0, 0.05]).with_velocity([240.0, 0.0, 0.0]);
    let slides = world.add(&slides).unwrap();
    let dives = ball.at([900.0, 50.0, 20.0]).with_velocity([150.0, 0.0, -230.0]);
    let dives = world.add(&dives).unwrap();
    run(&mut world, 5.0);
    assert!(world.take_lost().is_empty());
    for body in [slides, dives] {
        let pose = world.pose(body).unwrap();
        assert!(pose.position[0] > 1190.0 && (pose.position[2] - 0.05).abs() < 0.003, "{pose:?}");
    }
}

#[test]
fn bodies_rest_on_the_half_space_as_on_a_box() {
    // A hull with a face of eight corners, a closed mesh, a cylinder, a cone, a ring, a box.
    let prism: Vec<[f64; 3]> = (0..16)
        .map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k / 2) / 8.0;
            [0.1 * angle.cos(), 0.1 * angle.sin(), 0.05 * f64::from(k % 2)]
        })
        .collect();
    let triangles = foley_geometry::convex_hull(&prism);
    let colliders = [
        ("hull", Collider::Hull { points_m: prism.clone() }, 0.0),
        ("mesh", Collider::Mesh { points_m: prism, triangles }, 0.0),
        ("cylinder", Collider::Cylinder { half_length_m: 0.03, radius_m: 0.1 }, 0.03),
        ("cone", Collider::Cone { half_length_m: 0.05, radius_m: 0.1 }, 0.05),
        ("ring", Collider::Ring { radius_m: 0.1, tube_m: 0.02 }, 0.02),
        ("box", Collider::cuboid(0.2, 0.2, 0.06), 0.03),
        ("capsule", Collider::Capsule { half_length_m: 0.1, radius_m: 0.04 }, 0.14),
    ];
    for (name, collider, height) in colliders {
        let is_standing = name != "capsule";
        let tilt = DQuat::from_rotation_x(if is_standing { 0.3 } else { 1.6 });
        let mut losses = Vec::new();
        for is_box in [true, false] {
            let mut world = ground(is_box, 0.5, 0.2, 1000.0);
            let body = Body::dynamic("body", collider.clone(), Mass::Kilograms(0.5));
            let body = body.at([0.3, 0.1, 0.4]).with_rotation(tilt.to_array());
            let body = world.add(&body.with_surface(0.5, 0.2)).unwrap();
            let first = impacts(&run(&mut world, 0.4));
            losses.push((first[0].at_s, first[0].speed_m_s, first[0].impulse_ns));
            run(&mut world, 4.0);
            let pose = world.pose(body).unwrap();
            let up = DQuat::from_array(pose.rotation) * DVec3::Z;
            if is_standing {
                assert!(up.z.abs() > 0.999, "{name}, box {is_box}: {pose:?}");
                let found = pose.position[2];
                let upside_down = if up.z > 0.0 { height } else { 0.05 - height };
                assert!((found - upside_down).abs() < 2e-3, "{name}, box {is_box}: {pose:?}");
            } else {
                assert!((pose.position[2] - 0.04).abs() < 2e-3, "{name}, box {is_box}: {pose:?}");
            }
            let speed = DVec3::from(pose.velocity).length();
            assert!(speed < 0.05 || !is_standing, "{name}, box {is_box}: {pose:?}");
        }
        let [(at_s, speed, impulse), (other_s, other_speed, other_impulse)] = losses[..] else {
            panic!("{losses:?}")
        };
        assert!((at_s - other_s).abs() < 1e-3, "{name}: {losses:?}");
        assert!((speed / other_speed - 1.0).abs() < 0.02, "{name}: {losses:?}");
        assert!((impulse / other_impulse - 1.0).abs() < 0.05, "{name}: {losses:?}");
    }
}

#[test]
fn a_spiked_hull_stands_on_its_lowest_vertex() {
    // Long and thin, tip down: the face that is most level is its top, far above the tip.
    let points_m =
        vec![[0.0, 0.0, -0.5], [0.02, 0.0, 0.5], [-0.01, 0.02, 0.5], [-0.01, -0.02, 0.5]];
    let mut world = ground(false, 0.5, 0.0, 1000.0);
    let spike = Body::dynamic("spike", Collider::Hull { points_m }, Mass::Kilograms(0.2));
    let spike = world.add(&spike.at([0.0, 0.0, 1.0]).with_surface(0.5, 0.0)).unwrap();
    let hits = impacts(&run(&mut world, 0.4));
    let falls_s = (2.0 * 0.5 / G).sqrt();
    assert!((hits[0].at_s - falls_s).abs() < 1e-3, "{hits:?}");
    let pose = world.pose(spike).unwrap();
    assert!(pose.position[2] > 0.45, "{pose:?}");
}

#[test]
fn a_hull_slides_over_the_half_space_with_friction() {
    let points_m: Vec<[f64; 3]> = foley_geometry::collider::cuboid_corners([0.1, 0.1, 0.05]).into();
    let mut world = ground(false, 0.2, 0.0, 1000.0);
    let sledge = Body::dynamic("sledge", Collider::Hull { points_m }, Mass::Kilograms(2.0));
    let sledge = sledge.at([0.0, 0.0, 0.05]).with_velocity([3.0, 0.0, 0.0]);
    world.add(&sledge.with_surface(0.2, 0.0)).unwrap();
    for contact in contacts(&run(&mut world, 1.0)).iter().filter(|contact| contact.at_s > 0.1) {
        let slip = 3.0 - 0.2 * G * contact.at_s;
        assert!((contact.slip_m_s - slip).abs() < 0.05, "{contact:?} {slip}");
        assert!((contact.force_n / (2.0 * G) - 1.0).abs() < 0.02, "{contact:?}");
    }
}

#[test]
fn no_force_moves_a_half_space() {
    let mut world = World::new(Settings::default()).unwrap();
    let error = world.add(&Body::dynamic("sea", Collider::HalfSpace, Mass::Kilograms(1e9)));
    let Err(PhysicsError::Shape { body, why }) = error else { panic!("{error:?}") };
    assert!(body == "sea" && why.contains("make it fixed"), "{why}");
}
