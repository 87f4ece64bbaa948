//! Curved surfaces of Rapier's shapes.

use crate::contact::source::ContactSurface;
use crate::frame::Frame;
use foley_geometry::Collider;
use glam::{DQuat, DVec3};
use rapier3d::prelude::{Collider as RapierCollider, Shape, TypedShape};

/// Returns the surface of a collider, or of a part of a compound.
pub(super) fn of_collider(collider: &RapierCollider, part: u32) -> ContactSurface {
    let whole_shape = collider.shape();
    let mut frame = frame_in_body(collider);
    let mut shape = whole_shape;
    if let Some(compound) = whole_shape.as_compound()
        && let Some((pose, inner)) = compound.shapes().get(part as usize)
    {
        frame = frame.then(Frame::of(pose));
        shape = &**inner;
    }
    let (shape, within) = of_shape(shape);
    ContactSurface {
        shape,
        pose: frame.then(within).into(),
        reach_m: f64::from(whole_shape.compute_local_bounding_sphere().radius),
    }
}

/// Returns the frame of a collider in that of its body, in the world if it has none.
fn frame_in_body(collider: &RapierCollider) -> Frame {
    Frame::of(collider.position_wrt_parent().unwrap_or(collider.position()))
}

/// Returns a shape with its axis of symmetry along y, and its frame. Shapes with flat faces are
/// half-spaces.
fn of_shape(shape: &dyn Shape) -> (Collider, Frame) {
    let mut frame = Frame { position: DVec3::ZERO, rotation: DQuat::IDENTITY };
    let cylinder = |half_length: f32, radius: f32| Collider::Cylinder {
        half_length_m: f64::from(half_length),
        radius_m: f64::from(radius),
    };
    let cone = |half_length: f32, radius: f32| Collider::Cone {
        half_length_m: f64::from(half_length),
        radius_m: f64::from(radius),
    };
    let collider = match shape.as_typed_shape() {
        TypedShape::Ball(ball) => Collider::ball(f64::from(ball.radius)),
        TypedShape::Cylinder(inner) => cylinder(inner.half_height, inner.radius),
        TypedShape::RoundCylinder(round) => {
            let (inner, border) = (&round.inner_shape, round.border_radius);
            cylinder(inner.half_height + border, inner.radius + border)
        }
        TypedShape::Cone(inner) => cone(inner.half_height, inner.radius),
        TypedShape::RoundCone(round) => {
            let (inner, border) = (&round.inner_shape, round.border_radius);
            cone(inner.half_height + border, inner.radius + border)
        }
        TypedShape::Capsule(capsule) => {
            // A capsule of Rapier lies between any two points.
            let (a, b) = (capsule.segment.a.as_dvec3(), capsule.segment.b.as_dvec3());
            frame.position = (a + b) / 2.0;
            frame.rotation = DQuat::from_rotation_arc(DVec3::Y, (b - a).normalize_or(DVec3::Y));
            let half_length_m = a.distance(b) / 2.0;
            Collider::Capsule { half_length_m, radius_m: f64::from(capsule.radius) }
        }
        _ => Collider::HalfSpace,
    };
    (collider, frame)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapier3d::math::{Pose, Vector};
    use rapier3d::prelude::{ColliderBuilder, SharedShape};

    #[test]
    fn a_capsule_along_x_has_its_axis_there() {
        let collider = ColliderBuilder::capsule_x(0.2, 0.05).build();
        let surface = of_collider(&collider, 0);
        let Collider::Capsule { half_length_m, radius_m } = surface.shape else {
            panic!("{surface:?}");
        };
        assert!((half_length_m - 0.2).abs() < 1e-7 && (radius_m - 0.05).abs() < 1e-7);
        let axis = DVec3::from(surface.pose.rotate([0.0, 1.0, 0.0]));
        assert!(axis.dot(DVec3::X).abs() > 1.0 - 1e-12, "{axis}");
        assert!((surface.reach_m - 0.25).abs() < 1e-6, "{surface:?}");
    }

    #[test]
    fn a_part_of_a_compound_has_its_own_surface() {
        let at = |x: f32| Pose::from_translation(Vector::new(x, 0.0, 0.0));
        let parts =
            vec![(at(-0.5), SharedShape::ball(0.1)), (at(0.5), SharedShape::cuboid(0.1, 0.1, 0.1))];
        let collider = ColliderBuilder::compound(parts).build();
        let ball = of_collider(&collider, 0);
        assert!(matches!(ball.shape, Collider::Ball { .. }), "{ball:?}");
        assert_eq!(ball.pose.position_m, [-0.5, 0.0, 0.0]);
        assert_eq!(of_collider(&collider, 1).shape, Collider::HalfSpace);
        assert_eq!(of_collider(&collider, 1).pose.position_m, [0.5, 0.0, 0.0]);
    }
}
