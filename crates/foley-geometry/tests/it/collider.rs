//! Colliders.

use foley_geometry::Pose;
use foley_geometry::collider::Collider;
use foley_geometry::pose::from_degrees;
use glam::DVec3;

/// The corners of a rotated box, and the ends of a capsule, by hand.
#[test]
fn bounds_enclose_colliders_and_no_more() {
    let near = |found: [DVec3; 2], low: [f64; 3], high: [f64; 3]| {
        let [a, b] = [DVec3::from(low), DVec3::from(high)];
        assert!(found[0].distance(a) < 1e-12 && found[1].distance(b) < 1e-12, "{found:?}");
    };
    let rotation = from_degrees([0.0, 0.0, 90.0]);
    let rotated =
        Collider::cuboid(2.0, 4.0, 6.0).at(Pose { position_m: [1.0, 0.0, 0.0], rotation });
    near(rotated.bounds().unwrap(), [-1.0, -1.0, -3.0], [3.0, 1.0, 3.0]);
    let capsule = Collider::Capsule { half_length_m: 1.0, radius_m: 0.5 };
    near(capsule.bounds().unwrap(), [-0.5, -0.5, -1.5], [0.5, 0.5, 1.5]);
    let ring = Collider::Ring { radius_m: 1.0, tube_m: 0.25 };
    near(ring.bounds().unwrap(), [-1.25, -1.25, -0.25], [1.25, 1.25, 0.25]);
    let hull = Collider::Hull {
        points_m: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]],
    };
    near(hull.bounds().unwrap(), [0.0; 3], [1.0, 2.0, 3.0]);
    assert!(Collider::HalfSpace.bounds().is_none());
}
