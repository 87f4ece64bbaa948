//! Invalid scenes give clear errors; unstable scenes stay bounded.

mod common;

use common::{DOWN, crate_at, floor, run};
use foley_geometry::Pose;
use foley_geometry::collider::{Collider, Part};
use foley_physics::world::MAX_BODIES;
use foley_physics::{Body, Event, Mass, PhysicsError, Settings, Waypoint, World};
use proptest::prelude::*;

fn refused(body: Body) -> String {
    let mut world = World::new(Settings::default()).unwrap();
    let error = world.add(&body).unwrap_err();
    assert!(world.is_empty(), "a refused body leaves nothing behind");
    error.to_string()
}

fn ball(mass: Mass) -> Body {
    Body::dynamic("body", Collider::ball(0.1), mass)
}

#[test]
fn invalid_numbers_are_named() {
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e30] {
        let message = refused(ball(Mass::Kilograms(mass)));
        assert!(message.contains("`body`") && message.contains("mass"), "{message}");
        assert!(refused(ball(Mass::Density(mass))).contains("density"));
    }
    for size in [0.0, -0.1, f64::NAN, 1e-9, 1e9] {
        let heavy = Mass::Kilograms(1.0);
        assert!(refused(Body::dynamic("body", Collider::ball(size), heavy)).contains("radius"));
        assert!(
            refused(Body::fixed("body", Collider::cuboid(1.0, size, 1.0))).contains("half edge")
        );
        let ring = Collider::Ring { radius_m: 1.0, tube_m: size };
        assert!(refused(Body::dynamic("body", ring, heavy)).contains("tube"));
    }
    let sane = || ball(Mass::Kilograms(1.0));
    assert!(refused(sane().at([f64::NAN, 0.0, 0.0])).contains("position"));
    assert!(refused(sane().with_velocity([0.0, 1e6, 0.0])).contains("velocity"));
    assert!(refused(sane().with_angular_velocity([0.0, 0.0, f64::INFINITY])).contains("spin"));
    assert!(refused(sane().with_rotation([0.0; 4])).contains("rotation"));
    assert!(refused(sane().with_surface(-1.0, 0.0)).contains("friction"));
    assert!(refused(sane().with_surface(0.5, 1.5)).contains("restitution"));
}

#[test]
fn shapes_without_volume_are_refused() {
    let hull = |points: &[[f64; 3]]| {
        Body::dynamic("body", Collider::Hull { points_m: points.to_vec() }, Mass::Kilograms(1.0))
    };
    let flat: Vec<[f64; 3]> =
        (0..100).map(|k| [f64::from(k).sin(), f64::from(k).cos(), 0.0]).collect();
    let line: Vec<[f64; 3]> = (0..10).map(|k| [f64::from(k), f64::from(k), 0.0]).collect();
    for points in [&[][..], &[[1.0, 2.0, 3.0]; 50], &flat, &line, &[[0.0; 3], [1.0, 0.0, 0.0]]] {
        assert!(refused(hull(points)).contains("volume"), "{points:?}");
    }
    assert!(refused(hull(&[[f64::NAN; 3]; 4])).contains("coordinate"));
    let mesh = |points: &[[f64; 3]], triangles: &[[u32; 3]]| Collider::Mesh {
        points_m: points.to_vec(),
        triangles: triangles.to_vec(),
    };
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert!(refused(Body::fixed("body", mesh(&corners, &[]))).contains("no triangles"));
    assert!(refused(Body::fixed("body", mesh(&corners, &[[0, 1, 7]]))).contains("vertex 7"));
    let sheet = mesh(&corners, &[[0, 1, 2]]);
    let sheet = Body::dynamic("body", sheet, Mass::Kilograms(1.0));
    assert!(refused(sheet).contains("no volume"));
    let empty = Collider::Compound { parts: vec![] };
    assert!(refused(Body::fixed("body", empty.clone())).contains("no parts"));
    let part = Part { collider: empty, pose: Pose::default() };
    let nested = Collider::Compound { parts: vec![part] };
    assert!(refused(Body::fixed("body", nested)).contains("within"));
}

#[test]
fn waypoints_out_of_order_are_refused() {
    let place = |at_s| Waypoint { at_s, position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
    let kinematic = |waypoints| Body::kinematic("body", Collider::ball(0.1), waypoints);
    assert!(refused(kinematic(vec![place(1.0), place(0.5)])).contains("later"));
    assert!(refused(kinematic(vec![place(f64::NAN)])).contains("time"));
    assert!(refused(kinematic(vec![])).contains("no waypoints"));
}

#[test]
fn invalid_settings_are_named() {
    let made = |settings| World::new(settings).err().map(|error| error.to_string()).unwrap();
    for rate_hz in [0.0, 30.0, 1000.0, f64::NAN] {
        assert!(made(Settings::default().with_rate_hz(rate_hz)).contains("60 to 480"));
    }
    let gravity = [0.0, f64::INFINITY, 0.0];
    assert!(made(Settings::default().with_gravity(gravity)).contains("gravity"));
}

#[test]
fn a_hundred_thousand_bodies_are_too_many() {
    let mut world = World::new(Settings::default()).unwrap();
    let error = (0..100_000_u32).find_map(|k| {
        let place = [f64::from(k % 300), f64::from(k / 90_000), f64::from(k / 300)];
        world.add(&ball(Mass::Kilograms(1.0)).at(place)).err()
    });
    let too_many =
        PhysicsError::TooMany { what: "bodies", found: MAX_BODIES + 1, most: MAX_BODIES };
    assert_eq!(error, Some(too_many));
}

#[test]
fn bodies_that_fly_away_are_reported_once_and_the_simulation_continues() {
    let mut world = floor(120.0, 0.5, 0.3);
    world.add(&crate_at([0.0, 0.5, 0.0], 0.1)).unwrap();
    // It misses the floor and keeps falling.
    let gone = world.add(&crate_at([500.0, 0.5, 0.0], 0.1)).unwrap();
    let mut lost = Vec::new();
    for _ in 0..20 * 120 {
        let finite = world.step().iter().all(|event| match event {
            Event::Pose(pose) => pose.position.iter().all(|x| x.is_finite()),
            _ => true,
        });
        assert!(finite);
        lost.extend(world.take_lost());
    }
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].body, gone);
    assert!(!world.is_awake(gone));
    assert!((world.pose(1).unwrap().position[1] - 0.05).abs() < 1e-3, "the other one lies");
}

#[test]
fn bodies_inside_each_other_are_pushed_apart_and_not_blown_up() {
    let mut world = floor(60.0, 0.5, 0.3);
    for _ in 0..20 {
        world.add(&crate_at([0.0, 0.2, 0.0], 0.2)).unwrap();
    }
    for event in run(&mut world, 3.0) {
        if let Event::Pose(pose) = event {
            let speed = pose.velocity.iter().map(|v| v * v).sum::<f64>().sqrt();
            assert!(speed < 10.0, "{pose:?}");
        }
    }
}

#[test]
fn invalid_impulses_and_missing_bodies_are_refused() {
    let mut world = floor(60.0, 0.5, 0.3);
    assert!(world.apply_impulse(7, [0.0; 3], [0.0; 3]).is_err());
    assert!(world.pose(7).is_err());
    assert!(world.apply_impulse(0, [f64::NAN, 0.0, 0.0], [0.0; 3]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_hull_of_any_points_can_panic(
        points in prop::collection::vec(prop::array::uniform3(-1e3..1e3_f64), 0..40),
        scale in prop::array::uniform3(-9..0_i32),
    ) {
        // Includes nearly one-, two- and zero-dimensional point sets.
        let points = points
            .iter()
            .map(|p| [0, 1, 2].map(|k| p[k] * 10_f64.powi(scale[k])))
            .collect();
        let mut world = World::new(Settings::default().with_gravity(DOWN)).unwrap();
        let shape = Collider::Hull { points_m: points };
        if world.add(&Body::dynamic("body", shape, Mass::Kilograms(1.0))).is_ok() {
            for _ in 0..10 {
                for event in world.step() {
                    prop_assert!(event.at_s().is_finite());
                }
            }
        }
    }

    #[test]
    fn no_mesh_of_any_triangles_can_panic(
        points in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), 1..12),
        triangles in prop::collection::vec(prop::array::uniform3(0..14_u32), 0..30),
        moves in any::<bool>(),
    ) {
        let mut world = World::new(Settings::default().with_gravity(DOWN)).unwrap();
        let shape = Collider::Mesh { points_m: points, triangles };
        let body = if moves {
            Body::dynamic("body", shape, Mass::Kilograms(1.0))
        } else {
            Body::fixed("body", shape)
        };
        if world.add(&body).is_ok() {
            world.add(&crate_at([0.0, 1.5, 0.0], 0.3)).unwrap();
            for _ in 0..60 {
                for event in world.step() {
                    if let Event::Pose(pose) = event {
                        prop_assert!(pose.position.iter().all(|x| x.is_finite()));
                    }
                }
            }
        }
    }
}
