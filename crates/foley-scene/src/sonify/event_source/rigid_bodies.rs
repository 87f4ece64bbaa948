//! Converts objects of a scene into rigid bodies of the simulation.

use crate::prepare::{Collider, ColliderShape, PreparedObject};
use crate::scene::{Body as ObjectBody, ColliderKind, Motion, Object};
use foley_modal::shape::Solid;
use foley_physics::{Body, Mass, Part, Shape, Waypoint};
use glam::DQuat;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Side length and thickness of the box that stands for the ground half-space, m.
const GROUND_M: f64 = 200.0;
const DEEP_M: f64 = 10.0;

/// Rotates the simulation's y axis to the scene's z axis.
const Z_FROM_Y: DQuat = DQuat::from_xyzw(FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2);

/// Returns the rigid body of an object; `None` for an object without collider.
pub(crate) fn body(object: &Object, prepared: &PreparedObject) -> Option<Body> {
    let shape = ring(object).or_else(|| shape(&prepared.colliders))?;
    let mass = Mass::Kilograms(prepared.mass.mass_kg);
    let body = match &object.motion {
        Motion::Fixed => Body::fixed(&object.name, shape),
        Motion::Dynamic => Body::dynamic(&object.name, shape, mass),
        Motion::Path(keys) => {
            let way = keys.iter().map(|key| Waypoint {
                at_s: key.at_s,
                position: key.pose.position_m,
                rotation: key.pose.rotation,
            });
            Body::kinematic(&object.name, shape, way.collect())
        }
    };
    let body = match object.motion {
        Motion::Path(_) => body,
        _ => body.at(object.pose.position_m).with_rotation(object.pose.rotation),
    };
    let spin = object.spin_deg_s.map(|degrees| degrees * PI / 180.0);
    let body = body.with_velocity(object.velocity_m_s).with_angular_velocity(spin);
    Some(body.with_surface(object.friction, object.restitution))
}

/// Returns the exact ring shape, which rolls smoothly; hail and pictures use a chain of capsules.
fn ring(object: &Object) -> Option<Shape> {
    let ObjectBody::Solid(Solid::Ring { diameter_m, wire_m }) = object.body else { return None };
    if object.collider != ColliderKind::Auto {
        return None;
    }
    let (radius_m, tube_m) = (0.5 * diameter_m * object.size, 0.5 * wire_m * object.size);
    let shape = Shape::Ring { radius_m, tube_m };
    Some(Shape::Compound {
        parts: vec![Part { shape, position: [0.0; 3], rotation: Z_FROM_Y.to_array() }],
    })
}

fn shape(colliders: &[Collider]) -> Option<Shape> {
    let mut parts: Vec<Part> = colliders.iter().map(part).collect();
    let still = |part: &Part| part.position == [0.0; 3] && part.rotation == [0.0, 0.0, 0.0, 1.0];
    match parts.len() {
        0 => None,
        1 if still(&parts[0]) => parts.pop().map(|part| part.shape),
        _ => Some(Shape::Compound { parts }),
    }
}

/// Converts one collider. Symmetry axes lie along y in the simulation and along z in the scene.
fn part(collider: &Collider) -> Part {
    let (shape, along_z) = match &collider.shape {
        ColliderShape::HalfSpace => (Shape::cuboid(GROUND_M, GROUND_M, DEEP_M), false),
        ColliderShape::Box { half_m } => (Shape::Box { half_m: *half_m }, false),
        ColliderShape::Ball { radius_m } => (Shape::Ball { radius_m: *radius_m }, false),
        ColliderShape::Cylinder { half_length_m, radius_m } => {
            (Shape::Cylinder { radius_m: *radius_m, half_height_m: *half_length_m }, true)
        }
        ColliderShape::Capsule { half_length_m, radius_m } => {
            (Shape::Capsule { radius_m: *radius_m, half_height_m: *half_length_m }, true)
        }
        ColliderShape::Hull { points_m } => (Shape::Hull { points: points_m.clone() }, false),
        ColliderShape::Mesh { points_m, triangles } => {
            (Shape::Mesh { points: points_m.clone(), triangles: triangles.clone() }, false)
        }
    };
    let mut position = collider.pose.position_m;
    if collider.shape == ColliderShape::HalfSpace {
        position[2] -= DEEP_M / 2.0;
    }
    let rotation = DQuat::from_array(collider.pose.rotation);
    let rotation = if along_z { rotation * Z_FROM_Y } else { rotation };
    Part { shape, position, rotation: rotation.to_array() }
}
