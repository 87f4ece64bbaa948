//! A surface prepared for intersection.

use super::{Plane, Quadric, Surface, SurfaceHit};
use crate::bvh::TargetMesh;
use crate::{HailError, Trajectory};
use glam::DVec3;
use std::sync::Arc;

/// A validated surface with the constants of its intersection test.
#[derive(Clone, Debug)]
pub enum ImplicitSurface {
    /// A quadrilateral or a disc.
    Plane(Plane),
    /// A sphere, a cylinder or a cone.
    Quadric(Quadric),
    /// Triangles.
    Mesh(Arc<TargetMesh>),
}

impl ImplicitSurface {
    /// Validates a surface. `number` is the index of the target in errors.
    pub fn new(number: usize, surface: &Surface) -> Result<Self, HailError> {
        Ok(match surface {
            Surface::Quad { corners_m } => Self::Plane(Plane::quad(number, *corners_m)?),
            Surface::Disc { centre_m, axis_u_m, axis_v_m } => {
                Self::Plane(Plane::disc(number, *centre_m, *axis_u_m, *axis_v_m)?)
            }
            Surface::Sphere { centre_m, radius_m } => {
                Self::Quadric(Quadric::sphere(number, *centre_m, *radius_m)?)
            }
            Surface::Cylinder { base_m, axis_m, radius_m } => {
                Self::Quadric(Quadric::cone(number, *base_m, *axis_m, [*radius_m; 2])?)
            }
            Surface::Cone { base_m, axis_m, base_radius_m, top_radius_m } => {
                let radii_m = [*base_radius_m, *top_radius_m];
                Self::Quadric(Quadric::cone(number, *base_m, *axis_m, radii_m)?)
            }
            Surface::Mesh(mesh) => Self::Mesh(Arc::clone(mesh)),
        })
    }

    /// Returns the first intersection between two times since birth that `accept` accepts. The times should
    /// be close to the surface, because they set the scale of the numbers.
    pub fn first_hit(
        &self,
        trajectory: &Trajectory,
        times: [f64; 2],
        accept: impl Fn(&SurfaceHit) -> bool,
    ) -> Option<SurfaceHit> {
        match self {
            Self::Plane(plane) => plane.first_hit(trajectory, times, accept),
            Self::Quadric(quadric) => quadric.first_hit(trajectory, times, accept),
            Self::Mesh(mesh) => {
                let surface_hit = |t: f64, triangle: u32, weights: [f64; 2]| {
                    surface_hit(mesh, trajectory, t, triangle, weights)
                };
                let found = mesh.first_hit_where(trajectory, times, |met| {
                    accept(&surface_hit(met.t, met.triangle, met.weights))
                })?;
                Some(surface_hit(found.t, found.triangle, found.weights))
            }
        }
    }
}

fn surface_hit(
    mesh: &TargetMesh,
    trajectory: &Trajectory,
    t_s: f64,
    triangle: u32,
    weights: [f64; 2],
) -> SurfaceHit {
    let [a, b, c] = mesh.corners(triangle);
    let n: DVec3 = (b - a).cross(c - a).normalize_or_zero();
    let facing = if n.dot(trajectory.velocity_vec(t_s)) > 0.0 { -n } else { n };
    let uv = mesh.uv(triangle, weights);
    SurfaceHit {
        t_s,
        position_m: trajectory.position_at(t_s),
        normal: facing.to_array(),
        uv,
        triangle,
    }
}
