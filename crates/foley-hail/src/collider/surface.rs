//! A checked surface, ready to be struck.

use super::{Plane, Quadric, Shape, Touch};
use crate::bvh::Mesh;
use crate::{Flight, HailError};
use glam::DVec3;
use std::sync::Arc;

/// A shape with all that striking it needs worked out.
#[derive(Clone, Debug)]
pub enum Surface {
    /// Quadrilateral or disc.
    Plane(Plane),
    /// Sphere, cylinder or cone.
    Quadric(Quadric),
    /// Triangles.
    Mesh(Arc<Mesh>),
}

impl Surface {
    /// Checks a shape. `number` is the collider's, for errors.
    pub fn new(number: usize, shape: &Shape) -> Result<Self, HailError> {
        Ok(match shape {
            Shape::Quad { corners_m } => Self::Plane(Plane::quad(number, *corners_m)?),
            Shape::Disc { centre_m, axis_u_m, axis_v_m } => {
                Self::Plane(Plane::disc(number, *centre_m, *axis_u_m, *axis_v_m)?)
            }
            Shape::Sphere { centre_m, radius_m } => {
                Self::Quadric(Quadric::sphere(number, *centre_m, *radius_m)?)
            }
            Shape::Cylinder { base_m, axis_m, radius_m } => {
                Self::Quadric(Quadric::cone(number, *base_m, *axis_m, [*radius_m; 2])?)
            }
            Shape::Cone { base_m, axis_m, base_radius_m, top_radius_m } => {
                let radii_m = [*base_radius_m, *top_radius_m];
                Self::Quadric(Quadric::cone(number, *base_m, *axis_m, radii_m)?)
            }
            Shape::Mesh(mesh) => Self::Mesh(Arc::clone(mesh)),
        })
    }

    /// The first touch between two times since birth that `counts`. The times should be those near
    /// the surface: they set the scale of the numbers.
    pub fn first_touch(
        &self,
        flight: &Flight,
        times: [f64; 2],
        counts: impl Fn(&Touch) -> bool,
    ) -> Option<Touch> {
        match self {
            Self::Plane(plane) => plane.first_touch(flight, times, counts),
            Self::Quadric(quadric) => quadric.first_touch(flight, times, counts),
            Self::Mesh(mesh) => {
                let touch = |t: f64, triangle: u32, weights: [f64; 2]| {
                    touch(mesh, flight, t, triangle, weights)
                };
                let found = mesh.nearest_where(flight, times, |met| {
                    counts(&touch(met.t, met.triangle, met.weights))
                })?;
                Some(touch(found.t, found.triangle, found.weights))
            }
        }
    }
}

fn touch(mesh: &Mesh, flight: &Flight, t_s: f64, triangle: u32, weights: [f64; 2]) -> Touch {
    let [a, b, c] = mesh.corners(triangle);
    let n: DVec3 = (b - a).cross(c - a).normalize_or_zero();
    let facing = if n.dot(flight.speed(t_s)) > 0.0 { -n } else { n };
    let uv = mesh.uv(triangle, weights);
    Touch { t_s, place_m: flight.at(t_s), normal: facing.to_array(), uv, triangle }
}
