//! The surfaces of a collider.

use crate::bvh::TargetMesh;
use crate::{HailError, Surface};
use foley_geometry::collider::{CUBOID_FACES, Collider, cuboid_corners};
use foley_geometry::{Pose, convex_hull};
use std::sync::Arc;

/// Half the side length of the quad that stands for a half-space around its origin, m.
const GROUND_M: f64 = 1e4;

/// A shorter cylinder becomes a disc, and a shorter capsule a sphere, m.
const FLAT_M: f64 = 2e-6;

impl Surface {
    /// Returns the surfaces of a collider at a pose.
    pub fn of_collider(collider: &Collider, pose: &Pose) -> Result<Vec<Self>, HailError> {
        let mut surfaces = Vec::new();
        for (part, part_pose) in collider.simple_parts() {
            surfaces.extend(of_part(&part, |p| pose.apply(part_pose.apply(p)))?);
        }
        Ok(surfaces)
    }
}

fn of_part(
    collider: &Collider,
    at: impl Fn([f64; 3]) -> [f64; 3],
) -> Result<Vec<Surface>, HailError> {
    let origin = at([0.0; 3]);
    let along = |p: [f64; 3]| {
        let there = at(p);
        [0, 1, 2].map(|k| there[k] - origin[k])
    };
    let mesh = |points: &[[f64; 3]], triangles: Vec<[u32; 3]>| {
        let moved = points.iter().map(|p| at(*p)).collect();
        Ok(vec![Surface::Mesh(Arc::new(TargetMesh::new(moved, triangles)?))])
    };
    let disc = |z: f64, radius_m: f64| Surface::Disc {
        centre_m: at([0.0, 0.0, z]),
        axis_u_m: along([radius_m, 0.0, 0.0]),
        axis_v_m: along([0.0, radius_m, 0.0]),
    };
    let sphere = |z: f64, radius_m: f64| Surface::Sphere { centre_m: at([0.0, 0.0, z]), radius_m };
    // The lateral surface with its ends.
    let between = |half: f64, radius_m: f64, end: &dyn Fn(f64, f64) -> Surface| {
        if 2.0 * half < FLAT_M {
            return vec![end(0.0, radius_m)];
        }
        let side = Surface::Cylinder {
            base_m: at([0.0, 0.0, -half]),
            axis_m: along([0.0, 0.0, 2.0 * half]),
            radius_m,
        };
        vec![end(-half, radius_m), side, end(half, radius_m)]
    };
    Ok(match collider {
        Collider::HalfSpace => {
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let corners_m = corners.map(|[x, y]| at([GROUND_M * x, GROUND_M * y, 0.0]));
            vec![Surface::Quad { corners_m }]
        }
        Collider::Box { half_m } => {
            let corners = cuboid_corners(*half_m).map(at);
            let quad =
                |face: &[u32; 4]| Surface::Quad { corners_m: face.map(|k| corners[k as usize]) };
            CUBOID_FACES.iter().map(quad).collect()
        }
        Collider::Ball { radius_m } => vec![sphere(0.0, *radius_m)],
        Collider::Cylinder { half_length_m, radius_m } => between(*half_length_m, *radius_m, &disc),
        Collider::Capsule { half_length_m, radius_m } => {
            between(*half_length_m, *radius_m, &sphere)
        }
        Collider::Cone { half_length_m, radius_m } => {
            let base_m = at([0.0, 0.0, -half_length_m]);
            let axis_m = along([0.0, 0.0, 2.0 * half_length_m]);
            let side =
                Surface::Cone { base_m, axis_m, base_radius_m: *radius_m, top_radius_m: 0.0 };
            vec![disc(-half_length_m, *radius_m), side]
        }
        Collider::Hull { points_m } => mesh(points_m, convex_hull(points_m))?,
        Collider::Mesh { points_m, triangles } => mesh(points_m, triangles.clone())?,
        // They are no simple parts.
        Collider::Ring { .. } | Collider::Compound { .. } => Vec::new(),
    })
}
