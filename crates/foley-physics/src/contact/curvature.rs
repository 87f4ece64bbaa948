//! Curvature of surfaces, and rolling kinematics of the contact point.
//!
//! Montana's contact kinematics, \[FA\] §3.1, in coordinate-free form. A touches B at p; n is the
//! normal from A to B, s the velocity of A's material at p relative to B's (slip), ω the angular
//! velocity of A relative to B, K_A and K_B the curvature tensors (positive where convex), c_A and
//! c_B the velocities of the contact point over A and B. The outward normal of A, carried along,
//! changes by ω_A × n + K_A c_A; the normal of B is always its opposite, and the contact point is
//! common to both:
//!
//! > K_A c_A + K_B c_B = n × ω,  c_B − c_A = s.
//!
//! Hence (K_A + K_B) c_B = n × ω + K_A s. Where neither surface is curved (a face, an edge along
//! its length) the point cannot move over A: there c_A = 0.

use foley_geometry::Collider;
use glam::{DMat2, DVec2, DVec3};

/// Principal curvatures: `along` in the direction `line`, `across` perpendicular to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Curvature {
    pub(crate) line: DVec3,
    pub(crate) along: f64,
    pub(crate) across: f64,
}

/// Returns the curvature of a simple shape at `place` with the outward normal `normal`, in Rapier's
/// frame of the shape: axes of symmetry lie along y. A ring is a smooth torus, not its capsules.
pub(crate) fn curvature(collider: &Collider, place: DVec3, normal: DVec3) -> Curvature {
    let radial = DVec3::new(normal.x, 0.0, normal.z);
    let line = DVec3::Y.cross(radial).normalize_or(DVec3::X);
    // Normal curvature of a circle of radius r around the axis, for an inclined normal.
    let hoop = |r: f64| radial.length() / r.max(1e-6);
    let [along, across] = match *collider {
        Collider::Ball { radius_m } => [1.0 / radius_m; 2],
        Collider::Cylinder { radius_m, .. } => [hoop(radius_m), 0.0],
        Collider::Capsule { radius_m, half_length_m } => {
            let side = place.y.abs() < half_length_m;
            [1.0 / radius_m, if side { 0.0 } else { 1.0 / radius_m }]
        }
        Collider::Cone { radius_m, half_length_m } => {
            let here = radius_m * (half_length_m - place.y) / (2.0 * half_length_m);
            [hoop(here), 0.0]
        }
        Collider::Ring { radius_m, tube_m } => {
            // Inside the hole this curvature is negative.
            let outward = normal.dot(DVec3::new(place.x, 0.0, place.z).normalize_or_zero());
            [outward / (radius_m + tube_m * outward), 1.0 / tube_m]
        }
        // Faces, edges and vertices.
        Collider::HalfSpace
        | Collider::Box { .. }
        | Collider::Hull { .. }
        | Collider::Mesh { .. }
        | Collider::Compound { .. } => [0.0; 2],
    };
    Curvature { line, along, across }
}

/// Returns the velocities of the contact point over A and over B, in the world.
pub(crate) fn travel(
    normal: DVec3,
    slip: DVec3,
    spin: DVec3,
    bend_a: Curvature,
    bend_b: Curvature,
) -> [DVec3; 2] {
    let (u, v) = normal.any_orthonormal_pair();
    let flat = |w: DVec3| DVec2::new(w.dot(u), w.dot(v));
    let tensor = |bend: Curvature| {
        let line = flat(bend.line).normalize_or(DVec2::X);
        let across = line.perp();
        let dyad = |d: DVec2| DMat2::from_cols(d * d.x, d * d.y);
        dyad(line) * bend.along + dyad(across) * bend.across
    };
    let (k_a, k_b) = (tensor(bend_a), tensor(bend_b));
    let s = flat(slip);
    let k = k_a + k_b;
    // With c_A = c_B − s the equation above reads K c_A = n × ω − K_B s. Its minimum-norm solution
    // (c_A = 0 in flat directions) follows from the two principal curvatures of K.
    let right = flat(normal.cross(spin)) - k_b * s;
    let c_a = shortest_solution(k, right);
    let world = |c: DVec2| u * c.x + v * c.y;
    [world(c_a), world(c_a + s)]
}

/// Smaller curvatures (radius above 100 m) count as flat, 1/m.
const FLAT_1_M: f64 = 0.01;

/// Returns the minimum-norm x with K x = b in the curved directions of the symmetric K.
fn shortest_solution(k: DMat2, b: DVec2) -> DVec2 {
    let (a, d, off) = (k.x_axis.x, k.y_axis.y, k.x_axis.y);
    let mean = (a + d) / 2.0;
    let spread = ((a - d) / 2.0).hypot(off);
    let first = if off.abs() > 1e-12 * (mean.abs() + spread) {
        DVec2::new(off, mean + spread - a).normalize_or(DVec2::X)
    } else if a >= d {
        DVec2::X
    } else {
        DVec2::Y
    };
    [(first, mean + spread), (first.perp(), mean - spread)]
        .into_iter()
        .filter(|(_, curvature)| curvature.abs() > FLAT_1_M)
        .map(|(direction, curvature)| direction * (direction.dot(b) / curvature))
        .sum()
}

/// Returns the rolling speed: the common part of both velocities, the smaller one if they are
/// parallel.
pub(crate) fn rolling(travels: [DVec3; 2]) -> f64 {
    let [a, b] = travels;
    (((a + b).length() - (a - b).length()) / 2.0).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: Curvature = Curvature { line: DVec3::X, along: 0.0, across: 0.0 };

    #[test]
    fn a_ball_rolls_over_a_plane_as_fast_as_it_moves() {
        let (radius, speed) = (0.3, 2.0);
        let ball = curvature(&Collider::ball(radius), DVec3::NEG_Y * radius, DVec3::NEG_Y);
        let spin = DVec3::NEG_Z * (speed / radius);
        for [normal, spin, first, second] in
            [[DVec3::NEG_Y, spin, DVec3::X, DVec3::X], [DVec3::Y, -spin, DVec3::X, DVec3::X]]
        {
            let (a, b) = if normal.y < 0.0 { (ball, FLAT) } else { (FLAT, ball) };
            let [c_a, c_b] = travel(normal, DVec3::ZERO, spin, a, b);
            assert!((c_a - first * speed).length() < 1e-12, "{c_a}");
            assert!((c_b - second * speed).length() < 1e-12, "{c_b}");
            assert!((rolling([c_a, c_b]) - speed).abs() < 1e-12);
        }
    }

    #[test]
    fn a_box_that_slides_rolls_over_nothing() {
        let slip = DVec3::new(1.5, 0.0, 0.5);
        let [c_a, c_b] = travel(DVec3::NEG_Y, slip, DVec3::ZERO, FLAT, FLAT);
        assert_eq!(c_a, DVec3::ZERO);
        assert!((c_b - slip).length() < 1e-12);
        assert_eq!(rolling([c_a, c_b]), 0.0);
    }

    #[test]
    fn a_ball_that_spins_in_place_slips_and_does_not_roll() {
        let ball = curvature(&Collider::ball(0.1), DVec3::NEG_Y * 0.1, DVec3::NEG_Y);
        let spin = DVec3::NEG_Z * 20.0;
        let slip = spin.cross(DVec3::NEG_Y * 0.1);
        let [c_a, c_b] = travel(DVec3::NEG_Y, slip, spin, ball, FLAT);
        assert!(c_b.length() < 1e-12, "{c_b}");
        assert!((c_a.length() - 2.0).abs() < 1e-12);
        assert!(rolling([c_a, c_b]) < 1e-12);
    }

    #[test]
    fn a_cylinder_rolls_around_its_axis_and_not_along_it() {
        let lying = Curvature { line: DVec3::X, along: 1.0 / 0.05, across: 0.0 };
        let spin = DVec3::new(3.0, 0.0, -20.0);
        let [c_a, c_b] = travel(DVec3::NEG_Y, DVec3::ZERO, spin, lying, FLAT);
        assert!((c_a - DVec3::X).length() < 1e-9, "{c_a}");
        assert!((c_b - c_a).length() < 1e-12);
    }

    #[test]
    fn two_balls_that_turn_like_gears_roll_over_each_other() {
        // The contact point stays in place in the world and moves over both balls.
        let ball = |side: DVec3| curvature(&Collider::ball(0.2), side * 0.2, side);
        let spin = DVec3::Z * 10.0 - DVec3::Z * -10.0;
        let travels = travel(DVec3::X, DVec3::ZERO, spin, ball(DVec3::X), ball(DVec3::NEG_X));
        // v = ω R = 2 m/s over each ball.
        assert!((rolling(travels) - 2.0).abs() < 1e-12, "{travels:?}");
    }
}
