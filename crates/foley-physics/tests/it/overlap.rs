//! Penetration depth of overlapping bodies.

use foley_geometry::Collider;
use foley_physics::{Body, Mass, Settings, World};

fn world(bodies: &[Body]) -> World {
    let mut world = World::new(Settings::default()).unwrap();
    for body in bodies {
        world.add(body).unwrap();
    }
    world
}

fn ball(x: f64) -> Body {
    Body::dynamic("ball", Collider::ball(0.1), Mass::Kilograms(1.0)).at([x, 0.0, 0.0])
}

fn ring(z: f64, turn: [f64; 4]) -> Body {
    let shape = Collider::Ring { radius_m: 0.1, tube_m: 0.01 };
    Body::dynamic("ring", shape, Mass::Kilograms(1.0)).at([0.0, 0.0, z]).with_rotation(turn)
}

#[test]
fn two_balls_overlap_by_what_their_centres_are_too_close() {
    for (apart, depth) in [(0.15, 0.05), (0.19, 0.01), (0.199, 0.001)] {
        let found = world(&[ball(0.0), ball(apart)]).overlaps(5e-4);
        assert_eq!((found.len(), found[0].bodies), (1, [0, 1]));
        assert!((found[0].depth_m - depth).abs() < 1e-5, "{found:?}");
    }
    assert!(world(&[ball(0.0), ball(0.2005)]).overlaps(0.0).is_empty());
    assert!(world(&[ball(0.0), ball(0.19)]).overlaps(0.02).is_empty());
}

#[test]
fn only_pairs_that_can_be_moved_apart_count() {
    let floor = || Body::fixed("floor", Collider::cuboid(1.0, 0.2, 1.0));
    assert!(world(&[floor(), floor()]).overlaps(1e-3).is_empty());
    let found = world(&[floor(), ball(0.0), ball(0.5)]).overlaps(1e-3);
    assert_eq!(found.iter().map(|one| one.bodies).collect::<Vec<_>>(), [[0, 1], [0, 2]]);
}

/// A body in the hole of a ring does not overlap it.
#[test]
fn rings_have_holes() {
    let upright = [0.0, 0.0, 0.0, 1.0];
    let pin = Body::dynamic("pin", Collider::ball(0.05), Mass::Kilograms(1.0));
    assert!(world(&[ring(0.0, upright), pin]).overlaps(1e-4).is_empty());
    let found = world(&[ring(0.0, upright), ring(0.015, upright)]).overlaps(1e-3);
    assert!(found.len() == 1 && (found[0].depth_m - 0.005).abs() < 1e-3, "{found:?}");
    assert!(world(&[ring(0.0, upright), ring(0.021, upright)]).overlaps(1e-4).is_empty());
}

#[test]
fn depth_in_a_half_space_is_that_of_the_lowest_point() {
    let upright = [std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];
    let hull = |z: f64| {
        let points_m = foley_geometry::collider::cuboid_corners([0.1, 0.2, 0.11]).into();
        let hull = Collider::Hull { points_m };
        Body::dynamic("hull", hull, Mass::Kilograms(1.0)).at([3.0, -40.0, z])
    };
    for depth in [0.03, 0.004] {
        for body in [
            ring(0.01 - depth, [0.0, 0.0, 0.0, 1.0]),
            ring(0.11 - depth, upright),
            ball(0.3).at([0.3, 0.0, 0.1 - depth]),
            hull(0.11 - depth),
        ] {
            let found = world(&[Body::fixed("ground", Collider::HalfSpace), body]).overlaps(1e-3);
            assert_eq!(found.len(), 1, "{found:?}");
            // The capsules of a ring reach out by 2 % of its radius between the circle's points.
            assert!((found[0].depth_m - depth).abs() < 3e-3, "{found:?} {depth}");
        }
    }
    for body in [ring(0.5, upright), ball(0.0).at([0.0, 0.0, 0.4]), hull(0.5)] {
        let ground = Body::fixed("ground", Collider::HalfSpace);
        assert_eq!(world(&[ground, body]).overlaps(0.0), []);
    }
}

/// As many as 100,000 pairs may overlap: 448 bodies at one place have 100,128.
#[test]
fn too_many_overlapping_pairs_are_refused_and_neighbours_are_not() {
    let check = |count: usize, step: f64| {
        let bodies: Vec<Body> = (0..count).map(|k| ball(step * k as f64)).collect();
        world(&bodies).check_overlapping_pairs(|_, _| true)
    };
    assert_eq!(check(447, 0.0), Ok(()));
    let message = check(448, 0.0).unwrap_err().to_string();
    assert!(
        message.contains("more than 100000 pairs of bodies start inside each other"),
        "{message}"
    );
    assert_eq!(check(3000, 0.2), Ok(()));
    assert_eq!(check(3000, 0.05), Ok(()));
    assert!(check(3000, 1e-3).is_err());
    // Those that are not there at the same time do not count, and fixed ones cannot push each other.
    let bodies: Vec<Body> = (0..900).map(|_| ball(0.0)).collect();
    assert_eq!(
        world(&bodies).check_overlapping_pairs(|a, b| a % 3 == b % 3),
        Err(check(448, 0.0).unwrap_err())
    );
    assert_eq!(world(&bodies).check_overlapping_pairs(|a, b| a % 9 == b % 9), Ok(()));
    let fixed: Vec<Body> =
        (0..900).map(|_| Body::fixed("wall", Collider::cuboid(1.0, 1.0, 1.0))).collect();
    assert_eq!(world(&fixed).check_overlapping_pairs(|_, _| true), Ok(()));
}
