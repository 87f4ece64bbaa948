//! A checked surface, ready to be struck.

use super::{Plane, Shape, Touch};
use crate::bvh::Aabb;
use crate::{Flight, HailError};
use glam::DVec3;

/// A shape with all that striking it needs worked out.
#[derive(Clone, Debug)]
pub enum Surface {
    /// Quadrilateral or disc.
    Plane(Plane),
}

impl Surface {
    /// Checks a shape. `number` is the collider's, for errors.
    pub fn new(number: usize, shape: &Shape) -> Result<Self, HailError> {
        Ok(match shape {
            Shape::Quad { corners_m } => Self::Plane(Plane::quad(number, *corners_m)?),
            Shape::Disc { centre_m, axis_u_m, axis_v_m } => {
                Self::Plane(Plane::disc(number, *centre_m, *axis_u_m, *axis_v_m)?)
            }
        })
    }

    /// The first touch between two times since birth that `counts`.
    pub fn first_touch(
        &self,
        flight: &Flight,
        times: [f64; 2],
        counts: impl Fn(&Touch) -> bool,
    ) -> Option<Touch> {
        match self {
            Self::Plane(plane) => plane.first_touch(flight, times, counts),
        }
    }
}

/// The box around a shape.
pub(crate) fn bounds(shape: &Shape) -> Aabb {
    match shape {
        Shape::Quad { corners_m } => Aabb::around(corners_m),
        Shape::Disc { centre_m, axis_u_m, axis_v_m } => ellipse(*centre_m, [*axis_u_m, *axis_v_m]),
    }
}

/// The box around an ellipse: along each axis its reach is √(u² + v²).
fn ellipse(centre_m: [f64; 3], axes: [[f64; 3]; 2]) -> Aabb {
    let [c, u, v] = [centre_m, axes[0], axes[1]].map(DVec3::from_array);
    let reach = (u * u + v * v).map(f64::sqrt);
    Aabb { lo: (c - reach).to_array(), hi: (c + reach).to_array() }
}
