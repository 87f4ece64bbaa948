//! Converts objects of a scene into rigid bodies of the simulation.

use crate::prepare::PreparedObject;
use crate::scene::{Motion, Object};
use foley_physics::{Body, Mass, Waypoint};
use std::f64::consts::PI;

/// Returns the rigid body of an object; `None` for an object without collider.
pub(crate) fn body(object: &Object, prepared: &PreparedObject) -> Option<Body> {
    let collider = prepared.collider.clone()?;
    let mass = Mass::Properties(prepared.mass);
    let body = match &object.motion {
        Motion::Fixed => Body::fixed(&object.name, collider),
        Motion::Dynamic => Body::dynamic(&object.name, collider, mass),
        Motion::Path(keys) => {
            let way = keys.iter().map(|key| Waypoint {
                at_s: key.at_s,
                position: key.pose.position_m,
                rotation: key.pose.rotation,
            });
            Body::kinematic(&object.name, collider, way.collect())
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
